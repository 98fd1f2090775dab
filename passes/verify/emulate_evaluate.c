/* emulate_evaluate.c - arithmetic of the emulator, on known integers and on names.
 *
 * What is made from something unknown is unknown, and named after how it was made: two threads that compute the same
 * from the same have the same name, so conditions that belong together can be decided together.
 */
#include "emulate_machine.h"

uint64_t pl_emulate_mix(uint64_t a, uint64_t b) {
  uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + (b ^ b >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 32;
}

pl_emulate_value pl_emulate_unknown(uint64_t name, uint64_t choices) {
  return (pl_emulate_value){.bits = name, .choices = choices & PL_EMULATE_CHOICE_ANY, .is_known = false};
}

static uint64_t mask_of(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t extend(uint64_t bits, unsigned width) {
  if (width >= 64)
    return (int64_t)bits;
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((bits & mask_of(width)) ^ sign) - (int64_t)sign;
}

/* Signed ones. False where LLVM leaves the result undefined. */
static bool binary_signed(LLVMOpcode opcode, unsigned width, int64_t a, int64_t b, uint64_t *result) {
  bool is_overflow = b == -1 && a == extend(UINT64_C(1) << (width - 1), width);
  switch (opcode) {
  case LLVMSDiv:
    *result = b && !is_overflow ? (uint64_t)(a / b) : 0;
    return b && !is_overflow;
  case LLVMSRem:
    *result = b && !is_overflow ? (uint64_t)(a % b) : 0;
    return b && !is_overflow;
  default:
    return false;
  }
}

static inline bool binary(LLVMOpcode opcode, unsigned width, uint64_t a, uint64_t b, uint64_t *result) {
  switch (opcode) {
  case LLVMAdd:
    *result = a + b;
    return true;
  case LLVMSub:
    *result = a - b;
    return true;
  case LLVMMul:
    *result = a * b;
    return true;
  case LLVMUDiv:
    *result = b ? a / b : 0;
    return b != 0;
  case LLVMURem:
    *result = b ? a % b : 0;
    return b != 0;
  case LLVMShl:
    *result = b < width ? a << b : 0;
    return b < width;
  case LLVMLShr:
    *result = b < width ? a >> b : 0;
    return b < width;
  case LLVMAShr:
    *result = b < width ? (uint64_t)(extend(a, width) >> b) : 0;
    return b < width;
  case LLVMAnd:
    *result = a & b;
    return true;
  case LLVMOr:
    *result = a | b;
    return true;
  case LLVMXor:
    *result = a ^ b;
    return true;
  default:
    return binary_signed(opcode, width, extend(a, width), extend(b, width), result);
  }
}

static bool compare(LLVMIntPredicate predicate, unsigned width, uint64_t a, uint64_t b) {
  int64_t x = extend(a, width), y = extend(b, width);
  switch (predicate) {
  case LLVMIntEQ:
    return a == b;
  case LLVMIntNE:
    return a != b;
  case LLVMIntUGT:
    return a > b;
  case LLVMIntUGE:
    return a >= b;
  case LLVMIntULT:
    return a < b;
  case LLVMIntULE:
    return a <= b;
  case LLVMIntSGT:
    return x > y;
  case LLVMIntSGE:
    return x >= y;
  case LLVMIntSLT:
    return x < y;
  default:
    return x <= y;
  }
}

static uint64_t shift_pair(uint64_t high, uint64_t low, uint64_t amount, unsigned width, bool is_left) {
  amount %= width;
  if (!amount)
    return is_left ? high : low;
  return is_left ? high << amount | low >> (width - amount) : high << (width - amount) | low >> amount;
}

static uint64_t intrinsic(const pl_emulate_step *step, uint64_t a, uint64_t b, uint64_t c) {
  unsigned width = step->width;
  int64_t x = extend(a, width), y = extend(b, width);
  switch ((pl_emulate_intrinsic)step->variant) {
  case PL_EMULATE_UMIN:
    return a < b ? a : b;
  case PL_EMULATE_UMAX:
    return a > b ? a : b;
  case PL_EMULATE_SMIN:
    return x < y ? a : b;
  case PL_EMULATE_SMAX:
    return x > y ? a : b;
  case PL_EMULATE_ABS:
    return x < 0 ? (uint64_t)0 - (uint64_t)x : (uint64_t)x;
  case PL_EMULATE_CTPOP:
    return (uint64_t)__builtin_popcountll(a);
  case PL_EMULATE_CTLZ:
    return a ? (uint64_t)__builtin_clzll(a) - (64 - width) : width;
  case PL_EMULATE_CTTZ:
    return a ? (uint64_t)__builtin_ctzll(a) : width;
  case PL_EMULATE_FSHL:
    return shift_pair(a, b, c, width, true);
  default:
    return shift_pair(a, b, c, width, false);
  }
}

static pl_emulate_value name_result(const pl_emulate_step *step, pl_emulate_value a, pl_emulate_value b,
                                    pl_emulate_value c, uint64_t choices) {
  uint64_t name = pl_emulate_mix((uint64_t)step->code << 8 | step->variant, (uint64_t)step->offset);
  name = pl_emulate_mix(name, pl_emulate_mix(a.bits, a.is_known));
  name = pl_emulate_mix(name, pl_emulate_mix(b.bits, b.is_known));
  return pl_emulate_unknown(pl_emulate_mix(name, pl_emulate_mix(c.bits, c.is_known)), choices);
}

static pl_emulate_value select_value(const pl_emulate_step *step, pl_emulate_value a, pl_emulate_value b,
                                     pl_emulate_value c) {
  if (a.is_known) {
    pl_emulate_value chosen = a.bits & 1 ? b : c;
    chosen.choices |= a.choices;
    return chosen;
  }
  if (b.is_known == c.is_known && b.bits == c.bits)
    return b;
  return name_result(step, a, b, c, a.choices | b.choices | c.choices);
}

static pl_emulate_value known(uint64_t bits, unsigned width, uint64_t choices) {
  return (pl_emulate_value){
      .bits = bits & mask_of(width), .choices = choices & PL_EMULATE_CHOICE_ANY, .is_known = true};
}

static pl_emulate_value evaluate_cast(const pl_emulate_step *step, pl_emulate_value a) {
  bool is_signed = step->variant == LLVMSExt;
  if (a.is_known)
    return known(is_signed ? (uint64_t)extend(a.bits, step->from_width) : a.bits & mask_of(step->from_width),
                 step->width, a.choices);
  bool keeps = step->width >= step->from_width && !is_signed; /* the same number, and the same name */
  return keeps ? a : name_result(step, a, (pl_emulate_value){0}, (pl_emulate_value){0}, a.choices);
}

static inline pl_emulate_value evaluate(const pl_emulate_step *step, pl_emulate_value a, pl_emulate_value b,
                                        pl_emulate_value c) {
  uint64_t choices = a.choices | b.choices | c.choices, bits = 0;
  bool all_known = (a.is_known || step->a == PL_EMULATE_NONE) && (b.is_known || step->b == PL_EMULATE_NONE) &&
                   (c.is_known || step->c == PL_EMULATE_NONE);
  switch ((pl_emulate_code)step->code) {
  case PL_STEP_BINARY:
    if (all_known && binary((LLVMOpcode)step->variant, step->width, a.bits, b.bits, &bits))
      return known(bits, step->width, choices);
    if (step->variant == LLVMAnd && ((a.is_known && !a.bits) || (b.is_known && !b.bits)))
      return known(0, step->width, choices);
    break;
  case PL_STEP_COMPARE:
    if (all_known)
      return known(compare((LLVMIntPredicate)step->variant, step->width, a.bits, b.bits), 1, choices);
    break;
  case PL_STEP_SELECT:
    return select_value(step, a, b, c);
  case PL_STEP_CAST:
    return evaluate_cast(step, a);
  case PL_STEP_ADDRESS:
    if (all_known)
      return known(step->b == PL_EMULATE_NONE
                       ? a.bits + (uint64_t)step->offset
                       : a.bits + (uint64_t)extend(b.bits, step->from_width) * (uint64_t)step->offset,
                   64, choices);
    break;
  case PL_STEP_INTRINSIC:
    if (all_known)
      return known(intrinsic(step, a.bits, b.bits, c.bits), step->width, choices);
    break;
  default:
    break;
  }
  return name_result(step, a, b, c, choices);
}

pl_emulate_value pl_emulate_evaluate(const pl_emulate_step *step, pl_emulate_value a, pl_emulate_value b,
                                     pl_emulate_value c) {
  return evaluate(step, a, b, c);
}

void pl_emulate_evaluate_lanes(const pl_emulate_step *step, const pl_emulate_source sources[3], uint32_t lanes,
                               pl_emulate_value results[32]) {
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    results[lane] = evaluate(step, sources[0].values[lane * sources[0].stride],
                             sources[1].values[lane * sources[1].stride], sources[2].values[lane * sources[2].stride]);
  }
}
