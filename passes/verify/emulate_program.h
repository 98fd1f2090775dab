/* emulate_program.h - a kernel as the emulator runs it: what its synchronisation depends on, and nothing else.
 *
 * emulate_program.c translates the IR of a simplified kernel into steps on numbered registers. Only operations
 * (operation.h), accesses to shared memory, branches, and what these need become steps: of a main loop with a hundred
 * accumulators little more than its barriers is left. emulate_flow.c adds what the branches mean.
 */
#ifndef PIPELINK_PASSES_EMULATE_PROGRAM_H
#define PIPELINK_PASSES_EMULATE_PROGRAM_H

#include "operation.h"

#include <llvm-c/Target.h>

enum { PL_EMULATE_NONE = UINT32_MAX };

/* Registers are numbered from 0; constants have the top bit set and are numbered from there. */
enum { PL_EMULATE_CONSTANT = 1u << 31 };

/* Where things lie in the emulated address space: a generic address says by its upper bits what it is an address of. */
#define PL_EMULATE_SHARED UINT64_C(0x0001000000000000)     /* the shared window; the address in it is the lower part */
#define PL_EMULATE_PARAMETERS UINT64_C(0x0002000000000000) /* the kernel's parameter block */
#define PL_EMULATE_GLOBAL UINT64_C(0x0004000000000000)     /* what the block's pointers point to */
#define PL_EMULATE_KIND UINT64_C(0xffff000000000000)
enum { PL_EMULATE_ARENA = 1024 }; /* the arena's address in the shared window */

/* What of the host's choosing a value depends on: a bit for each field of the parameter block, and these. */
enum { PL_EMULATE_CHOICES = 60 };                    /* fields beyond share a bit */
#define PL_EMULATE_CHOICE_OTHER (UINT64_C(1) << 60)  /* any other field */
#define PL_EMULATE_CHOICE_GRID (UINT64_C(1) << 61)   /* grid and place in it */
#define PL_EMULATE_CHOICE_MEMORY (UINT64_C(1) << 62) /* contents of memory */
#define PL_EMULATE_CHOICE_ANY ((UINT64_C(1) << 63) - 1)

/* An integer or pointer during the run. */
typedef struct pl_emulate_value {
  uint64_t bits;         /* zero-extended; when it is not known, a name that equal values share */
  uint64_t choices : 63; /* what of the host's choosing it depends on: bits as above */
  uint64_t is_known : 1;
} pl_emulate_value;

typedef enum pl_emulate_code {
  PL_STEP_BINARY,    /* result = a `variant` b; variant: LLVMOpcode */
  PL_STEP_COMPARE,   /* result = a `variant` b; variant: LLVMIntPredicate */
  PL_STEP_SELECT,    /* result = a ? b : c */
  PL_STEP_CAST,      /* result = a; variant: LLVMOpcode; from_width */
  PL_STEP_ADDRESS,   /* result = a + b * offset, b taken as a signed number of from_width bits */
  PL_STEP_INTRINSIC, /* result = variant(a, b, c); variant: pl_emulate_intrinsic */
  PL_STEP_SPECIAL,   /* result = a special register; variant: pl_emulate_special */
  PL_STEP_LOAD,      /* result (or NONE) = [a], width bits, `count` bytes */
  PL_STEP_STORE,     /* [a] = b (or NONE: something), width bits */
  PL_STEP_UNKNOWN,   /* result = something that depends on a, b, c (as far as they are not NONE) */
  PL_STEP_FRESH,     /* result = something new */
  PL_STEP_OPERATE,   /* operation `target` */
  PL_STEP_JUMP,      /* to edge `target` */
  PL_STEP_BRANCH,    /* a: to edge `target` or `other`; decision `offset` */
  PL_STEP_SWITCH,    /* a: `count` cases from switch case `offset` on, else edge `target` */
  PL_STEP_RETURN,
  PL_STEP_TRAP
} pl_emulate_code;

typedef enum pl_emulate_intrinsic {
  PL_EMULATE_UMIN,
  PL_EMULATE_UMAX,
  PL_EMULATE_SMIN,
  PL_EMULATE_SMAX,
  PL_EMULATE_ABS,
  PL_EMULATE_CTPOP,
  PL_EMULATE_CTLZ,
  PL_EMULATE_CTTZ,
  PL_EMULATE_FSHL,
  PL_EMULATE_FSHR
} pl_emulate_intrinsic;

