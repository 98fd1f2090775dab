/* emulate_machine.h - the emulated CTA: threads, barriers, clocks and slots; shared by the files that run it.
 *
 * Every warp runs until it must wait, in order, so a run is always the same; lanes that are at the same step take it
 * together (emulate_warp.c). Who is ordered before whom does not depend on that order: it is kept as vector clocks, two
 * entries for each warp, one for each engine that works on its own (matrix instructions of a warpgroup, copies of a
 * warp), and one for each mbarrier's phases.
 */
#ifndef PIPELINK_PASSES_EMULATE_MACHINE_H
#define PIPELINK_PASSES_EMULATE_MACHINE_H

#include "emulate_setup.h"

enum { PL_EMULATE_MOVES = 64 }; /* phis that an edge may give values to */

typedef enum pl_emulate_state {
  PL_THREAD_READY,
  PL_THREAD_MBARRIER,   /* waits for a phase */
  PL_THREAD_POLLING,    /* has looked twice, and nothing had happened in between */
  PL_THREAD_COLLECTIVE, /* waits for the other lanes of its warp */
  PL_THREAD_NAMED,      /* waits for a named barrier */
  PL_THREAD_DONE
} pl_emulate_state;

/* Work that a thread has begun and that engines do: groups, numbered from 1. */
typedef struct pl_emulate_groups {
  uint32_t open; /* the group that new work belongs to is committed + 1; whether it has any */
  uint32_t committed;
} pl_emulate_groups;

typedef struct pl_emulate_thread {
  uint32_t step;
  pl_emulate_state state;
  uint32_t waits_for, parity; /* mbarrier index and parity, or id of a named barrier */
  uint32_t generation;        /* of the named barrier when it arrived */
  LLVMValueRef instruction;   /* at which it waits */
  uint64_t polled_at;         /* events when it looked last, and where */
  uint32_t polled_step;
  uint64_t choices;    /* that decisions other than going on depended on */
  uint64_t considered; /* that any decision depended on */
  uint64_t making;     /* that an idle decision depended on: part of the values that come of it */
  pl_emulate_groups matrix, stores, copies;
  uint32_t *visits; /* of each decision: how often in a row an unknown condition went on */
} pl_emulate_thread;

/* A register of a warp: mostly its lanes have the same in it. */
typedef struct pl_emulate_cell {
  pl_emulate_value value;  /* of all lanes, */
  bool differs;            /* unless they differ: */
  pl_emulate_value *lanes; /* of each; NULL as long as they never have */
} pl_emulate_cell;

typedef struct pl_emulate_warp {
  uint32_t *clock;
  uint32_t met[2];            /* the times of its two entries when its lanes met last */
  uint32_t living, making;    /* lanes that have not ended; whose `making` is not 0 */
  pl_emulate_cell *registers; /* of the program */
} pl_emulate_warp;

typedef struct pl_emulate_mbarrier {
  pl_emulate_barrier_state state;
  bool bytes_unknown;            /* a copy of unknown size has come in this phase */
  uint32_t *arrived, *completed; /* clocks: of this phase's arrivals so far; of all phases before */
} pl_emulate_mbarrier;

typedef struct pl_emulate_named {
  unsigned count, arrived; /* threads; 0: nobody has arrived */
  uint32_t generation;
  uint32_t *clock, *released;
  pl_emulate_place first; /* who gave the count */
} pl_emulate_named;

/* Whose an access to a slot is: the ring's sides, or that of a buffer that lies on the slots. */
typedef enum pl_emulate_side { PL_SIDE_PRODUCER, PL_SIDE_CONSUMER, PL_SIDE_OVERLAY } pl_emulate_side;

/* When each clock entry's owner last touched a slot, by kind, and where. */
typedef struct pl_emulate_touch {
  uint32_t at;
  uint32_t thread;
  pl_emulate_side side;
  LLVMValueRef instruction;
} pl_emulate_touch;
typedef struct pl_emulate_slot {
  pl_emulate_touch *reads, *writes; /* of each clock entry */
} pl_emulate_slot;

/* An access to a buffer: by which clock entry, when, by which thread, where. */
typedef struct pl_emulate_mark {
  uint32_t at;
  uint16_t entry, thread;
  LLVMValueRef instruction;
} pl_emulate_mark;
typedef struct pl_emulate_byte {
  pl_emulate_mark write, reads[2]; /* the last write, and reads since */
} pl_emulate_byte;

