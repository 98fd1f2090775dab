// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.unique", "1.0.0")]] stage;

#ifdef WRONG
[[pipelink::role("a", 1)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:44: error: role 'a' is declared twice in this stage
[[pipelink::role("a", 1)]] __device__ void a2() {}
// CHECK: [[@LINE-3]]:44: note: the other one is here
[[pipelink::import("b")]] __device__ float b(float);
// CHECK: [[@LINE+1]]:45: error: import 'b' is declared twice in this stage
[[pipelink::import("b")]] __device__ double b(double);
template <int N> [[pipelink::export("c")]] __device__ int c() { return N; }
template __device__ int c<1>();
template __device__ int c<2>();
// CHECK: [[@LINE-3]]:59: error: export 'c' is declared twice in this stage
#else
[[pipelink::role("a", 1)]] __device__ void a() {}
[[pipelink::import("a")]] __device__ float b(float);
[[pipelink::export("b")]] __device__ float c(float x) { return x; }
[[pipelink::shared("a", 16)]] extern __shared__ char d[];
#endif
