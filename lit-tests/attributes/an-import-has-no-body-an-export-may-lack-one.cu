// An export without a body is provided by a library of the package; the contract says so.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.body", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:44: error: import 'a' has a body; another package provides it, so declare it only
[[pipelink::import("a")]] __device__ float a(float x) { return x; }
[[pipelink::import("b")]] __device__ float b(float x);
// CHECK: [[@LINE+1]]:18: error: import 'b' has a body
__device__ float b(float x) { return x; }
// CHECK: [[@LINE+1]]:26: error: one function cannot be both import and export
[[pipelink::import("c"), pipelink::export("c")]] __device__ float c(float x);
#else
// GOOD: @_Z1af {{.*}}"defined":false{{.*}}"kind":"import"
[[pipelink::import("a")]] __device__ float a(float x);
// GOOD: @_Z1bf {{.*}}"defined":true{{.*}}"kind":"export"
[[pipelink::export("b")]] __device__ float b(float x) { return x; }
// GOOD: @_Z1cf {{.*}}"defined":false{{.*}}"kind":"export"
[[pipelink::export("c")]] __device__ float c(float x);
// A stage may wrap what it imports under the same name.
// GOOD: @_Z4wrapf {{.*}}"kind":"export"{{.*}}"name":"a"
[[pipelink::export("a")]] __device__ float wrap(float x) { return 2 * a(x); }
#endif
