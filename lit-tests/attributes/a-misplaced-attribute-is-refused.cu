// On the wrong kind of declaration, on a type, on a statement: an error at the attribute, never silence.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.place", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+1]]:10: error: 'pipelink::role' applies to functions only
struct [[pipelink::role("a", 1)]] A {};
// CHECK: [[@LINE+1]]:3: error: 'pipelink::params' applies to structs only
[[pipelink::params]] __device__ void b() {}
// CHECK: [[@LINE+1]]:8: error: 'pipelink::params' applies to structs only
enum [[pipelink::params]] C { one };
// CHECK: [[@LINE+1]]:13: error: 'pipelink::stage' applies to structs only
namespace [[pipelink::stage("d", "1.0.0")]] d {}
// CHECK: [[@LINE+1]]:3: error: 'pipelink::import' applies to functions only
[[pipelink::import("e")]] __device__ int e;
// CHECK: [[@LINE+1]]:3: error: 'pipelink::shared' applies to 'extern __shared__' arrays only
[[pipelink::shared("f", 16)]] __device__ void f();
// CHECK: [[@LINE+1]]:27: error: 'pipelink::params' applies to structs only
__device__ void g(int x [[pipelink::params]]) {}
// CHECK: [[@LINE+1]]:23: error: 'pipelink::role' attribute cannot be applied to types
__device__ void h() [[pipelink::role("h", 1)]] {}
// CHECK: [[@LINE+1]]:25: error: 'pipelink::role' attribute cannot be applied to a statement
__device__ void i() { [[pipelink::role("i", 1)]] return; }
// CHECK: [[@LINE+1]]:28: error: misplaced attributes; expected attributes here
[[pipelink::params]] struct J { int x; };
#else
struct [[pipelink::params]] J { int x; };
// Wherever the grammar takes an attribute of the declaration.
[[pipelink::role("a", 1)]] __device__ void a() {}
__device__ [[pipelink::role("b", 1)]] void b() {}
__device__ void c [[pipelink::role("c", 1)]] () {}
__attribute__((pipelink_role("d", 1))) __device__ void d() {}
__device__ __attribute__((pipelink_role("e", 1))) void e() {}
#endif
