// epilogue.cu - what becomes of the accumulators: rounded to bf16 and stored.
#include "tile.h"

PIPELINK_STAGE("org.example.gemm.epilogue", "1.0.0");

namespace {

// Lane i of four has words j = 0..3 of its own; afterwards it has word i of lanes j.
__device__ __forceinline__ void transpose_quad(unsigned (&words)[4], unsigned lane) {
#pragma unroll
  for (unsigned step = 1; step < 4; step *= 2)
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (!(i & step)) {
        const bool upper = lane & step;
        const unsigned low = words[i], high = words[i | step];
        const unsigned received = __shfl_xor_sync(0xffffffff, upper ? low : high, step);
        words[i] = upper ? received : low;
        words[i | step] = upper ? high : received;
      }
}

__device__ __forceinline__ unsigned pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned *>(&pair);
}

} // namespace

// Stores 64 x 256 elements from (row, column) of C, M x N; d is a thread's part as wgmma leaves it (wgmma.h).
// Lanes of four exchange columns so that each has eight neighbours, 16 bytes.
PIPELINK_EXPORT("epilogue")
__device__ void epilogue(const float (&d)[128], __nv_bfloat16 *c, unsigned m, unsigned n, unsigned row,
                         unsigned column) {
  const unsigned thread = pipelink::thread() % 128, lane = thread % 4;
  row += thread / 32 * 16 + thread % 32 / 4;
  column += 8 * lane;
#pragma unroll
  for (unsigned half = 0; half < 2; ++half, row += 8)
#pragma unroll
    for (unsigned block = 0; block < 8; ++block) {
      unsigned words[4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned first = 16 * block + 4 * i + 2 * half;
        words[i] = pack(d[first], d[first + 1]);
      }
      transpose_quad(words, lane);
      if (row < m && column + 32 * block < n)
        *reinterpret_cast<uint4 *>(c + size_t(row) * n + column + 32 * block) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
}