/* How 16 bytes of shared memory were laid out by a tensor copy (emulate_layout.c). */
typedef struct pl_emulate_layout {
  LLVMValueRef copy; /* NULL: by something else */
  unsigned thread, swizzle;
} pl_emulate_layout;

typedef struct pl_emulate_machine {
  const pl_emulate_program *program;
  const pl_emulate_setup *setup;
  pl_arena *arena;
  pl_emulate_outcome *outcome;
  pl_emulate_thread *threads;
  unsigned thread_count;
  pl_emulate_warp *warps;
  uint32_t *role_of_warp;

  /* clock entries */
  uint32_t matrix, tensor, stores, copies, phases, fences; /* first entries of each kind; warps' are from 0 */
  uint32_t clock_size;

  pl_emulate_mbarrier *mbarriers;
  size_t mbarrier_count, mbarrier_capacity;
  uint32_t *mbarrier_at; /* by (address - ARENA) / 8: index + 1 */
  size_t mbarrier_places;
  pl_emulate_named named[16];
  pl_emulate_slot **slots; /* of each ring */
  pl_emulate_byte **bytes; /* of each buffer */
  pl_emulate_value *words; /* of shared memory, 4 bytes each; a word that is not known has no name yet when bits is 0 */
  size_t word_count, first_word, last_word; /* outside of first .. last - 1 none has a name or is known */
  pl_emulate_value *moved;                  /* what an edge's phis get, of each lane */

  pl_emulate_layout *layouts; /* of 16 bytes each; none without tensor maps */
  size_t layout_count;

  uint64_t events; /* that could let somebody go on */
  uint64_t fresh;  /* names given to new values */
  uint64_t steps;
  unsigned loop_limit; /* rounds of a loop whose condition is not known */
  bool is_unsettled;   /* a copy of unknown size has come */
  bool failed;         /* out of memory */
} pl_emulate_machine;

/* emulate_evaluate.c: arithmetic on values. */
pl_emulate_value pl_emulate_evaluate(const pl_emulate_step *step, pl_emulate_value a, pl_emulate_value b,
                                     pl_emulate_value c);
pl_emulate_value pl_emulate_unknown(uint64_t name, uint64_t choices);
uint64_t pl_emulate_mix(uint64_t a, uint64_t b);

/* What some lanes of a warp have in a register or constant: values[lane * stride]. */
typedef struct pl_emulate_source {
  const pl_emulate_value *values;
  unsigned stride; /* 0: all the same */
} pl_emulate_source;
void pl_emulate_evaluate_lanes(const pl_emulate_step *step, const pl_emulate_source sources[3], uint32_t lanes,
                               pl_emulate_value results[32]);

/* emulate_registers.c: gives some lanes of a warp (by bits) one value, or each its own. */
void pl_emulate_set(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index, pl_emulate_value value);
void pl_emulate_set_each(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index,
                         const pl_emulate_value values[32]);
pl_emulate_source pl_emulate_source_of(const pl_emulate_machine *machine, unsigned warp, uint32_t reference);
pl_emulate_value pl_emulate_register(const pl_emulate_machine *machine, unsigned thread, uint32_t reference);
/* The value of an operand for a thread; unknown when it is not there or local to an asm block. */
pl_emulate_value pl_emulate_operand_value(const pl_emulate_machine *machine, unsigned thread,
                                          const pl_emulate_operand *operand);

/* emulate_warp.c: runs a warp until all its threads wait or have ended. */
void pl_emulate_run_warp(pl_emulate_machine *machine, unsigned warp);

/* emulate_layout.c: how tensor copies lay out shared memory. */
pl_status pl_emulate_layout_make(pl_emulate_machine *machine);
void pl_emulate_layout_set(pl_emulate_machine *machine, uint32_t address, uint64_t bytes, pl_emulate_layout layout);
void pl_emulate_layout_read(pl_emulate_machine *machine, unsigned thread, uint64_t descriptor,
                            LLVMValueRef instruction);

/* emulate_memory.c: loads and stores of some lanes of a warp. */
void pl_emulate_load(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_step *step);
void pl_emulate_store(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_step *step);
void pl_emulate_forget(pl_emulate_machine *machine, uint32_t address, uint64_t bytes);
/* The shared-window address of a value, generic or not; false when it is not known or not shared. */
bool pl_emulate_shared_address(pl_emulate_value value, uint32_t *address);

