// A guard that a header's author wrote for another compiler or GPU leaves a trap where the body was. The kernel would
// compile, link and stop at its first instruction; packing says so instead.

// RUN: rm -rf %t && mkdir %t && cd %t

// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DGUARDED 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: pipelink pack: error: L-TRAP: {{.*}}.cu: role 'mainloop' reduces to a trap: a compiler or arch guard disabled it
// ROLE-NEXT: >>> declared at {{.*}}.cu:[[#]]
// ROLE-NEXT: >>> at run time: the kernel would stop at its first instruction
// ROLE-NEXT: >>> fix: find the #if around its body: __CUDA_ARCH__

// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DTRAP_INTRINSIC 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DTRAP_ASM 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DTRAP_ASSERT -UNDEBUG 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DUNREACHABLE 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not %pipelink pack %s --arch=sm_90a -o x.plink -- -DEXPORT_TRAPS 2>&1 | FileCheck %s --check-prefix=EXPORT
// EXPORT: error: L-TRAP: {{.*}}: export 'scale' reduces to a trap
// RUN: not ls x.plink

// The twins: a body that may trap, or does something before it does, is the author's business.
// RUN: %pipelink pack %s --arch=sm_90a -o a.plink
// RUN: %pipelink pack %s --arch=sm_90a -o b.plink -- -DMAY_TRAP
// RUN: %pipelink pack %s --arch=sm_90a -o c.plink -- -DWRITES_THEN_TRAPS
// RUN: %pipelink pack %s --arch=sm_90a -o d.plink -- -DEMPTY

#include <cassert>
#include <pipelink/stage.h>
PIPELINK_STAGE("org.test.trap", "1.0.0");

struct [[pipelink::params]] Params {
  float *output;
  int count;
};

// As in collective libraries: the body that would do the work, for a GPU that this one is not.
template <class T> struct Collective {
  T *output;
  __device__ Collective(T *output) : output(output) {}
  __device__ void operator()(int count) {
#if defined(__CUDA_ARCH_FEAT_SM123_ALL)
    output[threadIdx.x] = count;
#else
    asm volatile("{\n\ttrap;\n}" ::: "memory");
#endif
  }
};

[[pipelink::role("mainloop", 4)]] __device__ void mainloop(const Params &p) {
#if defined(GUARDED)
  Params copy = p;
  Collective<float> collective(copy.output);
  collective(copy.count + 1);
#elif defined(TRAP_INTRINSIC)
  __trap();
#elif defined(TRAP_ASM)
  asm("trap;");
#elif defined(TRAP_ASSERT)
  assert(false && "this kernel needs another GPU");
#elif defined(UNREACHABLE)
  __builtin_unreachable();
#elif defined(MAY_TRAP)
  if (p.count < 0)
    __trap();
#elif defined(WRITES_THEN_TRAPS)
  p.output[0] = 1.0f;
  __trap();
#elif defined(EMPTY)
#else
  p.output[threadIdx.x] = 1.0f;
#endif
}

[[pipelink::export("scale")]] __device__ float scale(float x) {
#if defined(EXPORT_TRAPS)
  __trap();
#endif
  return x * 2.0f;
}
