// Both spellings and the macros, under plain clang, nvcc and host compilers, with every warning an error.
// RUN: %clang -x cuda --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -fgpu-rdc -Wall -Wextra -Werror -I%include -c %s -o %t.o
// RUN: %clang -x cuda --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -fgpu-rdc -Wall -Wextra -Werror -I%include -c %s -o %t.o -fplugin=%plugin
// RUN: %clang -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror -I%include -c %s -o %t.o
// RUN: %cc -x c++ -std=c++17 -Wall -Wextra -Werror -I%include -c %s -o %t.o
// RUN: %cc -x c -std=c17 -Wall -Wextra -pedantic -Werror -I%include -c %s -o %t.o
#include <pipelink/stage.h>

PIPELINK_STAGE("org.quiet", "1.0.0");
struct PIPELINK_PARAMS Params { int *x; };
struct PIPELINK_PARAMS_OPAQUE Bytes { int *x; };
#ifdef __cplusplus
struct [[pipelink::params]] Direct { int *x; };
struct __attribute__((pipelink_params)) Gnu { int *x; };
#endif
#ifdef __CUDACC__
PIPELINK_IMPORT("a") __device__ float a(float);
[[pipelink::import("b")]] __device__ float b(float);
PIPELINK_SHARED("buffer", 1024, 128) extern __shared__ char buffer[];
[[pipelink::shared("buffer2", 1024)]] extern __shared__ char buffer2[];
PIPELINK_ROLE("run", 1) PIPELINK_CLUSTER(2) __device__ void run(const Params &p) { *p.x = buffer[0] + int(a(1)); }
[[pipelink::role("run2", 1), pipelink::cluster(2)]] __device__ void run2(const Direct &p) { *p.x = buffer2[0] + int(b(1)); }
PIPELINK_EXPORT("e") __device__ float e(float x) { return x; }
__attribute__((pipelink_export("f"))) __device__ float f(float x) { return x + float(pipelink::grid_thread() + pipelink::grid_threads()) + pipelink::warp() + pipelink::lane(); }
#endif
