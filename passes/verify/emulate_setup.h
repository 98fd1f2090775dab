/* emulate_setup.h - what the emulator is told about a link, and what it found: plain data, without packages.
 *
 * emulate.c fills the setup from the link; emulate_machine.c runs the program in it; emulate_tell.c words the findings.
 */
#ifndef PIPELINK_PASSES_EMULATE_SETUP_H
#define PIPELINK_PASSES_EMULATE_SETUP_H

#include "emulate_program.h"

typedef struct pl_emulate_role {
  unsigned first_warp, warps;
} pl_emulate_role;

typedef struct pl_emulate_ring {
  uint32_t slots;       /* address of slot 0 in the shared window */
  uint32_t slot_bytes;  /* and distance */
  uint32_t full, empty; /* addresses of the first mbarriers; of a ring with named barriers: first ids */
  unsigned depth;
  bool is_named, is_pre_arrived, counts_bytes;
  uint32_t producers, consumers; /* roles, as bits by index */
  uint32_t overlay, overlay_end; /* addresses of a buffer that lies on the slots; equal: none does */
} pl_emulate_ring;

/* The parameter block as the host might fill it: what it chooses freely is one number everywhere, so that two packages
 * that mean the same by a field have the same. */
typedef struct pl_emulate_field {
  uint64_t offset, size; /* bytes */
  bool is_number, is_bool, is_pointer;
  uint32_t copy_bytes; /* of a tensor map: what one copy brings; 0 otherwise */
  unsigned swizzle;    /* of a tensor map: bytes of its span, 0 for none */
} pl_emulate_field;

/* Bytes that threads share as their barriers order it: addresses in the shared window. */
typedef struct pl_emulate_buffer {
  uint32_t begin, end;
  size_t index; /* among the link's buffers */
} pl_emulate_buffer;

typedef struct pl_emulate_setup {
  unsigned warps;      /* of the CTA */
  size_t shared_bytes; /* of its arena */
  const pl_emulate_role *roles;
  size_t role_count;
  const pl_emulate_ring *rings;
  size_t ring_count;
  const pl_emulate_buffer *buffers; /* none where threads also talk by flags, which order what the run cannot see */
  size_t buffer_count;
  const pl_emulate_field *fields; /* by offset */
  size_t field_count;
  uint64_t number;       /* that the host chooses */
  uint64_t enough_steps; /* of all threads together, after which it is enough that every ring has gone round twice */
  uint64_t step_limit;   /* at most */
} pl_emulate_setup;

typedef enum pl_emulate_fault {
  PL_FAULT_NONE,
  PL_FAULT_RACE,        /* first and second touch a slot or a buffer, and nothing orders them */
  PL_FAULT_IN_FLIGHT,   /* the same; first is a matrix instruction or a copy that nobody has waited for */
  PL_FAULT_BYTES,       /* the same; first is a copy that its mbarrier was not told of */
  PL_FAULT_PROXY,       /* ordered, but one is of the async proxy and no fence lies between */
  PL_FAULT_ARRIVAL,     /* first arrives in a phase whose beginning it does not know of */
  PL_FAULT_FREE_WAIT,   /* first waits for a slot to be full, and passes before it was ever filled */
  PL_FAULT_NO_MBARRIER, /* first uses an address at which no mbarrier was initialised */
  PL_FAULT_NAMED_COUNT, /* first and second give a named barrier different counts */
  PL_FAULT_LAYOUT,      /* first copies by one swizzle, second reads by another */
  PL_FAULT_MISALIGNED   /* first begins a bulk copy to an address that is no multiple of 16 */
} pl_emulate_fault;

/* One side of a finding. */
typedef struct pl_emulate_place {
  unsigned thread;
  LLVMValueRef instruction; /* NULL when it does not matter */
} pl_emulate_place;

typedef struct pl_emulate_finding {
  pl_emulate_fault fault;
  uint32_t ring, slot; /* NONE: of no ring */
  bool is_buffer;      /* `ring` is the index of a buffer of the setup */
  bool is_full;        /* of the slot's two barriers */
  uint32_t barrier;    /* the mbarrier's index, or a named barrier's id */
  pl_emulate_place first, second;
  bool first_writes, second_writes; /* for races */
  bool is_overlay;                  /* one of them is to a buffer that lies on the slots */
  uint64_t counts[2];               /* PL_FAULT_NAMED_COUNT: threads; PL_FAULT_LAYOUT: bytes of the spans */
} pl_emulate_finding;

/* Somebody who waits at the end of a run that got stuck. */
typedef struct pl_emulate_waiter {
  uint32_t role; /* NONE: warps outside of all roles */
  unsigned thread, threads;
  LLVMValueRef instruction;
  bool is_named, is_collective;
  uint32_t barrier; /* index of the mbarrier, or the named barrier's id */
  uint32_t parity;
} pl_emulate_waiter;

/* What a role's threads have come to. */
typedef struct pl_emulate_role_state {
  unsigned ended;      /* threads */
  uint64_t choices;    /* that decisions other than going on depended on */
  uint64_t considered; /* that any decision depended on */
} pl_emulate_role_state;

/* An mbarrier at the end. */
typedef struct pl_emulate_barrier_state {
  uint32_t address, count, pending;
  int64_t bytes;            /* announced and not come, or negative */
  uint64_t phase, arrivals; /* completed phases; arrivals in all of them */
  uint32_t ring, slot;
  bool is_full;
  uint32_t known_to; /* roles, as bits, that have seen its last phase end */
} pl_emulate_barrier_state;

/* A named barrier at the end. */
typedef struct pl_emulate_named_state {
  unsigned count, arrived; /* threads: of the hand-over that is under way, 0 for all of the CTA; that have come */
} pl_emulate_named_state;

/* What a run says of one ring. */
typedef struct pl_emulate_ring_state {
  uint64_t fills;          /* slots that became full */
  bool bytes_are_declared; /* some copy's size is not known: what was announced was believed */
  LLVMValueRef unknown;    /* an access whose address is not known, which might be to a slot */
} pl_emulate_ring_state;

typedef struct pl_emulate_outcome {
  pl_emulate_finding findings[16];
  size_t finding_count;
  bool is_stuck, ran_out; /* nobody can go on; the run was ended by a limit of steps */
  pl_emulate_waiter *waiters;
  size_t waiter_count;
  pl_emulate_barrier_state *barriers;
  size_t barrier_count;
  pl_emulate_ring_state *rings;
  pl_emulate_role_state *roles;
  pl_emulate_named_state named[16];
  const char *unknown; /* why the run cannot be trusted from some point on, or NULL */
  LLVMValueRef unknown_at;
  uint64_t steps;
} pl_emulate_outcome;

/* Every ring has gone round often enough to show what it does in the long run. */
bool pl_emulate_has_gone_round(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome);

/* Why nobody can go on (emulate_stuck.c). */
typedef struct pl_emulate_verdict {
  const char *code;   /* of the diagnostic; NULL: not to be decided */
  const char *reason; /* then: why not */
  size_t waiter;      /* index of the one that tells it best */
  size_t opposite;    /* of one that it waits for in turn, or SIZE_MAX */
  bool depends;       /* on host's choices that all who are involved look at: true of those that were tried */
} pl_emulate_verdict;
pl_emulate_verdict pl_emulate_judge(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome);

/* Runs the program once. Everything of the outcome lives in the arena. -ENOMEM. */
pl_status pl_emulate_run(const pl_emulate_program *program, const pl_emulate_setup *setup, pl_arena *arena,
                         pl_emulate_outcome *outcome);

#endif
