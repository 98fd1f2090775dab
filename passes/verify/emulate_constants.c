/* emulate_constants.c - constants of the kernel as numbers: integers, and addresses in the arena. */
#include "emulate_build.h"

#include <string.h>

uint32_t pl_emulate_constant(pl_emulate_builder *builder, bool is_known, uint64_t bits) {
  pl_emulate_program *program = builder->program;
  if (program->constant_count == builder->constant_capacity) {
    size_t capacity = builder->constant_capacity ? 2 * builder->constant_capacity : 64;
    pl_emulate_value *constants = pl_arena_array(builder->arena, capacity, sizeof *constants);
    if (!constants) {
      builder->failed = true;
      return PL_EMULATE_NONE;
    }
    if (program->constant_count)
      memcpy(constants, program->constants, program->constant_count * sizeof *constants);
    program->constants = constants;
    builder->constant_capacity = capacity;
  }
  program->constants[program->constant_count] = (pl_emulate_value){.bits = bits, .is_known = is_known};
  return PL_EMULATE_CONSTANT | (uint32_t)program->constant_count++;
}

unsigned pl_emulate_width(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type);
  case LLVMPointerTypeKind:
    return 64;
  default:
    return 0; /* not a number here */
  }
}

static uint64_t mask_of(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* An address in the shared window as a generic one, or back. */
static uint64_t convert_address(uint64_t address, unsigned from, unsigned to) {
  if (from == 3 && to == 0)
    return address | PL_EMULATE_SHARED;
  if (from == 0 && to == 3)
    return address & UINT32_MAX;
  return address;
}

static bool evaluate(const pl_emulate_builder *builder, LLVMValueRef constant, uint64_t *bits);

static bool evaluate_element_address(const pl_emulate_builder *builder, LLVMValueRef expression, uint64_t *bits) {
  uint64_t address, index;
  if (!evaluate(builder, LLVMGetOperand(expression, 0), &address))
    return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(expression);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(expression); i++) {
    if (!evaluate(builder, LLVMGetOperand(expression, i), &index))
      return false;
    if (i == 1) {
      address += index * LLVMABISizeOfType(builder->layout, type);
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      address += LLVMOffsetOfElement(builder->layout, type, (unsigned)index);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
    } else {
      type = LLVMGetElementType(type);
      address += index * LLVMABISizeOfType(builder->layout, type);
    }
  }
  *bits = address;
  return true;
}

/* The value of a constant that is a number or an address in the arena. */
static bool evaluate(const pl_emulate_builder *builder, LLVMValueRef constant, uint64_t *bits) {
  size_t length;
  unsigned width = pl_emulate_width(LLVMTypeOf(constant));
  uint64_t a, b;
  if (LLVMIsAConstantInt(constant) && width <= 64) {
    *bits = (uint64_t)LLVMConstIntGetSExtValue(constant);
    return true;
  }
  if (LLVMIsAConstantPointerNull(constant) || LLVMIsUndef(constant)) {
    *bits = 0;
    return true;
  }
  if (LLVMIsAGlobalVariable(constant)) {
    *bits = PL_EMULATE_ARENA;
    return !strcmp(LLVMGetValueName2(constant, &length), "pipelink_shared");
  }
  if (!LLVMIsAConstantExpr(constant))
    return false;
  switch (LLVMGetConstOpcode(constant)) {
  case LLVMGetElementPtr:
    return evaluate_element_address(builder, constant, bits);
  case LLVMAddrSpaceCast:
    if (!evaluate(builder, LLVMGetOperand(constant, 0), &a))
      return false;
    *bits = convert_address(a, LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(constant, 0))),
                            LLVMGetPointerAddressSpace(LLVMTypeOf(constant)));
    return true;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMTrunc:
    if (!evaluate(builder, LLVMGetOperand(constant, 0), &a))
      return false;
    *bits = a & mask_of(width);
    return true;
  case LLVMAdd:
  case LLVMSub:
    if (!evaluate(builder, LLVMGetOperand(constant, 0), &a) || !evaluate(builder, LLVMGetOperand(constant, 1), &b))
      return false;
    *bits = (LLVMGetConstOpcode(constant) == LLVMAdd ? a + b : a - b) & mask_of(width);
    return true;
  default:
    return false;
  }
}

uint32_t pl_emulate_reference(pl_emulate_builder *builder, LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return pl_emulate_slice_find(builder->slice, value);
  if (LLVMIsAArgument(value)) /* the kernel's only one: its parameter block */
    return pl_emulate_constant(builder, true, PL_EMULATE_PARAMETERS);
  uint64_t bits;
  unsigned width = pl_emulate_width(LLVMTypeOf(value));
  if (width && width <= 64 && evaluate(builder, value, &bits))
    return pl_emulate_constant(builder, true, bits & mask_of(width));
  return pl_emulate_constant(builder, false, (uint64_t)(builder->program->constant_count + 1) << 32);
}
