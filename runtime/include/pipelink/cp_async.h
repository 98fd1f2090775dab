/* cp_async.h - copies from global to shared memory that a thread begins and does not wait for: cp.async.
 *
 * For rings with the protocol cp_async, whose commit() arrives when the thread's copies have landed. PTX ISA,
 * "cp.async".
 */
#ifndef PIPELINK_CP_ASYNC_H
#define PIPELINK_CP_ASYNC_H

#include <pipelink/resource.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Copies `Bytes` (4, 8 or 16), both addresses aligned to as much. 16 bytes pass by the L1 cache (.cg). */
template <unsigned Bytes> __device__ __forceinline__ void cp_async(void *destination, const void *source) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  unsigned to = shared_address(destination);
  unsigned long long from = __cvta_generic_to_global(source);
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
}

/* The same, but reads only the first `given` bytes and fills up with zeros: for a tensor's edge. */
template <unsigned Bytes>
__device__ __forceinline__ void cp_async(void *destination, const void *source, unsigned given) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  unsigned to = shared_address(destination);
  unsigned long long from = __cvta_generic_to_global(source);
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(given) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(given)
                 : "memory");
}

} // namespace pipelink

#endif

#endif
