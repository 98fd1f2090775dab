/* nvvm_writer_arithmetic.c - floating-point operations that LLVM 7 lacks or would treat otherwise, and freeze.
 *
 * Fusion. LLVM fuses a multiplication and an addition only when both say `contract`; libNVVM's -fma=1, which the
 * code generator passes, fuses any two. So an operation without `contract` is written as the form that neither
 * libNVVM nor ptxas may fuse: the .rn intrinsic that CUDA's __fmul_rn is made of.
 *
 * bfloat16. Its values are i16 here; arithmetic is PTX as inline asm, which every profile has (sm_90 and later).
 */
#include "nvvm_writer.h"

#include <string.h>

static bool is_contractible(nvvm_writer *writer, LLVMValueRef instruction) {
  return !writer->options->fma || LLVMGetFastMathFlags(instruction) & LLVMFastMathAllowContract;
}

static bool flushes_denormals(nvvm_writer *writer) {
  const char *mode =
      nvvm_string_attribute(writer, writer->function, LLVMAttributeFunctionIndex, "denormal-fp-math-f32");
  return mode && !strncmp(mode, "preserve-sign", 13);
}

static bool may_approximate(LLVMValueRef instruction) {
  return LLVMGetFastMathFlags(instruction) & LLVMFastMathApproxFunc;
}

/* ---- one scalar operation on operands given as text ---- */

static const char *scalar_type(nvvm_writer *writer, nvvm_shape shape) {
  return nvvm_type(writer, shape.element);
}

/* "add.rn.bf16 $0, $1, $2;" on the bits of half or bfloat. */
static const char *asm_binary(nvvm_writer *writer, nvvm_shape shape, const char *mnemonic, const char *left,
                              const char *right) {
  const char *type = scalar_type(writer, shape);
  return nvvm_assign(writer, "%s",
                     nvvm_asm_call(writer, NVVM_ASM_PURE, type, nvvm_text(writer, "%s $0, $1, $2;", mnemonic), "=h,h,h",
                                   nvvm_text(writer, "%s %s, %s %s", type, left, type, right)));
}

static const char *negated(nvvm_writer *writer, nvvm_shape shape, const char *value) {
  if (shape.kind == LLVMBFloatTypeKind)
    return nvvm_assign(writer, "xor i16 %s, -32768", value);
  return nvvm_assign(writer, "fsub %s %s, %s", scalar_type(writer, shape),
                     shape.kind == LLVMHalfTypeKind ? "0xH8000" : "-0.0", value);
}

/* float or double, not to be fused. */
static const char *unfused(nvvm_writer *writer, nvvm_shape shape, LLVMOpcode opcode, const char *left,
                           const char *right) {
  const char *type = scalar_type(writer, shape);
  const char *name = opcode == LLVMFMul ? "mul" : "add";
  char letter = shape.kind == LLVMFloatTypeKind ? 'f' : 'd';
  if (opcode == LLVMFSub) /* a - b is a + (-b), to the last bit */
    right = negated(writer, shape, right);
  nvvm_declare(writer, "declare %s @llvm.nvvm.%s.rn.%c(%s, %s)", type, name, letter, type, type);
  return nvvm_assign(writer, "call %s @llvm.nvvm.%s.rn.%c(%s %s, %s %s)", type, name, letter, type, left, type, right);
}

static const char *bfloat_to_float(nvvm_writer *writer, const char *value) {
  const char *wide = nvvm_assign(writer, "zext i16 %s to i32", value);
  return nvvm_assign(writer, "bitcast i32 %s to float", nvvm_assign(writer, "shl i32 %s, 16", wide));
}

static const char *float_to_bfloat(nvvm_writer *writer, const char *value) {
  return nvvm_assign(writer, "%s",
                     nvvm_asm_call(writer, NVVM_ASM_PURE, "i16", "cvt.rn.bf16.f32 $0, $1;", "=h,f",
                                   nvvm_text(writer, "float %s", value)));
}

