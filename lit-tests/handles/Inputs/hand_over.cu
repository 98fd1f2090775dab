// hand_over.cu - one stage whose role `fill` hands slots to its role `drain` through a ring of every kind, one after the
// other. output[i] counts the values that arrived in ring i as they should: SLOTS * 256 threads of `drain` look.
#include <pipelink/barrier.h>
#include <pipelink/cp_async.h>
#include <pipelink/ring.h>
#include <pipelink/tma.h>

PIPELINK_STAGE("org.test.hand_over", "1.0.0");

using pipelink::arrival;
using pipelink::ring_credit;
using pipelink::ring_protocol;

constexpr unsigned values = 128, slots = 37; // values of a slot; slots that pass through each ring

struct alignas(16) Slot {
  int x[values];
};

struct PIPELINK_PARAMS Params {
  unsigned *output;
  const int *input; // values * slots of each ring
};

struct fill_barrier : pipelink::barrier_options {
  static constexpr const char *role = "fill";
};
struct drain_barrier : pipelink::barrier_options {
  static constexpr const char *role = "drain";
};
PIPELINK_RESOURCE("all_fill") extern __device__ const pipelink::barrier<fill_barrier> all_fill;
PIPELINK_RESOURCE("all_drain") extern __device__ const pipelink::barrier<drain_barrier> all_drain;

template <ring_protocol P, ring_credit C, arrival A, unsigned Depth> struct side : pipelink::ring_options {
  static constexpr ring_protocol protocol = P;
  static constexpr ring_credit credit = C;
  static constexpr arrival arrive = A;
  static constexpr unsigned depth_min = Depth, depth_max = Depth;
};
template <class Options> struct filling : pipelink::produces<Options> {
  static constexpr const char *role = "fill";
};
template <class Options> struct draining : pipelink::consumes<Options> {
  static constexpr const char *role = "drain";
};

// name, protocol, credit, how `fill` and `drain` arrive, depth
#define RINGS(ring)                                                                                                    \
  ring(r0, thread, parity, thread, thread, 1)                                                                          \
  ring(r1, thread, parity, warp, thread, 2)                                                                            \
  ring(r2, thread, parity, warpgroup, warp, 3)                                                                         \
  ring(r3, thread, parity, role, warpgroup, 5)                                                                         \
  ring(r4, thread, pre_arrive, thread, role, 1)                                                                        \
  ring(r5, thread, pre_arrive, warp, warp, 4)                                                                          \
  ring(r6, tma, parity, thread, thread, 7)                                                                             \
  ring(r7, tma, pre_arrive, thread, warpgroup, 2)                                                                      \
  ring(r8, cp_async, parity, thread, warp, 6)                                                                          \
  ring(r9, cp_async, pre_arrive, thread, role, 3)                                                                      \
  ring(r10, named, pre_arrive, thread, thread, 1)                                                                      \
  ring(r11, named, pre_arrive, thread, thread, 3)                                                                      \
  ring(r12, tma, parity, thread, role, 64)

#define DECLARE(name, protocol, credit, fills, drains, depth)                                                          \
  PIPELINK_RESOURCE(#name)                                                                                             \
  extern __device__ const pipelink::ring<                                                                              \
      Slot, filling<side<ring_protocol::protocol, ring_credit::credit, arrival::fills, depth>>>                        \
      name##_out;                                                                                                      \
  PIPELINK_RESOURCE(#name)                                                                                             \
  extern __device__ const pipelink::ring<                                                                              \
      Slot, draining<side<ring_protocol::protocol, ring_credit::credit, arrival::drains, depth>>>                      \
      name##_in;
RINGS(DECLARE)

// Where one thread arrives for several, they must be done, before copies too.
template <class Ring, class Barrier> __device__ void order_unit(const Barrier &barrier) {
  if (Ring::contract::arrive == arrival::warpgroup || Ring::contract::arrive == arrival::role) {
    pipelink::fence_async();
    barrier.sync();
  }
}

template <class Ring> __device__ void fill_ring(const Ring &ring, const int *input) {
  const unsigned thread = pipelink::thread();
  auto at = ring.begin();
  for (unsigned i = 0; i < slots; ++i, ++at, input += values) {
    if constexpr (Ring::is_tma) {
      if (thread == 0) {
        ring.acquire(at);
        ring.expect_tx(at);
        pipelink::bulk_load(&ring.slot(at), input, sizeof(Slot), ring.full_barrier(at));
      }
    } else if constexpr (Ring::is_cp_async) {
      ring.acquire(at);
      pipelink::cp_async<4>(&ring.slot(at).x[thread], input + thread);
      ring.commit(at);
    } else {
      ring.acquire(at);
      ring.slot(at).x[thread] = input[thread];
      order_unit<Ring>(all_fill);
      ring.commit(at);
    }
  }
  if (!Ring::is_tma || thread == 0)
    ring.tail(at);
}

template <class Ring> __device__ unsigned drain_ring(const Ring &ring, const int *input) {
  const unsigned value = pipelink::thread() % values;
  unsigned right = 0;
  auto at = ring.begin();
  for (unsigned i = 0; i < slots; ++i, ++at, input += values) {
    ring.wait(at);
    right += ring.slot(at).x[value] == input[value];
    order_unit<Ring>(all_drain);
    ring.release(at);
  }
  return right;
}

PIPELINK_ROLE("fill", 4) __device__ void fill(const Params &p) {
  const int *input = p.input;
#define FILL(name, ...)                                                                                                \
  fill_ring(name##_out, input);                                                                                        \
  input += values * slots;
  RINGS(FILL)
}

PIPELINK_ROLE("drain", 8) __device__ void drain(const Params &p) {
  const int *input = p.input;
  unsigned *output = p.output;
#define DRAIN(name, ...)                                                                                               \
  atomicAdd(output++, drain_ring(name##_in, input));                                                                   \
  input += values * slots;
  RINGS(DRAIN)
}
