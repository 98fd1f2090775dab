// unit.cu - both stages and a kernel written by hand in one file: what the linked kernel must equal.
//
// Same entry name, parameter block and placement: the consumer's four warps first, then the producer's, and as many
// slots as the GPU's shared memory has room for.
#define PIPELINK_UNIT_FIRST_THREAD (threadIdx.x < 128 ? 0 : 128)
#define PIPELINK_UNIT_THREADS (threadIdx.x < 128 ? 128 : 32)
#include "rows.h"

#include <pipelink/tma.h>
#include <pipelink/unit.h>

// Nothing is seen from outside, so that compilers know the constants' values for good.
namespace {

namespace normalise {
#include "normalise.cu"
}
namespace load {
#include "load.cu"
}

// The placement. Of shared memory a CTA can have 227 KiB, or 99 KiB where the GPU is an sm_12x.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
constexpr unsigned depth = 6;
#else
constexpr unsigned depth = 14;
#endif
constexpr unsigned full = depth * sizeof(Slot), empty = full + 8 * depth;
__device__ const pipelink::ring<Slot, pipelink::consumes<rows_options>> normalise::rows = {0, full, empty, depth, 0};
__device__ const pipelink::ring<Slot, pipelink::produces<rows_options>> load::rows = {0, full, empty, depth, 0};

struct Params {
  normalise::Params normalise;
  load::Params load;
};

} // namespace

extern "C" __global__ void __launch_bounds__(160, 1) pipelink_kernel(const __grid_constant__ Params p) {
  if (threadIdx.x < 1) {
    pipelink::unit_init_ring(load::rows, 1, 32 * rows_per_slot);
    pipelink::unit_fence_init();
  }
  pipelink::unit_sync();
  const unsigned warp = threadIdx.x / 32;
  if (warp < 4)
    normalise::normalise(p.normalise);
  else if (warp - 4 < 1)
    load::load(p.load);
}
