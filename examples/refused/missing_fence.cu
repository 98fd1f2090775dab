// missing_fence.cu - one thread arrives for the role, and nothing orders the others' reads before the next copy. Rarely
// wrong: only with other CTAs on the SM, and stores in the way of the loads.
#include "row.h"

#include <pipelink/barrier.h>

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

struct quiet_options : rows_options {
  static constexpr auto arrive = pipelink::arrival::role;
};

PIPELINK_RESOURCE("rows") extern __device__ const pipelink::ring<Slot, pipelink::consumes<quiet_options>> rows;
PIPELINK_RESOURCE("read") extern __device__ const pipelink::barrier<> read;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    read_row(rows.slot(at), x);
    read.sync();
    rows.release(at);
    write_row(p, row, x);
  }
}
