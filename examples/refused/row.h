// row.h - what every pair here agrees on: rows of 1024 values through the ring "rows", two slots deep.
#ifndef REFUSED_ROW_H
#define REFUSED_ROW_H

#include <pipelink/ring.h>
#include <pipelink/tma.h>

inline constexpr unsigned columns = 1024;

struct alignas(16) Slot {
  float row[columns];
};

struct rows_options : pipelink::ring_options {
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr unsigned depth_min = 2, depth_max = 2;
};

using produced_rows = pipelink::ring<Slot, pipelink::produces<rows_options>>;
using consumed_rows = pipelink::ring<Slot, pipelink::consumes<rows_options>>;

// The producer's and the consumers' parameters. Rows come round again after 8192: some faults show once in a million.
struct PIPELINK_PARAMS Input {
  const float *input; // 8192 rows
  unsigned rows;
};

struct PIPELINK_PARAMS Output {
  float *output;         // twice the input
  const float *expected; // the input again
  unsigned *wrong;       // how often something else was read
  unsigned rows;
};

__device__ __forceinline__ size_t row_begin(unsigned row) {
  return size_t(row % 8192) * columns;
}

// What a consumer's thread of 128 does with a row: eight values.
__device__ __forceinline__ void read_row(const Slot &slot, float (&x)[8]) {
#pragma unroll
  for (unsigned i = 0; i < 8; ++i)
    x[i] = slot.row[pipelink::thread() + 128 * i];
}

__device__ __forceinline__ void write_row(const Output &p, unsigned row, const float (&x)[8]) {
  unsigned wrong = 0;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const size_t at = row_begin(row) + pipelink::thread() + 128 * i;
    p.output[at] = 2 * x[i];
    wrong += x[i] != p.expected[at];
  }
  if (wrong)
    atomicAdd(p.wrong, wrong);
}

#endif
