/* operation_ptx.c - the PTX instructions and what they are as operations.
 *
 * Source: PTX ISA 9.0, chapter "Instruction Set".
 */
#include "operation_parts.h"

#include <string.h>

typedef struct instruction {
  const char *name; /* the beginning of the opcode, whole words */
  pl_operation_kind kind;
  const char *operands; /* see pl_ptx_classify() */
} instruction;

/* Of two that begin alike the longer one stands first. */
static const instruction instructions[] = {
    {"bar.warp", PL_OP_SHUFFLE, "m"},
    {"bar.sync", PL_OP_BARRIER_SYNC, "ic"},
    {"bar.cta.sync", PL_OP_BARRIER_SYNC, "ic"},
    {"bar.arrive", PL_OP_BARRIER_ARRIVE, "ic"},
    {"bar.cta.arrive", PL_OP_BARRIER_ARRIVE, "ic"},
    {"bar.red", PL_OP_BARRIER_SYNC, "ric_"},
    {"bar.cta.red", PL_OP_BARRIER_SYNC, "ric_"},
    {"barrier.cluster.arrive", PL_OP_CLUSTER_ARRIVE, ""},
    {"barrier.cluster.wait", PL_OP_CLUSTER_WAIT, ""},
    {"barrier.sync", PL_OP_BARRIER_SYNC, "ic"},
    {"barrier.cta.sync", PL_OP_BARRIER_SYNC, "ic"},
    {"barrier.arrive", PL_OP_BARRIER_ARRIVE, "ic"},
    {"barrier.cta.arrive", PL_OP_BARRIER_ARRIVE, "ic"},
    {"barrier.red", PL_OP_BARRIER_SYNC, "ric_"},
    {"barrier.cta.red", PL_OP_BARRIER_SYNC, "ric_"},
    {"mbarrier.init", PL_OP_MBARRIER_INIT, "ac"},
    {"mbarrier.inval", PL_OP_MBARRIER_INVAL, "a"},
    {"mbarrier.arrive.expect_tx", PL_OP_MBARRIER_EXPECT_TX, "ran"},
    {"mbarrier.arrive_drop.expect_tx", PL_OP_MBARRIER_EXPECT_TX, "ran"},
    {"mbarrier.arrive", PL_OP_MBARRIER_ARRIVE, "rac"},
    {"mbarrier.arrive_drop", PL_OP_MBARRIER_ARRIVE, "rac"},
    {"mbarrier.expect_tx", PL_OP_MBARRIER_EXPECT_TX, "an"},
    {"mbarrier.complete_tx", PL_OP_MBARRIER_COMPLETE_TX, "an"},
    {"mbarrier.test_wait", PL_OP_MBARRIER_TEST, "rap"},
    {"mbarrier.try_wait", PL_OP_MBARRIER_TEST, "rap"},
    {"mbarrier.pending_count", PL_OP_ARITHMETIC, "r"},
    {"cp.async.bulk.prefetch", PL_OP_PREFETCH, "s"},
    {"cp.async.bulk.commit_group", PL_OP_BULK_COMMIT, ""},
    {"cp.async.bulk.wait_group", PL_OP_BULK_WAIT, "c"},
    {"cp.async.bulk.tensor", PL_OP_BULK_LOAD, "asb"},
    {"cp.async.bulk", PL_OP_BULK_LOAD, "asnb"},
    {"cp.reduce.async.bulk.tensor", PL_OP_BULK_STORE, "as"},
    {"cp.reduce.async.bulk", PL_OP_BULK_STORE, "asnb"},
    {"multimem.cp.async.bulk", PL_OP_BULK_STORE, "asn"},
    {"multimem.cp.reduce.async.bulk", PL_OP_BULK_STORE, "asn"},
    {"cp.async.mbarrier.arrive", PL_OP_CP_ASYNC_ARRIVE, "a"},
    {"cp.async.commit_group", PL_OP_CP_ASYNC_COMMIT, ""},
    {"cp.async.wait_group", PL_OP_CP_ASYNC_WAIT, "c"},
    {"cp.async.wait_all", PL_OP_CP_ASYNC_WAIT, ""},
    {"cp.async", PL_OP_CP_ASYNC, "asn"},
    {"clusterlaunchcontrol.try_cancel", PL_OP_BULK_LOAD, "ab"},
    {"clusterlaunchcontrol.query_cancel", PL_OP_ARITHMETIC, "r"},
    {"wgmma.fence", PL_OP_WGMMA_FENCE, ""},
    {"wgmma.commit_group", PL_OP_WGMMA_COMMIT, ""},
    {"wgmma.wait_group", PL_OP_WGMMA_WAIT, "c"},
    {"wgmma.mma_async", PL_OP_WGMMA, "rst"},
    {"fence.proxy.async", PL_OP_FENCE_ASYNC, ""},
    {"fence.proxy", PL_OP_FENCE_OTHER, ""},
    {"fence.mbarrier_init", PL_OP_FENCE_MBARRIER_INIT, ""},
    {"fence", PL_OP_FENCE, ""},
    {"membar.proxy", PL_OP_FENCE_OTHER, ""},
    {"membar", PL_OP_FENCE, ""},
    {"setmaxnreg", PL_OP_SETMAXNREG, "c"},
    {"tcgen05.alloc", PL_OP_TCGEN05_ALLOC, "ac"},
    {"tcgen05.dealloc", PL_OP_TCGEN05_DEALLOC, "ac"},
    {"tcgen05.relinquish_alloc_permit", PL_OP_TCGEN05_RELINQUISH, ""},
    {"tcgen05.mma", PL_OP_TCGEN05_MMA, "ast"},
    {"tcgen05.commit", PL_OP_TCGEN05_COMMIT, "am"},
    {"tcgen05.ld", PL_OP_TCGEN05_LOAD, "rs"},
    {"tcgen05.st", PL_OP_TCGEN05_STORE, "a_"},
    {"tcgen05.cp", PL_OP_TCGEN05_COPY, "as"},
    {"tcgen05.shift", PL_OP_TCGEN05_COPY, "a"},
    {"tcgen05.wait", PL_OP_TCGEN05_WAIT, ""},
    {"tcgen05.fence", PL_OP_TCGEN05_FENCE, ""},
    {"prefetch", PL_OP_PREFETCH, "s"},
    {"prefetchu", PL_OP_PREFETCH, "s"},
    {"discard", PL_OP_PREFETCH, "s"},
    {"applypriority", PL_OP_PREFETCH, "s"},
    {"ldmatrix", PL_OP_MMA, "rs"},
    {"stmatrix", PL_OP_MMA, "a_"},
    {"movmatrix", PL_OP_MMA, "r_"},
    {"mma", PL_OP_MMA, "r___"},
    {"wmma.load", PL_OP_MMA, "rs"},
    {"wmma.store", PL_OP_MMA, "a_"},
    {"wmma.mma", PL_OP_MMA, "r___"},
    {"st.async", PL_OP_STORE, "a_b"},
    {"st.bulk", PL_OP_STORE, "an"},
    {"st", PL_OP_STORE, "a_"},
    {"ld", PL_OP_LOAD, "rs"},
    {"ldu", PL_OP_LOAD, "rs"},
    {"tex", PL_OP_LOAD, "rs"},
    {"tld4", PL_OP_LOAD, "rs"},
    {"suld", PL_OP_LOAD, "rs"},
    {"sust", PL_OP_STORE, "a_"},
    {"multimem.ld_reduce", PL_OP_LOAD, "rs"},
    {"multimem.st", PL_OP_STORE, "a_"},
    {"multimem.red", PL_OP_ATOMIC, "a_"},
    {"tensormap.replace", PL_OP_STORE, "a_"},
    {"tensormap.cp_fenceproxy", PL_OP_FENCE_OTHER, "asn"},
    {"atom", PL_OP_ATOMIC, "ra_"},
    {"red.async", PL_OP_ATOMIC, "a_b"},
    {"red", PL_OP_ATOMIC, "a_"},
    {"elect.sync", PL_OP_ELECT, "rm"},
    {"shfl.sync", PL_OP_SHUFFLE, "r___m"},
    {"shfl", PL_OP_SHUFFLE, "r"},
    {"vote.sync", PL_OP_SHUFFLE, "r_m"},
    {"match", PL_OP_SHUFFLE, "r_m"},
    {"redux.sync", PL_OP_SHUFFLE, "r_m"},
    {"activemask", PL_OP_SHUFFLE, "r"},
    {"griddepcontrol", PL_OP_GRID_DEPENDENCY, ""},
    {"call", PL_OP_CALL, ""},
    {"exit", PL_OP_EXIT, ""},
    {"ret", PL_OP_EXIT, ""},
    {"trap", PL_OP_TRAP, ""},
    {"brkpt", PL_OP_TRAP, ""},
};

