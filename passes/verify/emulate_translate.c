/* emulate_translate.c - one instruction of the kernel as steps of the emulator; called by emulate_program.c. */
#include "emulate_build.h"

#include <string.h>

/* ---- addresses ---- */

static uint32_t new_register(pl_emulate_builder *builder) {
  return builder->program->register_count++;
}

/* to = from + index * scale, or from + scale without an index */
static void add_address_step(pl_emulate_builder *builder, LLVMValueRef instruction, uint32_t to, uint32_t from,
                             uint32_t index, unsigned index_width, uint64_t scale) {
  pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_ADDRESS, instruction);
  step->result = to;
  step->a = from;
  step->b = index;
  step->from_width = (uint8_t)index_width;
  step->offset = (int64_t)scale;
}

static void translate_element_address(pl_emulate_builder *builder, LLVMValueRef instruction, uint32_t result) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(instruction);
  uint32_t at = pl_emulate_reference(builder, LLVMGetOperand(instruction, 0));
  uint64_t constant = 0;
  bool has_steps = false;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef index = LLVMGetOperand(instruction, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      constant += LLVMOffsetOfElement(builder->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    uint64_t scale = LLVMABISizeOfType(builder->layout, type);
    if (LLVMIsAConstantInt(index)) {
      constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
      continue;
    }
    uint32_t reference = pl_emulate_reference(builder, index), next = new_register(builder);
    add_address_step(builder, instruction, next, at, reference, pl_emulate_width(LLVMTypeOf(index)), scale);
    at = next;
    has_steps = true;
  }
  if (has_steps && !constant && !builder->failed)
    builder->program->steps[builder->program->step_count - 1].result = result;
  else
    add_address_step(builder, instruction, result, at, PL_EMULATE_NONE, 64, constant);
}

static void translate_cast(pl_emulate_builder *builder, LLVMValueRef instruction, uint32_t result) {
  LLVMValueRef operand = LLVMGetOperand(instruction, 0);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  uint32_t a = pl_emulate_reference(builder, operand);
  unsigned width = pl_emulate_width(LLVMTypeOf(instruction)), from = pl_emulate_width(LLVMTypeOf(operand));
  pl_emulate_step *step;
  if (opcode == LLVMAddrSpaceCast) { /* as numbers: the window's address and the generic one differ in the upper bits */
    unsigned from_space = LLVMGetPointerAddressSpace(LLVMTypeOf(operand));
    unsigned to_space = LLVMGetPointerAddressSpace(LLVMTypeOf(instruction));
    step = pl_emulate_add(builder, PL_STEP_BINARY, instruction);
    step->variant = from_space == 3 ? LLVMOr : LLVMAnd;
    step->b = pl_emulate_constant(builder, true,
                                  from_space == 3 && to_space == 0 ? PL_EMULATE_SHARED
                                  : from_space == 3                ? 0
                                  : to_space == 3 || to_space == 7 ? UINT32_MAX
                                                                   : UINT64_MAX);
  } else if (width && from && width <= 64 && from <= 64) {
    step = pl_emulate_add(builder, PL_STEP_CAST, instruction);
    step->variant = (uint8_t)opcode;
    step->width = (uint8_t)width;
    step->from_width = (uint8_t)from;
  } else {
    step = pl_emulate_add(builder, PL_STEP_UNKNOWN, instruction);
  }
  step->result = result;
  step->a = a;
}

/* ---- calls ---- */

typedef struct intrinsic_name {
  const char *name;
  uint8_t variant;
} intrinsic_name;

static const intrinsic_name INTRINSICS[] = {
    {"llvm.umin", PL_EMULATE_UMIN}, {"llvm.umax", PL_EMULATE_UMAX}, {"llvm.smin", PL_EMULATE_SMIN},
    {"llvm.smax", PL_EMULATE_SMAX}, {"llvm.abs", PL_EMULATE_ABS},   {"llvm.ctpop", PL_EMULATE_CTPOP},
    {"llvm.ctlz", PL_EMULATE_CTLZ}, {"llvm.cttz", PL_EMULATE_CTTZ}, {"llvm.fshl", PL_EMULATE_FSHL},
    {"llvm.fshr", PL_EMULATE_FSHR},
};

