// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.count", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:3: error: 'pipelink::role' takes 2 arguments, 1 given: role("name", warps)
[[pipelink::role("a")]] __device__ void a() {}
// CHECK: [[@LINE+1]]:26: error: 'pipelink::role' takes 2 arguments, 3 given: role("name", warps)
[[pipelink::role("b", 1, 2)]] __device__ void b() {}
// CHECK: [[@LINE+1]]:3: error: 'pipelink::role' takes 2 arguments, 0 given: role("name", warps)
[[pipelink::role]] __device__ void c() {}
// CHECK: [[@LINE+1]]:16: error: 'pipelink::import' takes 1 argument, 0 given: import("name")
__attribute__((pipelink_import())) __device__ void d();
// CHECK: [[@LINE+1]]:37: error: 'pipelink::params' takes 0 to 1 argument, 2 given: params or params("opaque")
struct [[pipelink::params("opaque", "e")]] E { int x; };
// CHECK: [[@LINE+1]]:3: error: 'pipelink::shared' takes 2 to 3 arguments, 1 given: shared("name", bytes, align)
[[pipelink::shared("f")]] extern __shared__ char f[];
// CHECK: [[@LINE+1]]:10: error: 'pipelink::stage' takes 2 arguments, 1 given: stage("name", "1.0.0")
struct [[pipelink::stage("g")]] G;
#else
[[pipelink::role("a", 1)]] __device__ void a() {}
[[pipelink::role("b", 1), pipelink::cluster(2)]] __device__ void b() {}
[[pipelink::role("c", 1), pipelink::cluster(2, 1)]] __device__ void c() {}
[[pipelink::role("d", 1), pipelink::cluster(2, 1, 4)]] __device__ void d() {}
struct [[pipelink::params]] E { int x; };
struct [[pipelink::params("opaque")]] F { int x; };
[[pipelink::shared("g", 16)]] extern __shared__ char g[];
[[pipelink::shared("h", 16, 16)]] extern __shared__ char h[];
#endif
