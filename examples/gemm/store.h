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

// Stores 16 bytes where `is_inside`. As a predicate of the store: an `if` around it becomes a branch, and every branch
// is a place that nothing is scheduled across.
__device__ __forceinline__ void store_if(bool is_inside, __nv_bfloat16 *to, const unsigned (&words)[4]) {
  asm volatile("{\n"
               ".reg .pred inside;\n"
               "setp.ne.u32 inside, %0, 0;\n"
               "@inside st.global.v4.b32 [%1], {%2, %3, %4, %5};\n"
               "}" ::"r"(unsigned(is_inside)),
               "l"(__cvta_generic_to_global(to)), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

// Stores 64 x 256 elements from (row, column) of C; d is a thread's part as wgmma leaves it (pipelink/wgmma.h).
// `finish(x, column)` is what becomes of elements x.x and x.y in `column` and the next. Lanes of four exchange columns
// so that each has eight neighbours, 16 bytes.
template <class Finish>
__device__ __forceinline__ void store_tile(const float (&d)[128], const Output &output, unsigned row, unsigned column,
                                           Finish finish) {
  const unsigned thread = pipelink::thread() % 128, lane = thread % 4;
  row += thread / 32 * 16 + thread % 32 / 4;
  __nv_bfloat16 *const to = output.c + size_t(row) * output.n + column + 8 * lane;
  // Half of the elements at a time: first all of them, then all exchanges, then all stores, so that each step has eight
  // independent ones to overlap. All at once would not fit the registers when `finish` needs some.
#pragma unroll
  for (unsigned group = 0; group < 2; ++group) {
    unsigned words[8][4];
#pragma unroll
    for (unsigned part = 0; part < 8; ++part)
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned block = 4 * group + part / 2, half = part % 2, first = 16 * block + 4 * i + 2 * half;
        const float2 x = finish(make_float2(d[first], d[first + 1]), column + 32 * block + 8 * i + 2 * lane);
        const __nv_bfloat162 pair = __floats2bfloat162_rn(x.x, x.y);
        words[part][i] = *reinterpret_cast<const unsigned *>(&pair);
      }
#pragma unroll
    for (unsigned part = 0; part < 8; ++part)
      transpose_quad(words[part], lane);
#pragma unroll
    for (unsigned part = 0; part < 8; ++part) {
      const unsigned block = 4 * group + part / 2, half = part % 2;
      const bool is_inside = row + 8 * half < output.m && column + 32 * block + 8 * lane < output.n;
      store_if(is_inside, to + size_t(8 * half) * output.n + 32 * block, words[part]);
    }
  }
}

#endif
