// What the class of a variable says of itself becomes the node, whatever it is: nothing in the plugin knows rings. The
// variable stays in the module, external, also when nothing uses it, in namespaces and in templates.
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=MODULE --implicit-check-not='{{^@}}'
#include <pipelink/resource.h>
PIPELINK_STAGE("org.described", "1.0.0");
namespace own {
enum class Colour : short { red = -1, green };
enum Plain { first, second };
struct options {
  static constexpr bool yes = true, no = false;
  static constexpr unsigned char small = 255;
  static constexpr long long negative = -5;
  static constexpr Colour colour = Colour::red;
  static constexpr Plain plain = second;
  static constexpr const char *text = "a \"b\"";
  static const int old = 3;
};
struct mine : options {
  static constexpr Colour colour = Colour::green;
};
template <class T, class Options, int... N> struct thing {
  struct contract : Options {
    static constexpr const char *kind = "thing";
    using payload = T;
    typedef T *address;
    static constexpr unsigned size = sizeof(T), list[] = {N...};
    static constexpr const char *which = sizeof(T) > 4 ? "big" : Options::text;
    __host__ __device__ static int function() { return 0; }
    struct nested {};
  };
  unsigned value;
};
// CHECK: @_ZN3own4usedE {"address":{{.*}}"colour":"green","kind":"thing","list":[1,2,3],"loc":{{.*}},"name":"used","negative":-5,"no":false,"old":3,"payload":{"align":8,"bits":64,"kind":"float","name":"double","size":8},"plain":"second","size":8,"small":255,"symbol":"_ZN3own4usedE","text":"a \"b\"","which":"big","yes":true}
[[pipelink::resource("used")]] extern __device__ const thing<double, mine, 1, 2, 3> used;
// MODULE-DAG: @_ZN3own4usedE = external {{.*}}addrspace(1) {{.*}}
} // namespace own

struct derived : own::thing<int, own::options, 7> {};
// CHECK: @unused {{.*}}"colour":"red",{{.*}}"list":[7],{{.*}}"name":"unused",{{.*}}"size":4,{{.*}}"which":"a \"b\""
[[pipelink::resource("unused")]] extern __device__ const derived unused;
// MODULE-DAG: @unused = external {{.*}}addrspace(1) {{.*}}

template <int N> struct Holder {
  [[pipelink::resource("held")]] static __device__ const own::thing<int[N], own::options, N> held;
};
// CHECK: @_ZN6HolderILi4EE4heldE {{.*}}"list":[4],{{.*}}"name":"held",{{.*}}"size":16
template struct Holder<4>;
// MODULE-DAG: @_ZN6HolderILi4EE4heldE = external {{.*}}addrspace(1) {{.*}}

template <int N> [[pipelink::resource("variable")]] extern __device__ const own::thing<char[N], own::options, 0> variable;
// CHECK: @_Z8variableILi3EE {{.*}}"name":"variable",{{.*}}"size":3
[[pipelink::role("run", 1)]] __device__ void run() { asm volatile("" ::"r"(variable<3>.value), "r"(own::used.value)); }
// MODULE-DAG: @_Z8variableILi3EE = external {{.*}}addrspace(1) {{.*}}
// MODULE-DAG: @llvm.{{.*}}used = {{.*}}
