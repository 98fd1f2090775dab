/* operation_intrinsics.c - LLVM's NVPTX intrinsics and what they are as operations.
 *
 * Source: LLVM, User Guide for NVPTX Back-end; IntrinsicsNVVM.td of LLVM 22 for the order of arguments.
 */
#include "operation_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct intrinsic {
  const char *name; /* behind "llvm.nvvm."; a final '*' stands for any rest */
  pl_operation_kind kind;
  const char *arguments; /* as for pl_ptx_classify() */
} intrinsic;

/* The first that fits counts. */
static const intrinsic intrinsics[] = {
    {"barrier.cta.sync.*", PL_OP_BARRIER_SYNC, "ic"},
    {"barrier.cta.arrive.*", PL_OP_BARRIER_ARRIVE, "ic"},
    {"barrier.cta.red.*", PL_OP_BARRIER_SYNC, "ic"}, /* settle(): ".all" has no count */
    {"barrier.cluster.arrive*", PL_OP_CLUSTER_ARRIVE, ""},
    {"barrier.cluster.wait*", PL_OP_CLUSTER_WAIT, ""},
    {"bar.warp.sync", PL_OP_SHUFFLE, "m"},
    {"mbarrier.init*", PL_OP_MBARRIER_INIT, "ac"},
    {"mbarrier.inval*", PL_OP_MBARRIER_INVAL, "a"},
    {"mbarrier.arrive.expect.tx.*", PL_OP_MBARRIER_EXPECT_TX, "an"},
    {"mbarrier.arrive.drop.expect.tx.*", PL_OP_MBARRIER_EXPECT_TX, "an"},
    {"mbarrier.arrive*", PL_OP_MBARRIER_ARRIVE, "ac"},
    {"mbarrier.expect.tx.*", PL_OP_MBARRIER_EXPECT_TX, "an"},
    {"mbarrier.complete.tx.*", PL_OP_MBARRIER_COMPLETE_TX, "an"},
    {"mbarrier.test.wait.parity.*", PL_OP_MBARRIER_TEST, "ap"},
    {"mbarrier.try.wait.parity.*", PL_OP_MBARRIER_TEST, "ap"},
    {"mbarrier.test.wait*", PL_OP_MBARRIER_TEST, "a"},
    {"mbarrier.try.wait*", PL_OP_MBARRIER_TEST, "a"},
    {"mbarrier.pending.count*", PL_OP_ARITHMETIC, ""},
    {"cp.async.bulk.commit.group", PL_OP_BULK_COMMIT, ""},
    {"cp.async.bulk.wait.group", PL_OP_BULK_WAIT, "c"},
    {"cp.async.bulk.wait.group.read", PL_OP_BULK_WAIT, "c"},
    {"cp.async.bulk.prefetch.*", PL_OP_PREFETCH, "s"},
    {"cp.async.bulk.tensor.prefetch.*", PL_OP_PREFETCH, "s"},
    {"cp.async.bulk.global.to.shared.cluster", PL_OP_BULK_LOAD, "absnm"},
    {"cp.async.bulk.global.to.shared.cta", PL_OP_BULK_LOAD, "absn"},
    {"cp.async.bulk.shared.cta.to.cluster", PL_OP_BULK_LOAD, "absn"},
    {"cp.async.bulk.shared.cta.to.global*", PL_OP_BULK_STORE, "asn"},
    {"cp.async.bulk.tensor.g2s.*", PL_OP_BULK_LOAD, "abs"},
    {"cp.async.bulk.tensor.s2g.*", PL_OP_BULK_STORE, "sa"},
    {"cp.async.bulk.tensor.reduce.*", PL_OP_BULK_STORE, "sa"},
    {"cp.async.commit.group", PL_OP_CP_ASYNC_COMMIT, ""},
    {"cp.async.wait.group", PL_OP_CP_ASYNC_WAIT, "c"},
    {"cp.async.wait.all", PL_OP_CP_ASYNC_WAIT, ""},
    {"cp.async.mbarrier.arrive*", PL_OP_CP_ASYNC_ARRIVE, "a"},
    {"cp.async.ca.shared.global.*", PL_OP_CP_ASYNC, "as"},
    {"cp.async.cg.shared.global.*", PL_OP_CP_ASYNC, "as"},
    {"clusterlaunchcontrol.try_cancel.async.*", PL_OP_BULK_LOAD, "ab"},
    {"clusterlaunchcontrol.query_cancel.*", PL_OP_ARITHMETIC, ""},
    {"fence.proxy.async", PL_OP_FENCE_ASYNC, ""},
    {"fence.proxy.async.*", PL_OP_FENCE_ASYNC, ""},
    {"fence.proxy.*", PL_OP_FENCE_OTHER, ""},
    {"fence.mbarrier_init.*", PL_OP_FENCE_MBARRIER_INIT, ""},
    {"fence.*", PL_OP_FENCE, ""},
    {"membar.*", PL_OP_FENCE, ""},
    {"setmaxnreg.*", PL_OP_SETMAXNREG, "c"},
    {"tcgen05.alloc.*", PL_OP_TCGEN05_ALLOC, "ac"},
    {"tcgen05.dealloc.*", PL_OP_TCGEN05_DEALLOC, "ac"},
    {"tcgen05.relinq.alloc.permit.*", PL_OP_TCGEN05_RELINQUISH, ""},
    {"tcgen05.mma.*", PL_OP_TCGEN05_MMA, "ast"},
    {"tcgen05.commit.*", PL_OP_TCGEN05_COMMIT, "am"},
    {"tcgen05.ld.*", PL_OP_TCGEN05_LOAD, "s"},
    {"tcgen05.st.*", PL_OP_TCGEN05_STORE, "a"},
    {"tcgen05.cp.*", PL_OP_TCGEN05_COPY, "as"},
    {"tcgen05.shift.*", PL_OP_TCGEN05_COPY, "a"},
    {"tcgen05.wait.*", PL_OP_TCGEN05_WAIT, ""},
    {"tcgen05.fence.*", PL_OP_TCGEN05_FENCE, ""},
    {"wgmma.fence.*", PL_OP_WGMMA_FENCE, ""},
    {"wgmma.commit_group.*", PL_OP_WGMMA_COMMIT, ""},
    {"wgmma.wait_group.*", PL_OP_WGMMA_WAIT, "c"},
    {"prefetch*", PL_OP_PREFETCH, "s"},
    {"ldmatrix.*", PL_OP_MMA, "s"},
    {"stmatrix.*", PL_OP_MMA, "a"},
    {"mma.*", PL_OP_MMA, ""},
    {"wmma.*", PL_OP_MMA, ""},
    {"movmatrix.*", PL_OP_MMA, ""},
    {"st.bulk*", PL_OP_STORE, "an"},
    {"tensormap.replace.*", PL_OP_STORE, "a"},
    {"ldu.*", PL_OP_LOAD, "s"},
    {"ldg.*", PL_OP_LOAD, "s"},
    {"tex.*", PL_OP_LOAD, ""},
    {"suld.*", PL_OP_LOAD, ""},
    {"sust.*", PL_OP_STORE, ""},
    {"atomic.*", PL_OP_ATOMIC, "a"},
    {"elect.sync", PL_OP_ELECT, "m"},
    {"shfl.sync.*", PL_OP_SHUFFLE, "m"},
    {"shfl.*", PL_OP_SHUFFLE, ""},
    {"vote.*", PL_OP_SHUFFLE, "m"},
    {"match.*", PL_OP_SHUFFLE, "m"},
    {"redux.sync.*", PL_OP_SHUFFLE, "_m"},
    {"activemask", PL_OP_SHUFFLE, ""},
    {"read.ptx.sreg.*", PL_OP_SPECIAL_REGISTER, ""},
    {"griddepcontrol.*", PL_OP_GRID_DEPENDENCY, ""},
    {"exit", PL_OP_EXIT, ""},
};

