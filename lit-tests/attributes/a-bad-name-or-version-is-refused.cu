// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='{{error|warning}}:'
// RUN: %stage-cc -c %s -Werror -o %t.bc

#define TEN "0123456789"
#define LONG "a" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#ifdef WRONG
// CHECK: [[@LINE+1]]:18: error: 'pipelink::role': role name must not be empty
[[pipelink::role("", 1)]] __device__ void a() {}
// CHECK: [[@LINE+1]]:18: error: 'pipelink::role': role name '9a' must be letters, digits, '_', '.' and '-', a letter or '_' first
[[pipelink::role("9a", 1)]] __device__ void b() {}
// CHECK: [[@LINE+1]]:20: error: 'pipelink::import': seam name 'a b' must be letters
[[pipelink::import("a b")]] __device__ void c();
// CHECK: [[@LINE+1]]:20: error: 'pipelink::export': seam name 'größe' must be letters
[[pipelink::export("größe")]] __device__ void d() {}
// CHECK: error: 'pipelink::shared': buffer name must not be longer than 255 bytes
[[pipelink::shared(LONG "12345", 16)]] extern __shared__ char e[];
// CHECK: [[@LINE+1]]:26: error: 'pipelink::stage': package name '../x' must be letters
struct [[pipelink::stage("../x", "1.0.0")]] f;
// CHECK: [[@LINE+1]]:31: error: 'pipelink::stage': version '1.0' must be MAJOR.MINOR.PATCH, such as "1.0.0"
struct [[pipelink::stage("g", "1.0")]] g;
// CHECK: [[@LINE+1]]:31: error: 'pipelink::stage': version '1.02.0' must be MAJOR.MINOR.PATCH
struct [[pipelink::stage("h", "1.02.0")]] h;
// CHECK: [[@LINE+1]]:31: error: 'pipelink::stage': version '1.0.0-' must be MAJOR.MINOR.PATCH
struct [[pipelink::stage("i", "1.0.0-")]] i;
#else
struct [[pipelink::stage("_org.x-y.Z9", "10.0.21-rc.1-b")]] stage;
[[pipelink::shared(LONG "1234", 16)]] extern __shared__ char e[];
#endif
