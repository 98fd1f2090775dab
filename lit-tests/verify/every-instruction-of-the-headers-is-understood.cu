// Every asm block in PipeLink's own headers is decoded into operations, and nearly every one of CUTLASS's: what is not
// understood cannot be checked. Macros put some of our blocks together, so those are also looked at as clang sees them.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %asm-strings %include/pipelink/*.h > ours.txt
// RUN: %test-programs/operations --asm < ours.txt > ours.operations
// RUN: test $(grep -c '^block' ours.operations) -ge 40
// RUN: not grep unknown ours.operations
// RUN: %plain-cc -c %s -o ours.bc
// RUN: %test-programs/operations ours.bc | FileCheck %s --implicit-check-not=unknown
#include <pipelink/wgmma.h>

extern "C" __device__ void matrices(float (&d)[128], pipelink::wgmma_descriptor a, pipelink::wgmma_descriptor b) {
  pipelink::wgmma_fence();
  pipelink::wgmma_m64n256k16_bf16_first(d, a, b);
  pipelink::wgmma_commit();
  pipelink::wgmma_wait<0>();
}

// CHECK-LABEL: matrices:
// CHECK: wgmma-fence 'wgmma.fence.sync.aligned' aligned
// CHECK: wgmma 'wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16' source=value source_b=value
// CHECK: wgmma-commit
// CHECK: wgmma-wait 'wgmma.wait_group.sync.aligned' count=0 aligned
