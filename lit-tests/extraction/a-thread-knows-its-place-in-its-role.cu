// The helpers are inlined calls of one special register each; in a unit build the thread count is a constant, as it is
// after linking.
// RUN: %plain-cc -S %s -o - | FileCheck %s
// RUN: %plain-cc -S %s -DPIPELINK_UNIT_THREADS=96 -o - | FileCheck %s --check-prefix=UNIT --implicit-check-not=sreg.ntid
#include <pipelink/stage.h>
// CHECK-LABEL: define {{.*}}@_Z6placesPj(
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: lshr i32 %{{.*}}, 5
// CHECK: and i32 %{{.*}}, 31
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ntid.x()
// UNIT: store i32 96
__device__ void places(unsigned *x) {
  x[0] = pipelink::thread();
  x[1] = pipelink::warp();
  x[2] = pipelink::lane();
  x[3] = pipelink::threads();
}
// 64 bits before the product: more than 2^32 threads do not wrap.
// CHECK-LABEL: define {{.*}}@_Z4gridPm(
// CHECK: zext {{.*}}i32 {{.*}} to i64
// CHECK: mul {{.*}}i64
// UNIT: mul {{.*}}i64 {{.*}}, 96
__device__ void grid(size_t *x) { *x = pipelink::grid_thread() + pipelink::grid_threads(); }
