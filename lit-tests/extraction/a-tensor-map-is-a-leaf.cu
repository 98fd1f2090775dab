// A tensor map in a params struct is one field, described by what encoding its descriptor takes; so it is across seams.
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s
#include <pipelink/tensor_map.h>
#include <pipelink/stage.h>
PIPELINK_STAGE("org.maps", "1.0.0");
using pipelink::box;
using pipelink::tensor_map;
struct bf16 { unsigned short bits; };
struct Maps { tensor_map<bf16, box<64, 128>, pipelink::swizzle::bytes_128> a; };
// CHECK: - {"align":64,"fields":[
// CHECK-SAME: {"name":"maps.a","offset":0,"size":128,"type":{"align":64,"box":[64,128],"element":{"align":2,{{[^}]*[^]]*}}],"kind":"struct","name":"bf16","size":2},"kind":"tensor_map","name":"tensor_map<bf16, box<64, 128>, pipelink::swizzle::bytes_128>","rank":2,"size":128,"swizzle":"128B"}},
// CHECK-SAME: {"name":"b","offset":128,"size":128,"type":{{.*}}"box":[8,1,1,1,256],{{.*}}"kind":"tensor_map",{{.*}}"rank":5,"size":128,"swizzle":"none"}},
// CHECK-SAME: {"name":"n","offset":256,
// CHECK-SAME: "size":320,"struct":"Params"
struct [[pipelink::params]] Params {
  Maps maps;
  tensor_map<float, box<8, 1, 1, 1, 256>> b;
  int n;
};
// CHECK: "arguments":[{{.*}}"element":{"align":64,"box":[32],"element":{{.*}}"kind":"tensor_map"
[[pipelink::export("f")]] __device__ const void *f(const tensor_map<char, box<32>, pipelink::swizzle::bytes_32> &map) { return &map; }
[[pipelink::role("run", 1)]] __device__ void run(const Params &p) { asm volatile("" ::"l"(&p.maps.a), "l"(&p.b)); }
