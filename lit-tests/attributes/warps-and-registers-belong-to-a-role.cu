// RUN: not %stage-cc -c %s -DMISPLACED -o %t.bc 2>&1 | FileCheck %s --check-prefix=PLACE --implicit-check-not='{{error|warning}}:'
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.warps", "1.0.0")]] stage;

#ifdef MISPLACED
// PLACE: [[@LINE+1]]:10: error: 'pipelink::registers' applies to functions only
struct [[pipelink::registers(24, 24, 24)]] C {};
// PLACE: [[@LINE+1]]:43: error: 'pipelink::warps': least number of warps is 0; allowed is 1 to 32
[[pipelink::role("f", 4), pipelink::warps(0, 4)]] __device__ void f() {}
// PLACE: [[@LINE+1]]:27: error: 'pipelink::warps' takes 2 to 3 arguments, 1 given: warps(min, max, multiple)
[[pipelink::role("g", 4), pipelink::warps(4)]] __device__ void g() {}
// PLACE: [[@LINE+1]]:47: error: 'pipelink::registers': least number of registers is 16; allowed is 24 to 256
[[pipelink::role("h", 4), pipelink::registers(16, 24, 24)]] __device__ void h() {}
// PLACE: [[@LINE+1]]:51: error: 'pipelink::registers': preferred number of registers is 100, not a multiple of 8
[[pipelink::role("i", 4), pipelink::registers(24, 100, 104)]] __device__ void i() {}
// PLACE: [[@LINE+1]]:27: error: 'pipelink::registers' takes 3 arguments, 1 given: registers(min, preferred, max)
[[pipelink::role("k", 4), pipelink::registers(40)]] __device__ void k() {}
#elif defined(WRONG)
// CHECK: [[@LINE+1]]:3: error: 'pipelink::warps' needs 'pipelink::role' on the same declaration
[[pipelink::warps(1, 2)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:3: error: 'pipelink::registers' needs 'pipelink::role' on the same declaration
[[pipelink::registers(24, 24, 24)]] __device__ void b() {}
// CHECK: [[@LINE+1]]:27: error: 'pipelink::warps': the role's 4 warps are not among 8 to 12
[[pipelink::role("d", 4), pipelink::warps(8, 12)]] __device__ void d() {}
// CHECK: [[@LINE+1]]:27: error: 'pipelink::warps': 6 is not a multiple of 4
[[pipelink::role("e", 4), pipelink::warps(4, 6, 4)]] __device__ void e() {}
// CHECK: [[@LINE+1]]:56: error: 'pipelink::registers': 232 is less than the 240 before it
[[pipelink::role("j", 4), pipelink::registers(24, 240, 232)]] __device__ void j() {}
#else
// GOOD: @_Z1av {"kind":"role",{{.*}}"registers":[24,40,40],"symbol":"_Z1av","warps":8,"warps_max":12,"warps_min":4,"warps_multiple":4}
[[pipelink::role("a", 8), pipelink::warps(4, 12, 4), pipelink::registers(24, 40, 40)]] __device__ void a() {}
// GOOD: @_Z1bv {{.*}}"warps":1,"warps_max":2,"warps_min":1,"warps_multiple":1}
__attribute__((pipelink_role("b", 1), pipelink_warps(1, 2))) __device__ void b() {}
// GOOD: @_Z1cILi40EEvv {{.*}}"registers":[40,40,256]
template <int R> [[pipelink::role("c", 1), pipelink::registers(R, R, 256)]] __device__ void c() {}
template __device__ void c<40>();
#endif
