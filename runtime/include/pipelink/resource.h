/* resource.h - the CTA's shared memory as the linker hands it out; included by every header of a resource.
 *
 * A resource is a constant: PIPELINK_RESOURCE("name") extern __device__ const TYPE variable; (stage.h). The linker
 * gives it its value, offsets in the arena for example, and the optimiser folds every load of it, so that the methods
 * of the types become the instructions their comments name and nothing else.
 *
 * In a unit build (the stages' sources and a hand-written kernel in one file) the .cu gives the values itself, behind
 * the stage that declares the variable:
 *
 *   __device__ const pipelink::ring<load::Slot, load::options> load::ab = {slots, full, empty, depth};
 *
 * There all of it stands in an unnamed namespace: a device variable that others can see may be set by the host,
 * constant or not, and then nothing folds. unit.h shows a whole unit build.
 */
#ifndef PIPELINK_RESOURCE_H
#define PIPELINK_RESOURCE_H

#include <pipelink/stage.h>

#if defined(__CUDACC__)

/* The arena: all dynamic shared memory of the CTA. The linker owns it; stages reach it through resources. Offsets count
 * bytes from here. 1024 bytes is the strictest alignment anything in it can ask for, that of a 128-byte swizzle atom.
 */
extern __shared__ __align__(1024) unsigned char pipelink_shared[];

/* Clang warns of variables that templates make and nobody defines; the linker defines these. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

namespace pipelink {

/* Address in the shared window (.shared::cta), as mbarrier, bulk copy and matrix instructions take it. */
__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/* The same of a byte in the arena. */
__device__ __forceinline__ unsigned arena_address(unsigned offset) {
  return shared_address(pipelink_shared) + offset;
}

/* Orders the thread's ordinary accesses to shared memory, loads and stores, before what bulk copies and matrix
 * instructions do there once another thread has been told (by an mbarrier, by a barrier). Those use the async proxy,
 * and no arrival alone orders the two: loads may still be under way when a copy begins to overwrite what they read.
 * fence.proxy.async (PTX ISA, "Async proxy") */
__device__ __forceinline__ void fence_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

namespace detail {

constexpr unsigned greatest(unsigned a, unsigned b) {
  return a > b ? a : b;
}

constexpr unsigned round_up(unsigned value, unsigned multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

constexpr bool is_empty(const char *text) {
  return !*text;
}

} // namespace detail

} // namespace pipelink

#endif

#endif
