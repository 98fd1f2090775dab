// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.range", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps is 0; allowed is 1 to 32
[[pipelink::role("a", 0)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps is 33; allowed is 1 to 32
[[pipelink::role("b", 33)]] __device__ void b() {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps is -1; allowed is 1 to 32
[[pipelink::role("c", -1)]] __device__ void c() {}
// CHECK: [[@LINE+1]]:43: error: 'pipelink::role': number of warps is 18446744073709551617; allowed is 1 to 32
[[pipelink::role("d", (__int128(1) << 64) + 1)]] __device__ void d() {}
// CHECK: [[@LINE+1]]:25: error: 'pipelink::shared': number of bytes is 0; allowed is 1 to 232448
[[pipelink::shared("e", 0)]] extern __shared__ char e[];
// CHECK: [[@LINE+1]]:25: error: 'pipelink::shared': number of bytes is 232449; allowed is 1 to 232448
[[pipelink::shared("f", 232449)]] extern __shared__ char f[];
// CHECK: [[@LINE+1]]:29: error: 'pipelink::shared': alignment is 48, not a power of two
[[pipelink::shared("g", 16, 48)]] extern __shared__ char g[];
// CHECK: [[@LINE+1]]:21: error: 'pipelink::cluster': x extent is 17; allowed is 1 to 16
[[pipelink::cluster(17)]] __device__ void h();
#else
[[pipelink::role("a", 1)]] __device__ void a() {}
[[pipelink::role("b", 32), pipelink::cluster(16)]] __device__ void b() {}
[[pipelink::shared("c", 1)]] extern __shared__ char c[];
[[pipelink::shared("d", 232448, 1024)]] extern __shared__ char d[];
#endif
