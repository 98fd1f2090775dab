/* element.c - see element.h. */
#include "element.h"

#include <stdio.h>
#include <string.h>

static const element_type types[] = {
    {"f16", {PIPELINK_PARAMETER_FLOAT, 16, false, false}},   {"bf16", {PIPELINK_PARAMETER_FLOAT, 16, false, true}},
    {"f32", {PIPELINK_PARAMETER_FLOAT, 32, false, false}},   {"f64", {PIPELINK_PARAMETER_FLOAT, 64, false, false}},
    {"i8", {PIPELINK_PARAMETER_INTEGER, 8, true, false}},    {"i16", {PIPELINK_PARAMETER_INTEGER, 16, true, false}},
    {"i32", {PIPELINK_PARAMETER_INTEGER, 32, true, false}},  {"i64", {PIPELINK_PARAMETER_INTEGER, 64, true, false}},
    {"u8", {PIPELINK_PARAMETER_INTEGER, 8, false, false}},   {"u16", {PIPELINK_PARAMETER_INTEGER, 16, false, false}},
    {"u32", {PIPELINK_PARAMETER_INTEGER, 32, false, false}}, {"u64", {PIPELINK_PARAMETER_INTEGER, 64, false, false}},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static const char *const fills[] = {
    [FILL_RANDOM] = "random", [FILL_ZEROS] = "zeros", [FILL_NAN] = "nan", [FILL_IOTA] = "iota"};
enum { FILL_COUNT = sizeof fills / sizeof *fills };

static bool names_equal(const char *name, const char *text, size_t length) {
  return strlen(name) == length && !memcmp(name, text, length);
}

const element_type *element_type_find(const char *name, size_t length) {
  for (size_t i = 0; i < TYPE_COUNT; i++)
    if (names_equal(types[i].name, name, length))
      return &types[i];
  return NULL;
}

const element_type *element_type_of(const pl_number *number) {
  for (size_t i = 0; i < TYPE_COUNT; i++) {
    const pl_number *known = &types[i].number;
    if (known->kind == number->kind && known->bits == number->bits && known->is_signed == number->is_signed &&
        known->is_bfloat == number->is_bfloat)
      return &types[i];
  }
  return NULL;
}

size_t element_bytes(const element_type *type) {
  return type->number.bits / 8;
}

int element_fill_find(const char *name, size_t length) {
  for (int i = 0; i < FILL_COUNT; i++)
    if (names_equal(fills[i], name, length))
      return i;
  return -1;
}

const char *element_fill_name(element_fill fill) {
  return fills[fill];
}

uint64_t random_next(uint64_t *state) {
  uint64_t value = *state += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

static bool encode(const element_type *type, element_fill fill, uint64_t *state, size_t index, unsigned char *bytes) {
  const pl_number *number = &type->number;
  uint64_t value = fill == FILL_RANDOM ? random_next(state) : index;
  if (number->kind == PIPELINK_PARAMETER_INTEGER && fill == FILL_RANDOM) {
    memcpy(bytes, &value, element_bytes(type));
    return true;
  }
  if (number->kind == PIPELINK_PARAMETER_INTEGER)
    return pl_number_encode_unsigned(number, value, bytes);
  if (fill == FILL_IOTA)
    return pl_number_encode_float(number, (double)value, bytes);
  /* Below 1 in every type: 8 bits for bfloat16, 11 for half, 24 for float. */
  int bits = number->bits == 16 ? (number->is_bfloat ? 8 : 11) : number->bits == 32 ? 24 : 53;
  double unit = (double)(value >> (64 - bits)) / (double)((uint64_t)1 << bits);
  return pl_number_encode_float(number, 2 * unit - 1, bytes);
}

bool element_fill_buffer(const element_type *type, element_fill fill, uint64_t seed, void *data, size_t count) {
  size_t bytes = element_bytes(type);
  if (fill == FILL_ZEROS || fill == FILL_NAN) {
    memset(data, fill == FILL_NAN ? 0xff : 0, count * bytes);
    return true;
  }
  unsigned char *at = data;
  for (size_t i = 0; i < count; i++, at += bytes)
    if (!encode(type, fill, &seed, i, at))
      return false;
  return true;
}

void element_print(const element_type *type, const void *data, char *text, size_t size) {
  const pl_number *number = &type->number;
  if (number->kind == PIPELINK_PARAMETER_FLOAT) {
    snprintf(text, size, "%.*g",
             number->bits == 64   ? 12
             : number->bits == 32 ? 7
                                  : 4,
             pl_number_decode_float(number, data));
    return;
  }
  uint64_t value = 0;
  memcpy(&value, data, element_bytes(type));
  unsigned unused = 64 - number->bits;
  if (number->is_signed)
    snprintf(text, size, "%lld", (long long)(int64_t)(value << unused) >> unused);
  else
    snprintf(text, size, "%llu", (unsigned long long)value);
}
