// gemm_kernel.h - the CUTLASS kernel that the stage runs and the host program sets up: D = alpha * A * B.
//
// A is row major (M, K), B column major (K, N), D row major (M, N), all bf16; sums are fp32. Two CTAs form a
// cluster and share their tiles of B by multicast; in each, one warpgroup loads through TMA and two compute.
#pragma once

#include <cute/tensor.hpp>
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

namespace gemm {

using Element = cutlass::bfloat16_t;
using Accumulator = float;
using RowMajor = cutlass::layout::RowMajor;
using ColumnMajor = cutlass::layout::ColumnMajor;
using Tile = cute::Shape<cute::_128, cute::_256, cute::_64>; // M, N, K of one CTA's step
using Cluster = cute::Shape<cute::_2, cute::_1, cute::_1>;
inline constexpr int alignment = 8; // elements: TMA moves 16 bytes at least

using Epilogue = cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster, cutlass::epilogue::collective::EpilogueTileAuto,
    Accumulator, Accumulator, void, RowMajor, alignment, Element, RowMajor, alignment,
    cutlass::epilogue::TmaWarpSpecializedCooperative>::CollectiveOp;

using Mainloop = cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, RowMajor, alignment, Element, ColumnMajor, alignment,
    Accumulator, Tile, Cluster,
    cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(Epilogue::SharedStorage))>,
    cutlass::gemm::KernelTmaWarpSpecializedCooperative>::CollectiveOp;

using Kernel = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, // M, N, K, batch
                                                    Mainloop, Epilogue, cutlass::gemm::PersistentScheduler>;

} // namespace gemm
