// Two packings of one source give the same bytes, whatever the time, the time zone, the locale and the output's name.

// RUN: rm -rf %t && mkdir -p %t/other && cd %t && cp %s stage.cu
// RUN: %pipelink pack stage.cu --arch=sm_90a,sm_100a -o one.plink
// RUN: sleep 2; env TZ=Asia/Tokyo LC_ALL=C %pipelink pack stage.cu --arch=sm_100a,sm_90a --out-dir=other
// RUN: cmp one.plink other/org.test.same.plink
// RUN: ls . other | FileCheck %s --implicit-check-not=tmp
// CHECK: one.plink
// CHECK: org.test.same.plink

// The twin: another source gives other bytes.
// RUN: sed 's/2\.0f/3.0f/' stage.cu > changed.cu && mv changed.cu stage.cu
// RUN: %pipelink pack stage.cu --arch=sm_90a,sm_100a -o two.plink && not cmp one.plink two.plink

#include <pipelink/stage.h>
PIPELINK_STAGE("org.test.same", "1.2.3");

[[pipelink::export("scale")]] __device__ float scale(float x) { return x * 2.0f; }
