// The linker gives a resource its value: it is declared only, in device memory, constant, and of a type that says what
// is needed.
// RUN: not %stage-cc -c %s -DMISPLACED -o %t.bc 2>&1 | FileCheck %s --check-prefix=PLACE --implicit-check-not='{{error|warning}}:'
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
PIPELINK_STAGE("org.resource", "1.0.0");
using pipelink::barrier;

#ifdef MISPLACED
// PLACE: [[@LINE+1]]:3: error: 'pipelink::resource' applies to 'extern __device__ const' variables only
[[pipelink::resource("a")]] __device__ void a();
// PLACE: [[@LINE+1]]:27: error: 'pipelink::resource' applies to 'extern __device__ const' variables only
__device__ void b(int x [[pipelink::resource("b")]]) {}
// PLACE: [[@LINE+1]]:22: error: 'pipelink::resource': resource name '1st' must be letters
[[pipelink::resource("1st")]] extern __device__ const barrier<> k;
// PLACE: [[@LINE+1]]:3: error: 'pipelink::resource' takes 1 argument, 0 given: resource("name")
[[pipelink::resource]] extern __device__ const barrier<> l;
// PLACE: [[@LINE+2]]:3: error: a second 'pipelink::resource' here
[[pipelink::resource("o")]]
[[pipelink::resource("p")]] extern __device__ const barrier<> o;
#elif defined(WRONG)
// CHECK: [[@LINE+1]]:3: error: 'pipelink::resource' needs an 'extern __device__ const' variable; the linker gives it its value
[[pipelink::resource("c")]] extern const barrier<> c;
// CHECK: [[@LINE+1]]:3: error: 'pipelink::resource' needs an 'extern __device__ const' variable
[[pipelink::resource("d")]] extern __constant__ const barrier<> d;
// CHECK: [[@LINE+1]]:3: error: 'pipelink::resource' needs a const variable, or its value could not become part of the code
[[pipelink::resource("e")]] extern __device__ barrier<> e;
// CHECK: [[@LINE+1]]:63: error: resource 'f' has a value here; the linker gives it one, so declare it 'extern' only
[[pipelink::resource("f")]] extern __device__ const barrier<> f = {1, 32};
// CHECK: [[@LINE+2]]:28: error: resource 'g' has a value here
[[pipelink::resource("g")]] extern __device__ const barrier<> g;
__device__ const barrier<> g = {1, 32};
namespace {
// CHECK: [[@LINE+1]]:3: error: 'pipelink::resource' needs a variable outside of unnamed namespaces; the linker could not find this one
[[pipelink::resource("h")]] extern __device__ const barrier<> h;
} // namespace
// CHECK: [[@LINE+1]]:57: error: resource 'i' is a 'int', which has no contract; resources are pipelink::ring, barrier, buffer and tmem
[[pipelink::resource("i")]] extern __device__ const int i;
class Hidden { struct contract { static constexpr const char *kind = "barrier"; }; };
// CHECK: [[@LINE+1]]:60: error: resource 'j' is a 'Hidden', which has no contract
[[pipelink::resource("j")]] extern __device__ const Hidden j;
// CHECK: [[@LINE+3]]:67: error: barrier 'twice' is declared twice in this stage
// CHECK: [[@LINE+1]]:67: note: the other one is here
[[pipelink::resource("twice")]] extern __device__ const barrier<> m;
[[pipelink::resource("twice")]] extern __device__ const barrier<> n;
#else
[[pipelink::resource("c")]] extern __device__ const barrier<> c;
__attribute__((pipelink_resource("d"))) extern __device__ const barrier<> d;
extern __device__ const barrier<> d;
__device__ const int i = 1;
// Names are per kind of resource here; that they are unique in the stage is the linker's to say.
[[pipelink::resource("e")]] extern __device__ const pipelink::buffer<int> e;
#endif
