// early_release.cu - releases a slot after half of it is read: the next copy lands on the other half.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const consumed_rows rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    for (unsigned i = 0; i < 4; ++i)
      x[i] = rows.slot(at).row[pipelink::thread() + 128 * i];
    rows.release(at);
    for (unsigned i = 0; i < 4; ++i)
      p.output[row_begin(row) + pipelink::thread() + 128 * i] = 2 * x[i];
    for (unsigned i = 4; i < 8; ++i)
      x[i] = rows.slot(at).row[pipelink::thread() + 128 * i];
    write_row(p, row, x);
  }
}
