// load.cu - the producer: one thread keeps the ring "rows" full with bulk copies.
#include "rows.h"

#include <pipelink/tma.h>

PIPELINK_STAGE("org.example.ring.load", "1.0.0");

struct PIPELINK_PARAMS Params {
  const float *input; // rows of 1024 values, aligned to 16 bytes
  unsigned rows;
};

PIPELINK_RESOURCE("rows") extern __device__ const pipelink::ring<Slot, pipelink::produces<rows_options>> rows;

PIPELINK_ROLE("load", 1) __device__ void load(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  auto at = rows.begin();
  for (unsigned first = blockIdx.x * rows_per_slot; first < p.rows; first += gridDim.x * rows_per_slot, ++at) {
    unsigned count = p.rows - first < rows_per_slot ? p.rows - first : rows_per_slot;
    unsigned bytes = count * sizeof(Slot::rows[0]);
    rows.acquire(at);
    rows.expect_tx(at, bytes);
    pipelink::bulk_load(&rows.slot(at), p.input + size_t(first) * columns, bytes, rows.full_barrier(at));
  }
}
