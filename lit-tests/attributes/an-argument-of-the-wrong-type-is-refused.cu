// RUN: not %stage-cc -c %s -DWRONG -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.type", "1.0.0")]] stage;
constexpr int warps = 4;
enum Extents { two = 2 };
int variable;

#ifdef WRONG
// CHECK: [[@LINE+1]]:18: error: 'pipelink::role': role name must be a string literal
[[pipelink::role(5, 1)]] __device__ void a() {}
// CHECK: [[@LINE+3]]:18: error: 'pipelink::role': role name must be a string literal; did you forget the quotes?
// CHECK: fix-it:"{{.*}}":{[[@LINE+2]]:18-[[@LINE+2]]:18}:"\""
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:19-[[@LINE+1]]:19}:"\""
[[pipelink::role(b, 1)]] __device__ void b() {}
// CHECK: [[@LINE+1]]:18: error: 'pipelink::role': role name must be a string literal
[[pipelink::role(L"c", 1)]] __device__ void c() {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps must be an integer
[[pipelink::role("d", "4")]] __device__ void d() {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps must be an integer
[[pipelink::role("e", 4.0)]] __device__ void e() {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role': number of warps must be a constant
[[pipelink::role("f", variable)]] __device__ void f() {}
// CHECK: [[@LINE+1]]:48: error: use of undeclared identifier 'nowhere'
[[pipelink::role("g", 1)]] [[pipelink::cluster(nowhere)]] __device__ void g() {}
// CHECK: [[@LINE+2]]:27: error: 'pipelink::params': argument can only be "opaque"
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:27-[[@LINE+1]]:35}:"\"opaque\""
struct [[pipelink::params("opauqe")]] H { int x; };
#else
[[pipelink::role("a", warps)]] __device__ void a() {}
[[pipelink::role("b" "_" "c", 1 + 1), pipelink::cluster(two, warps, sizeof(char))]] __device__ void b() {}
struct [[pipelink::params("opaque")]] H { int x; };
#endif