static const char *bfloat_operation(nvvm_writer *writer, nvvm_shape shape, LLVMOpcode opcode, const char *left,
                                    const char *right) {
  switch (opcode) {
  case LLVMFAdd:
    return asm_binary(writer, shape, "add.rn.bf16", left, right);
  case LLVMFSub:
    return asm_binary(writer, shape, "sub.rn.bf16", left, right);
  case LLVMFMul:
    return asm_binary(writer, shape, "mul.rn.bf16", left, right);
  default: { /* a float has more than twice the precision, so rounding twice rounds right */
    const char *a = bfloat_to_float(writer, left), *b = bfloat_to_float(writer, right);
    return float_to_bfloat(writer, nvvm_assign(writer, "%s float %s, %s", opcode == LLVMFDiv ? "fdiv" : "frem", a, b));
  }
  }
}

static const char *half_operation(nvvm_writer *writer, nvvm_shape shape, LLVMOpcode opcode, const char *left,
                                  const char *right) {
  switch (opcode) {
  case LLVMFAdd:
    return asm_binary(writer, shape, "add.rn.f16", left, right);
  case LLVMFSub:
    return asm_binary(writer, shape, "sub.rn.f16", left, right);
  default:
    return asm_binary(writer, shape, "mul.rn.f16", left, right);
  }
}

/* Gives the result of one lane, or NULL when the plain instruction serves. */
typedef const char *lane_operation(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                                   const char *const *operands);

static const char *element_of(nvvm_writer *writer, const char *vector_type, const char *vector, unsigned lane) {
  return nvvm_assign(writer, "extractelement %s %s, i32 %u", vector_type, vector, lane);
}

/* Applies a scalar operation to an instruction, lane by lane when it is a vector. */
static void write_lanes(nvvm_writer *writer, LLVMValueRef instruction, unsigned operand_count,
                        lane_operation *operation) {
  enum { MOST = 3 };
  LLVMValueRef first = LLVMGetOperand(instruction, 0);
  nvvm_shape shape = nvvm_shape_of(LLVMTypeOf(first)), result = nvvm_shape_of(LLVMTypeOf(instruction));
  const char *whole[MOST], *operands[MOST];
  for (unsigned i = 0; i < operand_count; i++)
    whole[i] = operands[i] = nvvm_operand(writer, LLVMGetOperand(instruction, i));
  const char *result_type = nvvm_type(writer, LLVMTypeOf(instruction));
  const char *element = nvvm_type(writer, result.element), *value = "undef";
  if (!shape.lanes) {
    value = operation(writer, instruction, shape, operands);
  } else {
    const char *vector_type = nvvm_type(writer, LLVMTypeOf(first));
    for (unsigned lane = 0; lane < shape.lanes; lane++) {
      for (unsigned i = 0; i < operand_count; i++)
        operands[i] = element_of(writer, vector_type, whole[i], lane);
      value = nvvm_assign(writer, "insertelement %s %s, %s %s, i32 %u", result_type, value, element,
                          operation(writer, instruction, shape, operands), lane);
    }
  }
  nvvm_bind(writer, instruction, value);
}

static const char *quotient_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                                 const char *const *operands) {
  (void)instruction, (void)shape;
  const char *name = flushes_denormals(writer) ? "llvm.nvvm.div.approx.ftz.f" : "llvm.nvvm.div.approx.f";
  nvvm_declare(writer, "declare float @%s(float, float)", name);
  return nvvm_assign(writer, "call float @%s(float %s, float %s)", name, operands[0], operands[1]);
}

