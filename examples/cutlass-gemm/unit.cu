// unit.cu - the same stage with a kernel entry written by hand: what the linked kernel is compared with.
#include "gemm.cu"

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(gemm::Kernel::MaxThreadsPerBlock, 1)
    pipelink_kernel(const __grid_constant__ gemm::Params params) {
  gemm::run(params);
}
