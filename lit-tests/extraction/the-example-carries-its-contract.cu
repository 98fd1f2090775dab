// The design's first example, from the attributes to !pipelink.contract: one node per declaration, in source order, the
// function as operand 0, the rest as JSON.
// RUN: cp %s %t.cu && cd %T && %stage-cc -S $(basename %t.cu) -o %t.ll && FileCheck %s < %t.ll
#include <pipelink/stage.h>
PIPELINK_STAGE("org.hello.caller", "1.0.0");

struct [[pipelink::params]] Params { float *output; const float *input; size_t count; };

[[pipelink::import("scale")]] __device__ float scale(float);

[[pipelink::role("call", 4)]] __device__ void call(const Params &p) {
  for (size_t i = pipelink::grid_thread(); i < p.count; i += pipelink::grid_threads())
    p.output[i] = scale(p.input[i]);
}

// CHECK: define {{.*}}void @_Z4callRK6Params(
// CHECK: declare {{.*}}float @_Z5scalef(
// CHECK: !pipelink.contract = !{![[STAGE:[0-9]+]], ![[PARAMS:[0-9]+]], ![[IMPORT:[0-9]+]], ![[ROLE:[0-9]+]]}
// CHECK: ![[STAGE]] = !{null, !"{\22kind\22:\22stage\22,\22loc\22:{\22column\22:1,\22file\22:\22the-example-carries-its-contract.cu.tmp.cu\22,\22line\22:5},\22name\22:\22org.hello.caller\22,\22version\22:\221.0.0\22}"}
// CHECK: ![[PARAMS]] = !{null, !"{\22align\22:8,\22fields\22:[
// CHECK-SAME: {\22name\22:\22output\22,\22offset\22:0,\22size\22:8,\22type\22:{\22align\22:8,\22const\22:false,\22element\22:{\22align\22:4,\22bits\22:32,\22kind\22:\22float\22,\22name\22:\22float\22,\22size\22:4},\22kind\22:\22pointer\22,\22name\22:\22float *\22,\22size\22:8}},
// CHECK-SAME: {\22name\22:\22input\22,\22offset\22:8,\22size\22:8,\22type\22:{\22align\22:8,\22const\22:true,{{.*}}\22name\22:\22const float *\22,\22size\22:8}},
// CHECK-SAME: {\22name\22:\22count\22,\22offset\22:16,\22size\22:8,\22type\22:{\22align\22:8,\22bits\22:64,\22kind\22:\22integer\22,\22name\22:\22size_t\22,\22signed\22:false,\22size\22:8}}],
// CHECK-SAME: \22kind\22:\22params\22,{{.*}}\22opaque\22:false,\22size\22:24,\22struct\22:\22Params\22}"}
// CHECK: ![[IMPORT]] = !{ptr @_Z5scalef, !"{\22arguments\22:[{\22align\22:4,\22bits\22:32,\22kind\22:\22float\22,\22name\22:\22float\22,\22size\22:4}],\22defined\22:false,\22function\22:\22float scale(float)\22,\22kind\22:\22import\22,\22loc\22:{\22column\22:48,{{.*}}\22line\22:9},\22name\22:\22scale\22,\22result\22:{{.*}},\22symbol\22:\22_Z5scalef\22}"}
// CHECK: ![[ROLE]] = !{ptr @_Z4callRK6Params, !"{\22kind\22:\22role\22,{{.*}}\22name\22:\22call\22,\22params\22:\22Params\22,\22symbol\22:\22_Z4callRK6Params\22,\22warps\22:4}"}
