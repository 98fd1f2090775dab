/* operation.h - what one instruction of a stage does to the SM's resources, in one vocabulary.
 *
 * A stage waits, arrives, copies and fences by inline PTX or by NVVM intrinsics; both are decoded into operations here
 * (operation.c, with ptx_asm.c as the reader of PTX text), and every check of code works on operations, never on text.
 */
#ifndef PIPELINK_PASSES_VERIFY_OPERATION_H
#define PIPELINK_PASSES_VERIFY_OPERATION_H

#include "support.h"

#include <llvm-c/Core.h>

typedef enum pl_operation_kind {
  PL_OP_BARRIER_SYNC,    /* bar.sync, barrier.cta.sync, __syncthreads, bar.red: id, count (threads; 0 or absent: all) */
  PL_OP_BARRIER_ARRIVE,  /* bar.arrive: id, count */
  PL_OP_CLUSTER_ARRIVE,  /* barrier.cluster.arrive */
  PL_OP_CLUSTER_WAIT,    /* barrier.cluster.wait */
  PL_OP_MBARRIER_INIT,   /* address, count */
  PL_OP_MBARRIER_INVAL,  /* address */
  PL_OP_MBARRIER_ARRIVE, /* address, count (1 when absent) */
  PL_OP_MBARRIER_EXPECT_TX, /* address, bytes; arrives says whether it is arrive.expect_tx */
  PL_OP_MBARRIER_COMPLETE_TX,
  PL_OP_MBARRIER_TEST, /* test_wait/try_wait, one look: address, parity (absent: by state); result */
  PL_OP_MBARRIER_WAIT, /* a look in a loop of its own asm block: address, parity */
  PL_OP_BULK_LOAD,     /* cp.async.bulk(.tensor) into shared memory, also clusterlaunchcontrol.try_cancel: address
                          (destination), source (global, shared, or the tensor map), bytes (absent for tensors),
                          barrier; mask: the CTAs of a multicast */
  PL_OP_BULK_STORE,    /* shared -> global, also cp.reduce.async.bulk: source, address (or the tensor map), bytes */
  PL_OP_BULK_COMMIT,
  PL_OP_BULK_WAIT, /* count: groups that may be pending; is_read: .read */
  PL_OP_CP_ASYNC,  /* address (destination), bytes */
  PL_OP_CP_ASYNC_COMMIT,
  PL_OP_CP_ASYNC_WAIT,   /* count; wait_all: 0 */
  PL_OP_CP_ASYNC_ARRIVE, /* cp.async.mbarrier.arrive: address; is_noinc */
  PL_OP_WGMMA_FENCE,
  PL_OP_WGMMA, /* mma_async: reads shared memory through descriptors; source / source_b: the descriptors */
  PL_OP_WGMMA_COMMIT,
  PL_OP_WGMMA_WAIT,  /* count: groups that may be pending */
  PL_OP_FENCE_ASYNC, /* fence.proxy.async */
  PL_OP_FENCE_MBARRIER_INIT,
  PL_OP_FENCE,         /* fence, membar: scope */
  PL_OP_FENCE_OTHER,   /* fence.proxy.tensormap, alias, ... */
  PL_OP_SETMAXNREG,    /* count: registers; is_increase */
  PL_OP_TCGEN05_ALLOC, /* address, count: columns */
  PL_OP_TCGEN05_DEALLOC,
  PL_OP_TCGEN05_RELINQUISH,
  PL_OP_TCGEN05_MMA,
  PL_OP_TCGEN05_COMMIT, /* address: the mbarrier it arrives on */
  PL_OP_TCGEN05_LOAD,
  PL_OP_TCGEN05_STORE,
  PL_OP_TCGEN05_COPY,
  PL_OP_TCGEN05_WAIT,
  PL_OP_TCGEN05_FENCE,
  PL_OP_PREFETCH,         /* of tensor maps and of global memory: source */
  PL_OP_MMA,              /* mma.sync, wmma, ldmatrix (source), stmatrix (address) */
  PL_OP_LOAD,             /* ld, a plain load: source, space */
  PL_OP_STORE,            /* st, a plain store: address, space; barrier of st.async */
  PL_OP_ATOMIC,           /* atom, red, atomicrmw, cmpxchg: address, space, scope; barrier of red.async */
  PL_OP_ELECT,            /* elect.sync; result */
  PL_OP_SHUFFLE,          /* shfl, vote, match, redux, bar.warp: mask */
  PL_OP_SPECIAL_REGISTER, /* text: "%tid.x"; result */
  PL_OP_GRID_DEPENDENCY,  /* griddepcontrol.* */
  PL_OP_CALL,             /* a call inside asm, or of a function that has not been inlined */
  PL_OP_EXIT,             /* exit, ret in asm; llvm.trap / trap is PL_OP_TRAP */
  PL_OP_TRAP,
  PL_OP_ARITHMETIC, /* known, and touches no resource */
  PL_OP_UNKNOWN     /* not understood: text says what */
} pl_operation_kind;

