/* tma.h - bulk copies between global and shared memory: whole boxes of a tensor (TMA), or contiguous bytes.
 *
 * One thread begins a copy; the hardware does it. A load completes bytes on an mbarrier, a ring's full_barrier(). A
 * store belongs to the thread's bulk group: bulk_commit() closes it, bulk_wait() waits. Bulk copies use the async
 * proxy: what threads have written into shared memory must pass fence_async() (resource.h) before a copy reads it. PTX
 * ISA, "Data Movement and Conversion Instructions: Bulk copy" and "Tensor copy"; sm_90 and later.
 *
 * Destinations are .shared::cta (PTX ISA 8.6). With .shared::cluster ptxas calls a function of the driver's for each
 * copy on sm_120a, and then ignores setmaxnreg (C7506).
 */
#ifndef PIPELINK_TMA_H
#define PIPELINK_TMA_H

#include <pipelink/resource.h>
#include <pipelink/tensor_map.h>

#if defined(__CUDACC__)

namespace pipelink {

/* ---- tensors ---- */

/* Begins to copy the box at `coordinates` (elements, the contiguous dimension first; negative and too large ones read
 * zeros) to `destination` in shared memory. Completes tensor_map::bytes on the mbarrier. `map` is a field of the role's
 * params, where the hardware can read it. cp.async.bulk.tensor */
template <class T, unsigned... Extents, swizzle Swizzle, class... Coordinates>
__device__ __forceinline__ void tma_load(const tensor_map<T, box<Extents...>, Swizzle> &map, void *destination,
                                         unsigned barrier, Coordinates... coordinates) {
  constexpr unsigned rank = sizeof...(Extents);
  static_assert(sizeof...(Coordinates) == rank, "one coordinate per dimension of the tensor");
  const int c[] = {static_cast<int>(coordinates)...};
  unsigned to = shared_address(destination);
  if constexpr (rank == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(c[0])
                 : "memory");
  else if constexpr (rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1])
                 : "memory");
  else if constexpr (rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  else if constexpr (rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.5d.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
}

/* The same into the shared memory of several CTAs of the cluster, at the same offset, each completing the barrier at
 * the same offset there. Bit i of `ctas` is the CTA of rank i. cp.async.bulk.tensor with .multicast::cluster */
template <class T, unsigned... Extents, swizzle Swizzle, class... Coordinates>
__device__ __forceinline__ void tma_load_multicast(const tensor_map<T, box<Extents...>, Swizzle> &map,
                                                   void *destination, unsigned barrier, unsigned short ctas,
                                                   Coordinates... coordinates) {
  constexpr unsigned rank = sizeof...(Extents);
  static_assert(sizeof...(Coordinates) == rank, "one coordinate per dimension of the tensor");
  const int c[] = {static_cast<int>(coordinates)...};
  unsigned to = shared_address(destination);
  if constexpr (rank == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%4}], [%2], %3;" ::"r"(to),
                 "l"(&map), "r"(barrier), "h"(ctas), "r"(c[0])
                 : "memory");
  else if constexpr (rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%4, %5}], [%2], %3;" ::"r"(to),
                 "l"(&map), "r"(barrier), "h"(ctas), "r"(c[0]), "r"(c[1])
                 : "memory");
  else if constexpr (rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%4, %5, %6}], [%2], %3;" ::"r"(to),
                 "l"(&map), "r"(barrier), "h"(ctas), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  else if constexpr (rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%4, %5, %6, %7}], [%2], %3;" ::"r"(to),
                 "l"(&map), "r"(barrier), "h"(ctas), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" ::"r"(to),
                 "l"(&map), "r"(barrier), "h"(ctas), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
}

/* Begins to copy a box from `source` in shared memory to its place in the tensor; what lies outside of it is left out.
 * cp.async.bulk.tensor */
template <class T, unsigned... Extents, swizzle Swizzle, class... Coordinates>
__device__ __forceinline__ void tma_store(const tensor_map<T, box<Extents...>, Swizzle> &map, const void *source,
                                          Coordinates... coordinates) {
  constexpr unsigned rank = sizeof...(Extents);
  static_assert(sizeof...(Coordinates) == rank, "one coordinate per dimension of the tensor");
  const int c[] = {static_cast<int>(coordinates)...};
  unsigned from = shared_address(source);
  if constexpr (rank == 1)
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];" ::"l"(&map), "r"(from),
                 "r"(c[0])
                 : "memory");
  else if constexpr (rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(from),
                 "r"(c[0]), "r"(c[1])
                 : "memory");
  else if constexpr (rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map),
                 "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  else if constexpr (rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map),
                 "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(&map),
                 "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
}

/* Fetches a descriptor into the cache that copies read it from. The kernel's skeleton does it for the tensor maps of
 * all params. prefetch.tensormap */
template <class T, class Box, swizzle Swizzle>
__device__ __forceinline__ void tma_prefetch(const tensor_map<T, Box, Swizzle> &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/* ---- contiguous bytes ---- */

/* Begins to copy `bytes` (a multiple of 16, both addresses aligned to 16) from global memory to shared memory, and
 * completes as many on the mbarrier. cp.async.bulk */
__device__ __forceinline__ void bulk_load(void *destination, const void *source, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(destination)),
               "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(barrier)
               : "memory");
}

/* The other way, with the thread's bulk group. cp.async.bulk */
__device__ __forceinline__ void bulk_store(void *destination, const void *source, unsigned bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(destination)),
      "r"(shared_address(source)), "r"(bytes)
      : "memory");
}

/* ---- stores that are under way ---- */

/* Closes the thread's bulk group: the stores since the last one. cp.async.bulk.commit_group */
__device__ __forceinline__ void bulk_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Waits until at most `Pending` of the thread's bulk groups are under way: until the others can be read by everybody,
 * or, with _read, until their sources may be overwritten. cp.async.bulk.wait_group */
template <unsigned Pending> __device__ __forceinline__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}
template <unsigned Pending> __device__ __forceinline__ void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

} // namespace pipelink

#endif

#endif
