// An owner sets options by deriving from the header's. What the header does not have is an error where it stands, so a
// misspelt option is never silently the default.
// RUN: not %stage-cc -c %s -DWRONG -o %t.bc 2>&1 | FileCheck %s
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=GOOD
#include <pipelink/ring.h>
PIPELINK_STAGE("org.options", "1.0.0");
struct Slot { int x[4]; };

#ifdef WRONG
struct Misspelt : pipelink::ring_options {
  // CHECK: [[@LINE+2]]:29: error: 'pipelink::ring_options' has no option 'depht_min'; did you mean 'depth_min'?
  // CHECK: ring.h:{{.*}}: note: its options are here
  static constexpr unsigned depht_min = 2;
  // CHECK: [[@LINE+2]]:24: error: 'pipelink::ring_options' has no option 'tile_m'; other constants of an owner are private
  // CHECK: ring.h:{{.*}}: note: its options are here
  static constexpr int tile_m = 128;
};
[[pipelink::resource("a")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Misspelt>> a;
struct Private : pipelink::ring_options {
private:
  // CHECK: [[@LINE+1]]:29: error: 'priority' is an option and cannot be private
  static constexpr unsigned priority = 2;
};
[[pipelink::resource("b")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Private>> b;
struct Fraction : pipelink::ring_options {
  // CHECK: [[@LINE+1]]:27: error: 'priority' must be a constant: an integer, a bool, an enumerator, a string (const char *) or an array of integers
  static constexpr double priority = 0.5;
};
[[pipelink::resource("c")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Fraction>> c;
struct Variable : pipelink::ring_options {
  // CHECK: [[@LINE+1]]:19: error: 'priority' must be a constant
  static unsigned priority;
};
[[pipelink::resource("d")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Variable>> d;
#else
struct Shared : pipelink::ring_options {
  static constexpr unsigned depth_min = 2, depth_max = 8, depth_multiple{2};
  static constexpr long long priority = 7;
private:
  static constexpr unsigned tile = 128; // its own business
};
struct Deeper : Shared {
  static constexpr unsigned depth_max = 64; // the most derived one counts
  static constexpr const char *role = "run";
};
// GOOD: @a {{.*}}"depth_max":64,"depth_min":2,"depth_multiple":2,{{.*}}"priority":7,{{.*}}"role":"run"
[[pipelink::resource("a")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Deeper>> a;
// GOOD: @b {{.*}}"depth_max":8,"depth_min":2,"depth_multiple":2,
[[pipelink::resource("b")]] extern __device__ const pipelink::ring<Slot, pipelink::consumes<Shared>> b;
[[pipelink::role("run", 1)]] __device__ void run() {}
#endif
