// unit.cu - the four stages and a kernel written by hand in one file: what the linked kernel is compared with.
#include "tile.h"

#include <pipelink/tensor_map.h>
#include <pipelink/tma.h>
#include <pipelink/unit.h>
#include <pipelink/wgmma.h>

// Nothing is seen from outside, so that the compilers know the constants' values for good.
namespace {

namespace work {
PIPELINK_UNIT_ROLE(0, 12)
#include "work.cu"
} // namespace work

namespace epilogue {
PIPELINK_UNIT_ROLE(0, 8)
#include "epilogue.cu"
} // namespace epilogue

namespace mma {
PIPELINK_UNIT_ROLE(0, 8)
#include "mma.cu"
} // namespace mma

namespace load {
PIPELINK_UNIT_ROLE(8, 1)
#include "load.cu"
} // namespace load

// The placement.
constexpr unsigned depth = 4, full = depth * sizeof(Slot), empty = full + 8 * depth;
__device__ const pipelink::ring<Slot, pipelink::produces<ab_options>> load::ab = {0, full, empty, depth, 0};
__device__ const pipelink::ring<Slot, pipelink::consumes<ab_options>> mma::ab = {0, full, empty, depth, 0};

// The seams.
__device__ __forceinline__ bool load::work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile) {
  return work::work_tile(turn, m, n, tile);
}
__device__ __forceinline__ bool mma::work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile) {
  return work::work_tile(turn, m, n, tile);
}
__device__ __forceinline__ void mma::epilogue(const float (&d)[128], __nv_bfloat16 *c, unsigned m, unsigned n,
                                              unsigned row, unsigned column) {
  ::epilogue::epilogue(d, c, m, n, row, column);
}

} // namespace

struct Params {
  load::Params load;
  mma::Params mma;
};

extern "C" __global__ void __launch_bounds__(384, 1) pipelink_kernel(const __grid_constant__ Params p) {
  if (threadIdx.x == 0) {
    pipelink::tma_prefetch(p.load.a);
    pipelink::tma_prefetch(p.load.b);
    pipelink::unit_init_ring(load::ab, 1, 2);
    pipelink::unit_fence_init();
  }
  pipelink::unit_sync();
  const unsigned warp = threadIdx.x / 32;
  if (warp < 8) {
    pipelink::unit_more_registers<240>();
    mma::multiply(p.mma);
  } else {
    pipelink::unit_fewer_registers<24>();
    if (warp < 9)
      load::load(p.load);
  }
}
