/* warps.c - what a warp executes together: no such operation where only some lanes come, and none that the optimiser
 * may move or copy. */
#include "body.h"

#include "llvm_ext.h"

#include <string.h>

/* All lanes of a warp, whatever a mask says. */
static bool is_for_the_whole_warp(const pl_operation *operation) {
  return operation->is_aligned || (operation->kind >= PL_OP_WGMMA_FENCE && operation->kind <= PL_OP_WGMMA_WAIT);
}

static bool has_full_mask(const pl_operation *operation) {
  return (operation->kind == PL_OP_SHUFFLE || operation->kind == PL_OP_ELECT) &&
         operation->mask.kind == PL_OPERAND_INTEGER && (uint32_t)operation->mask.integer == UINT32_MAX;
}

static void add_cause(const pl_body *body, LLVMValueRef branch) {
  const char *file;
  unsigned line;
  if (!branch || !pl_llvm_source_line(branch, &file, &line))
    return;
  pl_party party = {.relation = "decided by", .location = {.file = file, .line = line}};
  pl_detail_of(body->in->sink, &party, "%s:%u: this condition differs from lane to lane", file, line);
}

/* Each lane leaves the loop when its own flag is raised, and the others go on in it. */
static void warn_of_poll(const pl_body *body, const pl_operation *operation, LLVMValueRef branch) {
  if (!pl_body_report(body, PL_WARNING, "L-CONTEXT", operation,
                      "'%s' names all lanes of the warp, in a loop that each lane leaves by a flag of its own",
                      operation->text))
    return;
  add_cause(body, branch);
  pl_consequence(body->in->sink, "lanes whose flags are raised do not come any more: the others wait for ever");
  pl_fix(body->in->sink, "let all lanes leave together: while (!__all_sync(~0u, seen))");
}

static void check_context(const pl_body *body, const pl_operation *operation, pl_convergence state,
                          LLVMValueRef branch) {
  if (state == PL_UNDECIDED && has_full_mask(operation) && branch && pl_body_branch_polls(body, branch)) {
    warn_of_poll(body, operation, branch);
    return;
  }
  if (state == PL_UNDECIDED) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-CONTEXT",
                     "whether whole warps reach %s depends on values that are not known", operation->text);
    return;
  }
  if (is_for_the_whole_warp(operation)) {
    if (!pl_body_report(body, PL_ERROR, "L-CONTEXT", operation, "only some lanes of a warp reach '%s'",
                        operation->text))
      return;
    add_cause(body, branch);
    pl_consequence(body->in->sink,
                   "the instruction is for whole warps: what it does otherwise is undefined, most often "
                   "a hang");
    pl_fix(body->in->sink, "move it out of the branch, or branch on something that is the same for the whole warp");
  } else if (pl_body_report(body, PL_WARNING, "L-CONTEXT", operation,
                            "'%s' names all lanes of the warp, but only some reach it", operation->text)) {
    add_cause(body, branch);
    pl_consequence(body->in->sink, "lanes that are named and do not come make it wait for ever, or give nonsense");
    pl_fix(body->in->sink, "move it out of the branch, or name only the lanes that come");
  }
}

/* ---- what the optimiser is told ---- */

static bool synchronises(pl_operation_kind kind) {
  return (kind >= PL_OP_BARRIER_SYNC && kind <= PL_OP_MBARRIER_WAIT) || kind == PL_OP_BULK_WAIT ||
         kind == PL_OP_CP_ASYNC_WAIT || (kind >= PL_OP_WGMMA_FENCE && kind <= PL_OP_FENCE_OTHER) ||
         kind == PL_OP_SETMAXNREG || kind == PL_OP_TCGEN05_WAIT || kind == PL_OP_TCGEN05_FENCE;
}

/* Reads or writes memory that others write; not read-only memory. */
static bool touches_memory(const pl_operation *operation) {
  bool accesses = (operation->kind >= PL_OP_BULK_LOAD && operation->kind <= PL_OP_CP_ASYNC_ARRIVE) ||
                  operation->kind == PL_OP_STORE || operation->kind == PL_OP_ATOMIC || operation->kind == PL_OP_LOAD ||
                  operation->kind == PL_OP_MMA ||
                  (operation->kind >= PL_OP_TCGEN05_ALLOC && operation->kind <= PL_OP_TCGEN05_COPY);
  bool has_address = operation->address.kind != PL_OPERAND_ABSENT || operation->source.kind != PL_OPERAND_ABSENT;
  return accesses && has_address && operation->space != PL_SPACE_CONST && operation->space != PL_SPACE_PARAM &&
         !strstr(operation->text, ".nc");
}

/* To LLVM, asm that is volatile or has a memory clobber may do anything to memory, and nothing moves across it; asm
 * that has neither computes its outputs from its inputs, and nothing else. */
static bool is_held_in_place(LLVMValueRef assembly) {
  size_t size;
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &size);
  return LLVMGetInlineAsmHasSideEffects(assembly) || memmem(constraints, size, "~{memory}", strlen("~{memory}"));
}

static void check_asm(const pl_body *body, const pl_operation *operation) {
  LLVMValueRef assembly = LLVMGetCalledValue(operation->instruction);
  bool needs_lanes = is_for_the_whole_warp(operation) || operation->kind == PL_OP_SHUFFLE ||
                     operation->kind == PL_OP_ELECT || operation->kind == PL_OP_BARRIER_SYNC ||
                     operation->kind == PL_OP_BARRIER_ARRIVE;
  if (needs_lanes && !operation->is_convergent) {
    if (pl_body_report(body, PL_ERROR, "L-IRCONV", operation, "the optimiser may move '%s' into a branch",
                       operation->text)) {
      pl_consequence(body->in->sink,
                     "it is not marked convergent: some lanes would execute another copy of it, and hang");
      pl_fix(body->in->sink, "compile the stage without -fno-convergent-functions");
    }
  } else if (synchronises(operation->kind) && !is_held_in_place(assembly)) {
    if (pl_body_report(body, PL_ERROR, "L-IRCONV", operation, "the optimiser may leave out or repeat '%s'",
                       operation->text)) {
      pl_consequence(body->in->sink,
                     "the asm is not volatile: two waits may become one, or one be moved out of its loop");
      pl_fix(body->in->sink, "write asm volatile");
    }
  } else if (touches_memory(operation) && !is_held_in_place(assembly) &&
             pl_body_report(body, PL_WARNING, "L-IRCONV", operation, "the optimiser may move '%s' across a barrier",
                            operation->text)) {
    pl_consequence(body->in->sink,
                   "the asm is neither volatile nor has a memory clobber: that it touches memory is not "
                   "said, and it may see what was there before a wait, or after a release");
    pl_fix(body->in->sink, "write asm volatile(... : \"memory\")");
  }
}

void pl_check_warps(const pl_body *body) {
  const LLVMValueRef *causes;
  const pl_convergence *states = pl_body_convergence(body, &causes);
  bool saw_any = false;
  for (size_t b = 0; states && b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      bool counts = is_for_the_whole_warp(operation) || has_full_mask(operation);
      saw_any |= counts;
      if (counts && states[b] != PL_CONVERGED)
        check_context(body, operation, states[b], causes[b]);
      if (LLVMIsACallInst(operation->instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(operation->instruction)))
        check_asm(body, operation);
    }
  if (states && saw_any)
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-CONTEXT", "no instruction for whole warps where lanes have parted");
}
