// The default is for people; --json, --contract and --files are for programs.

// RUN: rm -rf %t && mkdir %t && cd %t && cp %s stage.cu
// RUN: %pipelink pack stage.cu --arch=sm_90a,sm_100a -o stage.plink
// RUN: %pipelink inspect stage.plink | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:org.test.view 1.2.3-beta
// CHECK-NEXT:made by pipelink {{[0-9.]+}}, LLVM 22.{{[0-9.]+}}, CUDA 13.{{[0-9]+}}
// CHECK-NEXT:code for sm_100a ({{[0-9]+}} bytes), sm_90a ({{[0-9]+}} bytes)
//CHECK-EMPTY:
// CHECK-NEXT:sm_100a, sm_90a
// CHECK-NEXT:  role    work: 4 warps (4 to 8, a multiple of 4), registers 24 to 64, best 40, takes view::Params, cluster 2 x 1 x 1  (stage.cu:[[#@LINE+60]])
// CHECK-NEXT:  params  view::Params: 24 bytes, align 8  (stage.cu:[[#@LINE+30]])
// CHECK-NEXT:            output  byte 0    float *
// CHECK-NEXT:            tile.m  byte 8    int
// CHECK-NEXT:            tile.k  byte 12   int
// CHECK-NEXT:            count   byte 16   size_t
// CHECK-NEXT:  shared  tiles: 49152 bytes, align 1024  (stage.cu:[[#@LINE+32]])
// CHECK-NEXT:  ring    ab: consumed by work, filled by threads, each warp arrives; 2 to 8 slots (a multiple of 2) of Slot: 32 bytes, align 4, pre-arrived, live in phases 0 to 3  (stage.cu:[[#@LINE+47]])
// CHECK-NEXT:  barrier go: 64 threads, id 3, shared with other stages  (stage.cu:[[#@LINE+47]])
// CHECK-NEXT:  barrier everyone: all threads of the stage  (stage.cu:[[#@LINE+47]])
// CHECK-NEXT:  buffer  out: float[64], 256 bytes, align 128, may overlay ring ab, guarded by ab  (stage.cu:[[#@LINE+47]])
// CHECK-NEXT:  tmem    acc: 128 columns, align 1, at column 0  (stage.cu:[[#@LINE+47]])
// CHECK-NEXT:  import  scale: float scale(float)  (stage.cu:[[#@LINE+25]])
// CHECK-NEXT:  export  double: float twice(float)  (stage.cu:[[#@LINE+51]])

// RUN: %pipelink inspect stage.plink --json > json && unzip -p stage.plink manifest.json | cmp - json
// RUN: %pipelink inspect stage.plink --contract | %python -c "import json, sys; c = json.load(sys.stdin); \
// RUN:   assert set(c) == {'sm_90a', 'sm_100a'} and len(c['sm_90a']) == 11 and 'symbol' in c['sm_90a'][2], c"
// RUN: %pipelink inspect --help | FileCheck %s --check-prefix=HELP
// HELP: usage: pipelink inspect PACKAGE.plink [--json | --contract | --files]
// RUN: not %pipelink inspect 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: pipelink inspect: error: L-OPTION: no package given
// RUN: not %pipelink inspect --jsno stage.plink 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: pipelink inspect: error: L-OPTION: unknown option '--jsno'
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/ring.h>
#include <pipelink/tmem.h>
PIPELINK_STAGE("org.test.view", "1.2.3-beta");
namespace view {
struct Tile { int m, k; };
struct [[pipelink::params]] Params {
  float *output;
  Tile tile;
  size_t count;
};
} // namespace view
[[pipelink::import("scale")]] __device__ float scale(float);
[[pipelink::shared("tiles", 48 * 1024)]] extern __shared__ __align__(1024) char tiles[];
struct Slot { float x[8]; };
struct ab_options : pipelink::ring_options {
  static constexpr unsigned depth_min = 2, depth_max = 8, depth_multiple = 2, live_to = 3;
  static constexpr auto arrive = pipelink::arrival::warp;
  static constexpr auto credit = pipelink::ring_credit::pre_arrive;
};
struct out_options : pipelink::buffer_options {
  static constexpr unsigned align = 128;
  static constexpr const char *overlay = "ab", *guard = "ab";
};
struct go_options : pipelink::barrier_options {
  static constexpr unsigned threads = 64, id = 3;
  static constexpr bool shared = true;
};
struct acc_options : pipelink::tmem_options { static constexpr int columns = 128, column = 0; };
[[pipelink::resource("ab")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<ab_options>> ab;
[[pipelink::resource("go")]] extern __device__ const pipelink::barrier<go_options> go;
[[pipelink::resource("everyone")]] extern __device__ const pipelink::barrier<> everyone;
[[pipelink::resource("out")]] extern __device__ const pipelink::buffer<float[64], out_options> out;
[[pipelink::resource("acc")]] extern __device__ const pipelink::tmem<acc_options> acc;
[[pipelink::role("work", 4)]] [[pipelink::cluster(2), pipelink::warps(4, 8, 4), pipelink::registers(24, 40, 64)]]
__device__ void work(const view::Params &p) {
  tiles[threadIdx.x] = 1;
  p.output[threadIdx.x] = scale(tiles[p.tile.m]);
}
[[pipelink::export("double")]] __device__ float twice(float x) { return 2.0f * x; }
