// load.cu - the GEMM's load stage: one thread keeps the ring "ab" full through TMA.
//
// It runs ahead of the matrix instructions by the ring's depth and does not stop between tiles, so the next tile's
// first steps arrive while the last one is being stored.
#include "tile.h"

#include <pipelink/tensor_map.h>
#include <pipelink/tma.h>

PIPELINK_STAGE("org.example.gemm.load", "1.0.0");

struct PIPELINK_PARAMS Params {
  pipelink::tensor_map<__nv_bfloat16, pipelink::box<tile_k, tile_m>, pipelink::swizzle::bytes_128> a; // M x K
  pipelink::tensor_map<__nv_bfloat16, pipelink::box<tile_k, tile_n>, pipelink::swizzle::bytes_128> b; // N x K
  unsigned m, n, k;
};

PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::produces<ab_options>> ab;

PIPELINK_IMPORT("work_tile") __device__ bool work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile);

PIPELINK_ROLE("load", 1) PIPELINK_REGISTERS(24, 40, 40) __device__ void load(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  auto at = ab.begin();
  Tile tile;
  for (unsigned turn = 0; work_tile(turn, p.m, p.n, tile); ++turn)
    for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
      ab.acquire(at);
      ab.expect_tx(at);
      pipelink::tma_load(p.a, ab.slot(at).a, ab.full_barrier(at), k, tile.m * tile_m);
      pipelink::tma_load(p.b, ab.slot(at).b, ab.full_barrier(at), k, tile.n * tile_n);
    }
}