typedef enum pl_operand_kind {
  PL_OPERAND_ABSENT,
  PL_OPERAND_INTEGER, /* a constant, in the text or a ConstantInt argument, sign-extended */
  PL_OPERAND_VALUE,   /* an LLVM value, plus `integer` bytes ("[$0+8]") */
  PL_OPERAND_SYMBOL,  /* a name in PTX text */
  PL_OPERAND_LOCAL    /* a register of the asm block (symbol) whose value is not known */
} pl_operand_kind;

typedef struct pl_operand {
  pl_operand_kind kind;
  int64_t integer;
  LLVMValueRef value;
  const char *symbol;
} pl_operand;

typedef enum pl_space {
  PL_SPACE_GENERIC,
  PL_SPACE_GLOBAL,
  PL_SPACE_SHARED,
  PL_SPACE_CLUSTER, /* shared memory of any CTA of the cluster */
  PL_SPACE_LOCAL,
  PL_SPACE_CONST,
  PL_SPACE_PARAM
} pl_space;
typedef enum pl_scope { PL_SCOPE_NONE, PL_SCOPE_CTA, PL_SCOPE_CLUSTER, PL_SCOPE_GPU, PL_SCOPE_SYSTEM } pl_scope;

typedef struct pl_operation {
  pl_operation_kind kind;
  const char *text;         /* the PTX instruction ("bar.sync") or the intrinsic's name, for messages */
  LLVMValueRef instruction; /* the call (or load, store, atomicrmw) it belongs to */
  pl_operand address, source, source_b, barrier; /* shared or global addresses */
  pl_operand id, count, parity, bytes, mask;
  pl_operand
      cta;    /* of the cluster, whose shared memory `address` lies in (mapa); absent: this one, or as `space` says */
  int result; /* index in the instruction's struct (0 for a scalar) of what it gives; -1: nothing known */
  pl_operand guard;    /* it is executed when this is not 0: a predicate inside the asm; absent: always */
  bool guard_inverted; /* when it is 0 */
  pl_space space;
  pl_scope scope;
  bool is_aligned; /* .aligned: the whole warp together */
  bool is_read, is_noinc, arrives, is_increase, is_multicast, is_volatile, is_acquire, is_release;
  bool has_memory_clobber; /* asm: "memory" and sideeffect; intrinsics: true */
  bool is_convergent;
  unsigned cta_group; /* tcgen05: 1 or 2; 0 otherwise */
} pl_operation;

/* All operations of one instruction in order; none for an instruction without meaning here (arithmetic of LLVM's own,
 * debug and lifetime intrinsics). Everything belongs to the arena. -ENOMEM. */
pl_status pl_operations_decode(LLVMValueRef instruction, pl_arena *arena, const pl_operation **operations,
                               size_t *count);

/* A function that the driver provides to every kernel (CUDA C++ Programming Guide, device runtime): vprintf, ... */
bool pl_is_system_call(const char *name);

#endif