static bool fits(const char *pattern, const char *name) {
  size_t length = strlen(pattern);
  return pattern[length - 1] == '*' ? !strncmp(pattern, name, length - 1) : !strcmp(pattern, name);
}

/* The name's parts between dots are PTX's modifiers, most of them. */
static void read_words(const char *name, pl_operation *operation) {
  for (const char *word = name; *word;) {
    size_t length = strcspn(word, ".");
    pl_operation_read_word(operation, word, length);
    word += length + (word[length] == '.');
  }
  operation->arrives = operation->kind == PL_OP_MBARRIER_EXPECT_TX && !strncmp(name, "mbarrier.arrive", 15);
  operation->is_increase = operation->kind == PL_OP_SETMAXNREG && strstr(name, ".inc.");
  if (operation->kind == PL_OP_FENCE && !strncmp(name, "membar", 6))
    operation->is_acquire = operation->is_release = true;
}

/* In the intrinsics' names "shared" and "cluster" say several things; the pointer's type says where it leads. */
static void read_space(LLVMValueRef call, const char *letters, pl_operation *operation) {
  static const pl_space spaces[] = {
      [1] = PL_SPACE_GLOBAL, [3] = PL_SPACE_SHARED, [4] = PL_SPACE_CONST, [5] = PL_SPACE_LOCAL, [7] = PL_SPACE_CLUSTER};
  const char *letter = strchr(letters, 'a');
  if (!letter)
    letter = strchr(letters, 's');
  if (!letter || letter - letters >= (ptrdiff_t)LLVMGetNumArgOperands(call))
    return;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, (unsigned)(letter - letters)));
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return;
  unsigned number = LLVMGetPointerAddressSpace(type);
  operation->space = number < sizeof spaces / sizeof *spaces ? spaces[number] : PL_SPACE_GENERIC;
}

