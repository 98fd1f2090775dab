/* mbarrier.h - the mbarrier instructions, on addresses in the shared window.
 *
 * Rings use them, and so do the hand-written kernels of unit builds. A stage does not initialise mbarriers: those of
 * its rings are the linker's. PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
 *
 * An mbarrier counts arrivals, and bytes of bulk copies, down to the end of a phase. Phases alternate between parity 0,
 * the first, and 1. All of these order memory: an arrival releases what its thread did before, a wait that passes
 * acquires it (.release and .acquire at CTA scope, the defaults).
 */
#ifndef PIPELINK_MBARRIER_H
#define PIPELINK_MBARRIER_H

#include <pipelink/stage.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Makes a barrier whose phases end after `count` (1 to 2^20 - 1) arrivals. One thread; then mbarrier_fence_init() by
 * the same thread and a barrier for everybody. mbarrier.init */
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

/* Makes initialised barriers visible to the async proxy and to the cluster. fence.mbarrier_init */
__device__ __forceinline__ void mbarrier_fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* One arrival. mbarrier.arrive */
__device__ __forceinline__ void mbarrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* `count` arrivals at once. mbarrier.arrive with a count */
__device__ __forceinline__ void mbarrier_arrive(unsigned barrier, unsigned count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

/* One arrival, and the phase does not end before bulk copies have completed `bytes` more (at most 2^20 - 1).
 * mbarrier.arrive.expect_tx */
__device__ __forceinline__ void mbarrier_expect_tx(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/* One arrival, of those that the barrier was initialised for, when all cp.async copies that this thread has begun have
 * landed. cp.async.mbarrier.arrive.noinc */
__device__ __forceinline__ void mbarrier_arrive_cp_async(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/* Has the phase of this parity ended? May wait a little, in hardware. mbarrier.try_wait */
__device__ __forceinline__ bool mbarrier_try_wait(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile("{\n"
               ".reg .pred done;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
               "selp.u32 %0, 1, 0, done;\n"
               "}"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done;
}

/* Waits until it has. The thread sleeps in hardware, for 10 ms at most before it looks again: long enough that looking
 * costs nothing. mbarrier.try_wait in a loop; the label is the block's own, so the loop can be inlined any number of
 * times. */
__device__ __forceinline__ void mbarrier_wait(unsigned barrier, unsigned parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "wait:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1, 10000000;\n"
               "@!done bra wait;\n"
               "}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

} // namespace pipelink

#endif

#endif
