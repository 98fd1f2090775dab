// What is more than its bytes, or cannot be set field by field, is refused at the member; "opaque" is the host's business.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
struct [[pipelink::stage("org.params", "1.0.0")]] stage;
struct Copied {
  __host__ __device__ Copied(const Copied &);
  int x;
};

#ifdef WRONG
// CHECK: [[@LINE+2]]:29: error: params struct 'A' is not trivially copyable: it reaches the kernel as a copy of its bytes
// CHECK: [[@LINE+1]]:40: note: because of member 'copied'
struct [[pipelink::params]] A { Copied copied; };
// CHECK: [[@LINE+1]]:29: error: params struct 'B' has virtual functions or bases: its bytes would carry a pointer into the host program
struct [[pipelink::params]] B { virtual void f(); };
// CHECK: [[@LINE+1]]:39: error: params struct 'C' has virtual functions or bases
struct [[pipelink::params("opaque")]] C { virtual void f(); };
// CHECK: [[@LINE+1]]:37: error: params: bit-field 'bits' has no address to set; use a whole integer or {{\[\[}}pipelink::params("opaque")]]
struct [[pipelink::params]] D { int bits : 3; };
// CHECK: [[@LINE+1]]:38: error: params: reference member 'reference' cannot be set; use a pointer
struct [[pipelink::params]] E { int &reference; };
// CHECK: [[@LINE+1]]:33: error: params: an anonymous union has no name to set it by; give it one
struct [[pipelink::params]] F { union { int i; float f; }; };
struct Inner { unsigned flag : 1; };
// The member inside is named, where it is written.
// CHECK: [[@LINE-2]]:25: error: params: bit-field 'flag' has no address to set
struct [[pipelink::params]] G { Inner inner; };
#else
struct [[pipelink::params("opaque")]] A { Copied copied; int bits : 3; int &reference; union { int i; float f; }; };
struct [[pipelink::params]] B { union { int i; float f; } either; struct { int x; }; int : 4; const int *pointer; };
#endif
