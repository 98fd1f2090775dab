// The walk does not start on a tree with holes, so nothing crashes and nothing misleads.
// RUN: rm -rf %t && split-file %s %t
// RUN: for f in %t/*.cu; do not %stage-cc -c $f -o %t/out.bc > %t/log 2>&1 || exit 1; cat %t/log; done | FileCheck %s --implicit-check-not='error: {{.*}}pipelink' --implicit-check-not=PLEASE
// RUN: not test -e %t/out.bc
//
// CHECK: asm.cu:4:{{.*}}: error: expected ')'
// CHECK: base.cu:2:{{.*}}: error: expected class name
// CHECK: cut.cu:3:{{.*}}: error: expected '}'
// CHECK: itself.cu:2:{{.*}}: error: field has incomplete type 'Params'
// CHECK: percent.cu:3:{{.*}}: error: invalid % escape in inline assembly string
// CHECK: types.cu:2:{{.*}}: error: unknown type name 'Nowhere'

// Operands without a comma between them.
//--- asm.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
struct [[pipelink::params]] Params { int x; };
[[pipelink::role("a", 1)]] __device__ void a(const Params &p) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(p.x) "r"(1));
}

//--- base.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
struct [[pipelink::params]] Params : Nowhere { int x; };
[[pipelink::role("a", 1)]] __device__ void a(const Params &p) {}

//--- cut.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
[[pipelink::role("a", 1)]] __device__ void a() {

//--- itself.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
struct [[pipelink::params]] Params { Params x; };
[[pipelink::role("a", 1)]] __device__ void a(const Params &p) {}

//--- percent.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
[[pipelink::role("a", 1)]] __device__ void a() {
  asm volatile("{ .reg .pred %p; setp.eq.u32 %p, 0, 0; }" ::);
}

//--- types.cu
struct [[pipelink::stage("org.broken", "1.0.0")]] stage;
[[pipelink::import("a")]] __device__ Nowhere a(Nowhere);
