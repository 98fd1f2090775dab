/* unit.h - for unit builds: the parts of the kernel that the linker would generate, for a kernel written by hand.
 *
 * A unit build is the stages' sources and a kernel entry in one file, with the placement as constants: what a linked
 * kernel is compared with. Each stage stands in a namespace of its own, and all of them in an unnamed one, because a
 * compiler must see that nobody else sets their resources before it takes their values for constants:
 *
 *   #define PIPELINK_UNIT_FIRST_THREAD (threadIdx.x < 256 ? 0 : 256) // stage.h tells about these two
 *   #define PIPELINK_UNIT_THREADS (threadIdx.x < 256 ? 256 : 32)
 *   #include <pipelink/ring.h> // every header of the stages, before the first namespace
 *   #include <pipelink/unit.h>
 *   namespace {
 *   namespace mma {
 *   #include "mma.cu"
 *   }
 *   __device__ const decltype(mma::ab) mma::ab = {0, 196608, 196640, 4, 0};
 *   ...
 *   }
 *
 * The skeleton's steps, in the order in which the kernel takes them:
 *
 *   thread 0: tma_prefetch (each tensor map), unit_init_ring (each ring), unit_fence_init
 *   all: unit_sync
 *   each warpgroup: unit_more_registers or unit_fewer_registers, then its role
 *
 * Machine code is the same as after linking where the kernel calls the roles in the order in which the packages are
 * given to the linker, and tests for them as generated code does: `warp - first < warps`.
 */
#ifndef PIPELINK_UNIT_H
#define PIPELINK_UNIT_H

#include <pipelink/mbarrier.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Initialises a ring's mbarriers for this many arrivals, and gives the credits that its contract says are given
 * beforehand. */
template <class Ring>
__device__ __forceinline__ void unit_init_ring(const Ring &ring, unsigned full_arrivals, unsigned empty_arrivals) {
#pragma unroll
  for (unsigned i = 0; i < ring.depth; ++i) {
    mbarrier_init(arena_address(ring.full + 8 * i), full_arrivals);
    mbarrier_init(arena_address(ring.empty + 8 * i), empty_arrivals);
  }
  if constexpr (Ring::is_pre_arrived)
#pragma unroll
    for (unsigned i = 0; i < ring.depth; ++i)
      mbarrier_arrive(arena_address(ring.empty + 8 * i), empty_arrivals);
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
