// A header and a source may both carry the attribute, as long as both say the same.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=ONCE
struct [[pipelink::stage("org.again", "1.0.0")]] stage;

// ONCE:      "kind":"stage"
// ONCE-NEXT: "struct":"Params"
// ONCE-NEXT: @_Z3runRK6Params {"kind":"role"{{.*}}"line":[[@LINE+5]]}
// ONCE-NEXT: @_Z6importi
// ONCE-NEXT: @_Z6exporti
// ONCE-NOT:  {{^[-@]}}
struct [[pipelink::params]] Params;
[[pipelink::role("run", 4)]] __device__ void run(const Params &);
[[pipelink::import("i")]] __device__ int import(int);
[[pipelink::export("e")]] __device__ int export_(int) asm("_Z6exporti");
struct Params { int *x; };
[[pipelink::import("i")]] __device__ int import(int);
[[pipelink::export("e")]] __device__ int export_(int x) { return import(x); }
#ifdef WRONG
// CHECK: [[@LINE+2]]:46: error: role 'run' is declared with other numbers before
// CHECK: [[@LINE-8]]:46: note: the other one is here
[[pipelink::role("run", 8)]] __device__ void run(const Params &p) {}
#else
[[pipelink::role("run", 4)]] __device__ void run(const Params &p) {}
#endif