/* Special registers, as intrinsics ("llvm.nvvm.read.ptx.sreg.NAME") and in asm text ("%NAME"). */
static const intrinsic_name SPECIALS[] = {
    {"tid.x", PL_EMULATE_TID},       {"ntid.x", PL_EMULATE_NTID},     {"laneid", PL_EMULATE_LANE},
    {"warpid", PL_EMULATE_WARP},     {"ctaid.x", PL_EMULATE_CTAID},   {"ctaid.y", PL_EMULATE_CTAID},
    {"ctaid.z", PL_EMULATE_CTAID},   {"nctaid.x", PL_EMULATE_NCTAID}, {"nctaid.y", PL_EMULATE_NCTAID},
    {"nctaid.z", PL_EMULATE_NCTAID}, {"tid.y", PL_EMULATE_ZERO},      {"tid.z", PL_EMULATE_ZERO},
    {"ntid.y", PL_EMULATE_NCTAID},   {"ntid.z", PL_EMULATE_NCTAID},
};

static bool translate_special(pl_emulate_builder *builder, LLVMValueRef call, const char *name, uint32_t result) {
  for (size_t i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++) {
    if (strcmp(SPECIALS[i].name, name))
      continue;
    pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_SPECIAL, call);
    step->variant = SPECIALS[i].variant;
    step->result = result;
    return true;
  }
  return false;
}

static bool translate_arithmetic_intrinsic(pl_emulate_builder *builder, LLVMValueRef call, const char *name,
                                           uint32_t result) {
  unsigned width = pl_emulate_width(LLVMTypeOf(call));
  for (size_t i = 0; i < sizeof INTRINSICS / sizeof *INTRINSICS; i++) {
    size_t length = strlen(INTRINSICS[i].name);
    if (strncmp(INTRINSICS[i].name, name, length) || name[length] != '.' || !width || width > 64)
      continue;
    unsigned count = LLVMGetNumArgOperands(call);
    uint32_t a = pl_emulate_reference(builder, LLVMGetOperand(call, 0));
    uint32_t b = count > 1 ? pl_emulate_reference(builder, LLVMGetOperand(call, 1)) : PL_EMULATE_NONE;
    uint32_t c = count > 2 ? pl_emulate_reference(builder, LLVMGetOperand(call, 2)) : PL_EMULATE_NONE;
    pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_INTRINSIC, call);
    step->variant = INTRINSICS[i].variant;
    step->width = (uint8_t)width;
    step->result = result;
    step->a = a;
    step->b = b;
    step->c = c;
    return true;
  }
  return false;
}

static pl_emulate_operand translate_operand(pl_emulate_builder *builder, const pl_operand *operand) {
  switch (operand->kind) {
  case PL_OPERAND_ABSENT:
    return (pl_emulate_operand){.is_present = false};
  case PL_OPERAND_INTEGER:
    return (pl_emulate_operand){true, pl_emulate_constant(builder, true, (uint64_t)operand->integer), 0};
  case PL_OPERAND_VALUE:
    return (pl_emulate_operand){true, pl_emulate_reference(builder, operand->value), operand->integer};
  default:
    return (pl_emulate_operand){true, PL_EMULATE_NONE, 0};
  }
}

/* The register of an asm block's or intrinsic's output `index`. */
static uint32_t result_register(pl_emulate_builder *builder, LLVMValueRef call, const pl_operation *operation) {
  if (operation->result < 0)
    return PL_EMULATE_NONE;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMStructTypeKind)
    return pl_emulate_slice_find(builder->slice, call);
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAExtractValueInst(user) && (int)LLVMGetIndices(user)[0] == operation->result &&
        pl_emulate_slice_find(builder->slice, user) != PL_EMULATE_NONE)
      return pl_emulate_slice_find(builder->slice, user);
  }
  return PL_EMULATE_NONE;
}

