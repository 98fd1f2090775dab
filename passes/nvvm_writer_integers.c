/* nvvm_writer_integers.c - integer intrinsics that LLVM 7 lacks, in plain instructions. All work on vectors too,
 * unless they say otherwise. */
#include "nvvm_writer.h"

#include <string.h>

typedef struct integer_call {
  LLVMTypeRef type; /* of the result and the operands */
  const char *text; /* the same as text */
  const char *left, *right;
  const char *condition; /* type of a comparison */
  unsigned bits;         /* of one lane */
} integer_call;

static integer_call describe(nvvm_writer *writer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(value, 0));
  bool binary = LLVMGetNumArgOperands(value) > 1;
  return (integer_call){.type = type,
                        .text = nvvm_type(writer, type),
                        .left = nvvm_operand(writer, LLVMGetOperand(value, 0)),
                        .right = binary ? nvvm_operand(writer, LLVMGetOperand(value, 1)) : NULL,
                        .condition = nvvm_condition_type(writer, type),
                        .bits = nvvm_shape_of(type).bits};
}

static const char *number(nvvm_writer *writer, const integer_call *call, const char *scalar) {
  return nvvm_splat(writer, nvvm_shape_of(call->type).lanes, nvvm_text(writer, "i%u", call->bits), scalar);
}

static const char *chosen(nvvm_writer *writer, const integer_call *call, const char *condition, const char *yes,
                          const char *no) {
  return nvvm_assign(writer, "select %s %s, %s %s, %s %s", call->condition, condition, call->text, yes, call->text, no);
}

static const char *operate(nvvm_writer *writer, const integer_call *call, const char *word, const char *left,
                           const char *right) {
  return nvvm_assign(writer, "%s %s %s, %s", word, call->text, left, right);
}

void nvvm_minimum_maximum(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  integer_call call = describe(writer, value);
  const char *first = nvvm_assign(writer, "icmp %s %s %s, %s", rule->detail, call.text, call.left, call.right);
  nvvm_bind(writer, value, chosen(writer, &call, first, call.left, call.right));
}

void nvvm_absolute(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  (void)rule;
  integer_call call = describe(writer, value);
  const char *zero = number(writer, &call, "0");
  const char *negative = nvvm_assign(writer, "icmp slt %s %s, %s", call.text, call.left, zero);
  const char *negated = operate(writer, &call, "sub", zero, call.left);
  nvvm_bind(writer, value, chosen(writer, &call, negative, negated, call.left));
}

/* -1, 0 or 1: greater minus less. */
void nvvm_three_way(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  integer_call call = describe(writer, value);
  const char *result = nvvm_type(writer, LLVMTypeOf(value));
  const char *greater = nvvm_assign(writer, "icmp %sgt %s %s, %s", rule->detail, call.text, call.left, call.right);
  const char *less = nvvm_assign(writer, "icmp %slt %s %s, %s", rule->detail, call.text, call.left, call.right);
  greater = nvvm_assign(writer, "zext %s %s to %s", call.condition, greater, result);
  less = nvvm_assign(writer, "zext %s %s to %s", call.condition, less, result);
  nvvm_bind(writer, value, nvvm_assign(writer, "sub %s %s, %s", result, greater, less));
}

/* The signed bound on the side of `value`'s sign: maximum when it is not negative, minimum when it is. */
static const char *bound(nvvm_writer *writer, const integer_call *call, const char *value) {
  const char *shift = number(writer, call, nvvm_text(writer, "%u", call->bits - 1));
  const char *sign = operate(writer, call, "ashr", value, shift);
  const char *ones = number(writer, call, "-1");
  const char *maximum = operate(writer, call, "lshr", ones, number(writer, call, "1"));
  return operate(writer, call, "xor", sign, maximum);
}

