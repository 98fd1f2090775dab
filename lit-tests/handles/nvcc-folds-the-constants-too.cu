// The same headers, the same unit build by nvcc: no constant is left to load, and every GPU has it.
// REQUIRES: nvcc
// RUN: rm -rf %t && mkdir %t && cp %S/a-ring-may-have-any-depth.cu %S/every-call-becomes-the-instruction-it-names.cu %S/the-headers-compile-for-every-gpu.cu %t && cd %t
// RUN: for source in *.cu; do %nvcc -ptx -arch=sm_90a -std=c++17 -O3 -DDEPTH=5 -I%include -Werror all-warnings $source -o $source.ptx || exit 1; \
// RUN:   FileCheck %s --implicit-check-not=.local --implicit-check-not='{{ld.(global|const)}}' < $source.ptx || exit 1; done
// RUN: for arch in sm_100a sm_103a sm_120a sm_121a; do %nvcc -cubin -arch=$arch -std=c++17 -O3 -I%include -Werror all-warnings the-headers-compile-for-every-gpu.cu -o $arch.cubin || exit 1; done
// CHECK: .entry kernel
// CHECK: ret;
