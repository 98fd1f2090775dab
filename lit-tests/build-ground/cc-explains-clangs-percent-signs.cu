// nvcc takes `%p` for a PTX register in inline assembly, clang wants `%%p`. clang's own message does not say so; a note
// of ours does. Written with two, it reaches the code intact.
//
// RUN: not %pipelink-cc --arch=sm_90a -DONE %s -o %t.one.bc 2> %t.txt
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t.txt
// RUN: test ! -e %t.one.bc
// ONE: cc-explains-clangs-percent-signs.cu:[[# @LINE + 9]]:{{[0-9]+}}: error: invalid % escape in inline assembly string
// ONE: pipelink: note: clang wants two percent signs before a PTX register in inline assembly
//
// RUN: %pipelink-cc --arch=sm_90a %s -o %t.bc 2>&1 | count 0
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=TWO
// TWO: setp.ne.u32 %p, $1, 0;
__device__ int choose(unsigned x) {
  int result;
#ifdef ONE
  asm("{ .reg .pred %p; setp.ne.u32 %p, %1, 0; selp.s32 %0, 1, 2, %p; }" : "=r"(result) : "r"(x));
#else
  asm("{ .reg .pred %%p; setp.ne.u32 %%p, %1, 0; selp.s32 %0, 1, 2, %%p; }" : "=r"(result) : "r"(x));
#endif
  return result;
}
