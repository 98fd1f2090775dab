/* element.h - the element types of buffers given on the command line ("f32", "i8", ...), and filling buffers with them.
 */
#ifndef PIPELINK_DRIVER_ELEMENT_H
#define PIPELINK_DRIVER_ELEMENT_H

#include "number.h"

typedef struct element_type {
  const char *name; /* "f32" */
  pl_number number;
} element_type;

/* NULL for a name that is not in the table. `length` bytes of `name` count. */
const element_type *element_type_find(const char *name, size_t length);
/* The type that the number is; NULL when it is none of the table's. */
const element_type *element_type_of(const pl_number *number);
/* "f16, bf16, ...", for messages. */
#define ELEMENT_TYPE_NAMES "f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64"

size_t element_bytes(const element_type *type);

typedef enum element_fill {
  FILL_RANDOM, /* floats uniform in [-1, 1), integers with every bit random */
  FILL_ZEROS,
  FILL_NAN, /* every byte 0xFF: a NaN in every float type, all ones in an integer */
  FILL_IOTA /* 0, 1, 2, ... */
} element_fill;

/* The fill of this name ("random"), or -1. */
int element_fill_find(const char *name, size_t length);
const char *element_fill_name(element_fill fill);

/* False when the type cannot hold a value (iota beyond its range). */
bool element_fill_buffer(const element_type *type, element_fill fill, uint64_t seed, void *data, size_t count);

/* One element as text, cut to fit. */
void element_print(const element_type *type, const void *data, char *text, size_t size);

/* The next number of a sequence (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators"). */
uint64_t random_next(uint64_t *state);

#endif
