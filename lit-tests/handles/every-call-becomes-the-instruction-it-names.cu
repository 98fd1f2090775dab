// Once the linker's constants are in, every method is one PTX instruction (waits: one in a loop) on an address that is
// the arena plus a constant plus eight times the slot: nothing is loaded, divided or kept in local memory. All protocols
// with all credits and arrivals that they have, from a unit build, where the constants stand in the source.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %pipelink cc --unit --arch=sm_90a %s -o unit.bc
// RUN: %ld-pipelink --unit=unit.bc --arch=sm_90a -o unit.cubin --codegen=nvptx --save-temps
// RUN: FileCheck %s --implicit-check-not=.local --implicit-check-not='{{(div|rem)\.}}' --implicit-check-not='{{ld\.(global|const|shared)}}' < unit.ptx
#define PIPELINK_UNIT_THREADS 256
#include <pipelink/ring.h>
using pipelink::arrival;
using pipelink::ring_credit;
using pipelink::ring_protocol;

namespace {

struct Slot {
  int x[96];
};
template <ring_protocol P, ring_credit C, arrival A> struct options : pipelink::ring_options {
  static constexpr ring_protocol protocol = P;
  static constexpr ring_credit credit = C;
  static constexpr arrival arrive = A;
};
template <class O> extern __device__ const pipelink::ring<Slot, pipelink::produces<O>> filled;
template <class O> extern __device__ const pipelink::ring<Slot, pipelink::consumes<O>> emptied;
template <class O> __device__ const pipelink::ring<Slot, pipelink::produces<O>> filled = {0, 4096, 4160, 7, 512};
template <class O> __device__ const pipelink::ring<Slot, pipelink::consumes<O>> emptied = {0, 4096, 4160, 7, 512};

#define SECTION(text) asm volatile("// " text ::: "memory")

template <ring_protocol P, ring_credit C, arrival A>
__device__ void fill(pipelink::ring_cursor at) {
  const auto &ring = filled<options<P, C, A>>;
  at.depth = ring.depth;
  ring.acquire(at);
  SECTION("acquired");
  if constexpr (P == ring_protocol::tma)
    ring.expect_tx(at);
  else
    ring.commit(at);
}

template <ring_protocol P, ring_credit C, arrival A>
__device__ void drain(pipelink::ring_cursor at) {
  const auto &ring = emptied<options<P, C, A>>;
  at.depth = ring.depth;
  ring.wait(at);
  SECTION("waited");
  ring.release(at);
}

} // namespace