static void translate_operation(pl_emulate_builder *builder, LLVMValueRef call, const pl_operation *operation) {
  pl_emulate_program *program = builder->program;
  uint32_t result = result_register(builder, call, operation);
  if (operation->kind == PL_OP_SPECIAL_REGISTER) {
    const char *name = strchr(operation->text, '%');
    if (operation->source.kind == PL_OPERAND_SYMBOL)
      name = operation->source.symbol;
    if (result != PL_EMULATE_NONE && name)
      translate_special(builder, call, *name == '%' ? name + 1 : name, result);
    return;
  }
  if (operation->kind == PL_OP_ARITHMETIC || (!pl_emulate_matters(operation) && result == PL_EMULATE_NONE))
    return;
  uint32_t index = (uint32_t)program->operation_count++;
  pl_emulate_operation *made = &program->operations[index];
  *made = (pl_emulate_operation){.operation = operation,
                                 .address = translate_operand(builder, &operation->address),
                                 .source = translate_operand(builder, &operation->source),
                                 .source_b = translate_operand(builder, &operation->source_b),
                                 .barrier = translate_operand(builder, &operation->barrier),
                                 .id = translate_operand(builder, &operation->id),
                                 .count = translate_operand(builder, &operation->count),
                                 .parity = translate_operand(builder, &operation->parity),
                                 .bytes = translate_operand(builder, &operation->bytes),
                                 .mask = translate_operand(builder, &operation->mask),
                                 .guard = translate_operand(builder, &operation->guard),
                                 .result = result};
  bool is_intrinsic = LLVMIsACallInst(call) && LLVMIsAFunction(LLVMGetCalledValue(call));
  unsigned count = is_intrinsic ? LLVMGetNumArgOperands(call) : 0;
  made->is_exchange = operation->kind == PL_OP_SHUFFLE && count > 1;
  for (unsigned i = 0; i < 4; i++)
    made->arguments[i] = i < count ? pl_emulate_reference(builder, LLVMGetOperand(call, i)) : PL_EMULATE_NONE;
  pl_emulate_add(builder, PL_STEP_OPERATE, call)->target = index;
}

static void translate_call(pl_emulate_builder *builder, LLVMValueRef call, uint32_t result) {
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  size_t length, count;
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
  if (!strncmp(name, prefix, sizeof prefix - 1) && translate_special(builder, call, name + sizeof prefix - 1, result))
    return;
  if (translate_arithmetic_intrinsic(builder, call, name, result))
    return;
  const pl_operation *operations = pl_emulate_slice_operations(builder->slice, call, &count);
  if (pl_emulate_width(LLVMTypeOf(call))) /* what no operation below gives a value */
    pl_emulate_add(builder, PL_STEP_FRESH, call)->result = result;
  for (size_t i = 0; i < count; i++)
    translate_operation(builder, call, &operations[i]);
}

/* An output of an asm block or intrinsic that some operation of it writes. */
static bool is_operation_result(const pl_emulate_builder *builder, LLVMValueRef extract) {
  LLVMValueRef call = LLVMGetOperand(extract, 0);
  size_t count;
  if (!LLVMIsACallInst(call) || LLVMGetNumIndices(extract) != 1)
    return false;
  const pl_operation *operations = pl_emulate_slice_operations(builder->slice, call, &count);
  for (size_t i = 0; i < count; i++)
    if (operations[i].result == (int)LLVMGetIndices(extract)[0] && operations[i].kind != PL_OP_ARITHMETIC)
      return true;
  return false;
}

/* ---- all kinds ---- */

