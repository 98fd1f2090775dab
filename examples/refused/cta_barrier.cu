// cta_barrier.cu - __syncthreads() in a role: it waits for the producer too, which waits for this role.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const consumed_rows rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    read_row(rows.slot(at), x);
    __syncthreads();
    rows.release(at);
    write_row(p, row, x);
  }
}
