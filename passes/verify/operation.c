/* operation.c - from an LLVM instruction to operations: asm blocks and intrinsics by their decoders, memory accesses
 * here. */
#include "operation_parts.h"

#include <errno.h>
#include <string.h>

pl_operand pl_operand_of(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
    return (pl_operand){.kind = PL_OPERAND_INTEGER, .integer = LLVMConstIntGetSExtValue(value), .value = value};
  return (pl_operand){.kind = PL_OPERAND_VALUE, .value = value};
}

void pl_operation_set(pl_operation *operation, char letter, pl_operand operand) {
  switch (letter) {
  case 'a':
    operation->address = operand;
    break;
  case 's':
    operation->source = operand;
    break;
  case 't':
    operation->source_b = operand;
    break;
  case 'b':
    operation->barrier = operand;
    break;
  case 'i':
    operation->id = operand;
    break;
  case 'c':
    operation->count = operand;
    break;
  case 'p':
    operation->parity = operand;
    break;
  case 'n':
    operation->bytes = operand;
    break;
  case 'm':
    operation->mask = operand;
    break;
  default:
    break;
  }
}

void pl_operation_read_word(pl_operation *operation, const char *word, size_t length) {
  static const struct {
    const char *word;
    pl_space space;
    pl_scope scope;
  } words[] = {{"global", PL_SPACE_GLOBAL, 0},
               {"shared", PL_SPACE_SHARED, 0},
               {"shared::cta", PL_SPACE_SHARED, 0},
               {"shared::cluster", PL_SPACE_CLUSTER, 0},
               {"local", PL_SPACE_LOCAL, 0},
               {"const", PL_SPACE_CONST, 0},
               {"param", PL_SPACE_PARAM, 0},
               {"param::entry", PL_SPACE_PARAM, 0},
               {"cta", 0, PL_SCOPE_CTA},
               {"cluster", 0, PL_SCOPE_CLUSTER},
               {"gpu", 0, PL_SCOPE_GPU},
               {"gl", 0, PL_SCOPE_GPU},
               {"sys", 0, PL_SCOPE_SYSTEM}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].word) != length || memcmp(words[i].word, word, length))
      continue;
    if (words[i].space)
      operation->space = words[i].space;
    if (words[i].scope)
      operation->scope = words[i].scope;
    return;
  }
#define IS(text) (length == sizeof(text) - 1 && !memcmp(word, text, sizeof(text) - 1))
  operation->is_aligned |= IS("aligned");
  operation->is_read |= IS("read");
  operation->is_noinc |= IS("noinc");
  operation->is_multicast |= IS("multicast::cluster") || IS("multicast");
  operation->is_volatile |= IS("volatile");
  operation->is_acquire |= IS("acquire") || IS("acq_rel") || IS("sc");
  operation->is_release |= IS("release") || IS("acq_rel") || IS("sc");
  if (IS("cta_group::1") || IS("cg1"))
    operation->cta_group = 1;
  if (IS("cta_group::2") || IS("cg2"))
    operation->cta_group = 2;
#undef IS
}

/* ---- LLVM's own memory instructions ---- */

static pl_space space_of(LLVMValueRef pointer) {
  switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) { /* LLVM, NVPTX Usage: Address Spaces */
  case 1:
    return PL_SPACE_GLOBAL;
  case 3:
    return PL_SPACE_SHARED;
  case 4:
    return PL_SPACE_CONST;
  case 5:
    return PL_SPACE_LOCAL;
  case 7:
    return PL_SPACE_CLUSTER;
  case 101:
    return PL_SPACE_PARAM;
  default:
    return PL_SPACE_GENERIC;
  }
}

static pl_scope scope_of(LLVMValueRef instruction) {
  static const struct {
    const char *name;
    pl_scope scope;
  } scopes[] = {
      {"", PL_SCOPE_SYSTEM}, {"device", PL_SCOPE_GPU}, {"cluster", PL_SCOPE_CLUSTER}, {"block", PL_SCOPE_CTA}};
  LLVMContextRef context =
      LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
  unsigned id = LLVMGetAtomicSyncScopeID(instruction);
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
    if (LLVMGetSyncScopeID(context, scopes[i].name, strlen(scopes[i].name)) == id)
      return scopes[i].scope;
  return PL_SCOPE_NONE;
}

static void read_ordering(pl_operation *operation, LLVMAtomicOrdering ordering) {
  bool is_both = ordering == LLVMAtomicOrderingAcquireRelease || ordering == LLVMAtomicOrderingSequentiallyConsistent;
  operation->is_acquire = is_both || ordering == LLVMAtomicOrderingAcquire;
  operation->is_release = is_both || ordering == LLVMAtomicOrderingRelease;
}

