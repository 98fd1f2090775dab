// mma.cu - the GEMM's main loop: two warpgroups, each with 64 rows of the tile's accumulators in registers.
#include "tile.h"

#include <pipelink/wgmma.h>

PIPELINK_STAGE("org.example.gemm.mma", "1.0.0");

struct PIPELINK_PARAMS Params {
  __nv_bfloat16 *c;          // M x N, row major
  const __nv_bfloat16 *bias; // N, or null; the epilogue's
  unsigned m, n, k;
};

PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::consumes<ab_options>> ab;

PIPELINK_IMPORT("work_tile") __device__ bool work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile);

// Takes 64 x 256 elements of C from (row, column) on, as wgmma leaves them.
PIPELINK_IMPORT("epilogue")
__device__ void epilogue(const float (&d)[128], const Output &output, unsigned row, unsigned column);

// The steps inside one slot after its first wgmma: 16 elements of K, 32 bytes, each.
static __device__ __forceinline__ void multiply_rest(float (&d)[128], pipelink::wgmma_descriptor a,
                                                     pipelink::wgmma_descriptor b) {
#pragma unroll
  for (unsigned i = 1; i < tile_k / 16; ++i)
    pipelink::wgmma_m64n256k16_bf16(d, a + 2 * i, b + 2 * i);
  pipelink::wgmma_commit();
}

PIPELINK_ROLE("mma", 8) PIPELINK_REGISTERS(160, 240, 240) __device__ void multiply(const Params &p) {
  const unsigned warpgroup = pipelink::warpgroup();
  const auto slots = pipelink::wgmma_k_major_128B(pipelink::arena_address(ab.slots));
  const auto a = slots + warpgroup * (64 * sizeof(Slot::a[0]) / 16);
  const auto b = slots + sizeof(Slot::a) / 16;
  const Output output = {p.c, p.bias, p.m, p.n};
  auto at = ab.begin();
  Tile tile;
  for (unsigned turn = 0; work_tile(turn, p.m, p.n, tile); ++turn) {
    float d[128];
    ab.wait(at);
    pipelink::wgmma_fence();
    unsigned step = at.index * (sizeof(Slot) / 16);
    pipelink::wgmma_m64n256k16_bf16_first(d, a + step, b + step);
    multiply_rest(d, a + step, b + step);
    auto reading = at; // by matrix instructions that have not finished
    ++at;
    for (unsigned k = tile_k; k < p.k; k += tile_k, ++at) {
      ab.wait(at);
      pipelink::wgmma_fence();
      step = at.index * (sizeof(Slot) / 16);
      pipelink::wgmma_m64n256k16_bf16(d, a + step, b + step);
      multiply_rest(d, a + step, b + step);
      pipelink::wgmma_wait<1>();
      ab.release(reading);
      reading = at;
    }
    pipelink::wgmma_wait<0>();
    ab.release(reading);
    epilogue(d, output, tile.m * tile_m + warpgroup * 64, tile.n * tile_n);
  }
}
