// By -fplugin twice, as a copy, as a pass plugin too, and both files at once: the module is the same, byte for byte.
// RUN: cp %plugin %t.copy.so && cp %optplugin %t.opt.copy.so
// RUN: %stage-cc -c %s -o %t.bc && %contract %t.bc | FileCheck %s
// RUN: %stage-cc -c %s -o %t.2.bc -fplugin=%plugin && cmp %t.bc %t.2.bc
// RUN: %stage-cc -c %s -o %t.2.bc -fplugin=%t.copy.so && cmp %t.bc %t.2.bc
// RUN: %stage-cc -c %s -o %t.2.bc -fpass-plugin=%plugin && cmp %t.bc %t.2.bc
// RUN: %stage-cc -c %s -o %t.2.bc -fpass-plugin=%optplugin && cmp %t.bc %t.2.bc
// RUN: %stage-cc -c %s -o %t.2.bc -fplugin=%optplugin && cmp %t.bc %t.2.bc
// RUN: %stage-cc -c %s -o %t.2.bc -fplugin=%t.copy.so -fpass-plugin=%t.copy.so -fpass-plugin=%optplugin && cmp %t.bc %t.2.bc
// RUN: %opt -load-pass-plugin=%optplugin -load-pass-plugin=%t.opt.copy.so -passes=pipelink-contract -disable-output %t.bc | FileCheck %s
// Messages come once as well.
// RUN: not %stage-cc -DWRONG -c %s -o %t.2.bc -fplugin=%t.copy.so 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not=error:
//
// CHECK:      "kind":"stage"
// CHECK-NEXT: @_Z3runv {"kind":"role"
// CHECK-NOT:  {{^[-@]}}
// ONCE: error: 'pipelink::role' needs a __device__ function; 'run' is a host function
// ONCE: 1 error generated
struct [[pipelink::stage("org.once", "1.0.0")]] stage;
#ifdef WRONG
#define __device__
#endif
[[pipelink::role("run", 1)]] __device__ void run() {}
