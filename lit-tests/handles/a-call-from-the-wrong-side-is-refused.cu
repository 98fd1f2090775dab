// What an owner asks for and cannot have, and calls that belong to the other side or to another protocol, are errors of
// the compiler, at the declaration or the call.
// RUN: not %stage-cc -fsyntax-only -DDECLARATIONS %s 2>&1 | FileCheck %s --check-prefix=DECLARED --implicit-check-not=error:
// RUN: not %stage-cc -fsyntax-only -DCALLS %s 2>&1 | FileCheck %s --check-prefix=CALLED --implicit-check-not=error:
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/cp_async.h>
#include <pipelink/ring.h>
#include <pipelink/tma.h>
#include <pipelink/tmem.h>
PIPELINK_STAGE("org.refused", "1.0.0");
using namespace pipelink;
struct Slot {
  int x[4];
};

#ifdef DECLARATIONS

template <class Options> using wrong = ring<Slot, consumes<Options>>;
#define RING(name, ...)                                                                                                \
  struct name##_options : ring_options {                                                                               \
    static constexpr __VA_ARGS__;                                                                                      \
  };                                                                                                                   \
  extern __device__ const wrong<name##_options> name

// DECLARED: error: static assertion failed{{.*}}: a ring's options say which side this is: produces<Options> or consumes<Options>
// DECLARED: [[@LINE+1]]:{{.*}}: note: in instantiation of
__device__ unsigned a(const ring<Slot> &r) { return r.depth; }
// DECLARED: error: static assertion failed{{.*}}: a ring's depth lies between depth_min and depth_max, 1 to 64
RING(b, unsigned depth_min = 5, depth_max = 4);
__device__ unsigned use_b() { return b.depth; }
// DECLARED: error: static assertion failed{{.*}}: a ring's depth lies between depth_min and depth_max, 1 to 64
RING(c, unsigned depth_max = 65);
__device__ unsigned use_c() { return c.depth; }
// DECLARED: error: static assertion failed{{.*}}: no multiple of depth_multiple lies between depth_min and depth_max
RING(d, unsigned depth_min = 5, depth_max = 7, depth_multiple = 4);
__device__ unsigned use_d() { return d.depth; }
// DECLARED: error: static assertion failed{{.*}}: a consumer that holds `lookahead` slots while it waits for another needs a deeper ring
RING(e, unsigned depth_max = 2, lookahead = 2);
__device__ unsigned use_e() { return e.depth; }
// DECLARED: error: static assertion failed{{.*}}: only protocol tma counts bytes
RING(f, unsigned tx_bytes = 16);
__device__ unsigned use_f() { return f.depth; }
struct Big {
  int x[1 << 18];
};
struct big_options : ring_options {
  static constexpr auto protocol = ring_protocol::tma;
};
// DECLARED: error: static assertion failed{{.*}}: an mbarrier counts less than 2^20 bytes per phase
__device__ unsigned g(const ring<Big, consumes<big_options>> &r) { return r.depth; }
struct overlay_options : buffer_options {
  static constexpr const char *overlay = "ab";
};
// DECLARED: error: static assertion failed{{.*}}: a buffer that overlays a ring has a guard
__device__ unsigned h(const buffer<Slot, overlay_options> &b) { return b.offset; }
struct barrier_of_100 : barrier_options {
  static constexpr unsigned threads = 100;
};
// DECLARED: error: static assertion failed{{.*}}: whole warps take part, 1024 threads at most
__device__ unsigned i(const barrier<barrier_of_100> &b) { return b.id; }
struct barrier_16 : barrier_options {
  static constexpr unsigned id = 16;
};
// DECLARED: error: static assertion failed{{.*}}: a CTA has the named barriers 1 to 15
__device__ unsigned j(const barrier<barrier_16> &b) { return b.id; }
struct too_wide : tmem_options {
  static constexpr int columns = 256, column = 384;
};
// DECLARED: error: static assertion failed{{.*}}: an SM has 512 columns of tensor memory
__device__ unsigned k(const tmem<too_wide> &t) { return t.column; }
// DECLARED: error: static assertion failed{{.*}}: an extent of a box is 1 to 256
tensor_map<float, box<512>> l;
// DECLARED: error: static assertion failed{{.*}}: a row of a box is a multiple of 16 bytes
tensor_map<float, box<3, 8>> m;
// DECLARED: error: static assertion failed{{.*}}: a row of a box is at most as long as what is swizzled
tensor_map<float, box<64, 8>, swizzle::bytes_128> n;
// DECLARED: error: static assertion failed{{.*}}: a tensor has one to five dimensions
tensor_map<float, box<4, 1, 1, 1, 1, 1>> o;
// DECLARED: error: static assertion failed{{.*}}: elements of 1, 2, 4 or 8 bytes can be copied
tensor_map<Slot, box<4>> p;

#elif defined(CALLS)

struct tma_options : ring_options {
  static constexpr auto protocol = ring_protocol::tma;
};
struct named_options : ring_options {
  static constexpr auto protocol = ring_protocol::named;
};
__device__ void calls(const ring<Slot, produces<ring_options>> &out, const ring<Slot, consumes<ring_options>> &in,
                      const ring<Slot, produces<tma_options>> &copied, const ring<Slot, consumes<named_options>> &named,
                      const tensor_map<float, box<4, 4>> &map, ring_cursor at) {
  // CALLED: error: static assertion failed{{.*}}: acquire() is the producer's; a consumer waits
  in.acquire(at);
  // CALLED: error: static assertion failed{{.*}}: commit() is the producer's; a consumer releases
  in.commit(at);
  // CALLED: error: static assertion failed{{.*}}: wait() is a consumer's; the producer acquires
  out.wait(at);
  // CALLED: error: static assertion failed{{.*}}: release() is a consumer's; the producer commits
  out.release(at);
  // CALLED: error: static assertion failed{{.*}}: expect_tx() is for the producer of a ring with protocol tma
  out.expect_tx(at);
  // CALLED: error: static assertion failed{{.*}}: with protocol tma the copies commit; expect_tx() announces them
  copied.commit(at);
  // CALLED: error: static assertion failed{{.*}}: a ring with named barriers has no mbarriers
  named.full_barrier(at);
  // CALLED: error: static assertion failed{{.*}}: try_wait() is for consumers of rings with mbarriers
  named.try_wait(at);
  // CALLED: error: static assertion failed{{.*}}: one coordinate per dimension of the tensor
  tma_load(map, &copied.slot(at), 0, 1);
  // CALLED: error: static assertion failed{{.*}}: cp.async copies 4, 8 or 16 bytes
  cp_async<12>(&out.slot(at), nullptr);
}

#endif
