// The caret and the fix-it are at the name, in both spellings, in templates that nobody instantiates and in macros.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.names", "1.0.0")]] stage;

#ifdef WRONG
// CHECK: [[@LINE+2]]:13: error: unknown attribute 'pipelink::rolee'; did you mean 'role'?
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:13-[[@LINE+1]]:18}:"role"
[[pipelink::rolee("a", 1)]] __device__ void a() {}

// CHECK: [[@LINE+2]]:16: error: unknown attribute 'pipelink_exprot'; did you mean 'pipelink_export'?
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:16-[[@LINE+1]]:31}:"pipelink_export"
__attribute__((pipelink_exprot("b"))) __device__ void b() {}

// CHECK: [[@LINE+1]]:33: error: unknown attribute 'pipelink::clustre'; did you mean 'cluster'?
[[using pipelink: role("c", 1), clustre(2)]] __device__ void c() {}

// CHECK: [[@LINE+1]]:39: error: unknown attribute 'pipelink::parms'; did you mean 'params'?
template <class T> struct [[pipelink::parms]] Params { T x; };

#define ROLE(name) [[pipelink::Role(name, 1)]]
// CHECK: [[@LINE+1]]:1: error: unknown attribute 'pipelink::Role'; did you mean 'role'?
ROLE("d") __device__ void d() {}

// Nothing is near: all are listed.
// CHECK: [[@LINE+1]]:13: error: unknown attribute 'pipelink::nonsense'; PipeLink's are stage, role, params, import, export, shared, cluster
[[pipelink::nonsense]] __device__ void e() {}
#else
[[using pipelink: role("c", 1), cluster(2)]] __device__ void c() {}
// The same words outside of attributes are nobody's business.
namespace pipelink { __device__ inline int rolee(int x) { return x; } }
__device__ int f(int *x) { return x[pipelink::rolee(0)]; }
#endif
