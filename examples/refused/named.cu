// named.cu - a consumer that waits on named barriers, where the producer's copies complete mbarriers.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

struct named_options : rows_options {
  static constexpr auto protocol = pipelink::ring_protocol::named;
};

PIPELINK_RESOURCE("rows") extern __device__ const pipelink::ring<Slot, pipelink::consumes<named_options>> rows;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    float x[8];
    rows.wait(at);
    read_row(rows.slot(at), x);
    rows.release(at);
    write_row(p, row, x);
  }
}
