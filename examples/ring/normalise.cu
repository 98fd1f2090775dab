// normalise.cu - the consumer: every warp takes one row of each slot and scales it to a mean square of one (RMSNorm).
#include "rows.h"

PIPELINK_STAGE("org.example.ring.normalise", "1.0.0");

struct PIPELINK_PARAMS Params {
  float *output; // rows of 1024 values, aligned to 16 bytes
  unsigned rows;
  float epsilon; // added to the mean square
};

PIPELINK_RESOURCE("rows") extern __device__ const pipelink::ring<Slot, pipelink::consumes<rows_options>> rows;

static __device__ float sum_over_warp(float x) {
  for (unsigned step = 16; step; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  return x;
}

PIPELINK_ROLE("normalise", rows_per_slot) __device__ void normalise(const Params &p) {
  constexpr unsigned pieces = columns / (32 * 4); // of four values for each lane
  const unsigned warp = pipelink::warp(), lane = pipelink::lane();
  auto at = rows.begin();
  for (unsigned first = blockIdx.x * rows_per_slot; first < p.rows; first += gridDim.x * rows_per_slot, ++at) {
    rows.wait(at);
    float4 x[pieces];
    const auto *row = reinterpret_cast<const float4 *>(rows.slot(at).rows[warp]);
    for (unsigned i = 0; i < pieces; ++i)
      x[i] = row[32 * i + lane];
    rows.release(at); // the next copy may begin while this warp computes

    if (first + warp >= p.rows) // the last slot may hold fewer rows: what this warp read is of no use
      continue;
    float squares = 0;
    for (unsigned i = 0; i < pieces; ++i)
      squares = fmaf(x[i].w, x[i].w, fmaf(x[i].z, x[i].z, fmaf(x[i].y, x[i].y, fmaf(x[i].x, x[i].x, squares))));
    const float scale = rsqrtf(sum_over_warp(squares) / columns + p.epsilon);
    auto *output = reinterpret_cast<float4 *>(p.output + size_t(first + warp) * columns);
    for (unsigned i = 0; i < pieces; ++i)
      output[32 * i + lane] = {x[i].x * scale, x[i].y * scale, x[i].z * scale, x[i].w * scale};
  }
}
