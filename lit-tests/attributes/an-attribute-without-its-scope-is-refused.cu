// RUN: not %stage-cc -c %s -DSCOPE= -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s
// RUN: %stage-cc -c %s -DSCOPE=pipelink:: -o %t.bc
struct [[pipelink::stage("org.scope", "1.0.0")]] stage;

// CHECK: error: attribute 'role' needs its scope; did you mean 'pipelink::role'?
// CHECK: error: attribute 'params' needs its scope; did you mean 'pipelink::params'?
// CHECK: fix-it:{{.*}}:"pipelink::"
[[SCOPE role("a", 1)]] __device__ void a() {}
struct [[
  SCOPE params]] Params { int x; };
