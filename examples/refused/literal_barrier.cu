// literal_barrier.cu - a barrier by number, for twice the threads that come.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const consumed_rows rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    read_row(rows.slot(at), x);
    asm volatile("bar.sync 5, 256;" ::: "memory");
    rows.release(at);
    write_row(p, row, x);
  }
}
