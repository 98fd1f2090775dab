// With every warning an error: clang for host and device, with and without the plugin, nvcc, and a host compiler, which
// sees the tensor maps only.
// RUN: %clang -x cuda --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -fgpu-rdc -Wall -Wextra -Werror -I%include -c %s -o %t.o
// RUN: %clang -x cuda --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++20 -fgpu-rdc -Wall -Wextra -Werror -I%include -c %s -o %t.o -fplugin=%plugin
// RUN: %clang -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror -I%include -c %s -o %t.o
// RUN: %cc -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror -I%include -c %s -o %t.o
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/cp_async.h>
#include <pipelink/mbarrier.h>
#include <pipelink/resource.h>
#include <pipelink/ring.h>
#include <pipelink/tensor_map.h>
#include <pipelink/tma.h>
#include <pipelink/tmem.h>

PIPELINK_STAGE("org.quiet", "1.0.0");
struct PIPELINK_PARAMS Params {
  pipelink::tensor_map<float, pipelink::box<32, 8>, pipelink::swizzle::bytes_128> map;
};
static_assert(sizeof(Params) == 128 && alignof(Params) == 64 && decltype(Params::map)::bytes == 1024, "");
#ifdef __CUDACC__
struct Slot {
  float x[32][8];
};
struct options : pipelink::ring_options {
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr const char *role = "run";
};
PIPELINK_RESOURCE("in") extern __device__ const pipelink::ring<Slot, pipelink::consumes<options>> in;
PIPELINK_RESOURCE("out") extern __device__ const pipelink::ring<Slot, pipelink::produces<options>> out;
PIPELINK_RESOURCE("tile") extern __device__ const pipelink::buffer<Slot> tile;
PIPELINK_RESOURCE("order") extern __device__ const pipelink::barrier<> order;
PIPELINK_ROLE("run", 4) PIPELINK_WARPS(4, 8, 4) PIPELINK_REGISTERS(24, 40, 40) __device__ void run(const Params &p) {
  auto from = in.begin(), to = out.begin();
  in.wait(from);
  tile.get().x[pipelink::lane()][pipelink::warp()] = in.slot(from).x[0][pipelink::warpgroup()];
  in.release(from);
  order.sync();
  if (pipelink::thread() == 0) {
    out.acquire(to);
    out.expect_tx(to);
    pipelink::tma_load(p.map, &out.slot(to), out.full_barrier(to), 0, 0);
    out.tail(++to);
  }
}
#endif
