// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.cluster", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:3: error: 'pipelink::cluster' needs 'pipelink::role' on the same declaration
[[pipelink::cluster(2)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:27: error: 'pipelink::cluster': 64 CTAs in a cluster; 16 are the most
[[pipelink::role("b", 1), pipelink::cluster(4, 4, 4)]] __device__ void b() {}
#else
// GOOD: @_Z1av {"cluster":[2,1,1]
[[pipelink::role("a", 1), pipelink::cluster(2)]] __device__ void a() {}
// GOOD: @_Z1bv {"cluster":[4,2,2]
[[pipelink::role("b", 1), pipelink::cluster(4, 2, 2)]] __device__ void b() {}
#endif
