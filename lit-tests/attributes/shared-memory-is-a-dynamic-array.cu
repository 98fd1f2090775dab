// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.shared", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:3: error: 'pipelink::shared' needs an 'extern __shared__' array without extent; the linker gives it its place
[[pipelink::shared("a", 16)]] __shared__ char a[16];
// CHECK: [[@LINE+1]]:3: error: 'pipelink::shared' needs an 'extern __shared__' array without extent
[[pipelink::shared("b", 16)]] extern __device__ char b[];
// CHECK: [[@LINE+1]]:29: error: 'pipelink::shared': alignment 4 is less than the array's own, 8
[[pipelink::shared("c", 16, 4)]] extern __shared__ double c[];
#else
// The alignment is the array's own where none is given.
// GOOD: @a {"align":8,"bytes":48,{{.*}}"name":"a"
[[pipelink::shared("a", 6 * sizeof(double))]] extern __shared__ double a[];
// GOOD: @b {"align":1024,"bytes":16,{{.*}}"name":"b"
[[pipelink::shared("b", 16)]] extern __shared__ __align__(1024) char b[];
// A buffer that no code uses keeps its place in the contract.
// GOOD: @unused {"align":1,{{.*}}"name":"unused","symbol":"unused"}
[[pipelink::shared("unused", 16)]] extern __shared__ char unused[];

template <int N> __device__ char local() {
  [[pipelink::shared("local", N)]] extern __shared__ char c[];
  return c[0];
}
// Inside of functions, and in what templates make of them.
// GOOD: @{{.*}} {"align":1,"bytes":32,{{.*}}"name":"local"
[[pipelink::role("run", 1)]] __device__ void run() { a[0] = b[0] + local<32>(); }
#endif