/* Two 16-bit lanes are one register, and one instruction: "add.rn.bf16x2". */
static bool write_packed(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape) {
  static const char *const words[] = {[LLVMFAdd] = "add", [LLVMFSub] = "sub", [LLVMFMul] = "mul"};
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (shape.lanes != 2 || shape.bits != 16 || (size_t)opcode >= sizeof words / sizeof *words || !words[opcode])
    return false;
  const char *type = nvvm_type(writer, LLVMTypeOf(instruction)), *bits[2];
  for (unsigned i = 0; i < 2; i++)
    bits[i] = nvvm_assign(writer, "bitcast %s to i32", nvvm_typed(writer, LLVMGetOperand(instruction, i)));
  const char *text =
      nvvm_text(writer, "%s.rn.%s $0, $1, $2;", words[opcode], shape.kind == LLVMHalfTypeKind ? "f16x2" : "bf16x2");
  const char *result = nvvm_assign(writer, "%s",
                                   nvvm_asm_call(writer, NVVM_ASM_PURE, "i32", text, "=r,r,r",
                                                 nvvm_text(writer, "i32 %s, i32 %s", bits[0], bits[1])));
  nvvm_bind(writer, instruction, nvvm_assign(writer, "bitcast i32 %s to %s", result, type));
  return true;
}

static const char *binary_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                               const char *const *operands) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (shape.kind == LLVMBFloatTypeKind)
    return bfloat_operation(writer, shape, opcode, operands[0], operands[1]);
  if (shape.kind == LLVMHalfTypeKind)
    return half_operation(writer, shape, opcode, operands[0], operands[1]);
  return unfused(writer, shape, opcode, operands[0], operands[1]);
}

