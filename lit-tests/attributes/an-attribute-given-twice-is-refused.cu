// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=ONCE
struct [[pipelink::stage("org.twice", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+2]]:30: error: a second 'pipelink::role' here
// CHECK: [[@LINE+1]]:3: note: the first one is here
[[pipelink::role("a", 1)]] [[pipelink::role("b", 2)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:42: error: a second 'pipelink::export' here
[[pipelink::export("c")]] __attribute__((pipelink_export("c"))) __device__ void c() {}
#else
// Declared in a header, defined later: one node.
// ONCE: @_Z1av {"kind":"role"{{.*}}"line":[[@LINE+2]]}
// ONCE-NOT: {{^[-@]}}
[[pipelink::role("a", 1)]] __device__ void a();
__device__ void a() {}
#endif
