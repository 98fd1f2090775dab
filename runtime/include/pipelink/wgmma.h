/* wgmma.h - Hopper's warpgroup matrix multiply, wgmma.mma_async, on accumulators in registers (sm_90a).
 *
 *   float d[128]; // this thread's part of a 64 x 256 tile
 *   pipelink::wgmma_fence();
 *   pipelink::wgmma_m64n256k16_bf16_first(d, a, b); // d = a b
 *   pipelink::wgmma_m64n256k16_bf16(d, a + 2, b + 2); // d += a b
 *   pipelink::wgmma_commit();
 *   pipelink::wgmma_wait<0>(); // now d may be read
 *
 * All threads of a warpgroup call these together. Until wgmma_wait says that the group has finished, neither d nor the
 * shared memory it reads may be touched.
 *
 * Source: PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Instructions".
 */
#ifndef PIPELINK_WGMMA_H
#define PIPELINK_WGMMA_H

#include <stdint.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Where a matrix lies in shared memory, as wgmma takes it: rows of 128 bytes along K with the 128-byte swizzle, eight
 * rows to a 1024-byte atom, atoms one after the other - what TMA writes for a box of 128 bytes with swizzle 128B. The
 * address is a shared-memory address aligned to 1024 bytes.
 *
 * The next `bytes` along K, inside the 128, are at `descriptor + bytes / 16`; so are the next rows, 1024 bytes for each
 * eight. */
struct wgmma_descriptor {
  uint32_t low, high; /* the address is in the low word alone */

  __device__ __forceinline__ wgmma_descriptor operator+(uint32_t sixteenths) const { return {low + sixteenths, high}; }
  __device__ __forceinline__ uint64_t bits() const { return uint64_t(high) << 32 | low; }
};

__device__ __forceinline__ wgmma_descriptor wgmma_k_major_128B(uint32_t shared_address) {
  /* Bits 0-13: address / 16; 32-45: bytes from one group of eight rows to the next / 16; 62-63: 1, swizzle 128B. The
   * leading-dimension offset, bits 16-29, is not used by swizzled layouts along K. */
  return {(shared_address & 0x3ffff) >> 4, 1024 >> 4 | 1u << 30};
}

/* Before the first wgmma, and whenever other instructions have written d. */
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* Makes one group of the wgmmas issued since the last commit. */
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most `pending` of the latest groups have not finished. */
template <int pending> __device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

#define PIPELINK_WGMMA_REGISTERS_128                                                                                   \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "              \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "               \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "               \
  "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "               \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, "             \
  "%102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, "             \
  "%119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define PIPELINK_WGMMA_8(constraint, d, i)                                                                             \
  constraint(d[i]), constraint(d[i + 1]), constraint(d[i + 2]), constraint(d[i + 3]), constraint(d[i + 4]),            \
      constraint(d[i + 5]), constraint(d[i + 6]), constraint(d[i + 7])
#define PIPELINK_WGMMA_32(constraint, d, i)                                                                            \
  PIPELINK_WGMMA_8(constraint, d, i), PIPELINK_WGMMA_8(constraint, d, i + 8), PIPELINK_WGMMA_8(constraint, d, i + 16), \
      PIPELINK_WGMMA_8(constraint, d, i + 24)
#define PIPELINK_WGMMA_128(constraint, d)                                                                              \
  PIPELINK_WGMMA_32(constraint, d, 0), PIPELINK_WGMMA_32(constraint, d, 32), PIPELINK_WGMMA_32(constraint, d, 64),     \
      PIPELINK_WGMMA_32(constraint, d, 96)

/* d += a b: a is 64 x 16, b 256 x 16 (both along K), bf16; d[4 j + 2 h + i] is the element in row
 * 16 (thread / 32 % 4) + thread % 32 / 4 + 8 h and column 8 j + 2 (thread % 4) + i. */
__device__ __forceinline__ void wgmma_m64n256k16_bf16(float (&d)[128], wgmma_descriptor a, wgmma_descriptor b) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, 1, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " PIPELINK_WGMMA_REGISTERS_128
               ", %128, %129, p, 1, 1, 0, 0;\n"
               "}"
               : PIPELINK_WGMMA_128("+f", d)
               : "l"(a.bits()), "l"(b.bits()));
}

/* d = a b, whatever d held. */
__device__ __forceinline__ void wgmma_m64n256k16_bf16_first(float (&d)[128], wgmma_descriptor a, wgmma_descriptor b) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, 0, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " PIPELINK_WGMMA_REGISTERS_128
               ", %128, %129, p, 1, 1, 0, 0;\n"
               "}"
               : PIPELINK_WGMMA_128("=f", d)
               : "l"(a.bits()), "l"(b.bits()));
}

#undef PIPELINK_WGMMA_128
#undef PIPELINK_WGMMA_32
#undef PIPELINK_WGMMA_8
#undef PIPELINK_WGMMA_REGISTERS_128

} // namespace pipelink

#endif

#endif