static const char *compare_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                                const char *const *operands) {
  static const char *const words[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  (void)shape;
  const char *left = bfloat_to_float(writer, operands[0]), *right = bfloat_to_float(writer, operands[1]);
  return nvvm_assign(writer, "fcmp %s float %s, %s", words[LLVMGetFCmpPredicate(instruction)], left, right);
}

static void write_negation(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  nvvm_shape shape = nvvm_shape_of(type);
  const char *operand = nvvm_operand(writer, LLVMGetOperand(instruction, 0));
  const char *name = nvvm_local(writer, instruction), *text = nvvm_type(writer, type);
  if (shape.kind == LLVMBFloatTypeKind)
    nvvm_line(writer, "%s = xor %s %s, %s", name, text, operand, nvvm_splat(writer, shape.lanes, "i16", "-32768"));
  else
    nvvm_line(writer, "%s = fsub%s %s %s, %s%s", name, nvvm_fast_math(writer, instruction), text,
              nvvm_splat(writer, shape.lanes, scalar_type(writer, shape),
                         shape.kind == LLVMHalfTypeKind ? "0xH8000" : "-0.0"),
              operand, nvvm_attachments(writer, instruction));
}

bool nvvm_write_float_operation(nvvm_writer *writer, LLVMValueRef instruction) {
  nvvm_shape shape = nvvm_shape_of(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool is_bfloat = shape.kind == LLVMBFloatTypeKind;
  switch (opcode) {
  case LLVMFNeg:
    write_negation(writer, instruction);
    return true;
  case LLVMFCmp:
    if (is_bfloat)
      write_lanes(writer, instruction, 2, compare_lane);
    return is_bfloat;
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
    if (!is_bfloat && is_contractible(writer, instruction))
      return false;
    if (!write_packed(writer, instruction, shape))
      write_lanes(writer, instruction, 2, binary_lane);
    return true;
  case LLVMFDiv: /* without leave to approximate, -prec-div decides */
    if (shape.kind == LLVMFloatTypeKind && may_approximate(instruction)) {
      write_lanes(writer, instruction, 2, quotient_lane);
      return true;
    }
    break;
  default:
    break;
  }
  if (is_bfloat)
    write_lanes(writer, instruction, 2, binary_lane);
  return is_bfloat;
}

/* ---- intrinsics ---- */

static bool is_native(LLVMValueRef call) {
  LLVMTypeKind kind = nvvm_shape_of(LLVMTypeOf(LLVMGetOperand(call, 0))).kind;
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static const char *intrinsic_name(LLVMValueRef call) {
  size_t length;
  return LLVMGetValueName2(LLVMGetCalledValue(call), &length);
}

static void write_selected(nvvm_writer *writer, LLVMValueRef call) {
  if (!nvvm_write_selected(writer, call))
    nvvm_unknown(writer, "intrinsic %s", intrinsic_name(call));
}

/* "f32", "v2f64": what follows the last dot. */
static const char *overload_of(LLVMValueRef call) {
  return strrchr(intrinsic_name(call), '.') + 1;
}

void nvvm_float_or_selected(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  if (!is_native(call))
    write_selected(writer, call);
  else
    nvvm_write_renamed(writer, call,
                       rule->detail ? nvvm_text(writer, "llvm.%s.%s", rule->detail, overload_of(call))
                                    : intrinsic_name(call));
}

/* fmuladd is one operation wherever that is as fast as two, which it is on every GPU. */
void nvvm_fused(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  if (!is_native(call))
    write_selected(writer, call);
  else
    nvvm_write_renamed(writer, call, nvvm_text(writer, "llvm.fma.%s", overload_of(call)));
}

static const char *root_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                             const char *const *operands) {
  (void)shape;
  const char *name = !may_approximate(instruction) ? "llvm.nvvm.sqrt.f"
                     : flushes_denormals(writer)   ? "llvm.nvvm.sqrt.approx.ftz.f"
                                                   : "llvm.nvvm.sqrt.approx.f";
  nvvm_declare(writer, "declare float @%s(float)", name);
  return nvvm_assign(writer, "call float @%s(float %s)", name, operands[0]);
}

/* Without leave to approximate, -prec-sqrt decides; llvm.sqrt would not listen to it. */
void nvvm_square_root(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  if (nvvm_shape_of(LLVMTypeOf(call)).kind == LLVMFloatTypeKind)
    write_lanes(writer, call, 1, root_lane);
  else
    nvvm_float_or_selected(writer, call, rule);
}

/* fabs and copysign of 16-bit formats, on their bits. */
void nvvm_float_magnitude(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  if (is_native(call)) {
    nvvm_write_renamed(writer, call, intrinsic_name(call));
    return;
  }
  LLVMTypeRef type = LLVMTypeOf(call);
  nvvm_shape shape = nvvm_shape_of(type);
  const char *text = nvvm_type(writer, type),
             *bits = shape.lanes ? nvvm_text(writer, "<%u x i16>", shape.lanes) : "i16";
  const char *value = nvvm_assign(writer, "bitcast %s to %s", nvvm_typed(writer, LLVMGetOperand(call, 0)), bits);
  value = nvvm_assign(writer, "and %s %s, %s", bits, value, nvvm_splat(writer, shape.lanes, "i16", "32767"));
  if (!strcmp(rule->detail, "copysign")) {
    const char *sign = nvvm_assign(writer, "bitcast %s to %s", nvvm_typed(writer, LLVMGetOperand(call, 1)), bits);
    sign = nvvm_assign(writer, "and %s %s, %s", bits, sign, nvvm_splat(writer, shape.lanes, "i16", "-32768"));
    value = nvvm_assign(writer, "or %s %s, %s", bits, value, sign);
  }
  nvvm_bind(writer, call, nvvm_assign(writer, "bitcast %s %s to %s", bits, value, text));
}

/* ---- casts to and from bfloat ---- */

static const char *ptx_type(LLVMTypeRef type, bool is_signed) {
  nvvm_shape shape = nvvm_shape_of(type);
  switch (shape.kind) {
  case LLVMHalfTypeKind:
    return "f16";
  case LLVMFloatTypeKind:
    return "f32";
  case LLVMDoubleTypeKind:
    return "f64";
  case LLVMIntegerTypeKind:
    switch (shape.bits) {
    case 16:
      return is_signed ? "s16" : "u16";
    case 32:
      return is_signed ? "s32" : "u32";
    case 64:
      return is_signed ? "s64" : "u64";
    default:
      return NULL;
    }
  default:
    return NULL;
  }
}

/* From bfloat: through float, which holds every bfloat exactly. */
static const char *from_bfloat_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                                    const char *const *operands) {
  (void)shape;
  LLVMTypeRef target = nvvm_shape_of(LLVMTypeOf(instruction)).element;
  const char *value = bfloat_to_float(writer, operands[0]), *type = nvvm_type(writer, target);
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMFPExt:
    return LLVMGetTypeKind(target) == LLVMFloatTypeKind ? value
                                                        : nvvm_assign(writer, "fpext float %s to %s", value, type);
  case LLVMFPToUI:
    return nvvm_assign(writer, "fptoui float %s to %s", value, type);
  default:
    return nvvm_assign(writer, "fptosi float %s to %s", value, type);
  }
}

