// Structs that point to two of the next: 2^20 types when written out. The limits are those of the contract's reader.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.large", "1.0.0")]] stage;
template <int N> struct Twice { Twice<N - 1> *a, *b; };
template <> struct Twice<0> { int x; };
template <int N> struct Deep { Deep<N - 1> *a; };
template <> struct Deep<0> { int x; };
#define TEN(x) int x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8, x##9;
#define HUNDRED(x) TEN(x##0) TEN(x##1) TEN(x##2) TEN(x##3) TEN(x##4) TEN(x##5) TEN(x##6) TEN(x##7) TEN(x##8) TEN(x##9)
struct Wide { HUNDRED(a) HUNDRED(b) HUNDRED(c) HUNDRED(d) HUNDRED(e) HUNDRED(f) HUNDRED(g) HUNDRED(h) HUNDRED(i) HUNDRED(j) TEN(k) TEN(l) TEN(m) };

#ifdef WRONG
// CHECK: [[@LINE+1]]:43: error: the types of import 'a' unfold to more than 20000 types; hide them behind a pointer to an incomplete struct
[[pipelink::import("a")]] __device__ void a(Twice<20> *);
// CHECK: [[@LINE+1]]:43: error: the types of import 'b' nest deeper than 64 types
[[pipelink::import("b")]] __device__ void b(Deep<40> *);
// CHECK: [[@LINE+1]]:43: error: the types of import 'c' include 'Wide' with more than 1024 fields
[[pipelink::import("c")]] __device__ void c(Wide *);
// CHECK: [[@LINE+1]]:29: error: the types of params struct 'D' nest deeper than 64 types; use {{\[\[}}pipelink::params("opaque")]]
struct [[pipelink::params]] D { Deep<40> *deep; };
#else
[[pipelink::import("a")]] __device__ void a(Twice<10> *);
[[pipelink::import("b")]] __device__ void b(Deep<30> *);
struct [[pipelink::params("opaque")]] D { Deep<40> *deep; };
#endif