static void translate_memory(pl_emulate_builder *builder, LLVMValueRef instruction, uint32_t result, bool is_load) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, is_load ? 0 : 1);
  LLVMTypeRef type = is_load ? LLVMTypeOf(instruction) : LLVMTypeOf(LLVMGetOperand(instruction, 0));
  uint32_t address = pl_emulate_reference(builder, pointer), value = PL_EMULATE_NONE;
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)), width = pl_emulate_width(type);
  uint64_t bytes = LLVMABISizeOfType(builder->layout, type);
  if (!is_load && width && width <= 64)
    value = pl_emulate_reference(builder, LLVMGetOperand(instruction, 0));
  if (space == 3 || space == 7) { /* shared windows, as generic addresses */
    uint32_t generic = new_register(builder);
    pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_BINARY, instruction);
    step->variant = LLVMOr;
    step->result = generic;
    step->a = address;
    step->b = pl_emulate_constant(builder, true, PL_EMULATE_SHARED);
    address = generic;
  }
  pl_emulate_step *step = pl_emulate_add(builder, is_load ? PL_STEP_LOAD : PL_STEP_STORE, instruction);
  step->a = address;
  step->width = (uint8_t)(width && width <= 64 ? width : 0);
  step->count = (uint32_t)(bytes > UINT32_MAX ? UINT32_MAX : bytes);
  step->may_be_shared = pl_emulate_may_be_shared(pointer);
  if (is_load) {
    step->result = result;
    step->is_fresh = LLVMGetVolatile(instruction) || LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
  } else {
    step->b = value;
  }
}

static void translate_plain(pl_emulate_builder *builder, LLVMValueRef instruction, pl_emulate_code code,
                            unsigned variant, unsigned width, uint32_t result) {
  int operands = LLVMGetNumOperands(instruction);
  uint32_t references[3] = {PL_EMULATE_NONE, PL_EMULATE_NONE, PL_EMULATE_NONE};
  for (int i = 0; i < operands && i < 3; i++)
    references[i] = pl_emulate_reference(builder, LLVMGetOperand(instruction, (unsigned)i));
  pl_emulate_step *step = pl_emulate_add(builder, width && width <= 64 ? code : PL_STEP_UNKNOWN, instruction);
  step->variant = (uint8_t)variant;
  step->width = (uint8_t)(width <= 64 ? width : 64);
  step->result = result;
  step->a = references[0];
  step->b = references[1];
  step->c = references[2];
}

void pl_emulate_translate_instruction(pl_emulate_builder *builder, LLVMValueRef instruction) {
  uint32_t result = pl_emulate_slice_find(builder->slice, instruction);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (result == PL_EMULATE_NONE || opcode == LLVMPHI)
    return;
  switch (opcode) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    translate_plain(builder, instruction, PL_STEP_BINARY, opcode, pl_emulate_width(LLVMTypeOf(instruction)), result);
    return;
  case LLVMICmp:
    translate_plain(builder, instruction, PL_STEP_COMPARE, LLVMGetICmpPredicate(instruction),
                    pl_emulate_width(LLVMTypeOf(LLVMGetOperand(instruction, 0))), result);
    return;
  case LLVMSelect:
    translate_plain(builder, instruction, PL_STEP_SELECT, 0, pl_emulate_width(LLVMTypeOf(instruction)), result);
    return;
  case LLVMFreeze:
    translate_plain(builder, instruction, PL_STEP_CAST, LLVMBitCast, pl_emulate_width(LLVMTypeOf(instruction)), result);
    builder->program->steps[builder->program->step_count - 1].from_width =
        builder->program->steps[builder->program->step_count - 1].width;
    return;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast:
  case LLVMBitCast:
    translate_cast(builder, instruction, result);
    return;
  case LLVMGetElementPtr:
    translate_element_address(builder, instruction, result);
    return;
  case LLVMLoad:
    translate_memory(builder, instruction, result, true);
    return;
  case LLVMStore:
    translate_memory(builder, instruction, result, false);
    return;
  case LLVMCall:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    translate_call(builder, instruction, result);
    return;
  case LLVMExtractValue:
    if (!is_operation_result(builder, instruction))
      pl_emulate_add(builder, PL_STEP_FRESH, instruction)->result = result;
    return;
  default:
    translate_plain(builder, instruction, PL_STEP_UNKNOWN, 0, 64, result);
  }
}
