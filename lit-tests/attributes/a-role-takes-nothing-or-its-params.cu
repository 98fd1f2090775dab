// RUN: not %stage-cc -c %s -DWRONG -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
struct [[pipelink::stage("org.role", "1.0.0")]] stage;
struct [[pipelink::params]] Params { int x; };
struct Other { int x; };
struct [[pipelink::params]] Declared;
template <class T> struct [[pipelink::params]] Generic { T x; };

#ifdef WRONG
// CHECK: [[@LINE+2]]:53: error: a role's parameter must be 'const Params &', not 'Params'
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:46-[[@LINE+1]]:52}:"const Params &"
[[pipelink::role("a", 1)]] __device__ void a(Params p) {}
// CHECK: [[@LINE+1]]:54: error: a role's parameter must be 'const Params &', not 'Params &'
[[pipelink::role("b", 1)]] __device__ void b(Params &p) {}
// CHECK: [[@LINE+1]]:60: error: a role's parameter must be 'const Params &', not 'const Params *'
[[pipelink::role("c", 1)]] __device__ void c(const Params *p) {}
// CHECK: [[@LINE+1]]:50: error: a role's parameter must be 'const Params &', not 'int'
[[pipelink::role("d", 1)]] __device__ void d(int n) {}
// CHECK: [[@LINE+1]]:67: error: a role takes at most one parameter, 'const Params &'
[[pipelink::role("e", 1)]] __device__ void e(const Params &p, int n) {}
// CHECK: [[@LINE+3]]:59: error: struct 'Other' is a role's parameter but not declared {{\[\[}}pipelink::params]]
// CHECK: :5:8: note: declared here
// CHECK: fix-it:"{{.*}}":{5:8-5:8}:"{{\[\[}}pipelink::params]] "
[[pipelink::role("f", 1)]] __device__ void f(const Other &p) {}
// CHECK: [[@LINE+1]]:62: error: params struct 'Declared' has no definition here
[[pipelink::role("g", 1)]] __device__ void g(const Declared &p) {}
#else
// GOOD-DAG: "struct":"Params"
// GOOD-DAG: @_Z1aRK6Params {{.*}}"params":"Params"
[[pipelink::role("a", 1)]] __device__ void a(const Params &p) {}
// GOOD-DAG: @_Z1bv {{.*}}"params":null
[[pipelink::role("b", 1)]] __device__ void b() {}
// An instance of a params template that no body looks into is made all the same.
// GOOD-DAG: "struct":"Generic<float>"
// GOOD-DAG: @_Z1cRK7GenericIfE {{.*}}"params":"Generic<float>"
[[pipelink::role("c", 1)]] __device__ void c(const Generic<float> &) {}
using Alias = Params;
// GOOD-DAG: @_Z1dRK6Params {{.*}}"params":"Params"
[[pipelink::role("d", 1)]] __device__ void d(const Alias &p) {}
#endif
