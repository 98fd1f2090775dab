/* threads.c - thread ids: those that the linker cannot make relative to the role, and comparisons that forget that they
 * are. */
#include "body.h"

#include "link.h"

#include <string.h>

/* ---- inline asm ---- */

static bool starts_with(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

/* %tid in asm text stays the CTA's: harmless where the role begins at thread 0, and for y and z, which are 0 in all. */
static void check_asm(const pl_body *body, const pl_operation *operation) {
  if (strstr(operation->text, ".y") || strstr(operation->text, ".z"))
    return;
  const char *name = starts_with(operation->text, "%tid")      ? "%tid"
                     : starts_with(operation->text, "%warpid") ? "%warpid"
                     : starts_with(operation->text, "%ntid")   ? "%ntid"
                                                               : NULL;
  if (!name || !body->role || !body->in->link)
    return;
  bool counts = !strcmp(name, "%ntid");
  if (counts ? body->warps * 32 == body->in->link->threads : !body->first_warp)
    return;
  bool is_new =
      counts
          ? pl_body_report(body, PL_ERROR, "L-TID", operation,
                           "role '%s' reads %s in inline asm and is not all of the CTA", body->role->name, name)
          : pl_body_report(body, PL_ERROR, "L-TID", operation, "role '%s' reads %s in inline asm and starts at warp %u",
                           body->role->name, name, body->first_warp);
  if (!is_new)
    return;
  pl_consequence(body->in->sink, "its threads would take the work of other threads");
  pl_fix(body->in->sink, "use threadIdx.x or pipelink::thread(), which the linker makes relative to the role");
}

/* ---- y and z ---- */

static const char *callee_of(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
  size_t length;
  return callee ? LLVMGetValueName2(callee, &length) : "";
}

/* A thread's place or the number of threads along x, y or z. */
static bool is_of_a_thread(LLVMValueRef value) {
  const char *name = callee_of(value);
  return starts_with(name, "llvm.nvvm.read.ptx.sreg.tid.") || starts_with(name, "llvm.nvvm.read.ptx.sreg.ntid.");
}

/* Made of such values and of constants alone: it numbers the threads, which is right whatever shape a CTA has. */
static bool is_number_of_thread(LLVMValueRef value, unsigned depth) {
  if (is_of_a_thread(value))
    return true;
  bool combines = LLVMIsABinaryOperator(value) || LLVMIsACastInst(value);
  for (int i = 0; combines && i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    combines = LLVMIsAConstantInt(operand) || (depth && is_number_of_thread(operand, depth - 1));
  }
  return combines;
}

static bool is_equality_with(LLVMValueRef comparison, uint64_t number) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
  LLVMValueRef bound = LLVMGetOperand(comparison, 1);
  return (predicate == LLVMIntEQ || predicate == LLVMIntNE) && LLVMIsAConstantInt(bound) &&
         LLVMConstIntGetZExtValue(bound) == number;
}

/* Who uses `row`, 0 in every thread, as if there were other rows. Asking whether it is 0 and numbering the threads are
 * right all the same. */
static LLVMValueRef user_of_rows(LLVMValueRef row, unsigned depth) {
  enum { DEPTH = 4 };
  for (LLVMUseRef use = depth ? LLVMGetFirstUse(row) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), misled = user;
    if (LLVMIsAICmpInst(user)) {
      misled = is_equality_with(user, 0) ? NULL : user;
    } else if (LLVMIsACastInst(user)) {
      misled = user_of_rows(user, depth - 1);
    } else if (LLVMIsABinaryOperator(user)) {
      LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == row);
      LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
      bool adds = opcode == LLVMAdd || opcode == LLVMOr;
      if (!LLVMIsAConstantInt(other) && adds && is_number_of_thread(other, DEPTH))
        misled = opcode == LLVMOr ? user_of_rows(user, depth - 1) : NULL;
      else if (is_number_of_thread(user, DEPTH))
        misled = user_of_rows(user, depth - 1);
    }
    if (misled)
      return misled;
  }
  return NULL;
}

/* blockDim.y is 1, and that is the truth: only who asks for another number is misled. */
static LLVMValueRef user_of_row_count(LLVMValueRef rows) {
  for (LLVMUseRef use = LLVMGetFirstUse(rows); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAICmpInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1)) && !is_equality_with(user, 1))
      return user;
  }
  return NULL;
}

