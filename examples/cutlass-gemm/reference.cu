// reference.cu - random matrices, and a plain GEMM in double precision that a result is checked against.
#include "reference.h"

namespace reference {

namespace {

constexpr int edge = 32; // of a square tile; a CTA has one thread for each of its elements

__global__ void fill(cutlass::bfloat16_t *values, size_t count, unsigned long long seed) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    unsigned long long bits = (i + seed) * 0x9e3779b97f4a7c15ULL; // one step of SplitMix64
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    values[i] = cutlass::bfloat16_t(float(bits >> 40) / float(1 << 23) - 1.0f);
  }
}

__global__ void compare(const cutlass::bfloat16_t *a, const cutlass::bfloat16_t *b, const cutlass::bfloat16_t *d,
                        float alpha, int m, int n, int k, unsigned long long *wrong) {
  __shared__ float a_tile[edge][edge + 1];
  __shared__ float b_tile[edge][edge + 1];
  const int row = blockIdx.y * edge + threadIdx.y;
  const int column = blockIdx.x * edge + threadIdx.x;
  const int b_column = blockIdx.x * edge + threadIdx.y; // loads run along K, which is contiguous in A and in B
  double sum = 0;
  double magnitude = 0;
  for (int step = 0; step < k; step += edge) {
    const int depth = step + threadIdx.x;
    a_tile[threadIdx.y][threadIdx.x] = row < m && depth < k ? float(a[size_t(row) * k + depth]) : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = b_column < n && depth < k ? float(b[size_t(b_column) * k + depth]) : 0.0f;
    __syncthreads();
    for (int i = 0; i < edge; ++i) {
      const double product = double(a_tile[threadIdx.y][i]) * double(b_tile[threadIdx.x][i]);
      sum += product;
      magnitude += fabs(product);
    }
    __syncthreads();
  }
  if (row >= m || column >= n)
    return;
  const double expected = alpha * sum;
  const double bound = fabs(expected) * 0x1p-8 + fabs(alpha) * magnitude * 0x1p-16;
  if (!(fabs(double(float(d[size_t(row) * n + column])) - expected) <= bound))
    atomicAdd(wrong, 1ULL);
}

} // namespace

void fill_random(cutlass::bfloat16_t *values, size_t count, unsigned long long seed) {
  fill<<<1024, 256>>>(values, count, seed);
}

unsigned long long count_wrong(const cutlass::bfloat16_t *a, const cutlass::bfloat16_t *b, const cutlass::bfloat16_t *d,
                               float alpha, int m, int n, int k) {
  unsigned long long *device_wrong = nullptr;
  unsigned long long wrong = ~0ULL; // stays so if anything below fails
  if (cudaMalloc(&device_wrong, sizeof wrong) || cudaMemset(device_wrong, 0, sizeof wrong))
    return wrong;
  compare<<<dim3((n + edge - 1) / edge, (m + edge - 1) / edge), dim3(edge, edge)>>>(a, b, d, alpha, m, n, k,
                                                                                    device_wrong);
  cudaMemcpy(&wrong, device_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
  cudaFree(device_wrong);
  return wrong;
}

} // namespace reference