extern "C" __global__ void __launch_bounds__(256, 1) kernel(unsigned index, unsigned phase) {
  const pipelink::ring_cursor at = {index, phase, 0};
  constexpr auto parity = ring_credit::parity, pre_arrive = ring_credit::pre_arrive;

  // CHECK: .visible .entry kernel
  // CHECK-DAG: ld.param.b32 [[INDEX:%r[0-9]+]], [kernel_param_0];
  // CHECK-DAG: ld.param.b32 [[PHASE:%r[0-9]+]], [kernel_param_1];
  SECTION("thread parity thread: fill");
  fill<ring_protocol::thread, parity, arrival::thread>(at);
  // CHECK: // thread parity thread: fill
  // CHECK: shl.b32 [[OFFSET:%r[0-9]+]], [[INDEX]], 3;
  // CHECK: add.s32 [[SLOT:%r[0-9]+]], {{%r[0-9]+}}, [[OFFSET]];
  // CHECK: add.s32 [[EMPTY:%r[0-9]+]], [[SLOT]], 4160;
  // CHECK: xor.b32 [[INVERSE:%r[0-9]+]], [[PHASE]], 1;
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[EMPTY]]], [[INVERSE]], 10000000;
  // CHECK: // acquired
  // CHECK: add.s32 [[FULL:%r[0-9]+]], [[SLOT]], 4096;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[FULL]]];
  SECTION("thread parity thread: drain");
  drain<ring_protocol::thread, parity, arrival::thread>(at);
  // CHECK: // thread parity thread: drain
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[FULL]]], [[PHASE]], 10000000;
  // CHECK: // waited
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];

  // Pre-arrived: the producer waits for the phase that it is in. One lane arrives for its warp.
  SECTION("thread pre_arrive warp: fill");
  fill<ring_protocol::thread, pre_arrive, arrival::warp>(at);
  // CHECK: // thread pre_arrive warp: fill
  // CHECK-NOT: xor
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[EMPTY]]], [[PHASE]], 10000000;
  // CHECK: // acquired
  // CHECK: bar.warp.sync -1;
  // CHECK: and.b32 [[LANE:%r[0-9]+]], {{%r[0-9]+}}, 31;
  // CHECK: setp.ne.b32 [[P:%p[0-9]+]], [[LANE]], 0;
  // CHECK: @[[P]] bra
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[FULL]]];
  SECTION("thread pre_arrive warp: drain");
  drain<ring_protocol::thread, pre_arrive, arrival::warp>(at);
  // CHECK: // thread pre_arrive warp: drain
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[FULL]]], [[PHASE]], 10000000;
  // CHECK: // waited
  // CHECK: bar.warp.sync -1;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];

  SECTION("thread parity warpgroup: fill");
  fill<ring_protocol::thread, parity, arrival::warpgroup>(at);
  // CHECK: // thread parity warpgroup: fill
  // CHECK: mbarrier.try_wait.parity
  // CHECK: // acquired
  // CHECK-NOT: bar.
  // CHECK: and.b32 [[RANK:%r[0-9]+]], {{%r[0-9]+}}, 127;
  // CHECK: setp.ne.b32 [[P:%p[0-9]+]], [[RANK]], 0;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[FULL]]];

  SECTION("thread parity role: drain");
  drain<ring_protocol::thread, parity, arrival::role>(at);
  // CHECK: // thread parity role: drain
  // CHECK: // waited
  // CHECK-NOT: bar.
  // CHECK: setp.ne.b32 [[P:%p[0-9]+]], [[THREAD:%r[0-9]+]], 0;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];

  // The bytes are the slot's, 384.
  SECTION("tma parity: fill");
  fill<ring_protocol::tma, parity, arrival::thread>(at);
  // CHECK: // tma parity: fill
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[EMPTY]]], [[INVERSE]], 10000000;
  // CHECK: // acquired
  // CHECK: mov.b32 [[BYTES:%r[0-9]+]], 384;
  // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, {{\[}}[[FULL]]], [[BYTES]];
  SECTION("tma pre_arrive: fill");
  fill<ring_protocol::tma, pre_arrive, arrival::thread>(at);
  // CHECK: // tma pre_arrive: fill
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[EMPTY]]], [[PHASE]], 10000000;
  // CHECK: mbarrier.arrive.expect_tx

  // Loads are ordered before the next copy: each thread fences, then arrives or lets its warp's first lane do so.
  SECTION("tma parity thread: drain");
  drain<ring_protocol::tma, parity, arrival::thread>(at);
  // CHECK: // tma parity thread: drain
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[FULL]]], [[PHASE]], 10000000;
  // CHECK: // waited
  // CHECK: fence.proxy.async.shared::cta;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];
  SECTION("tma parity warp: drain");
  drain<ring_protocol::tma, parity, arrival::warp>(at);
  // CHECK: // tma parity warp: drain
  // CHECK: // waited
  // CHECK: fence.proxy.async.shared::cta;
  // CHECK: bar.warp.sync -1;
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];
  // One thread for many: they have fenced before the barrier that orders them, or only matrix instructions have read.
  SECTION("tma parity warpgroup: drain");
  drain<ring_protocol::tma, parity, arrival::warpgroup>(at);
  // CHECK: // tma parity warpgroup: drain
  // CHECK: // waited
  // CHECK-NOT: fence
  // CHECK: mbarrier.arrive.shared::cta.b64 _, {{\[}}[[EMPTY]]];

  SECTION("cp_async parity: fill");
  fill<ring_protocol::cp_async, parity, arrival::thread>(at);
  // CHECK: // cp_async parity: fill
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, {{\[}}[[EMPTY]]], [[INVERSE]], 10000000;
  // CHECK: // acquired
  // CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 {{\[}}[[FULL]]];

  // Barrier ids 4096 and 4160 are none; they show where the numbers go.
  SECTION("named: fill");
  fill<ring_protocol::named, parity, arrival::thread>(at);
  // CHECK: // named: fill
  // CHECK: add.s32 [[EMPTYID:%r[0-9]+]], [[INDEX]], 4160;
  // CHECK: mov.b32 [[THREADS:%r[0-9]+]], 512;
  // CHECK: bar.sync [[EMPTYID]], [[THREADS]];
  // CHECK: // acquired
  // CHECK: add.s32 [[FULLID:%r[0-9]+]], [[INDEX]], 4096;
  // CHECK: bar.arrive [[FULLID]], [[THREADS]];
  SECTION("named: drain");
  drain<ring_protocol::named, parity, arrival::thread>(at);
  // CHECK: // named: drain
  // CHECK: bar.sync [[FULLID]], [[THREADS]];
  // CHECK: // waited
  // CHECK: bar.arrive [[EMPTYID]], [[THREADS]];
  SECTION("end");
  // CHECK: // end
  // CHECK: ret;
}
