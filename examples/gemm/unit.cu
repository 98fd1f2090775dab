// unit.cu - the four stages and a kernel written by hand in one file: what the linked kernel must equal.
//
// Same entry name, parameter block and placement. GEMM_EPILOGUE and GEMM_DEPTH choose another epilogue and a shallower
// ring.
#define PIPELINK_UNIT_FIRST_THREAD (threadIdx.x < 256 ? 0 : 256)
#define PIPELINK_UNIT_THREADS (threadIdx.x < 256 ? 256 : 32)
#include "store.h"

#include <pipelink/tensor_map.h>
#include <pipelink/tma.h>
#include <pipelink/unit.h>
#include <pipelink/wgmma.h>

#ifndef GEMM_EPILOGUE
#define GEMM_EPILOGUE "epilogue.cu"
#endif
#ifndef GEMM_DEPTH
#define GEMM_DEPTH 4
#endif

// Nothing is seen from outside, so that compilers know the constants' values for good.
namespace {

namespace work {
#include "work.cu"
}
namespace epilogue {
#include GEMM_EPILOGUE
}
namespace load {
#include "load.cu"
}
namespace mma {
#include "mma.cu"
}

// The placement.
constexpr unsigned depth = GEMM_DEPTH, full = depth * sizeof(Slot), empty = full + 8 * depth;
__device__ const pipelink::ring<Slot, pipelink::produces<ab_options>> load::ab = {0, full, empty, depth, 0};
__device__ const pipelink::ring<Slot, pipelink::consumes<ab_options>> mma::ab = {0, full, empty, depth, 0};

// The seams.
__device__ __forceinline__ bool load::work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile) {
  return work::work_tile(turn, m, n, tile);
}
__device__ __forceinline__ bool mma::work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile) {
  return work::work_tile(turn, m, n, tile);
}
__device__ __forceinline__ void mma::epilogue(const float (&d)[128], const Output &output, unsigned row,
                                              unsigned column) {
  ::epilogue::epilogue(d, output, row, column);
}

struct Params {
  mma::Params mma;
  load::Params load;
};

} // namespace

extern "C" __global__ void __launch_bounds__(384, 1) pipelink_kernel(const __grid_constant__ Params p) {
  const unsigned thread = threadIdx.x;
  if (thread < 1) {
    pipelink::tma_prefetch(p.load.a);
    pipelink::tma_prefetch(p.load.b);
    pipelink::unit_init_ring(load::ab, 1, 2);
    pipelink::unit_fence_init();
  }
  pipelink::unit_sync();
  const unsigned warp = thread / 32;
  if (warp < 8) {
    pipelink::unit_more_registers<240>();
    mma::multiply(p.mma);
  } else if (warp - 8 < 4) {
    pipelink::unit_fewer_registers<24>();
    if (warp - 8 < 1)
      load::load(p.load);
  }
}
