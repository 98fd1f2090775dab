// Twice compiled, and from another folder with its prefix mapped away: no path, address or order gets into the module.
// RUN: rm -rf %t && mkdir -p %t/one %t/two && cp %s %t/one/stage.cu && cp %s %t/two/stage.cu
// RUN: cd %t/one && %stage-cc -ffile-prefix-map=%t/one=/src -c %t/one/stage.cu -o %t/1.bc && %stage-cc -ffile-prefix-map=%t/one=/src -c %t/one/stage.cu -o %t/2.bc
// RUN: cd %t/two && %stage-cc -ffile-prefix-map=%t/two=/src -c %t/two/stage.cu -o %t/3.bc
// RUN: cmp %t/1.bc %t/2.bc && %contract %t/1.bc > %t/1.txt && %contract %t/3.bc > %t/3.txt && diff %t/1.txt %t/3.txt && FileCheck %s < %t/3.txt
// CHECK: "file":"/src/stage.cu"
#include <pipelink/stage.h>
PIPELINK_STAGE("org.same", "1.0.0");
struct PIPELINK_PARAMS Params { int *a, *b; struct { float c, d; } e; };
PIPELINK_IMPORT("x") __device__ int x(const Params &);
PIPELINK_IMPORT("y") __device__ int y(int);
PIPELINK_EXPORT("z") __device__ int z(int i) { return i; }
PIPELINK_ROLE("r", 2) __device__ void r(const Params &p) { *p.a = x(p) + y(1); }
