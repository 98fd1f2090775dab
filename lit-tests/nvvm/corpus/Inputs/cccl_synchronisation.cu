// libcu++ and cooperative groups: barriers, pipelined copies, atomics of every order and width, tiled shuffles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>

namespace groups = cooperative_groups;

extern "C" __global__ void __launch_bounds__(128, 1)
    pipelink_kernel(const float *input, float *output, int *flag, unsigned long long *ticket, double *total,
                    int steps) {
  constexpr int width = 128;
  __shared__ alignas(128) float tile[2][width];
  __shared__ alignas(8) unsigned char barrier_bytes[sizeof(cuda::barrier<cuda::thread_scope_block>)];
  auto &barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(barrier_bytes);
  const auto block = groups::this_thread_block();
  const auto warp = groups::tiled_partition<32>(block);
  if (block.thread_rank() == 0)
    init(&barrier, static_cast<int>(block.size()));
  block.sync();

  auto pipeline = cuda::make_pipeline();
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  cuda::std::complex<float> sum = 0.0f;
  for (int step = 0; step < steps; ++step) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tile[step & 1][threadIdx.x], input + step * width + threadIdx.x,
                       cuda::aligned_size_t<4>(sizeof(float)), pipeline);
    pipeline.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipeline);
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
    pipeline.consumer_release();
    sum += cuda::std::complex<float>(tile[step & 1][width - 1 - threadIdx.x], 1.0f);
    if (threadIdx.x == 0)
      ready.fetch_add(1, cuda::memory_order_release);
    while (ready.load(cuda::memory_order_acquire) < step)
      __nanosleep(20);
  }

  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> tickets(*ticket);
  unsigned long long expected = tickets.load(cuda::memory_order_relaxed);
  while (!tickets.compare_exchange_weak(expected, expected * 3 + 1, cuda::memory_order_acq_rel))
    ;
  cuda::atomic_ref<double, cuda::thread_scope_device>(*total).fetch_add(sum.imag());
  const float warp_sum = groups::reduce(warp, sum.real(), groups::plus<float>());
  const auto [low, high] =
      cuda::std::make_tuple(cuda::std::popcount(static_cast<unsigned>(expected)), cuda::std::countl_zero(expected));
  const float limit = cuda::std::numeric_limits<float>::max();
  output[threadIdx.x] = fminf(warp_sum + low + high + warp.shfl_xor(sum.real(), 1), limit);
}
