// store.h - the way of an accumulator tile to global memory, for epilogues: each element passes through a function of
// theirs, is rounded to bf16 and stored.
#ifndef GEMM_STORE_H
#define GEMM_STORE_H

#include "tile.h"

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

// Stores 64 x 256 elements from (row, column) of C; d is a thread's part as wgmma leaves it (pipelink/wgmma.h).
// `finish(x, column)` is what becomes of elements x.x and x.y in `column` and the next. Lanes of four exchange columns
// so that each has eight neighbours, 16 bytes.
template <class Finish>
__device__ __forceinline__ void store_tile(const float (&d)[128], const Output &output, unsigned row, unsigned column,
                                           Finish finish) {
  const unsigned thread = pipelink::thread() % 128, lane = thread % 4;
  row += thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
  for (unsigned block = 0; block < 8; ++block)
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      unsigned words[4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned first = 16 * block + 4 * i + 2 * half;
        const float2 x = finish(make_float2(d[first], d[first + 1]), column + 32 * block + 8 * i + 2 * lane);
        const __nv_bfloat162 pair = __floats2bfloat162_rn(x.x, x.y);
        words[i] = *reinterpret_cast<const unsigned *>(&pair);
      }
      transpose_quad(words, lane);
      const unsigned to_row = row + 8 * half, to_column = column + 32 * block + 8 * lane;
      if (to_row < output.m && to_column < output.n)
        *reinterpret_cast<uint4 *>(output.c + size_t(to_row) * output.n + to_column) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
}

#endif
