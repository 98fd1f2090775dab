// own_registers.cu - asks for registers by itself, more than the CTA has left: it waits for them.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

PIPELINK_RESOURCE("rows") extern __device__ const consumed_rows rows;

PIPELINK_ROLE("use", 16) __device__ void use(const Output &p) {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  auto at = rows.begin();
  for (unsigned row = blockIdx.x; row < p.rows; row += gridDim.x, ++at) {
    rows.wait(at);
    const float x = rows.slot(at).row[pipelink::thread()], y = rows.slot(at).row[pipelink::thread() + 512];
    rows.release(at);
    p.output[row_begin(row) + pipelink::thread()] = 2 * x;
    p.output[row_begin(row) + pipelink::thread() + 512] = 2 * y;
  }
}
