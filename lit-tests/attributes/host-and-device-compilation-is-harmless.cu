// The plugin acts on the device side only: one command compiles a whole program with a stage in it, the host side never
// sees a contract, and what is not asked for as bitcode is optimised as always.
// RUN: %clang -x cuda --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -O3 -I%include -fplugin=%plugin -Wall -Wextra -Werror -c %s -o %t.o
// RUN: llvm-nm --defined-only %t.o | FileCheck %s --check-prefix=NAMES
// RUN: %clang -x cuda --cuda-host-only --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -O3 -I%include -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -std=c++17 -O3 -I%include -fplugin=%plugin -S %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %clang -x c++ -std=c++17 -I%include -fplugin=%plugin -Wall -Werror -DPLAIN -c %s -o %t.o
#include <pipelink/stage.h>
PIPELINK_STAGE("org.whole", "1.0.0");
struct PIPELINK_PARAMS Params { int *x; };

#ifndef PLAIN
PIPELINK_EXPORT("twice") __device__ int twice(int x) { return 2 * x; }
// PTX: .entry _Z6kernelPi
// PTX-NOT: .local
// PTX-NOT: call
// PTX: ret;
__global__ void kernel(int *x) { *x = twice(*x); }
int launch(int *x) { kernel<<<1, 1>>>(x); return 0; }
#endif

// NAMES: launch
// HOST-NOT: pipelink
// HOST: define{{.*}}launch
// HOST-NOT: pipelink
