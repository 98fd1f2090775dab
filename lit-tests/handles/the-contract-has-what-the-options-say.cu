// Defaults, options, and what follows from a protocol: one thread announces TMA copies, every thread that copies with
// cp.async arrives, named barriers have no parity; slots get the alignment that their copies need.
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/ring.h>
#include <pipelink/tmem.h>
PIPELINK_STAGE("org.defaults", "1.0.0");
struct Slot {
  char x[100];
};

// CHECK: @plain {"arrivals":0,"arrive":"thread","credit":"parity","depth_max":64,"depth_min":1,"depth_multiple":1,"depth_preferred":64,"direction":"consume","kind":"ring","live_from":0,"live_to":255,"loc":{{.*}},"lookahead":0,"name":"plain","payload":{{.*}},"priority":1,"protocol":"thread","role":"","slot_align":1,"slot_bytes":100,"symbol":"plain","tx_bytes":0}
PIPELINK_RESOURCE("plain") extern __device__ const pipelink::ring<Slot, pipelink::consumes<pipelink::ring_options>> plain;

template <pipelink::ring_protocol P> struct by : pipelink::ring_options {
  static constexpr auto protocol = P;
  static constexpr auto arrive = pipelink::arrival::warpgroup;
  static constexpr unsigned depth_max = 8;
};
using pipelink::ring_protocol;
// CHECK: @tma_in {"arrivals":0,"arrive":"warpgroup",{{.*}}"protocol":"tma",{{.*}}"slot_align":128,"slot_bytes":128,"symbol":"tma_in","tx_bytes":100}
PIPELINK_RESOURCE("tma_in") extern __device__ const pipelink::ring<Slot, pipelink::consumes<by<ring_protocol::tma>>> tma_in;
// CHECK: @tma_out {"arrivals":0,"arrive":"role",{{.*}}"depth_preferred":8,"direction":"produce",{{.*}}"tx_bytes":100}
PIPELINK_RESOURCE("tma_out") extern __device__ const pipelink::ring<Slot, pipelink::produces<by<ring_protocol::tma>>> tma_out;
// CHECK: @cp_in {"arrivals":0,"arrive":"warpgroup","credit":"parity",{{.*}}"slot_align":16,"slot_bytes":112,
PIPELINK_RESOURCE("cp_in") extern __device__ const pipelink::ring<Slot, pipelink::consumes<by<ring_protocol::cp_async>>> cp_in;
// CHECK: @cp_out {"arrivals":0,"arrive":"thread","credit":"parity",
PIPELINK_RESOURCE("cp_out") extern __device__ const pipelink::ring<Slot, pipelink::produces<by<ring_protocol::cp_async>>> cp_out;
// CHECK: @named_in {"arrivals":0,"arrive":"thread","credit":"pre_arrive",
PIPELINK_RESOURCE("named_in") extern __device__ const pipelink::ring<Slot, pipelink::consumes<by<ring_protocol::named>>> named_in;

struct everything : pipelink::ring_options {
  static constexpr unsigned depth_min = 4, depth_max = 12, depth_multiple = 4, depth_preferred = 8, priority = 9,
                            lookahead = 1, slot_align = 1024, live_from = 1, live_to = 2, tx_bytes = 64;
  static constexpr auto protocol = ring_protocol::tma;
  static constexpr auto credit = pipelink::ring_credit::pre_arrive;
  static constexpr const char *role = "run";
};
// CHECK: @all_of_it {"arrivals":0,"arrive":"role","credit":"pre_arrive","depth_max":12,"depth_min":4,"depth_multiple":4,"depth_preferred":8,"direction":"produce",{{.*}}"live_from":1,"live_to":2,{{.*}}"lookahead":1,{{.*}}"priority":9,"protocol":"tma","role":"run","slot_align":1024,"slot_bytes":1024,{{.*}}"tx_bytes":64}
PIPELINK_RESOURCE("all_of_it") extern __device__ const pipelink::ring<Slot, pipelink::produces<everything>> all_of_it;

// CHECK: @go {"id":0,"kind":"barrier",{{.*}}"name":"go","role":"","shared":false,"symbol":"go","threads":0}
PIPELINK_RESOURCE("go") extern __device__ const pipelink::barrier<> go;
struct fixed : pipelink::barrier_options {
  static constexpr unsigned threads = 96, id = 2;
  static constexpr bool shared = true;
  static constexpr const char *role = "run";
};
// CHECK: @stop {"id":2,{{.*}}"role":"run","shared":true,{{.*}}"threads":96}
PIPELINK_RESOURCE("stop") extern __device__ const pipelink::barrier<fixed> stop;

// CHECK: @tile {"align":8,"bytes":800,"guard":"","kind":"buffer","live_from":0,"live_to":255,{{.*}}"name":"tile","overlay":"","payload":{{.*}}"kind":"array","name":"double[100]"
PIPELINK_RESOURCE("tile") extern __device__ const pipelink::buffer<double[100]> tile;
struct over : pipelink::buffer_options {
  static constexpr unsigned align = 1024, live_from = 3;
  static constexpr const char *overlay = "plain", *guard = "go";
};
// CHECK: @out {"align":1024,"bytes":4,"guard":"go",{{.*}}"live_from":3,{{.*}}"overlay":"plain"
PIPELINK_RESOURCE("out") extern __device__ const pipelink::buffer<int, over> out;

// CHECK: @some {"align":1,"column":-1,"columns":32,"kind":"tmem",{{.*}}"name":"some","symbol":"some"}
PIPELINK_RESOURCE("some") extern __device__ const pipelink::tmem<> some;
