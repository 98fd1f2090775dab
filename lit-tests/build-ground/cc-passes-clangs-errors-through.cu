// What clang refuses is refused with clang's words at its place, exit status and all, and leaves no output. Here: operands
// of inline assembly without the comma, which nvcc lets pass.
//
// RUN: not %pipelink-cc --arch=sm_90a %s -o %t.bc 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt --implicit-check-not="PLEASE submit a bug report"
// RUN: test ! -e %t.bc
__device__ int add(int x, int y) {
  int result;
  // CHECK: cc-passes-clangs-errors-through.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: expected ')'
  asm("add.s32 %0, %1, %2;" : "=r"(result) : "r"(x) "r"(y));
  return result;
}
