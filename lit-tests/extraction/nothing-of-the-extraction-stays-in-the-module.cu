// The annotations that carried the attributes are gone, with their strings; another's annotation stays.
// RUN: %stage-cc -S %s -o - | FileCheck %s --implicit-check-not=pipelink. --implicit-check-not='c"call' --implicit-check-not='c"scale'
struct [[pipelink::stage("org.clean", "1.0.0")]] stage;
[[pipelink::role("call", 4)]] __device__ void call() {}
[[pipelink::import("scale")]] __device__ float scale(float);
// What looks like ours but did not pass our checks is not in the contract.
__attribute__((annotate("pipelink.role"))) __device__ void fake() {}
__attribute__((annotate("mine", 7))) __device__ void other() {}

// CHECK: @llvm.compiler.used = appending global [1 x ptr] [ptr @_Z4callv]
// CHECK: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_Z5otherv,
// CHECK: !pipelink.contract = !{![[#]], ![[#]], ![[#]]}
