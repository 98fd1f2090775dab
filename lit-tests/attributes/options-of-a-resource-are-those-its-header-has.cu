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
// What the compiler would not notice by itself, because the header makes nothing of the option.
struct thing_options {
  static constexpr unsigned size = 1;
};
template <class Options> struct thing {
  struct contract : Options { static constexpr const char *kind = "thing"; };
};
struct Private : thing_options {
private:
  // CHECK: [[@LINE+1]]:29: error: 'size' is an option and cannot be private
  static constexpr unsigned size = 2;
};
[[pipelink::resource("b")]] extern __device__ const thing<Private> b;
struct Fraction : thing_options {
  // CHECK: [[@LINE+1]]:27: error: 'size' must be a constant: an integer, a bool, an enumerator, a string (const char *) or an array of integers
  static constexpr double size = 0.5;
};
[[pipelink::resource("c")]] extern __device__ const thing<Fraction> c;
struct Variable : thing_options {
  // CHECK: [[@LINE+1]]:19: error: 'size' must be a constant
  static unsigned size;
};
[[pipelink::resource("d")]] extern __device__ const thing<Variable> d;
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