/* To bfloat: rounded once, by PTX. Integers narrower than 16 bits are widened first, which is exact. */
static const char *to_bfloat_lane(nvvm_writer *writer, LLVMValueRef instruction, nvvm_shape shape,
                                  const char *const *operands) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  const char *value = operands[0], *type = nvvm_type(writer, shape.element);
  bool is_signed = opcode == LLVMSIToFP;
  LLVMTypeRef source = shape.element;
  if (shape.kind == LLVMIntegerTypeKind && shape.bits < 16) {
    value = nvvm_assign(writer, "%s %s %s to i16", is_signed ? "sext" : "zext", type, value);
    source = LLVMInt16TypeInContext(writer->context);
    type = "i16";
  }
  const char *ptx = ptx_type(source, is_signed);
  if (!ptx) {
    nvvm_unknown(writer, "conversion of %s to bfloat", type);
    return "undef";
  }
  return nvvm_assign(writer, "%s",
                     nvvm_asm_call(writer, NVVM_ASM_PURE, "i16", nvvm_text(writer, "cvt.rn.bf16.%s $0, $1;", ptx),
                                   nvvm_text(writer, "=h,%s", nvvm_constraint(source)),
                                   nvvm_text(writer, "%s %s", type, value)));
}

/* float2 to bfloat2 in one instruction, whose first operand is the upper half. */
static bool write_packed_truncation(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef operand = LLVMGetOperand(instruction, 0);
  nvvm_shape shape = nvvm_shape_of(LLVMTypeOf(operand));
  if (LLVMGetInstructionOpcode(instruction) != LLVMFPTrunc || shape.lanes != 2 || shape.kind != LLVMFloatTypeKind)
    return false;
  const char *lanes[2];
  for (unsigned i = 0; i < 2; i++)
    lanes[i] = nvvm_assign(writer, "extractelement %s, i32 %u", nvvm_typed(writer, operand), i);
  const char *result =
      nvvm_assign(writer, "%s",
                  nvvm_asm_call(writer, NVVM_ASM_PURE, "i32", "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f",
                                nvvm_text(writer, "float %s, float %s", lanes[1], lanes[0])));
  nvvm_bind(writer, instruction,
            nvvm_assign(writer, "bitcast i32 %s to %s", result, nvvm_type(writer, LLVMTypeOf(instruction))));
  return true;
}

bool nvvm_write_float_cast(nvvm_writer *writer, LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) == LLVMBitCast) /* bits stay bits */
    return false;
  if (nvvm_shape_of(LLVMTypeOf(LLVMGetOperand(instruction, 0))).kind == LLVMBFloatTypeKind) {
    write_lanes(writer, instruction, 1, from_bfloat_lane);
    return true;
  }
  if (nvvm_shape_of(LLVMTypeOf(instruction)).kind == LLVMBFloatTypeKind) {
    if (!write_packed_truncation(writer, instruction))
      write_lanes(writer, instruction, 1, to_bfloat_lane);
    return true;
  }
  return false;
}

/* ---- freeze ---- */

/* A value that may be undef gets one definite content by passing through a move that the optimiser cannot see
 * through; ptxas removes it. */
static const char *frozen(nvvm_writer *writer, LLVMTypeRef type, const char *value);

