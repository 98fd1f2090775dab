// unit.cu - the same two sources as one translation unit, with a kernel entry written by hand.
//
// This is what the linked kernel is measured against: whatever a compiler that sees everything can do, the linker
// must reach. Same entry name, same parameter block, same placement (the role's four warps are the whole CTA).
#define PIPELINK_UNIT_THREADS 128
#include "caller.cu"
#include "scale.cu"

extern "C" __global__ void __launch_bounds__(PIPELINK_UNIT_THREADS, 1)
    pipelink_kernel(const __grid_constant__ Params p) {
  call(p);
}
