// RUN: not %stage-cc -c %s -DWRONG -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.device", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+2]]:3: error: 'pipelink::role' needs a __device__ function; 'a' is a host function
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:28-[[@LINE+1]]:28}:"__device__ "
[[pipelink::role("a", 1)]] void a() {}
// CHECK: [[@LINE+1]]:3: error: 'pipelink::import' needs a __device__ function; 'b' is a host function
[[pipelink::import("b")]] float b(float);
// CHECK: [[@LINE+1]]:3: error: 'pipelink::role' needs a __device__ function; 'c' is a kernel, and the linker writes the kernel itself
[[pipelink::role("c", 1)]] __global__ void c() {}
struct D {
  // CHECK: [[@LINE+1]]:5: error: 'pipelink::role' needs a function without 'this'; 'd' is a member function
  [[pipelink::role("d", 1)]] __device__ void d() {}
};
// CHECK: [[@LINE+1]]:44: error: 'pipelink::import' needs a fixed number of arguments; 'e' is variadic
[[pipelink::import("e")]] __device__ float e(const char *, ...);
#else
[[pipelink::role("a", 1)]] __device__ void a() {}
__device__ [[pipelink::role("b", 1)]] void b() {}
__attribute__((pipelink_role("c", 1))) __device__ void c() {}
[[pipelink::role("d", 1)]] __host__ __device__ void d() {}
struct E {
  [[pipelink::role("e", 1)]] static __device__ void e() {}
};
#endif