static const char *frozen_parts(nvvm_writer *writer, LLVMTypeRef type, const char *value, unsigned count,
                                bool is_vector) {
  const char *text = nvvm_type(writer, type), *result = "undef";
  for (unsigned i = 0; i < count && !nvvm_stopped(writer); i++) {
    LLVMTypeRef part =
        LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
    const char *index = nvvm_text(writer, is_vector ? "i32 %u" : "%u", i);
    const char *piece =
        nvvm_assign(writer, "%s %s %s, %s", is_vector ? "extractelement" : "extractvalue", text, value, index);
    result = nvvm_assign(writer, "%s %s %s, %s %s, %s", is_vector ? "insertelement" : "insertvalue", text, result,
                         nvvm_type(writer, part), frozen(writer, part, piece), index);
  }
  return result;
}

static const char *frozen_scalar(nvvm_writer *writer, const char *type, const char *constraint, const char *value) {
  static const struct {
    const char *constraint, *move;
  } moves[] = {{"h", "b16"}, {"r", "b32"}, {"l", "b64"}, {"f", "f32"}, {"d", "f64"}};
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
    if (!strcmp(moves[i].constraint, constraint))
      return nvvm_assign(writer, "%s",
                         nvvm_asm_call(writer, NVVM_ASM_PURE, type, nvvm_text(writer, "mov.%s $0, $1;", moves[i].move),
                                       nvvm_text(writer, "=%s,%s", constraint, constraint),
                                       nvvm_text(writer, "%s %s", type, value)));
  nvvm_unknown(writer, "freeze of %s", type);
  return "undef";
}

static const char *frozen_integer(nvvm_writer *writer, unsigned bits, const char *value) {
  unsigned wide = bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  const char *type = nvvm_text(writer, "i%u", bits), *wide_type = nvvm_text(writer, "i%u", wide);
  const char *constraint = wide == 16 ? "h" : wide == 32 ? "r" : "l";
  if (bits == wide)
    return frozen_scalar(writer, type, constraint, value);
  if (bits > 64) { /* piece by piece */
    const char *high_type = nvvm_text(writer, "i%u", bits - 64);
    const char *low = frozen_integer(writer, 64, nvvm_assign(writer, "trunc %s %s to i64", type, value));
    const char *shifted = nvvm_assign(writer, "lshr %s %s, 64", type, value);
    const char *high =
        frozen_integer(writer, bits - 64, nvvm_assign(writer, "trunc %s %s to %s", type, shifted, high_type));
    low = nvvm_assign(writer, "zext i64 %s to %s", low, type);
    high = nvvm_assign(writer, "shl %s %s, 64", type, nvvm_assign(writer, "zext %s %s to %s", high_type, high, type));
    return nvvm_assign(writer, "or %s %s, %s", type, low, high);
  }
  const char *extended = nvvm_assign(writer, "zext %s %s to %s", type, value, wide_type);
  return nvvm_assign(writer, "trunc %s %s to %s", wide_type, frozen_scalar(writer, wide_type, constraint, extended),
                     type);
}

static const char *frozen(nvvm_writer *writer, LLVMTypeRef type, const char *value) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return frozen_integer(writer, LLVMGetIntTypeWidth(type), value);
  case LLVMVectorTypeKind:
    return frozen_parts(writer, type, value, LLVMGetVectorSize(type), true);
  case LLVMStructTypeKind:
    return frozen_parts(writer, type, value, LLVMCountStructElementTypes(type), false);
  case LLVMArrayTypeKind:
    return frozen_parts(writer, type, value, (unsigned)LLVMGetArrayLength2(type), false);
  default: {
    const char *constraint = nvvm_constraint(type);
    if (constraint)
      return frozen_scalar(writer, nvvm_type(writer, type), constraint, value);
    nvvm_unknown(writer, "freeze of %s", nvvm_type(writer, type));
    return "undef";
  }
  }
}

void nvvm_write_freeze(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  nvvm_bind(writer, instruction, frozen(writer, type, nvvm_operand(writer, LLVMGetOperand(instruction, 0))));
}
