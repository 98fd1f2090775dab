/* mma.h - a warp's matrix multiply, mma.sync, on fragments in registers, and ldmatrix, which fetches them (sm_80 and
 * later; on sm_120a and sm_121a it is the way to the tensor cores).
 *
 *   unsigned a[4], b[4];
 *   pipelink::ldmatrix_x4(a, address of this lane's row of A);
 *   pipelink::ldmatrix_x4(b, address of this lane's row of B);
 *   pipelink::mma_m16n8k16_bf16(d[0], d[1], d[2], d[3], a, b[0], b[1]); // d += a b
 *
 * All threads of a warp call these together.
 *
 * Source: PTX ISA 9.0, "Warp-level Matrix Instructions".
 */
#ifndef PIPELINK_MMA_H
#define PIPELINK_MMA_H

#include <pipelink/stage.h>

#if defined(__CUDACC__)

namespace pipelink {

/* Four matrices of 8 x 8 elements of 16 bits. Lane 8 i + r gives the shared-memory address of row r of matrix i, 16
 * bytes and aligned to as many; word i is elements 2 (lane % 4) and the next in row lane / 4 of matrix i. */
__device__ __forceinline__ void ldmatrix_x4(unsigned (&words)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}

/* The byte offset of 16-byte piece `piece` (0 to 7) in row `row` of a matrix with rows of 128 bytes that TMA wrote with
 * its 128-byte swizzle; the matrix begins at a multiple of 1024. */
__device__ __forceinline__ unsigned swizzled_128B(unsigned row, unsigned piece) {
  return row * 128 + (piece ^ row % 8) * 16;
}

/* d += a b: a is 16 x 16, as ldmatrix leaves its quarters (upper left, lower left, upper right, lower right); b is 8
 * columns, each along K, as it leaves their first and second half. d0 and d1 are elements 2 (lane % 4) and the next in
 * row lane / 4, d2 and d3 those eight rows below. */
__device__ __forceinline__ void mma_m16n8k16_bf16(float &d0, float &d1, float &d2, float &d3, const unsigned (&a)[4],
                                                  unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

} // namespace pipelink

#endif

#endif
