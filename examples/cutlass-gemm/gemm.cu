// gemm.cu - a whole CUTLASS kernel as one stage: a single role owns every warp of the CTA.
//
// The kernel brings its own pipelines, barriers and shared memory layout, and PipeLink leaves them alone. Three things
// it must know to place such a stage: how many warps it runs, how much dynamic shared memory it addresses by itself,
// and that its CTAs come in clusters. The parameters hold tensor maps, so the host sets them as bytes: "opaque".
#include "gemm_kernel.h"

#include <pipelink/stage.h>

PIPELINK_STAGE("org.example.cutlass_gemm", "1.0.0");

namespace gemm {

struct [[pipelink::params("opaque")]] Params {
  Kernel::Params kernel;
};

// 1024: the start of a TMA tile with 128-byte swizzle.
[[pipelink::shared("storage", Kernel::SharedStorageSize, 1024)]] extern __shared__ char storage[];

[[pipelink::role("gemm", Kernel::MaxThreadsPerBlock / 32), pipelink::cluster(2, 1, 1)]] __device__ void
run(const Params &params) {
  Kernel kernel;
  kernel(params.kernel, storage);
}

} // namespace gemm
