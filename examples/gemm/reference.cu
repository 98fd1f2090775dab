// reference.cu - random matrices, and a GEMM in double precision that results are checked against.
#include "reference.h"

namespace {

constexpr int edge = 32; // of a square tile; a CTA has one thread for each of its elements

__global__ void fill(__nv_bfloat16 *values, size_t count, unsigned long long seed) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    unsigned long long bits = (i + 1) * 0x9e3779b97f4a7c15ULL + seed * 0xbf58476d1ce4e5b9ULL; // SplitMix64
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    values[i] = __float2bfloat16(float(bits >> 40) / float(1 << 23) - 1.0f);
  }
}

__global__ void multiply(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __nv_bfloat16 *bias, Epilogue epilogue,
                         unsigned m, unsigned n, unsigned k, double *expected, float *bound) {
  __shared__ float a_tile[edge][edge + 1];
  __shared__ float b_tile[edge][edge + 1];
  const unsigned row = blockIdx.y * edge + threadIdx.y;
  const unsigned column = blockIdx.x * edge + threadIdx.x;
  const unsigned b_row = blockIdx.x * edge + threadIdx.y; // loads run along K, which is contiguous in A and in B
  double sum = 0;
  float magnitude = 0;
  for (unsigned step = 0; step < k; step += edge) {
    const unsigned depth = step + threadIdx.x;
    a_tile[threadIdx.y][threadIdx.x] = row < m && depth < k ? __bfloat162float(a[size_t(row) * k + depth]) : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = b_row < n && depth < k ? __bfloat162float(b[size_t(b_row) * k + depth]) : 0.0f;
    __syncthreads();
    for (int i = 0; i < edge; ++i) {
      const float product = a_tile[threadIdx.y][i] * b_tile[threadIdx.x][i]; // exact: 8 bits times 8 bits
      sum += double(product);
      magnitude += fabsf(product);
    }
    __syncthreads();
  }
  if (row >= m || column >= n)
    return;
  double value = sum, error = double(magnitude) * 0x1p-18;
  if (epilogue == Epilogue::bias_silu) {
    const double x = sum + double(__bfloat162float(bias[column]));
    value = x / (1 + exp(-x));
    error = 1.1 * error + fabs(value) * 0x1p-16; // the slope of silu; a fast exponential and division
  }
  expected[size_t(row) * n + column] = value;
  bound[size_t(row) * n + column] = float(value == 0 ? error : error + ldexp(1.0, ilogb(value) - 8));
}

// Elements from `count` to `size` are behind the matrix.
__global__ void compare(const __nv_bfloat16 *c, const double *expected, const float *bound, size_t count, size_t size,
                        unsigned long long *wrong) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += size_t(gridDim.x) * blockDim.x) {
    const bool right = i < count ? fabs(double(__bfloat162float(c[i])) - expected[i]) <= double(bound[i])
                                 : __bfloat16_as_ushort(c[i]) == 0xffff;
    if (!right)
      atomicAdd(wrong, 1ULL);
  }
}

} // namespace

void fill_random(const DeviceArray<__nv_bfloat16> &values, unsigned long long seed) {
  fill<<<1024, 256>>>(values.get(), values.size, seed);
}

Reference::Reference(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __nv_bfloat16 *bias, Epilogue epilogue,
                     unsigned m, unsigned n, unsigned k)
    : expected(size_t(m) * n), bound(size_t(m) * n) {
  multiply<<<dim3((n + edge - 1) / edge, (m + edge - 1) / edge), dim3(edge, edge)>>>(a, b, bias, epilogue, m, n, k,
                                                                                     expected.get(), bound.get());
  check(cudaDeviceSynchronize(), "reference");
}

unsigned long long Reference::count_wrong(const DeviceArray<__nv_bfloat16> &c) const {
  const DeviceArray<unsigned long long> count(1);
  unsigned long long wrong = 0;
  check(cudaMemset(count.get(), 0, sizeof wrong), "comparison");
  compare<<<2048, 256>>>(c.get(), expected.get(), bound.get(), expected.size, c.size, count.get());
  check(cudaMemcpy(&wrong, count.get(), sizeof wrong, cudaMemcpyDeviceToHost), "comparison");
  return wrong;
}
