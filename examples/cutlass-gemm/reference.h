// reference.h - random matrices, and a plain GEMM in double precision that a result is checked against.
#pragma once

#include <cutlass/bfloat16.h>

#include <cuda_runtime.h>

namespace reference {

// Fills with values uniform in [-1, 1), the same for the same seed.
void fill_random(cutlass::bfloat16_t *values, size_t count, unsigned long long seed);

// How many of the m * n elements of `d` are wrong: further from alpha * A * B than rounding explains, or NaN. The bound
// allows half a bf16 step for the result, as much again, and 2^-16 of the sum of magnitudes for summing in fp32.
unsigned long long count_wrong(const cutlass::bfloat16_t *a, const cutlass::bfloat16_t *b, const cutlass::bfloat16_t *d,
                               float alpha, int m, int n, int k);

} // namespace reference
