// mma_tcgen05.cu - the main loop for datacenter Blackwell (sm_100a): one thread issues tcgen05.mma, accumulators lie in
// tensor memory, and a warpgroup hands them to the epilogue while the next tile is being multiplied.
//
// Ring, parameters, schedule and epilogue are those of mma.cu.
#include "tile.h"

#include <pipelink/tcgen05.h>
#include <pipelink/tmem.h>

PIPELINK_STAGE("org.example.gemm.mma_tcgen05", "1.0.0");

struct PIPELINK_PARAMS Params {
  __nv_bfloat16 *c;          // M x N, row major
  const __nv_bfloat16 *bias; // N, or null; the epilogue's
  unsigned m, n, k;
};

// A slot goes back when the matrix instructions have read it: tcgen05.commit arrives, once.
struct read_options : ab_options {
  static constexpr unsigned lookahead = 0;
  static constexpr auto arrive = pipelink::arrival::role;
  static constexpr const char *role = "mma";
};

PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::consumes<read_options>> ab;

// Two accumulators, 128 lanes x 256 columns each, and the ring in which they go back and forth; it carries nothing but
// its barriers.
struct accumulator_options : pipelink::tmem_options {
  static constexpr unsigned columns = 2 * tile_n;
};
PIPELINK_RESOURCE("accumulators") extern __device__ const pipelink::tmem<accumulator_options> accumulators;

struct Nothing {};
struct done_options : pipelink::ring_options {
  static constexpr unsigned depth_min = 2, depth_max = 2;
  static constexpr auto arrive = pipelink::arrival::role; // tcgen05.commit
  static constexpr const char *role = "mma";
};
struct stored_options : done_options {
  static constexpr auto arrive = pipelink::arrival::warp;
  static constexpr const char *role = "store";
};
PIPELINK_RESOURCE("done") extern __device__ const pipelink::ring<Nothing, pipelink::produces<done_options>> to_store;
PIPELINK_RESOURCE("done") extern __device__ const pipelink::ring<Nothing, pipelink::consumes<stored_options>> done;

PIPELINK_IMPORT("work_tile") __device__ bool work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile);

// Takes 64 x 256 elements of C from (row, column) on, as wgmma leaves them.
PIPELINK_IMPORT("epilogue")
__device__ void epilogue(const float (&d)[128], const Output &output, unsigned row, unsigned column);

PIPELINK_ROLE("mma", 1) PIPELINK_REGISTERS(24, 40, 40) __device__ void multiply(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  constexpr auto instruction = pipelink::tcgen05_bf16(tile_m, tile_n);
  const auto a = pipelink::tcgen05_k_major_128B(pipelink::arena_address(ab.slots));
  const auto b = a + sizeof(Slot::a) / 16;
  const unsigned first = accumulators.address();
  auto at = ab.begin();
  auto to = to_store.begin();
  Tile tile;
  for (unsigned turn = 0; work_tile(turn, p.m, p.n, tile); ++turn, ++to) {
    to_store.acquire(to);
    pipelink::tcgen05_fence_after();
    for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
      ab.wait(at);
      pipelink::tcgen05_fence_after();
      const unsigned step = at.index * (sizeof(Slot) / 16);
#pragma unroll
      for (unsigned i = 0; i < tile_k / 16; ++i)
        pipelink::tcgen05_mma_bf16(first + to.index * tile_n, a + (step + 2 * i), b + (step + 2 * i), instruction,
                                   k + i > 0);
      pipelink::tcgen05_commit(ab.empty_barrier(at));
    }
    pipelink::tcgen05_commit(to_store.full_barrier(to));
  }
}

PIPELINK_ROLE("store", 4) PIPELINK_REGISTERS(168, 232, 240) __device__ void store(const Params &p) {
  const Output output = {p.c, p.bias, p.m, p.n};
  const unsigned warp = pipelink::warp();
  const unsigned mine = accumulators.address() + (32 * warp << 16); // a warp reaches 32 lanes
  auto from = done.begin();
  Tile tile;
  for (unsigned turn = 0; work_tile(turn, p.m, p.n, tile); ++turn, ++from) {
    done.wait(from);
    pipelink::tcgen05_fence_after();
#pragma unroll 1
    for (unsigned half = 0; half < 2; ++half) {
      float d[128];
      pipelink::tcgen05_load_16x256(d, mine + (16 * half << 16) + from.index * tile_n);
      if (half == 1) {
        pipelink::tcgen05_fence_before();
        done.release(from);
      }
      // The epilogue counts 16 rows for each warp, here there are 32.
      epilogue(d, output, tile.m * tile_m + 16 * warp + 16 * half, tile.n * tile_n);
    }
  }
}
