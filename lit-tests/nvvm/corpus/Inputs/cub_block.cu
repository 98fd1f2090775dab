// CUB's block and warp collectives on several types: scan, reduce, radix sort, histogram, shuffles, shared memory.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

constexpr int threads = 128;
constexpr int items = 4;

using Load = cub::BlockLoad<float, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using Store = cub::BlockStore<float, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
using Sort = cub::BlockRadixSort<float, threads, items, int>;
using Scan = cub::BlockScan<double, threads, cub::BLOCK_SCAN_WARP_SCANS>;
using Reduce = cub::BlockReduce<float, threads>;
using Histogram = cub::BlockHistogram<unsigned char, threads, items, 256, cub::BLOCK_HISTO_ATOMIC>;
using WarpSort = cub::WarpMergeSort<int, items, 32>;

struct Larger {
  __device__ bool operator()(int a, int b) const { return a > b; }
};

extern "C" __global__ void __launch_bounds__(threads, 1)
    pipelink_kernel(float *values, double *sums, unsigned *counts, int *order) {
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
    Histogram::TempStorage histogram;
    WarpSort::TempStorage warp_sort[threads / 32];
  } storage;
  __shared__ unsigned bins[256];

  float value[items];
  int index[items];
  Load(storage.load).Load(values + blockIdx.x * threads * items, value);
  for (int i = 0; i < items; ++i)
    index[i] = threadIdx.x * items + i;
  __syncthreads();
  Sort(storage.sort).Sort(value, index);
  __syncthreads();

  double sum[items];
  for (int i = 0; i < items; ++i)
    sum[i] = value[i];
  Scan(storage.scan).InclusiveSum(sum, sum);
  __syncthreads();

  const float largest = Reduce(storage.reduce).Reduce(value, cuda::maximum<>{});
  __syncthreads();

  unsigned char byte[items];
  for (int i = 0; i < items; ++i)
    byte[i] = static_cast<unsigned char>(value[i] * 255.0f);
  Histogram(storage.histogram).Histogram(byte, bins);
  __syncthreads();

  WarpSort(storage.warp_sort[threadIdx.x / 32]).Sort(index, Larger{});
  __syncthreads();
  Store(storage.store).Store(values + blockIdx.x * threads * items, value);

  for (int i = 0; i < items; ++i) {
    sums[threadIdx.x * items + i] = sum[i];
    order[threadIdx.x * items + i] = index[i];
  }
  for (int bin = threadIdx.x; bin < 256; bin += threads)
    atomicAdd(counts + bin, bins[bin]);
  if (threadIdx.x == 0)
    values[blockIdx.x] = largest;
}
