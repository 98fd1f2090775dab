// -O0 forbids inlining, and without passes nobody writes the contract.
// RUN: not %stage-cc -O0 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=O0
// RUN: not %stage-cc -Xclang -disable-llvm-passes -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: %stage-cc -O1 -c %s -o %t.bc && %contract %t.bc
// RUN: %stage-cc -O0 -fsyntax-only %s
// O0: error: -O0 marks every function 'optnone', which the linker could not inline; compile stages with -O3
// PASSES: error: -disable-llvm-passes would leave the stage without its contract: it is written by a pass
struct [[pipelink::stage("org.flags", "1.0.0")]] stage;
[[pipelink::role("run", 1)]] __device__ void run() {}
