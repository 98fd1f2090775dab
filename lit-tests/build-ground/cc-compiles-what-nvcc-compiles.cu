// Sources written for nvcc compile unchanged: host code beside device code, headers that CUDA 13 moved, guards that ask
// for nvcc's version, its atomic built-ins, CUTLASS's mark for kernel parameters. An empty file compiles, too.
//
// RUN: %pipelink-cc --arch=sm_90a %s -o %t.bc && llvm-dis %t.bc -o - | FileCheck %s
// RUN: cp /dev/null %t.cu && %pipelink-cc --arch=sm_90a %t.cu -o %t.bc
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda_fp16.h>

int main() { return std::printf("host code is left alone\n") < 0; }
// CHECK-NOT: define {{.*}}@main

// The body is there, not the trap.
// CHECK-LABEL: define {{.*}}@guarded
// CHECK-NOT: trap
// CHECK: ret
extern "C" __device__ int guarded() {
#if __CUDACC_VER_MAJOR__ >= 13 && defined(__CUDACC_VER_MINOR__)
  return 1;
#else
  __trap();
  return 0;
#endif
}

// CHECK-LABEL: define {{.*}}@atomics
// CHECK: atomicrmw add ptr {{.*}} acq_rel
// CHECK: load atomic i32, ptr {{.*}} monotonic
extern "C" __device__ unsigned atomics(unsigned *p) {
  return __nv_atomic_fetch_add(p, 1u, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE) +
         __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
}

// CHECK-LABEL: define {{.*}}@kernel
// CHECK-SAME: byval({{.*}}"nvvm.grid_constant"
struct Parameters {
  cuda::std::array<int, 4> values;
};
extern "C" __global__ void kernel(CUTLASS_GRID_CONSTANT const Parameters p, int *out) { *out = p.values[2]; }

// An assert left in a kernel is slow: NDEBUG is set.
#ifndef NDEBUG
#error NDEBUG is not set
#endif