typedef enum pl_emulate_special {
  PL_EMULATE_TID,
  PL_EMULATE_NTID,
  PL_EMULATE_LANE,
  PL_EMULATE_WARP,
  PL_EMULATE_CTAID,  /* and ranks in a cluster: 0 */
  PL_EMULATE_NCTAID, /* 1 */
  PL_EMULATE_ZERO    /* tid.y and the like */
} pl_emulate_special;

typedef struct pl_emulate_step {
  uint8_t code; /* pl_emulate_code */
  uint8_t variant;
  uint8_t width, from_width; /* bits, 1..64 */
  bool is_fresh;             /* LOAD: another value each time (volatile, atomic) */
  bool may_be_shared;        /* LOAD, STORE: the address may be one in shared memory, as far as types say */
  uint32_t result;
  uint32_t a, b, c;
  uint32_t target, other, count;
  int64_t offset;
  LLVMValueRef instruction; /* for messages */
} pl_emulate_step;

/* A way from one block to another, with the phi assignments on it. */
typedef struct pl_emulate_edge {
  uint32_t block;
  uint32_t first_move, move_count;
} pl_emulate_edge;
typedef struct pl_emulate_move {
  uint32_t to, from;
} pl_emulate_move;

typedef struct pl_emulate_case {
  uint64_t value;
  uint32_t edge;
} pl_emulate_case;

/* What a conditional branch decides (emulate_flow.c). */
typedef struct pl_emulate_decision {
  bool leaves[2];    /* the edge leaves the innermost loop that the branch is in */
  bool goes_on[2];   /* the edge stays in a loop, or enters one: what every large enough problem does */
  bool is_innermost; /* that loop holds no other */
  bool is_idle;      /* both edges come to the same place with nothing done on the way, */
  bool makes_values; /* but perhaps with different values */
  uint8_t fuller;    /* the edge on whose side there is more to do */
} pl_emulate_decision;

/* An operand of an operation: a register or constant plus an offset. */
typedef struct pl_emulate_operand {
  bool is_present;
  uint32_t reference; /* NONE: present, but not known */
  int64_t offset;
} pl_emulate_operand;

typedef struct pl_emulate_operation {
  const pl_operation *operation;
  pl_emulate_operand address, source, source_b, barrier, id, count, parity, bytes, mask, guard;
  uint32_t result;       /* register or NONE */
  bool is_exchange;      /* of values between lanes, which are in `arguments` as far as they matter */
  uint32_t arguments[4]; /* of a call to an intrinsic: registers or NONE */
} pl_emulate_operation;

typedef struct pl_emulate_program {
  pl_emulate_step *steps;
  size_t step_count;
  uint32_t *block_steps; /* of each block: its first step */
  size_t block_count;
  pl_emulate_edge *edges;
  size_t edge_count;
  pl_emulate_move *moves;
  size_t move_count;
  pl_emulate_case *cases;
  size_t case_count;
  pl_emulate_decision *decisions;
  size_t decision_count;
  pl_emulate_operation *operations;
  size_t operation_count;
  pl_emulate_value *constants;
  size_t constant_count;
  uint32_t register_count;
  const char *too_large; /* why it was not translated, or NULL */
} pl_emulate_program;

/* Translates a kernel. Everything lives in the arena. A kernel of more than a few ten thousand steps is left
 * (too_large). -ENOMEM. */
pl_status pl_emulate_translate(LLVMValueRef kernel, LLVMTargetDataRef layout, pl_arena *arena,
                               pl_emulate_program *program);

/* emulate_slice.c: the instructions that the run needs. */
typedef struct pl_emulate_slice pl_emulate_slice;
pl_status pl_emulate_slice_make(LLVMValueRef kernel, pl_arena *arena, pl_emulate_slice **slice);
/* Its number among the kernel's instructions (and arguments), or NONE for one that is not needed. */
uint32_t pl_emulate_slice_find(const pl_emulate_slice *slice, LLVMValueRef instruction);
/* The operations of a needed instruction. */
const pl_operation *pl_emulate_slice_operations(const pl_emulate_slice *slice, LLVMValueRef instruction, size_t *count);
size_t pl_emulate_slice_size(const pl_emulate_slice *slice); /* needed instructions */
size_t pl_emulate_slice_operation_count(const pl_emulate_slice *slice);
/* False for operations that the run passes over. */
bool pl_emulate_matters(const pl_operation *operation);
/* True when a pointer may lead into shared memory. */
bool pl_emulate_may_be_shared(LLVMValueRef pointer);

/* emulate_flow.c: fills program->decisions from its edges, and lets loops be passed by in which nothing happens that
 * matters. -ENOMEM. */
pl_status pl_emulate_flow(pl_emulate_program *program, pl_arena *arena);

#endif
