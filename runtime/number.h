/* number.h - numbers as the bytes the device reads: little-endian integers, IEEE floats, bfloat16. */
#ifndef PIPELINK_RUNTIME_NUMBER_H
#define PIPELINK_RUNTIME_NUMBER_H

#include "launch_file.h"

enum { PL_NUMBER_BYTES_MAX = 16 };

/* False when the value is outside the integer's (or bool's) range. Writes type->bits / 8 bytes, one for a bool. */
bool pl_number_encode_signed(const pl_number *type, int64_t value, unsigned char *bytes);
bool pl_number_encode_unsigned(const pl_number *type, uint64_t value, unsigned char *bytes);

/* Rounded to nearest, ties to even. False when a finite value would become infinite, or for a float that is not of 16,
 * 32 or 64 bits. */
bool pl_number_encode_float(const pl_number *type, double value, unsigned char *bytes);

/* A float of 16, 32 or 64 bits back as a double, exactly. */
double pl_number_decode_float(const pl_number *type, const unsigned char *bytes);

#endif
