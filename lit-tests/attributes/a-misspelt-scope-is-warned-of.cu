// Another vendor may own such a scope, so it is a warning; one, not ours and clang's.
// RUN: %stage-cc -c %s -o %t.bc -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
struct [[pipelink::stage("org.scope", "1.0.0")]] stage;

// CHECK: [[@LINE+2]]:3: warning: unknown attribute 'pipelnk::role' ignored; did you mean 'pipelink::role'?
// CHECK: fix-it:"{{.*}}":{[[@LINE+1]]:3-[[@LINE+1]]:10}:"pipelink"
[[pipelnk::role("a", 1)]] __device__ void a() {}

// CHECK: [[@LINE+1]]:3: warning: unknown attribute 'elsewhere::role' ignored [-Wunknown-attributes]
[[elsewhere::role("b", 1)]] __device__ void b() {}
