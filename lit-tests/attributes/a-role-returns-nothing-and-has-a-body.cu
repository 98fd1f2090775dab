// RUN: not %stage-cc -c %s -DWRONG -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.role", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+2]]:39: error: a role returns void
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:39-[[@LINE+1]]:42}:"void"
[[pipelink::role("a", 1)]] __device__ int a() { return 0; }
// CHECK: [[@LINE+1]]:44: error: role 'b' has no body in this file
[[pipelink::role("b", 1)]] __device__ void b();
#else
[[pipelink::role("a", 1)]] __device__ void a() {}
[[pipelink::role("b", 1)]] __device__ void b();
__device__ void b() {}
#endif
