/* tcgen05.h - datacenter Blackwell's matrix multiply, tcgen05.mma: operands in shared memory, accumulators in tensor
 * memory (sm_100a, sm_103a).
 *
 *   constexpr auto kind = pipelink::tcgen05_bf16(128, 256);
 *   pipelink::tcgen05_mma_bf16(acc.address(), a, b, kind, false); // d = a b, by one thread
 *   pipelink::tcgen05_mma_bf16(acc.address(), a + 2, b + 2, kind, true); // d += a b
 *   pipelink::tcgen05_commit(barrier); // arrives there when all of it is done
 *
 *   float d[128]; // another warp, once the barrier says so
 *   pipelink::tcgen05_fence_after();
 *   pipelink::tcgen05_load_16x256(d, acc.address());
 *
 * Tensor memory has 128 lanes, of which warp i of a warpgroup reaches lanes 32 i to 32 i + 31. An address is the lane
 * in bits 16 to 31 and the column below. The columns are the kernel's; tmem.h says how a stage comes by some.
 *
 * Source: PTX ISA 9.0, "TensorCore 5th Generation Family Instructions".
 */
#ifndef PIPELINK_TCGEN05_H
#define PIPELINK_TCGEN05_H

#include <pipelink/stage.h>

#include <stdint.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Where a matrix lies in shared memory, as tcgen05.mma takes it: rows of 128 bytes along K with the 128-byte swizzle,
 * eight rows to a 1024-byte atom, atoms one after the other - what TMA writes for a box of 128 bytes with swizzle 128B.
 * The address is a shared-memory address aligned to 1024 bytes.
 *
 * The next `bytes` along K, inside the 128, are at `descriptor + bytes / 16`; so are the next rows, 1024 bytes for each
 * eight. */
struct tcgen05_descriptor {
  uint32_t low, high; /* the address is in the low word alone */

  __device__ __forceinline__ tcgen05_descriptor operator+(uint32_t sixteenths) const {
    return {low + sixteenths, high};
  }
  __device__ __forceinline__ uint64_t bits() const { return uint64_t(high) << 32 | low; }
};

__device__ __forceinline__ tcgen05_descriptor tcgen05_k_major_128B(uint32_t shared_address) {
  /* Bits 0-13: address / 16; 32-45: bytes from one group of eight rows to the next / 16; 46-48: 1, always; 61-63: 2,
   * swizzle 128B ("Shared memory descriptor"). */
  return {(shared_address & 0x3ffff) >> 4, 1024 >> 4 | 1u << 14 | 2u << 29};
}

/* What is multiplied: bf16 operands, both along K, into fp32; m x n x 16. */
__host__ __device__ constexpr uint32_t tcgen05_bf16(unsigned m, unsigned n) {
  /* Bits 4-5: type of d, 1 fp32; 7-9 and 10-12: types of a and b, 1 bf16; 17-22: n / 8; 24-28: m / 16 ("Instruction
   * descriptor", .kind::f16). */
  return 1u << 4 | 1u << 7 | 1u << 10 | n / 8 << 17 | m / 16 << 24;
}

/* d = a b, or d += a b where `accumulate`, begun by one thread; they are done in the order in which it begins them. */
__device__ __forceinline__ void tcgen05_mma_bf16(unsigned d, tcgen05_descriptor a, tcgen05_descriptor b,
                                                 uint32_t instruction, bool accumulate) {
  asm volatile("{\n"
               ".reg .pred accumulate;\n"
               "setp.ne.u32 accumulate, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, accumulate;\n"
               "}" ::"r"(d),
               "l"(a.bits()), "l"(b.bits()), "r"(instruction), "r"(unsigned(accumulate))
               : "memory");
}

/* Makes the mbarrier complete one arrival when all that this thread began before has been done. */
__device__ __forceinline__ void tcgen05_commit(unsigned barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier) : "memory");
}

/* Around a barrier between threads: before the arrival, and after the wait, of those that use tcgen05. */
__device__ __forceinline__ void tcgen05_fence_before() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ __forceinline__ void tcgen05_fence_after() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

#define PIPELINK_TCGEN05_8(d, i)                                                                                       \
  "=f"(d[i]), "=f"(d[i + 1]), "=f"(d[i + 2]), "=f"(d[i + 3]), "=f"(d[i + 4]), "=f"(d[i + 5]), "=f"(d[i + 6]),          \
      "=f"(d[i + 7])
#define PIPELINK_TCGEN05_32(d, i)                                                                                      \
  PIPELINK_TCGEN05_8(d, i), PIPELINK_TCGEN05_8(d, i + 8), PIPELINK_TCGEN05_8(d, i + 16), PIPELINK_TCGEN05_8(d, i + 24)

/* Fetches 16 lanes x 256 columns from `address` on, by all threads of a warp, and waits for them; 16 is half of what a
 * warp reaches. d[4 j + 2 h + i] is lane thread % 32 / 4 + 8 h, column 8 j + 2 (thread % 4) + i, the layout of wgmma's
 * accumulators. */
__device__ __forceinline__ void tcgen05_load_16x256(float (&d)[128], unsigned address) {
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x32.b32 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
               "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
               "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
               "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "
               "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, "
               "%102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, "
               "%119, %120, %121, %122, %123, %124, %125, %126, %127}, [%128];\n"
               "tcgen05.wait::ld.sync.aligned;"
               : PIPELINK_TCGEN05_32(d, 0), PIPELINK_TCGEN05_32(d, 32), PIPELINK_TCGEN05_32(d, 64),
                 PIPELINK_TCGEN05_32(d, 96)
               : "r"(address)
               : "memory");
}

#undef PIPELINK_TCGEN05_32
#undef PIPELINK_TCGEN05_8

} // namespace pipelink

#endif

#endif
