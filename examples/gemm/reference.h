// reference.h - random matrices, and a GEMM in double precision that results are checked against.
#ifndef GEMM_REFERENCE_H
#define GEMM_REFERENCE_H

#include "device.h"

#include <cuda_bf16.h>

enum class Epilogue { none, bias_silu };

// Fills with values uniform in [-1, 1), the same for the same seed.
void fill_random(const DeviceArray<__nv_bfloat16> &values, unsigned long long seed);

// What C = epilogue(A B) is, and how far a right result may be from it: half a bf16 step for rounding, and 2^-18 of the
// sum of magnitudes for summing in fp32.
class Reference {
public:
  // A is m x k, B n x k, both along k; bias has n elements.
  Reference(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __nv_bfloat16 *bias, Epilogue epilogue, unsigned m,
            unsigned n, unsigned k);

  // How many of C's m * n elements are wrong or NaN, plus how many of what follows them are not as poison() left them.
  unsigned long long count_wrong(const DeviceArray<__nv_bfloat16> &c) const;

private:
  DeviceArray<double> expected;
  DeviceArray<float> bound;
};

#endif