void nvvm_saturating(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  integer_call call = describe(writer, value);
  bool is_signed = rule->detail[0] == 's', adds = !strcmp(rule->detail + 1, "add");
  const char *plain = operate(writer, &call, adds ? "add" : "sub", call.left, call.right);
  const char *zero = number(writer, &call, "0"), *over;
  if (!is_signed) {
    over =
        nvvm_assign(writer, "icmp ult %s %s, %s", call.text, adds ? plain : call.left, adds ? call.left : call.right);
    nvvm_bind(writer, value, chosen(writer, &call, over, adds ? number(writer, &call, "-1") : zero, plain));
    return;
  }
  /* Overflow shows in the sign: equal signs give the other sign (add), different signs the right's (sub). */
  const char *left_differs = operate(writer, &call, "xor", call.left, plain);
  const char *other_differs = operate(writer, &call, "xor", adds ? call.right : call.left, adds ? plain : call.right);
  over = nvvm_assign(writer, "icmp slt %s %s, %s", call.text,
                     operate(writer, &call, "and", left_differs, other_differs), zero);
  nvvm_bind(writer, value, chosen(writer, &call, over, bound(writer, &call, call.left), plain));
}

void nvvm_saturating_shift(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  integer_call call = describe(writer, value);
  bool is_signed = rule->detail[0] == 's';
  const char *shifted = operate(writer, &call, "shl", call.left, call.right);
  const char *back = operate(writer, &call, is_signed ? "ashr" : "lshr", shifted, call.right);
  const char *lost = nvvm_assign(writer, "icmp ne %s %s, %s", call.text, back, call.left);
  const char *limit = is_signed ? bound(writer, &call, call.left) : number(writer, &call, "-1");
  nvvm_bind(writer, value, chosen(writer, &call, lost, limit, shifted));
}

/* libNVVM has these, but not multiplication of 128 bits. */
void nvvm_overflow(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(value), &length);
  unsigned bits = nvvm_shape_of(LLVMTypeOf(LLVMGetOperand(value, 0))).bits;
  if (strstr(rule->name, "mul") && bits > 64)
    nvvm_unknown(writer, "intrinsic %s", name);
  else
    nvvm_write_renamed(writer, value, name);
}

/* 32 bits: PTX shf, whose operands are low word, high word, amount; wrap takes the amount modulo 32. */
static const char *shift_32(nvvm_writer *writer, const integer_call *call, const char *amount, char direction) {
  return nvvm_assign(writer, "%s",
                     nvvm_asm_call(writer, NVVM_ASM_PURE, "i32",
                                   nvvm_text(writer, "shf.%c.wrap.b32 $0, $1, $2, $3;", direction), "=r,r,r,r",
                                   nvvm_text(writer, "i32 %s, i32 %s, i32 %s", call->right, call->left, amount)));
}

/* Any width: the one side is shifted by the amount, the other by 1 and then by the rest, so that no shift reaches
 * the width. */
static const char *shift_any(nvvm_writer *writer, const integer_call *call, const char *amount, char direction) {
  const char *width = nvvm_text(writer, "%u", call->bits), *last = nvvm_text(writer, "%u", call->bits - 1);
  bool power_of_two = !(call->bits & (call->bits - 1));
  amount =
      operate(writer, call, power_of_two ? "and" : "urem", amount, number(writer, call, power_of_two ? last : width));
  const char *rest = operate(writer, call, "sub", number(writer, call, last), amount), *one = number(writer, call, "1");
  bool left = direction == 'l';
  const char *main = operate(writer, call, left ? "shl" : "lshr", left ? call->left : call->right, amount);
  const char *other = operate(writer, call, left ? "lshr" : "shl", left ? call->right : call->left, one);
  other = operate(writer, call, left ? "lshr" : "shl", other, rest);
  return operate(writer, call, "or", main, other);
}

static const char *shift_constant(nvvm_writer *writer, const integer_call *call, unsigned long long amount,
                                  char direction) {
  amount %= call->bits;
  if (!amount)
    return direction == 'l' ? call->left : call->right;
  unsigned long long up = direction == 'l' ? amount : call->bits - amount;
  const char *high = operate(writer, call, "shl", call->left, number(writer, call, nvvm_text(writer, "%llu", up)));
  const char *low =
      operate(writer, call, "lshr", call->right, number(writer, call, nvvm_text(writer, "%llu", call->bits - up)));
  return operate(writer, call, "or", high, low);
}

