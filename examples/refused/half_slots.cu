// half_slots.cu - a consumer that believes in slots of half the size: the second slot is where the first one's end is.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

struct alignas(16) Half {
  float row[columns / 2];
};

PIPELINK_RESOURCE("rows") extern __device__ const pipelink::ring<Half, pipelink::consumes<rows_options>> rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    for (unsigned i = 0; i < 8; ++i)
      x[i] = rows.slot(at).row[pipelink::thread() + 128 * i % (columns / 2)];
    rows.release(at);
    write_row(p, row, x);
  }
}
