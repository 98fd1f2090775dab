// bias_silu.cu - another end for the same main loop: C is silu(A B + bias), with silu(x) = x / (1 + e^-x).
#include "store.h"

PIPELINK_STAGE("org.example.gemm.bias_silu", "1.0.0");

namespace {

__device__ __forceinline__ float silu(float x) {
  return __fdividef(x, 1.0f + __expf(-x));
}

} // namespace

PIPELINK_EXPORT("epilogue")
__device__ void epilogue(const float (&d)[128], const Output &output, unsigned row, unsigned column) {
  store_tile(d, output, row, column, [&](float2 x, unsigned at) {
    // Beyond the last column any bias does: nothing is stored there. Without a branch both rows of a column share a
    // load.
    const unsigned inside = at < output.n ? at : 0;
    const float2 bias = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162 *>(output.bias + inside));
    return make_float2(silu(x.x + bias.x), silu(x.y + bias.y));
  });
}
