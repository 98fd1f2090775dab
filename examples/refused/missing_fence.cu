// missing_fence.cu - arrives by itself, without the fence that release() has: the arrival does not order this thread's
// reads before the next copy. Rarely wrong: only with other CTAs on the SM, and stores in the way of the loads.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const consumed_rows rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    read_row(rows.slot(at), x);
    pipelink::mbarrier_arrive(rows.empty_barrier(at));
    write_row(p, row, x);
  }
}