/* Copies of a fixed size carry it in their names. */
static const char *settle(const char *name, const char *letters, pl_operation *operation) {
  size_t length = strlen(name);
  int64_t bytes = 0;
  if (!strncmp(name, "barrier.cta.", 12) && length > 4 && !strcmp(name + length - 4, ".all"))
    return "i";
  if (operation->kind == PL_OP_CP_ASYNC)
    bytes = strtol(name + strlen("cp.async.ca.shared.global."), NULL, 10);
  if (operation->kind == PL_OP_BULK_LOAD && !strcmp(letters, "ab"))
    bytes = 16;
  if (bytes)
    operation->bytes = (pl_operand){.kind = PL_OPERAND_INTEGER, .integer = bytes};
  return letters;
}

const char *pl_intrinsic_classify(const char *name, LLVMValueRef call, pl_arena *arena, pl_operation *operation) {
  static const char prefix[] = "llvm.nvvm.", sreg[] = "read.ptx.sreg.";
  if (!strncmp(name, "llvm.trap", 9) || !strncmp(name, "llvm.ubsantrap", 14) || !strncmp(name, "llvm.debugtrap", 14)) {
    operation->kind = PL_OP_TRAP;
    return "";
  }
  if (strncmp(name, prefix, sizeof prefix - 1) != 0)
    return NULL; /* LLVM's general ones: arithmetic, hints, debug information */
  name += sizeof prefix - 1;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
    if (!fits(intrinsics[i].name, name))
      continue;
    operation->kind = intrinsics[i].kind;
    if (!strncmp(name, sreg, sizeof sreg - 1)) {
      operation->text = pl_arena_printf(arena, "%%%s", name + sizeof sreg - 1);
      operation->result = 0;
      return "";
    }
    read_words(name, operation);
    read_space(call, intrinsics[i].arguments, operation);
    /* elect.sync gives the leader and whether this is it. */
    operation->result = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? -1 : operation->kind == PL_OP_ELECT;
    return settle(name, intrinsics[i].arguments, operation);
  }
  return NULL; /* what remains of them computes */
}