/* First words of opcodes that compute, move registers about, or only take time. Branches are here, too: what they mean
 * is operation_asm.c's. */
static const char *const arithmetic[] = {
    "abs",    "add",    "addc", "alloca",  "and",      "bfe",        "bfi",          "bfind",    "bmsk",  "bra",
    "brev",   "brx",    "clz",  "cnot",    "copysign", "cos",        "createpolicy", "cvt",      "cvta",  "div",
    "dp2a",   "dp4a",   "ex2",  "fma",     "fns",      "getctarank", "istypep",      "isspacep", "lg2",   "lop3",
    "mad",    "mad24",  "madc", "mapa",    "max",      "min",        "mov",          "mul",      "mul24", "nanosleep",
    "neg",    "not",    "or",   "pmevent", "popc",     "prmt",       "rcp",          "rem",      "rsqrt", "sad",
    "selp",   "set",    "setp", "shf",     "shl",      "shr",        "sin",          "slct",     "sqrt",  "sub",
    "subc",   "szext",  "tanh", "testp",   "vabsdiff", "vabsdiff2",  "vabsdiff4",    "vadd",     "vadd2", "vadd4",
    "vavrg2", "vavrg4", "vmad", "vmax",    "vmax2",    "vmax4",      "vmin",         "vmin2",    "vmin4", "vset",
    "vset2",  "vset4",  "vshl", "vshr",    "vsub",     "vsub2",      "vsub4",        "xor"};

