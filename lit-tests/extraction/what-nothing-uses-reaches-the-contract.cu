// Static, inline, in a template, never called: roles, exports and imports are in the module, with their true type.
// RUN: %stage-cc -S %s -o %t.ll && FileCheck %s < %t.ll && %contract %t.ll | FileCheck %s --check-prefix=NODES
struct [[pipelink::stage("org.unused", "1.0.0")]] stage;
struct [[pipelink::params]] Params { int *x; };
struct Big { int x[8]; };

[[pipelink::role("role", 1)]] static __device__ void role(const Params &p) { *p.x = 1; }
namespace { [[pipelink::role("hidden", 1)]] inline __device__ void hidden() {} }
template <int W> [[pipelink::role("instance", W)]] __device__ void instance(const Params &) {}
template __device__ void instance<3>(const Params &);
[[pipelink::export("twice")]] static inline __device__ int twice(int x) { return 2 * x; }
[[pipelink::import("never")]] __device__ float never(float, const Big &, Big);
[[pipelink::export("elsewhere")]] __device__ double elsewhere(double) noexcept;

// CHECK-NOT: pipelink.reference
// CHECK-DAG: define internal void @_ZL4roleRK6Params(ptr {{.*}})
// CHECK-DAG: define internal void @_ZN12_GLOBAL__N_16hiddenEv()
// CHECK-DAG: define {{.*}}void @_Z8instanceILi3EEvRK6Params(
// CHECK-DAG: define internal {{.*}}i32 @_ZL5twicei(i32
// CHECK-DAG: declare {{.*}}float @_Z5neverfRK3BigS_(float noundef, ptr {{.*}}, ptr {{.*}}byval(%struct.Big)
// CHECK-DAG: declare {{.*}}double @_Z9elsewhered(double

// NODES: "kind":"stage"
// NODES: "kind":"params"
// NODES-NEXT: @_ZL4roleRK6Params {"kind":"role",{{.*}}"symbol":"_ZL4roleRK6Params"
// NODES-NEXT: @_ZN12_GLOBAL__N_16hiddenEv {"kind":"role"
// NODES-NEXT: @_Z8instanceILi3EEvRK6Params {"kind":"role",{{.*}}"warps":3}
// NODES-NEXT: @_ZL5twicei {{.*}}"defined":true
// NODES-NEXT: @_Z5neverfRK3BigS_ {{.*}}"kind":"import"
// NODES-NEXT: @_Z9elsewhered {{.*}}"defined":false
