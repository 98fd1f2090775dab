/* trap.c - is a function's body nothing but a trap?
 *
 * Headers that do not know a compiler or a GPU leave `asm("trap;")`, `__trap()` or an assertion where the body was, and
 * the kernel compiles, links and dies. This looks at IR as clang wrote it, before any pass: straight-line code with
 * allocas, stores of parameters and calls of small helpers around the trap.
 */
#include "bitcode.h"

#include <string.h>

#include <llvm-c/Core.h>

enum {
  CALLS_DEEP = 16,          /* helpers within helpers that are looked into */
  INSTRUCTIONS_MOST = 4096, /* looked at, all helpers together */
};

/* The call that led into the function at hand; NULL for the function that was asked about. */
typedef struct frame {
  const struct frame *caller;
  LLVMValueRef call;
} frame;

typedef enum outcome { OUTCOME_TRAPS, OUTCOME_RETURNS, OUTCOME_DOES_SOMETHING } outcome;

static bool names_a_trap(const char *name, size_t size) {
  static const char *const traps[] = {"llvm.trap", "llvm.ubsantrap", "__assertfail", "__assert_fail", "abort"};
  for (size_t i = 0; i < sizeof traps / sizeof *traps; i++)
    if (size >= strlen(traps[i]) && !memcmp(name, traps[i], strlen(traps[i])) &&
        (size == strlen(traps[i]) || name[strlen(traps[i])] == '.'))
      return true;
  return false;
}

static bool is_harmless_intrinsic(const char *name, size_t size) {
  static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.expect",
                                         "llvm.experimental.noalias.scope.decl"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (size >= strlen(prefixes[i]) && !memcmp(name, prefixes[i], strlen(prefixes[i])))
      return true;
  return false;
}

/* The value that a variable was given by the only store to it: clang keeps each parameter in one. */
static LLVMValueRef only_value_of(LLVMValueRef variable) {
  LLVMValueRef value = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable)
      continue;
    if (value)
      return NULL;
    value = LLVMGetOperand(user, 0);
  }
  return value;
}

static LLVMValueRef argument_of(const frame *in, LLVMValueRef parameter) {
  unsigned index = 0;
  LLVMValueRef each = LLVMGetFirstParam(LLVMGetParamParent(parameter));
  for (; each && each != parameter; each = LLVMGetNextParam(each))
    index++;
  return each && index < LLVMGetNumArgOperands(in->call) ? LLVMGetOperand(in->call, index) : NULL;
}

/* Does the pointer lead into a local variable, of this function or of one that called it (an object under
 * construction, say)? Through casts, offsets, and the variables that parameters are kept in. */
static bool is_local(LLVMValueRef pointer, const frame *in) {
  for (unsigned steps = 0; pointer && steps < 256; steps++) {
    if (LLVMIsAAllocaInst(pointer))
      return true;
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer)) {
      pointer = LLVMGetOperand(pointer, 0);
    } else if (LLVMIsALoadInst(pointer) && LLVMIsAAllocaInst(LLVMGetOperand(pointer, 0))) {
      pointer = only_value_of(LLVMGetOperand(pointer, 0));
    } else if (LLVMIsAArgument(pointer) && in) {
      pointer = argument_of(in, pointer);
      in = in->caller;
    } else {
      return false;
    }
  }
  return false;
}

/* "trap;" as a statement of its own: at the start, or after white space, ';' or '{'. */
static bool asm_traps(LLVMValueRef assembly) {
  size_t size;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &size);
  for (size_t i = 0; i + 4 <= size; i++)
    if (!memcmp(text + i, "trap", 4) && (!i || strchr(" \t\n;{", text[i - 1])) &&
        (i + 4 == size || strchr(" \t\n;}", text[i + 4])))
      return true;
  return false;
}

static bool fills_a_local(LLVMValueRef instruction, const char *name, size_t size, const frame *in) {
  static const char *const prefixes[] = {"llvm.memcpy.", "llvm.memset.", "llvm.memmove."};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (size >= strlen(prefixes[i]) && !memcmp(name, prefixes[i], strlen(prefixes[i])))
      return is_local(LLVMGetOperand(instruction, 0), in);
  return false;
}

static outcome run(LLVMValueRef function, const frame *in, unsigned depth, unsigned *instructions);

static outcome call(LLVMValueRef instruction, const frame *in, unsigned depth, unsigned *instructions) {
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  if (LLVMIsAInlineAsm(callee))
    return asm_traps(callee) ? OUTCOME_TRAPS : OUTCOME_DOES_SOMETHING;
  if (!LLVMIsAFunction(callee))
    return OUTCOME_DOES_SOMETHING;
  size_t size;
  const char *name = LLVMGetValueName2(callee, &size);
  if (names_a_trap(name, size))
    return OUTCOME_TRAPS;
  if (is_harmless_intrinsic(name, size) || fills_a_local(instruction, name, size, in))
    return OUTCOME_RETURNS;
  if (LLVMIsDeclaration(callee))
    return OUTCOME_DOES_SOMETHING;
  return run(callee, &(frame){in, instruction}, depth + 1, instructions);
}

/* Follows the one path there is. */
static outcome run(LLVMValueRef function, const frame *in, unsigned depth, unsigned *instructions) {
  if (depth > CALLS_DEEP)
    return OUTCOME_DOES_SOMETHING;
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (at && ++*instructions <= INSTRUCTIONS_MOST) {
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMRet:
      return OUTCOME_RETURNS;
    case LLVMUnreachable:
      return OUTCOME_TRAPS;
    case LLVMBr:
      if (LLVMIsConditional(at))
        return OUTCOME_DOES_SOMETHING;
      at = LLVMGetFirstInstruction(LLVMGetSuccessor(at, 0));
      continue;
    case LLVMStore:
      if (!is_local(LLVMGetOperand(at, 1), in))
        return OUTCOME_DOES_SOMETHING;
      break;
    case LLVMCall: {
      outcome result = call(at, in, depth, instructions);
      if (result != OUTCOME_RETURNS)
        return result;
      break;
    }
    case LLVMLoad:
      if (LLVMGetVolatile(at))
        return OUTCOME_DOES_SOMETHING;
      break;
    case LLVMSwitch:
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
      return OUTCOME_DOES_SOMETHING;
    default: /* arithmetic, casts, addresses, allocas */
      break;
    }
    at = LLVMGetNextInstruction(at);
  }
  return OUTCOME_DOES_SOMETHING;
}

bool pl_function_only_traps(LLVMValueRef function) {
  unsigned instructions = 0;
  return !LLVMIsDeclaration(function) && run(function, NULL, 0, &instructions) == OUTCOME_TRAPS;
}