static void check_row(const pl_body *body, LLVMValueRef value) {
  const char *name = callee_of(value);
  bool counts = starts_with(name, "llvm.nvvm.read.ptx.sreg.ntid.");
  if (!is_of_a_thread(value) || name[strlen(name) - 1] == 'x')
    return;
  enum { DEPTH = 8 };
  LLVMValueRef user = counts ? user_of_row_count(value) : user_of_rows(value, DEPTH);
  char axis = name[strlen(name) - 1];
  pl_operation place = {.instruction = user, .text = "this use of it"};
  if (!user || !pl_body_report(body, PL_WARNING, "L-TID", &place, "role '%s' uses %s.%c, and its threads are one row",
                               body->role->name, counts ? "blockDim" : "threadIdx", axis))
    return;
  if (counts)
    pl_consequence(body->in->sink, "blockDim.%c is always 1: what is asked for never happens", axis);
  else
    pl_consequence(body->in->sink, "threadIdx.%c is always 0: all threads would do what is meant for the first row",
                   axis);
  pl_fix(body->in->sink, "make row and column of threadIdx.x, which counts the role's own threads from 0");
}

/* ---- comparisons ---- */

static bool is_thread_id(LLVMValueRef value) {
  return !strcmp(callee_of(value), "llvm.nvvm.read.ptx.sreg.tid.x");
}

/* The first thread for which a comparison is what it asks for: tid == 5, tid / 32 == 1, and the forms that LLVM makes
 * of these, (tid & 992) == 32 and tid - 32 < 32. False for another comparison. */
static bool first_thread_of(LLVMValueRef comparison, uint64_t *first) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
  LLVMValueRef value = LLVMGetOperand(comparison, 0), bound = LLVMGetOperand(comparison, 1);
  bool is_equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
  if (!LLVMIsAConstantInt(bound))
    return false;
  *first = LLVMConstIntGetZExtValue(bound);
  if (is_thread_id(value))
    return is_equality;
  if (!LLVMIsABinaryOperator(value) || !is_thread_id(LLVMGetOperand(value, 0)) ||
      !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
    return false;
  uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLShr:
    *first <<= number < 32 ? number : 0;
    return is_equality;
  case LLVMUDiv:
    *first *= number;
    return is_equality;
  case LLVMAnd:
    return is_equality; /* the lowest thread with these bits */
  case LLVMAdd:
    *first = (uint64_t)(0 - LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)));
    return predicate == LLVMIntULT && *first <= 1024;
  default:
    return false;
  }
}

static void check_comparison(const pl_body *body, LLVMValueRef comparison) {
  unsigned threads = 32 * (body->warps ? body->warps : body->role->warps_max);
  uint64_t first;
  if (!first_thread_of(comparison, &first) || first < threads)
    return;
  pl_operation place = {.instruction = comparison, .text = "this comparison"};
  if (!pl_body_report(body, PL_WARNING, "L-TID", &place, "role '%s' asks for its thread %llu, and has %u threads",
                      body->role->name, (unsigned long long)first, threads))
    return;
  pl_consequence(body->in->sink, "threadIdx.x counts the role's own threads from 0: what the comparison guards never "
                                 "happens");
  pl_fix(body->in->sink, "compare with the thread's place in the role, or let another role do it");
}

void pl_check_threads(const pl_body *body) {
  size_t told = body->in->sink->count;
  for (size_t b = 0; b < body->block_count; b++) {
    const pl_body_block *block = &body->blocks[b];
    for (size_t i = 0; i < block->operation_count; i++)
      if (block->operations[i].kind == PL_OP_SPECIAL_REGISTER &&
          LLVMIsAInlineAsm(LLVMGetCalledValue(block->operations[i].instruction)))
        check_asm(body, &block->operations[i]);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block->block); at && body->role; at = LLVMGetNextInstruction(at))
      if (LLVMIsAICmpInst(at))
        check_comparison(body, at);
      else
        check_row(body, at);
  }
  if (body->role && told == body->in->sink->count)
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-TID", "thread ids are the role's own");
}
