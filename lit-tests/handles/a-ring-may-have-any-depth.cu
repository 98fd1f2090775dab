// A cursor wraps by comparison, so a depth need not be a power of two; a ring of one slot has no index at all.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for depth in 1 2 5 64; do %pipelink cc --unit --arch=sm_90a -DDEPTH=$depth %s -o $depth.bc && \
// RUN:   %ld-pipelink --unit=$depth.bc --arch=sm_90a -o $depth.cubin --codegen=nvptx --save-temps || exit 1; done
// RUN: FileCheck %s --check-prefix=ONE --implicit-check-not='{{(div|rem|mad)\.}}' --implicit-check-not=.local < 1.ptx
// RUN: FileCheck %s --check-prefix=TWO --implicit-check-not='{{(div|rem|mad)\.}}' --implicit-check-not=selp < 2.ptx
// RUN: for depth in 5 64; do FileCheck %s --check-prefix=MORE -DDEPTH=$depth --implicit-check-not='{{(div|rem)\.}}' \
// RUN:   --implicit-check-not=.local < $depth.ptx || exit 1; done
#define PIPELINK_UNIT_THREADS 32
#include <pipelink/ring.h>

namespace {
struct Slot {
  int x[32];
};
extern __device__ const pipelink::ring<Slot, pipelink::consumes<pipelink::ring_options>> in;
__device__ const pipelink::ring<Slot, pipelink::consumes<pipelink::ring_options>> in = {0, 8192, 8704, DEPTH};
} // namespace

// ONE-LABEL: .entry kernel
// ONE: [[LOOP:\$L__BB[0-9_]+]]:
// ONE-NOT: selp
// ONE: try_wait.parity.shared::cta.b64 done, {{.*}}, [[PHASE:%r[0-9]+]], 10000000;
// ONE: ld.shared.b32
// ONE: xor.b32 [[PHASE]], [[PHASE]], 1;
// ONE-NOT: selp
// ONE: bra{{.*}} [[LOOP]];

// TWO-LABEL: .entry kernel
// TWO: try_wait.parity.shared::cta.b64 done, {{.*}}, [[PHASE:%r[0-9]+]], 10000000;
// TWO: xor.b32 [[PHASE]], [[INDEX:%r[0-9]+]], [[PHASE]];
// TWO: xor.b32 [[INDEX]], [[INDEX]], 1;

// MORE-LABEL: .entry kernel
// MORE: [[LOOP:\$L__BB[0-9_]+]]:
// MORE: shl.b32 {{%r[0-9]+}}, [[INDEX:%r[0-9]+]], 3;
// MORE: try_wait.parity.shared::cta.b64 done, {{.*}}, [[PHASE:%r[0-9]+]], 10000000;
// MORE: ld.shared.b32
// MORE: add.s32 [[NEXT:%r[0-9]+]], [[INDEX]], 1;
// MORE: setp.eq.b32 [[LAST:%p[0-9]+]], [[NEXT]], [[DEPTH]];
// MORE: selp.b32 [[INDEX]], 0, [[NEXT]], [[LAST]];
// MORE: bra{{.*}} [[LOOP]];
extern "C" __global__ void __launch_bounds__(32, 1) kernel(int *output, unsigned count) {
  auto at = in.begin();
#pragma unroll 1
  for (unsigned i = 0; i < count; ++i, ++at) {
    in.wait(at);
    output[i] = in.slot(at).x[pipelink::lane()];
    in.release(at);
  }
}
