// A CUTLASS GEMM for tcgen05 (sm_100a, sm_103a): TMA loads, tensor memory, persistent scheduling, bf16.
//
// CUTLASS 4.2's cute/arch/copy_sm100.hpp lacks a comma between two asm operands, which only nvcc lets pass. Put a copy
// in front of it on the include path: sed 's/"r"(dst_addr)  *"l"/"r"(dst_addr), "l"/'.

// CUTLASS switches its Blackwell instructions off when it meets clang, which knows them by now.
#include <cutlass/platform/platform.h>
#undef CUTLASS_CLANG_CUDA
#define CUTLASS_CLANG_CUDA 0

#include <cute/tensor.hpp>
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

using Element = cutlass::bfloat16_t;
using RowMajor = cutlass::layout::RowMajor;
using ColumnMajor = cutlass::layout::ColumnMajor;
using Tile = cute::Shape<cute::_256, cute::_128, cute::_64>;
using Cluster = cute::Shape<cute::_2, cute::_2, cute::_1>;

using Epilogue =
    cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile,
                                                     Cluster, cutlass::epilogue::collective::EpilogueTileAuto, float,
                                                     float, Element, RowMajor, 8, Element, RowMajor, 8,
                                                     cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;

using Mainloop = cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Element, RowMajor, 8, Element, ColumnMajor, 8, float, Tile,
    Cluster, cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(Epilogue::SharedStorage))>,
    cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;

using Kernel = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue,
                                                    cutlass::gemm::PersistentScheduler>;

extern __shared__ char storage[];

extern "C" __global__ void __launch_bounds__(Kernel::MaxThreadsPerBlock, 1)
    pipelink_kernel(const __grid_constant__ Kernel::Params params) {
  Kernel kernel;
  kernel(params, storage);
}
