// mma_sync.cu - the main loop for GPUs whose tensor cores are fed from registers (sm_120a): eight warps, each with 16
// rows of the tile.
//
// Ring, parameters, schedule and epilogue are those of mma.cu; a warp's accumulators have the same layout, too.
#include "tile.h"

#include <pipelink/mma.h>

PIPELINK_STAGE("org.example.gemm.mma_sync", "1.0.0");

struct PIPELINK_PARAMS Params {
  __nv_bfloat16 *c;          // M x N, row major
  const __nv_bfloat16 *bias; // N, or null; the epilogue's
  unsigned m, n, k;
};

// What ldmatrix has fetched is in registers: no slot is held, and each warp gives it back for itself.
struct fetched_options : ab_options {
  static constexpr unsigned lookahead = 0;
  static constexpr auto arrive = pipelink::arrival::warp;
};

PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::consumes<fetched_options>> ab;

PIPELINK_IMPORT("work_tile") __device__ bool work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile);

// Takes 64 x 256 elements of C from (row, column) on, as wgmma leaves them.
PIPELINK_IMPORT("epilogue")
__device__ void epilogue(const float (&d)[128], const Output &output, unsigned row, unsigned column);

// d += a b for a slot's 64 elements of K; a is the address of the warp's 16 rows.
static __device__ __forceinline__ void multiply_slot(float (&d)[128], unsigned a, unsigned b) {
  const unsigned lane = pipelink::lane();
#pragma unroll
  for (unsigned i = 0; i < tile_k / 16; ++i) {
    unsigned of_a[4];
    pipelink::ldmatrix_x4(of_a, a + pipelink::swizzled_128B(lane % 16, 2 * i + lane / 16));
#pragma unroll
    for (unsigned j = 0; j < tile_n / 16; ++j) {
      unsigned of_b[4];
      pipelink::ldmatrix_x4(of_b, b + pipelink::swizzled_128B(16 * j + lane / 16 * 8 + lane % 8, 2 * i + lane / 8 % 2));
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned at = 8 * j + 4 * half;
        pipelink::mma_m16n8k16_bf16(d[at], d[at + 1], d[at + 2], d[at + 3], of_a, of_b[2 * half], of_b[2 * half + 1]);
      }
    }
  }
}

PIPELINK_ROLE("mma", 8) PIPELINK_REGISTERS(192, 232, 240) __device__ void multiply(const Params &p) {
  const Output output = {p.c, p.bias, p.m, p.n};
  auto at = ab.begin();
  Tile tile;
  for (unsigned turn = 0; work_tile(turn, p.m, p.n, tile); ++turn) {
    float d[128] = {};
    for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
      ab.wait(at);
      const unsigned slot = ab.slot_address(at);
      multiply_slot(d, slot + pipelink::warp() * (16 * sizeof(Slot::a[0])), slot + sizeof(Slot::a));
      ab.release(at);
    }
    epilogue(d, output, tile.m * tile_m + pipelink::warpgroup() * 64, tile.n * tile_n);
  }
}
