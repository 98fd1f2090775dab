// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.complete", "1.0.0")]] stage;
struct Incomplete;
template <class T> struct Pair { T x, y; };

#ifdef WRONG
// CHECK: [[@LINE+1]]:57: error: import 'a' takes 'Incomplete', which is not complete here
[[pipelink::import("a")]] __device__ float a(Incomplete p);
// CHECK: [[@LINE+1]]:49: error: import 'b' returns 'Incomplete', which is not complete here
[[pipelink::import("b")]] __device__ Incomplete b();
// CHECK: [[@LINE+1]]:43: error: import 'c' returns 'auto', which is not complete here
[[pipelink::import("c")]] __device__ auto c();
#else
[[pipelink::import("a")]] __device__ float a(Incomplete *p, const Incomplete &q);
[[pipelink::import("b")]] __device__ Pair<float> b(Pair<int>);
[[pipelink::export("c")]] __device__ auto c(int x) { return x; }
#endif