static bool begins_with_words(const char *opcode, const char *words) {
  size_t length = strlen(words);
  return !strncmp(opcode, words, length) &&
         (!opcode[length] || opcode[length] == '.' || !strncmp(opcode + length, "::", 2));
}

static bool is_arithmetic(const char *opcode) {
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
    if (begins_with_words(opcode, arithmetic[i]))
      return true;
  return false;
}

/* Where a copy goes: the first state space of the opcode is the destination's. */
static pl_space first_space(const pl_ptx_statement *statement) {
  for (size_t i = 0; i < statement->modifier_count; i++) {
    pl_operation probe = {0};
    pl_operation_read_word(&probe, statement->modifiers[i], strlen(statement->modifiers[i]));
    if (probe.space != PL_SPACE_GENERIC)
      return probe.space;
  }
  return PL_SPACE_GENERIC;
}

static void read_modifiers(const pl_ptx_statement *statement, pl_operation *operation) {
  for (size_t i = statement->modifier_count; i-- > 0;) /* of several spaces the first one stays */
    pl_operation_read_word(operation, statement->modifiers[i], strlen(statement->modifiers[i]));
  operation->is_aligned |= !strncmp(operation->text, "bar.", 4) && operation->kind != PL_OP_SHUFFLE;
  operation->arrives = operation->kind == PL_OP_MBARRIER_EXPECT_TX && !strncmp(operation->text, "mbarrier.arrive", 15);
  if (operation->kind == PL_OP_FENCE && !strncmp(operation->text, "membar", 6))
    operation->is_acquire = operation->is_release = true;
  operation->is_increase = operation->kind == PL_OP_SETMAXNREG && pl_ptx_has_modifier(statement, "inc");
}

/* What the order of the operands alone does not say. */
static const char *settle(const pl_ptx_statement *statement, const char *operands, pl_operation *operation) {
  if (!strcmp(operands, "ric_") && statement->operand_count == 3)
    return "ri_"; /* bar.red without a count */
  if (operation->kind == PL_OP_MBARRIER_TEST && !pl_ptx_has_modifier(statement, "parity"))
    return "ra";
  if (operation->kind == PL_OP_WGMMA && statement->operand_count > 1 && statement->operands[1].kind == PL_PTX_VECTOR)
    return "r_t"; /* A in registers */
  if (operation->kind == PL_OP_BULK_LOAD && !strcmp(operands, "ab"))
    operation->bytes = (pl_operand){.kind = PL_OPERAND_INTEGER, .integer = 16}; /* try_cancel's answer */
  if (operation->kind != PL_OP_BULK_LOAD)
    return operands;
  if (first_space(statement) == PL_SPACE_GLOBAL) { /* the same opcode, the other way */
    operation->kind = PL_OP_BULK_STORE;
    return !strcmp(operands, "asb") ? "as" : "asn";
  }
  if (!operation->is_multicast || strcmp(operands, "asb"))
    return operation->is_multicast && !strcmp(operands, "asnb") ? "asnbm" : operands;
  /* The offsets of im2col stand between the barrier and the mask. */
  return statement->operand_count > 3 && statement->operands[3].kind == PL_PTX_VECTOR ? "asb_m" : "asbm";
}

const char *pl_ptx_classify(const pl_ptx_statement *statement, pl_operation *operation) {
  operation->text = statement->name;
  if (is_arithmetic(statement->name)) {
    operation->kind = PL_OP_ARITHMETIC;
    return "r";
  }
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
    if (!begins_with_words(statement->name, instructions[i].name))
      continue;
    operation->kind = instructions[i].kind;
    read_modifiers(statement, operation);
    return settle(statement, instructions[i].operands, operation);
  }
  operation->kind = PL_OP_UNKNOWN;
  operation->text = statement->text;
  return "";
}
