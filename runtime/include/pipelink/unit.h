/* unit.h - for unit builds: the parts of the kernel that the linker would generate, for a kernel written by hand.
 *
 * A unit build is the stages' sources and a kernel entry in one file, with the placement as constants: what a linked
 * kernel is compared with. Each stage stands in a namespace of its own with the place of its role in the CTA:
 *
 *   #include <pipelink/ring.h>      // every header of the stages, before the first namespace
 *   #include <pipelink/unit.h>
 *   namespace load {
 *   PIPELINK_UNIT_ROLE(8, 1)        // first warp, warps
 *   #include "load.cu"
 *   __device__ const decltype(ab) placed = ...;
 *   }
 *
 * The namespace then has a namespace pipelink of its own in which thread() and its relatives are the role's, and which
 * has everything else from the real one. The skeleton's steps, in the order in which the kernel calls them:
 *
 *   unit_init_ring (thread 0) ... unit_fence_init (thread 0) - unit_sync - unit_registers (each warpgroup) - the roles
 */
#ifndef PIPELINK_UNIT_H
#define PIPELINK_UNIT_H

#include <pipelink/mbarrier.h>

#if defined(__CUDACC__)

#define PIPELINK_UNIT_ROLE(first_warp, warps)                                                                          \
  namespace pipelink {                                                                                                 \
  using namespace ::pipelink;                                                                                          \
  [[maybe_unused]] __device__ __forceinline__ unsigned thread() {                                                      \
    return threadIdx.x - 32 * (first_warp);                                                                            \
  }                                                                                                                    \
  [[maybe_unused]] __device__ __forceinline__ constexpr unsigned threads() {                                           \
    return 32 * (warps);                                                                                               \
  }                                                                                                                    \
  [[maybe_unused]] __device__ __forceinline__ unsigned warp() {                                                        \
    return thread() / 32;                                                                                              \
  }                                                                                                                    \
  [[maybe_unused]] __device__ __forceinline__ unsigned lane() {                                                        \
    return thread() % 32;                                                                                              \
  }                                                                                                                    \
  }

namespace pipelink {

/* Initialises a ring's mbarriers for this many arrivals, and gives the credits that its contract says are given
 * beforehand. */
template <class Ring>
__device__ __forceinline__ void unit_init_ring(const Ring &ring, unsigned full_arrivals, unsigned empty_arrivals) {
#pragma unroll
  for (unsigned i = 0; i < ring.depth; ++i) {
    mbarrier_init(arena_address(ring.full) + 8 * i, full_arrivals);
    mbarrier_init(arena_address(ring.empty) + 8 * i, empty_arrivals);
  }
  if constexpr (Ring::is_pre_arrived)
#pragma unroll
    for (unsigned i = 0; i < ring.depth; ++i)
      mbarrier_arrive(arena_address(ring.empty) + 8 * i, empty_arrivals);
}

/* Makes the mbarriers visible to the cluster and to the async proxy. */
__device__ __forceinline__ void unit_fence_init() {
  mbarrier_fence_init();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* All threads of the CTA. */
__device__ __forceinline__ void unit_sync() {
  __syncthreads();
}

/* What the warpgroup's threads have from here on; fewer or more than at launch. */
template <unsigned count> __device__ __forceinline__ void unit_fewer_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}
template <unsigned count> __device__ __forceinline__ void unit_more_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

} // namespace pipelink

#endif

#endif