void nvvm_funnel_shift(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  integer_call call = describe(writer, value);
  LLVMValueRef amount = LLVMGetOperand(value, 2);
  const char *text = nvvm_operand(writer, amount), *result;
  bool scalar = LLVMGetTypeKind(call.type) == LLVMIntegerTypeKind;
  if (scalar && call.bits == 32)
    result = shift_32(writer, &call, text, rule->detail[0]);
  else if (LLVMIsAConstantInt(amount) && call.bits <= 64)
    result = shift_constant(writer, &call, LLVMConstIntGetZExtValue(amount), rule->detail[0]);
  else
    result = shift_any(writer, &call, text, rule->detail[0]);
  nvvm_bind(writer, value, result);
}

/* Leading zeros of the reversed bits, as LLVM's own back end does it: libNVVM would branch. */
void nvvm_trailing_zeros(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  (void)rule;
  LLVMTypeRef type = LLVMTypeOf(value);
  const char *text = nvvm_type(writer, type), *operand = nvvm_operand(writer, LLVMGetOperand(value, 0));
  unsigned bits = nvvm_shape_of(type).bits;
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || (bits != 32 && bits != 64)) {
    size_t length;
    nvvm_write_renamed(writer, value, LLVMGetValueName2(LLVMGetCalledValue(value), &length));
    return;
  }
  nvvm_declare(writer, "declare %s @llvm.bitreverse.%s(%s)", text, text, text);
  nvvm_declare(writer, "declare %s @llvm.ctlz.%s(%s, i1)", text, text, text);
  const char *reversed = nvvm_assign(writer, "call %s @llvm.bitreverse.%s(%s %s)", text, text, text, operand);
  nvvm_bind(writer, value,
            nvvm_assign(writer, "call %s @llvm.ctlz.%s(%s %s, %s)", text, text, text, reversed,
                        nvvm_typed(writer, LLVMGetOperand(value, 1))));
}

static const char *swap_32(nvvm_writer *writer, const char *value) {
  nvvm_declare(writer, "declare i32 @llvm.nvvm.prmt(i32, i32, i32)");
  return nvvm_assign(writer, "call i32 @llvm.nvvm.prmt(i32 %s, i32 0, i32 291)", value); /* 0x0123: bytes 3 2 1 0 */
}

void nvvm_byte_swap(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  (void)rule;
  LLVMTypeRef type = LLVMTypeOf(value);
  const char *operand = nvvm_operand(writer, LLVMGetOperand(value, 0));
  unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? nvvm_shape_of(type).bits : 0;
  if (bits == 32) {
    nvvm_bind(writer, value, swap_32(writer, operand));
  } else if (bits == 64) {
    const char *low = nvvm_assign(writer, "trunc i64 %s to i32", operand);
    const char *high = nvvm_assign(writer, "trunc i64 %s to i32", nvvm_assign(writer, "lshr i64 %s, 32", operand));
    low = nvvm_assign(writer, "zext i32 %s to i64", swap_32(writer, low));
    high = nvvm_assign(writer, "zext i32 %s to i64", swap_32(writer, high));
    nvvm_bind(writer, value, nvvm_assign(writer, "or i64 %s, %s", high, nvvm_assign(writer, "shl i64 %s, 32", low)));
  } else {
    size_t length;
    nvvm_write_renamed(writer, value, LLVMGetValueName2(LLVMGetCalledValue(value), &length));
  }
}

/* The pointer moves by what masking takes away, so that it keeps its object and address space. Not for vectors. */
void nvvm_pointer_mask(nvvm_writer *writer, LLVMValueRef value, const nvvm_rule *rule) {
  (void)rule;
  LLVMValueRef pointer = LLVMGetOperand(value, 0), mask = LLVMGetOperand(value, 1);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) {
    nvvm_unknown(writer, "llvm.ptrmask on vectors");
    return;
  }
  const char *integer = nvvm_type(writer, LLVMTypeOf(mask)), *typed = nvvm_typed(writer, pointer);
  const char *address = nvvm_assign(writer, "ptrtoint %s to %s", typed, integer);
  const char *masked = nvvm_assign(writer, "and %s %s, %s", integer, address, nvvm_operand(writer, mask));
  const char *distance = nvvm_assign(writer, "sub %s %s, %s", integer, masked, address);
  nvvm_bind(writer, value, nvvm_assign(writer, "getelementptr i8, %s, %s %s", typed, integer, distance));
}
