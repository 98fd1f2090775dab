// RUN: not %stage-cc -c %s -DWARPS=64 -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -DWARPS=32 -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.template", "1.0.0")]] stage;

// CHECK: [[@LINE+2]]:40: error: 'pipelink::role': number of warps is 64; allowed is 1 to 32
// GOOD: @_Z1aILi32EEvv {{.*}}"name":"a",{{.*}}"warps":32
template <int W> [[pipelink::role("a", W)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:26: note: in the instantiation 'void a<64>()'
template __device__ void a<WARPS>();
