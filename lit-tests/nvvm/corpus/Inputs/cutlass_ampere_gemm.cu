// A CUTLASS GEMM that every profile can run: cp.async in four stages, ldmatrix, mma.sync, bf16.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/kernel/default_gemm_universal.h>

using Element = cutlass::bfloat16_t;

using Kernel = cutlass::gemm::kernel::DefaultGemmUniversal<
    Element, cutlass::layout::RowMajor, cutlass::ComplexTransform::kNone, 8, Element, cutlass::layout::ColumnMajor,
    cutlass::ComplexTransform::kNone, 8, Element, cutlass::layout::RowMajor, float, cutlass::arch::OpClassTensorOp,
    cutlass::arch::Sm80, cutlass::gemm::GemmShape<128, 128, 32>, cutlass::gemm::GemmShape<64, 64, 32>,
    cutlass::gemm::GemmShape<16, 8, 16>, cutlass::epilogue::thread::LinearCombination<Element, 8, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 4, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern __shared__ int storage[];

extern "C" __global__ void __launch_bounds__(Kernel::kThreadCount, 1)
    pipelink_kernel(const __grid_constant__ Kernel::Params params) {
  Kernel kernel;
  kernel(params, *reinterpret_cast<Kernel::SharedStorage *>(storage));
}
