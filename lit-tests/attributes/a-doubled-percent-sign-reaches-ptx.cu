// RUN: %stage-cc -S %s -o - | FileCheck %s
struct [[pipelink::stage("org.percent", "1.0.0")]] stage;
// CHECK: call void asm sideeffect "{ .reg .pred %p; setp.eq.u32 %p, 0, 0; }", ""()
[[pipelink::role("a", 1)]] __device__ void a() { asm volatile("{ .reg .pred %%p; setp.eq.u32 %%p, 0, 0; }" ::); }
