/* trace.c - from a value back to the resource whose handle it was computed from. */
#include "body.h"

#include <string.h>

enum { STEPS_MOST = 96 }; /* values looked at for one answer */

LLVMValueRef pl_body_base(LLVMValueRef pointer, int64_t *offset) {
  for (;;) {
    LLVMOpcode opcode;
    if (LLVMIsAConstantExpr(pointer))
      opcode = LLVMGetConstOpcode(pointer);
    else if (LLVMIsAInstruction(pointer))
      opcode = LLVMGetInstructionOpcode(pointer);
    else
      return pointer;
    if (opcode == LLVMGetElementPtr) {
      LLVMTypeRef element = LLVMGetGEPSourceElementType(pointer);
      LLVMValueRef index = LLVMGetOperand(pointer, 1);
      bool is_bytes = LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 8;
      if (!is_bytes || LLVMGetNumOperands(pointer) != 2 || !LLVMIsAConstantInt(index))
        *offset = -1;
      else if (*offset >= 0)
        *offset += LLVMConstIntGetSExtValue(index);
    } else if (opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast && opcode != LLVMPtrToInt &&
               opcode != LLVMIntToPtr && opcode != LLVMFreeze) {
      return pointer;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static const pl_resource *of_variable(const pl_body_module *in, LLVMValueRef variable) {
  for (size_t i = 0; i < in->resource_count; i++)
    if (in->resources[i].variable == variable)
      return &in->resources[i];
  return NULL;
}

typedef struct search {
  const pl_body_module *in;
  LLVMValueRef seen[STEPS_MOST];
  size_t seen_count;
  int64_t field;
} search;

static const pl_resource *look(search *from, LLVMValueRef value);

static const pl_resource *look_at_operands(search *from, LLVMValueRef value, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; i++) {
    const pl_resource *found = look(from, LLVMGetOperand(value, i));
    if (found)
      return found;
  }
  return NULL;
}

static const pl_resource *look_at_load(search *from, LLVMValueRef load) {
  int64_t offset = 0;
  LLVMValueRef variable = pl_body_base(LLVMGetOperand(load, 0), &offset);
  const pl_resource *found = LLVMIsAGlobalVariable(variable) ? of_variable(from->in, variable) : NULL;
  /* A depth says how many there are, not where something is. */
  if (!found || (found->kind == PL_RESOURCE_RING && offset == PL_RING_DEPTH))
    return NULL;
  from->field = offset;
  return found;
}

static const pl_resource *look(search *from, LLVMValueRef value) {
  for (size_t i = 0; i < from->seen_count; i++)
    if (from->seen[i] == value)
      return NULL;
  if (from->seen_count == STEPS_MOST)
    return NULL;
  from->seen[from->seen_count++] = value;
  if (LLVMIsAGlobalVariable(value)) {
    const pl_resource *found = of_variable(from->in, value);
    return found && found->kind == PL_RESOURCE_SHARED ? found : NULL;
  }
  if (!LLVMIsAInstruction(value) && !LLVMIsAConstantExpr(value))
    return NULL;
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMGetConstOpcode(value);
  unsigned operands = (unsigned)LLVMGetNumOperands(value);
  switch (opcode) {
  case LLVMLoad:
    return look_at_load(from, value);
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
      const pl_resource *found = look(from, LLVMGetIncomingValue(value, i));
      if (found)
        return found;
    }
    return NULL;
  case LLVMSelect:
    return look_at_operands(from, value, 1, operands);
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMCall: /* __cvta intrinsics are pointer casts by now */
    return NULL;
  default:
    return look_at_operands(from, value, 0, operands);
  }
}

const pl_resource *pl_body_trace(const pl_body_module *in, pl_operand operand, int64_t *field) {
  if (operand.kind != PL_OPERAND_VALUE)
    return NULL;
  search from = {.in = in};
  const pl_resource *found = look(&from, operand.value);
  if (field)
    *field = from.field;
  return found;
}

uint64_t pl_body_bit(const pl_body_module *in, const pl_resource *resource) {
  size_t index = resource ? (size_t)(resource - in->resources) : PL_RESOURCE_MOST;
  return index < PL_RESOURCE_MOST ? UINT64_C(1) << index : 0;
}
