// An import that is declared but never called, perhaps in a header with many, is left out with a remark: the package links
// without a provider.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %pipelink pack %s --arch=sm_90a -o a.plink 2>&1 | FileCheck %s
// CHECK: pipelink pack: remark: L-CONTRACT: import 'unused' is declared but never called; left out
// CHECK-NEXT: >>> declared at {{.*}}.cu:[[#@LINE+9]]
// CHECK-NOT: import 'used'
// RUN: %pipelink inspect a.plink | FileCheck %s --check-prefix=INSPECT
// INSPECT-NOT: unused
// INSPECT: import used: float used(float)

#include <pipelink/stage.h>
PIPELINK_STAGE("org.test.imports", "1.0.0");

[[pipelink::import("unused")]] __device__ float unused(float);
[[pipelink::import("used")]] __device__ float used(float);
[[pipelink::export("twice")]] __device__ float twice(float x) { return used(used(x)); }