/* emulate_clock.c */
uint32_t *pl_emulate_clock_new(pl_emulate_machine *machine);
void pl_emulate_clock_join(const pl_emulate_machine *machine, uint32_t *into, const uint32_t *from);
uint32_t *pl_emulate_clock_of(const pl_emulate_machine *machine, unsigned thread);
uint32_t pl_emulate_entry_of(unsigned thread);
/* The first lane of each of the warp's entries. */
uint32_t pl_emulate_leaders(uint32_t lanes);
/* The lanes of a warp know of each other what they did so far. */
void pl_emulate_meet(pl_emulate_machine *machine, unsigned warp);
/* Ordinary accesses so far come before what the async proxy does. */
void pl_emulate_fence(pl_emulate_machine *machine, unsigned thread);
/* What the thread did so far becomes part of `into`; what it does from now on does not. */
void pl_emulate_release(pl_emulate_machine *machine, unsigned thread, uint32_t *into);

/* emulate_slots.c: accesses to shared memory. `entry` is the clock entry that makes the access, `at` its time. */
void pl_emulate_touch_async(pl_emulate_machine *machine, unsigned thread, uint32_t address, uint64_t bytes, bool writes,
                            uint32_t entry, uint32_t at, LLVMValueRef instruction);
/* Ordinary ones of some lanes of a warp. */
void pl_emulate_touch_lanes(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, pl_emulate_source addresses,
                            uint64_t bytes, bool writes, LLVMValueRef instruction);
void pl_emulate_touch_unknown(pl_emulate_machine *machine, LLVMValueRef instruction);

/* emulate_buffers.c */
void pl_emulate_touch_buffer(pl_emulate_machine *machine, const pl_emulate_mark *mark, uint32_t address, uint64_t bytes,
                             bool writes);

/* emulate_mbarrier.c */
uint32_t pl_emulate_mbarrier_find(const pl_emulate_machine *machine, uint32_t address);
void pl_emulate_mbarrier_init(pl_emulate_machine *machine, unsigned thread, uint32_t address, uint32_t count);
void pl_emulate_mbarrier_arrive(pl_emulate_machine *machine, unsigned thread, uint32_t index, uint32_t count,
                                LLVMValueRef instruction);
void pl_emulate_mbarrier_arrive_lanes(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index,
                                      uint32_t count, LLVMValueRef instruction);
void pl_emulate_mbarrier_expect(pl_emulate_machine *machine, uint32_t index, int64_t bytes);
void pl_emulate_mbarrier_complete(pl_emulate_machine *machine, uint32_t index, int64_t bytes, bool is_known);
/* Copies of unknown size have all come: believes what was announced. */
void pl_emulate_mbarrier_settle(pl_emulate_machine *machine, uint32_t index);
/* True when the phase of this parity has ended; the thread then knows what its arrivals knew. */
bool pl_emulate_mbarrier_look(pl_emulate_machine *machine, unsigned thread, uint32_t index, uint32_t parity);

/* emulate_named.c: a whole warp arrives; its threads wait when `waits`. */
void pl_emulate_named_arrive(pl_emulate_machine *machine, unsigned warp, uint32_t id, uint32_t count, bool waits,
                             LLVMValueRef instruction);
void pl_emulate_named_threads_left(pl_emulate_machine *machine);

/* emulate_operate.c: one operation of some lanes of a warp, all of which are at it. Those that need not wait have gone
 * on to another step; the others will run it again. */
void pl_emulate_operate(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                        const pl_emulate_operation *operation);

/* The mbarrier that an operand addresses; NONE when it is none or not known, which is noted. */
uint32_t pl_emulate_find_mbarrier(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operand *operand,
                                  const pl_emulate_operation *operation);

/* emulate_engines.c: a copy or matrix instruction of a thread; false for other operations. */
bool pl_emulate_work(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation);

/* emulate_collective.c: operations of whole warps. The last lane to come runs it for all. */
void pl_emulate_collective(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                           const pl_emulate_operation *operation);
void pl_emulate_collective_left(pl_emulate_machine *machine, unsigned warp);

/* Notes what a run cannot know; the first reason stays. */
void pl_emulate_note_unknown(pl_emulate_machine *machine, const char *reason, LLVMValueRef instruction);
/* Adds a finding unless the same of that ring is there. */
void pl_emulate_find(pl_emulate_machine *machine, const pl_emulate_finding *finding);

#endif
