// Every header, every call, for the five GPUs by both back ends; instructions that a GPU lacks are left out where the
// headers say so.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for arch in sm_90a sm_100a sm_103a sm_120a sm_121a; do %pipelink cc --unit --arch=$arch %s -o $arch.bc || exit 1; \
// RUN:   for codegen in nvptx nvvm; do \
// RUN:     %ld-pipelink --unit=$arch.bc --arch=$arch -o $arch.cubin --codegen=$codegen --save-temps || exit 1; done; done
// RUN: FileCheck %s < sm_90a.ptx
// RUN: FileCheck %s --check-prefix=TMEM < sm_100a.ptx
#define PIPELINK_UNIT_THREADS 128
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/cp_async.h>
#include <pipelink/ring.h>
#include <pipelink/tma.h>
#include <pipelink/tmem.h>
using pipelink::box;
using pipelink::tensor_map;

namespace {

constexpr bool has_cluster = __CUDA_ARCH__ < 1200, has_tmem = __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200;

struct Maps {
  tensor_map<float, box<32>> one;
  tensor_map<float, box<32, 2>, pipelink::swizzle::bytes_128> two;
  tensor_map<float, box<32, 2, 2>> three;
  tensor_map<float, box<8, 2, 2, 2>, pipelink::swizzle::bytes_32> four;
  tensor_map<float, box<4, 2, 2, 2, 2>> five;
};

extern __device__ const pipelink::buffer<float[64][64]> tile;
extern __device__ const pipelink::barrier<> order;
extern __device__ const pipelink::tmem<> columns;
__device__ const pipelink::buffer<float[64][64]> tile = {2048};
__device__ const pipelink::barrier<> order = {5, 128};
__device__ const pipelink::tmem<> columns = {96, 1024};

template <class Map, class... Coordinates> __device__ void copy(const Map &map, Coordinates... coordinates) {
  unsigned barrier = pipelink::arena_address(512);
  pipelink::tma_prefetch(map);
  pipelink::tma_load(map, &tile.get()[0][0], barrier, coordinates...);
  if constexpr (has_cluster)
    pipelink::tma_load_multicast(map, &tile.get()[1][0], barrier, 3, coordinates...);
  pipelink::tma_store(map, &tile.get()[2][0], coordinates...);
}

} // namespace

// CHECK-LABEL: .entry kernel
extern "C" __global__ void __launch_bounds__(128, 1)
    kernel(const __grid_constant__ Maps maps, float *output, const float *input, int i) {
  // CHECK: elect.sync _|elected, 0xffffffff;
  if (pipelink::elect()) {
    // CHECK: prefetch.tensormap [{{%rd[0-9]+}}];
    // CHECK: cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{{%r[0-9]+}}}], [{{%r[0-9]+}}];
    // CHECK: cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{{%r[0-9]+}}}], [{{%r[0-9]+}}], {{%rs[0-9]+}};
    // CHECK: cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [{{%rd[0-9]+}}, {{{%r[0-9]+}}}], [{{%r[0-9]+}}];
    copy(maps.one, i);
    // CHECK: cp.async.bulk.tensor.2d{{.*}}, {{{%r[0-9]+}}, {{%r[0-9]+}}}],
    copy(maps.two, i, 0);
    // CHECK: cp.async.bulk.tensor.3d{{.*}}, {{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}}],
    copy(maps.three, i, 0, 0);
    // CHECK: cp.async.bulk.tensor.4d{{.*}}, {{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}}],
    copy(maps.four, i, 0, 0, 1u);
    // CHECK: cp.async.bulk.tensor.5d{{.*}}, {{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}}],
    copy(maps.five, i, 0, 0, 0, -1);
    // CHECK: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}], {{%r[0-9]+}}, [{{%r[0-9]+}}];
    pipelink::bulk_load(&tile.get()[3][0], input, 256, pipelink::arena_address(512));
    // CHECK: cp.async.bulk.global.shared::cta.bulk_group [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
    pipelink::bulk_store(output, &tile.get()[3][0], 256);
    // CHECK: cp.async.bulk.commit_group;
    pipelink::bulk_commit();
    // CHECK: cp.async.bulk.wait_group.read 1;
    pipelink::bulk_wait_read<1>();
    // CHECK: cp.async.bulk.wait_group 0;
    pipelink::bulk_wait<0>();
  }
  // CHECK: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
  pipelink::cp_async<16>(&tile.get()[4][0], input);
  // CHECK: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4, {{%r[0-9]+}};
  pipelink::cp_async<4>(&tile.get()[4][4], input, i);
  // CHECK: fence.proxy.async.shared::cta;
  pipelink::fence_async();
  // CHECK: mov.b32 [[ID:%r[0-9]+]], 5;
  // CHECK: mov.b32 [[THREADS:%r[0-9]+]], 128;
  // CHECK: bar.sync [[ID]], [[THREADS]];
  order.sync();
  // CHECK: bar.arrive [[ID]], [[THREADS]];
  order.arrive();
  // CHECK: ld.shared.b32 {{%r[0-9]+}}, [{{.*}}+18432];
  output[pipelink::thread()] = tile.get()[64][0];
  // The allocation's address, and the column after it.
  // TMEM: ld.shared.b32 [[BASE:%r[0-9]+]], [pipelink_shared+1024];
  // TMEM: add.s32 {{%r[0-9]+}}, [[BASE]], 96;
  if constexpr (has_tmem)
    output[128] = columns.address();
}
