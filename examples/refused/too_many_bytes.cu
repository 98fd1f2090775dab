// too_many_bytes.cu - announces more bytes than it copies: no slot ever becomes full.
#include "row.h"

PIPELINK_STAGE("org.example.refused.load", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const produced_rows rows;

PIPELINK_ROLE("load", 1) __device__ void load(const Input &p) {
  if (pipelink::thread() != 0)
    return;
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    rows.acquire(at);
    pipelink::mbarrier_expect_tx(rows.full_barrier(at), 2 * sizeof(Slot));
    pipelink::bulk_load(&rows.slot(at), p.input + row_begin(row), sizeof(Slot), rows.full_barrier(at));
  }
}
