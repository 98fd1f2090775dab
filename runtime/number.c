/* number.c - see number.h. */
#include "number.h"

#include <math.h>
#include <string.h>

static void write_little_endian(unsigned char *bytes, size_t size, uint64_t value, unsigned char beyond) {
  for (size_t i = 0; i < size; i++)
    if (i < sizeof value)
      bytes[i] = (unsigned char)(value >> (8 * i));
    else
      bytes[i] = beyond;
}

bool pl_number_encode_signed(const pl_number *type, int64_t value, unsigned char *bytes) {
  if (type->kind == PIPELINK_PARAMETER_BOOL || !type->is_signed)
    return value >= 0 && pl_number_encode_unsigned(type, (uint64_t)value, bytes);
  if (type->bits < 64) {
    int64_t highest = ((int64_t)1 << (type->bits - 1)) - 1;
    if (value > highest || value < -highest - 1)
      return false;
  }
  write_little_endian(bytes, type->bits / 8, (uint64_t)value, value < 0 ? 0xff : 0);
  return true;
}

bool pl_number_encode_unsigned(const pl_number *type, uint64_t value, unsigned char *bytes) {
  bool is_bool = type->kind == PIPELINK_PARAMETER_BOOL;
  unsigned bits = is_bool ? 1 : type->bits - (type->is_signed ? 1 : 0);
  if (bits < 64 && value >> bits)
    return false;
  write_little_endian(bytes, is_bool ? 1 : type->bits / 8, value, 0);
  return true;
}

/* A 16-bit float with this many bits of mantissa: 10 for half, 7 for bfloat16. */
static bool encode_float16(double value, int mantissa_bits, uint16_t *code) {
  int exponent_bits = 15 - mantissa_bits, bias = (1 << (exponent_bits - 1)) - 1;
  long infinity = ((1L << exponent_bits) - 1) << mantissa_bits;
  long magnitude;
  if (isnan(value)) {
    magnitude = infinity | 1L << (mantissa_bits - 1);
  } else if (isinf(value)) {
    magnitude = infinity;
  } else if (value == 0) {
    magnitude = 0;
  } else {
    int exponent; /* |value| = fraction * 2^exponent with 0.5 <= fraction < 1 */
    double fraction = frexp(fabs(value), &exponent);
    int biased = exponent - 1 + bias;
    int subnormal = biased < 1 ? 1 - biased : 0; /* bits of precision lost */
    /* The leading one of a normal number carries into the exponent field, and so does rounding up. */
    long significand = lrint(ldexp(fraction, 1 + mantissa_bits - subnormal));
    magnitude = significand + ((long)(subnormal ? 0 : biased - 1) << mantissa_bits);
    if (magnitude >= infinity)
      return false;
  }
  *code = (uint16_t)((signbit(value) ? 0x8000 : 0) | magnitude);
  return true;
}

bool pl_number_encode_float(const pl_number *type, double value, unsigned char *bytes) {
  uint16_t code;
  float single;
  uint32_t single_bits;
  uint64_t double_bits;
  switch (type->bits) {
  case 16:
    if (!encode_float16(value, type->is_bfloat ? 7 : 10, &code))
      return false;
    write_little_endian(bytes, 2, code, 0);
    return true;
  case 32:
    single = (float)value;
    if (isinf(single) && !isinf(value))
      return false;
    memcpy(&single_bits, &single, sizeof single);
    write_little_endian(bytes, 4, single_bits, 0);
    return true;
  case 64:
    memcpy(&double_bits, &value, sizeof value);
    write_little_endian(bytes, 8, double_bits, 0);
    return true;
  default:
    return false;
  }
}

static double decode_float16(uint16_t code, int mantissa_bits) {
  int exponent_bits = 15 - mantissa_bits, bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = (code & 0x7fff) >> mantissa_bits, mantissa = code & ((1 << mantissa_bits) - 1);
  double value;
  if (exponent == (1 << exponent_bits) - 1)
    value = mantissa ? (double)NAN : (double)INFINITY;
  else if (exponent)
    value = ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  else
    value = ldexp(mantissa, 1 - bias - mantissa_bits);
  return code & 0x8000 ? -value : value;
}

double pl_number_decode_float(const pl_number *type, const unsigned char *bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < type->bits / 8 && i < sizeof bits; i++)
    bits |= (uint64_t)bytes[i] << (8 * i);
  if (type->bits == 16)
    return decode_float16((uint16_t)bits, type->is_bfloat ? 7 : 10);
  if (type->bits == 32) {
    uint32_t low = (uint32_t)bits;
    float single;
    memcpy(&single, &low, sizeof single);
    return (double)single;
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
