// CUDA's mathematics: libdevice in single and double precision, half and bfloat16, and the fast intrinsics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128, 1)
    pipelink_kernel(float *f, double *d, __half2 *h, __nv_bfloat162 *b, int *i, long long *l) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;

  float x = f[t];
  x += sinf(x) * cosf(x) + tanf(x) + asinf(x) + atan2f(x, 2.0f) + sinhf(x) + tanhf(x);
  x += expf(x) + exp2f(x) + expm1f(x) + logf(x) + log1pf(x) + log10f(x) + powf(x, 1.3f) + cbrtf(x) + rsqrtf(x);
  x += erff(x) + erfcinvf(x) + tgammaf(x) + lgammaf(x) + j0f(x) + normcdff(x) + fmodf(x, 3.0f) + remainderf(x, 7.0f);
  x += __sinf(x) + __expf(x) + __logf(x) + __fdividef(x, 3.0f) + __frcp_rz(x) + __fsqrt_rn(x) + __saturatef(x);
  x += ldexpf(x, 3) + roundf(x) + rintf(x) + truncf(x) + floorf(x) + ceilf(x) + fmaf(x, x, 1.0f) + copysignf(x, -1.0f);
  int exponent;
  x += frexpf(x, &exponent) + float(exponent) + (isnan(x) ? 1.0f : 0.0f) + (signbit(x) ? 2.0f : 0.0f);
  f[t] = x;

  double y = d[t];
  y += sin(y) + cos(y) + exp(y) + log(y) + pow(y, 1.7) + tgamma(y) + erfc(y) + hypot(y, 2.0) + fmod(y, 3.0) + cbrt(y);
  y += sqrt(y) + rsqrt(y) + 1.0 / y + fma(y, y, 2.0) + nearbyint(y) + fdim(y, 1.0) + sinpi(y) + double(llrint(y));
  d[t] = y;

  __half2 p = h[t];
  p = __hfma2(p, p, h2sin(p));
  p = __hadd2(p, h2exp(p));
  p = __hmax2(p, h2rcp(p));
  h[t] = __hmul2(p, __float2half2_rn(__half2float(__low2half(p))));

  __nv_bfloat162 q = b[t];
  q = __hfma2(q, q, h2exp(q));
  q = __hmin2(q, __floats2bfloat162_rn(x, float(y)));
  b[t] = __hmul2(q, __bfloat162bfloat162(__float2bfloat16_rz(x)));

  int k = i[t];
  k += __popc(k) + __clz(k) + __ffs(k) + __brev(k) + __mulhi(k, 77) + __funnelshift_l(k, k + 1, 5) + __sad(k, 3, 1u);
  k += __byte_perm(k, k + 1, 0x3210) + __dp4a(k, 0x01020304, 5) + __vadd4(k, 0x01010101) + min(k, 7) + abs(k);
  k +=
      __shfl_xor_sync(~0u, k, 3) + __ballot_sync(~0u, k & 1) + __match_any_sync(~0u, k & 7) + __reduce_add_sync(~0u, k);
  i[t] = k;
  l[t] = __mul64hi(l[t], 1234567) + __popcll(l[t]) + clock64() / 3 + l[t] % 1000;
}
