// The default is for people; --json, --contract and --files are for programs.

// RUN: rm -rf %t && mkdir %t && cd %t && cp %s stage.cu
// RUN: %pipelink pack stage.cu --arch=sm_90a,sm_100a -o stage.plink
// RUN: %pipelink inspect stage.plink | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:org.test.view 1.2.3-beta
// CHECK-NEXT:made by pipelink {{[0-9.]+}}, LLVM 22.{{[0-9.]+}}, CUDA 13.{{[0-9]+}}
// CHECK-NEXT:code for sm_100a ({{[0-9]+}} bytes), sm_90a ({{[0-9]+}} bytes)
//CHECK-EMPTY:
// CHECK-NEXT:sm_100a, sm_90a
// CHECK-NEXT:  role    work: 4 warps, takes view::Params, cluster 2 x 1 x 1  (stage.cu:[[#@LINE+32]])
// CHECK-NEXT:  params  view::Params: 24 bytes, align 8  (stage.cu:[[#@LINE+22]])
// CHECK-NEXT:            output  byte 0    float *
// CHECK-NEXT:            tile.m  byte 8    int
// CHECK-NEXT:            tile.k  byte 12   int
// CHECK-NEXT:            count   byte 16   size_t
// CHECK-NEXT:  shared  tiles: 49152 bytes, align 1024  (stage.cu:[[#@LINE+24]])
// CHECK-NEXT:  import  scale: float scale(float)  (stage.cu:[[#@LINE+22]])
// CHECK-NEXT:  export  double: float twice(float)  (stage.cu:[[#@LINE+28]])

// RUN: %pipelink inspect stage.plink --json > json && unzip -p stage.plink manifest.json | cmp - json
// RUN: %pipelink inspect stage.plink --contract | %python -c "import json, sys; c = json.load(sys.stdin); \
// RUN:   assert set(c) == {'sm_90a', 'sm_100a'} and len(c['sm_90a']) == 6 and 'symbol' in c['sm_90a'][2], c"
// RUN: %pipelink inspect --help | FileCheck %s --check-prefix=HELP
// HELP: usage: pipelink inspect PACKAGE.plink [--json | --contract | --files]
// RUN: not %pipelink inspect 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: pipelink inspect: error: L-OPTION: no package given
// RUN: not %pipelink inspect --jsno stage.plink 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: pipelink inspect: error: L-OPTION: unknown option '--jsno'
#include <pipelink/stage.h>
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
[[pipelink::role("work", 4)]] [[pipelink::cluster(2)]]
__device__ void work(const view::Params &p) {
  tiles[threadIdx.x] = 1;
  p.output[threadIdx.x] = scale(tiles[p.tile.m]);
}
[[pipelink::export("double")]] __device__ float twice(float x) { return 2.0f * x; }