static void set_access(pl_operation *operation, pl_operation_kind kind, LLVMValueRef pointer) {
  operation->kind = kind;
  operation->space = space_of(pointer);
  *(kind == PL_OP_LOAD ? &operation->source : &operation->address) = pl_operand_of(pointer);
}

/* False for an instruction that touches no memory. */
static bool read_access(LLVMValueRef instruction, pl_operation *operation) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
    operation->text = "load";
    set_access(operation, PL_OP_LOAD, LLVMGetOperand(instruction, 0));
    operation->result = 0;
    break;
  case LLVMStore:
    operation->text = "store";
    set_access(operation, PL_OP_STORE, LLVMGetOperand(instruction, 1));
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    operation->text = LLVMIsAAtomicRMWInst(instruction) ? "atomicrmw" : "cmpxchg";
    set_access(operation, PL_OP_ATOMIC, LLVMGetOperand(instruction, 0));
    operation->result = 0;
    break;
  case LLVMFence:
    operation->text = "fence";
    operation->kind = PL_OP_FENCE;
    break;
  default:
    return false;
  }
  operation->is_volatile = !LLVMIsAFenceInst(instruction) && LLVMGetVolatile(instruction);
  if (operation->kind == PL_OP_FENCE || operation->kind == PL_OP_ATOMIC ||
      LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) {
    operation->scope = scope_of(instruction);
    read_ordering(operation, LLVMIsAAtomicCmpXchgInst(instruction) ? LLVMGetCmpXchgSuccessOrdering(instruction)
                                                                   : LLVMGetOrdering(instruction));
  }
  return true;
}

/* ---- calls ---- */

static bool is_convergent(LLVMValueRef call) {
  static const char name[] = "convergent";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  const LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  return LLVMGetCallSiteEnumAttribute(call, index, kind) ||
         (callee && LLVMGetEnumAttributeAtIndex(callee, index, kind));
}

/* memcpy and its like read and write. */
static pl_status read_transfer(const char *name, LLVMValueRef call, pl_operation *both, size_t *count) {
  bool copies = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
  if (!copies && strncmp(name, "llvm.memset.", 12) != 0)
    return 0;
  pl_operand bytes = pl_operand_of(LLVMGetOperand(call, 2));
  if (copies) {
    both[*count] = both[0];
    set_access(&both[*count], PL_OP_LOAD, LLVMGetOperand(call, 1));
    both[(*count)++].bytes = bytes;
  }
  if (*count)
    both[*count] = (pl_operation){.text = both[0].text, .instruction = call, .result = -1, .has_memory_clobber = true};
  set_access(&both[*count], PL_OP_STORE, LLVMGetOperand(call, 0));
  both[(*count)++].bytes = bytes;
  return 0;
}

static pl_status read_call(LLVMValueRef call, pl_arena *arena, pl_operation *operations, size_t *count) {
  size_t length;
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
  pl_operation *operation = &operations[0];
  operation->text = name;
  operation->is_convergent = is_convergent(call);
  if (!callee || strncmp(name, "llvm.", 5) != 0) {
    operation->kind = PL_OP_CALL;
    *count = 1;
    return 0;
  }
  if (!strncmp(name, "llvm.mem", 8))
    return read_transfer(name, call, operations, count);
  const char *letters = pl_intrinsic_classify(name, call, arena, operation);
  if (!letters)
    return 0;
  *count = 1;
  if (!operation->text)
    return -ENOMEM;
  unsigned arguments = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < arguments && letters[i]; i++)
    pl_operation_set(operation, letters[i], pl_operand_of(LLVMGetOperand(call, i)));
  return 0;
}

pl_status pl_operations_decode(LLVMValueRef instruction, pl_arena *arena, const pl_operation **operations,
                               size_t *count) {
  *operations = NULL;
  *count = 0;
  bool is_call = LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
  if (is_call && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
    return pl_operations_of_asm(instruction, arena, operations, count);
  pl_operation first = {.instruction = instruction, .result = -1, .has_memory_clobber = true}, list[2] = {first, first};
  if (is_call) {
    pl_status status = read_call(instruction, arena, list, count);
    if (status || !*count)
      return status;
  } else if (read_access(instruction, &list[0])) {
    *count = 1;
  } else {
    return 0;
  }
  pl_operation *kept = pl_arena_array(arena, *count, sizeof *kept);
  if (!kept)
    return -ENOMEM;
  memcpy(kept, list, *count * sizeof *kept);
  *operations = kept;
  return 0;
}

bool pl_is_system_call(const char *name) {
  static const char *const names[] = {"vprintf", "__assertfail", "malloc", "free"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name))
      return true;
  return false;
}
