// cublas.h - cuBLAS's GEMM to compare with, where the machine has cuBLAS: it is loaded when asked for.
#ifndef GEMM_CUBLAS_H
#define GEMM_CUBLAS_H

#include "device.h"

#include <cuda_bf16.h>
#include <dlfcn.h>

class Cublas {
public:
  Cublas() : workspace(workspace_bytes) {
    for (const char *name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
      if (!library)
        library = dlopen(name, RTLD_NOW);
    const auto create = entry<int (*)(void **)>("cublasCreate_v2");
    set_stream = entry<decltype(set_stream)>("cublasSetStream_v2");
    set_workspace = entry<decltype(set_workspace)>("cublasSetWorkspace_v2");
    gemm = entry<decltype(gemm)>("cublasGemmEx");
    if (!create || !set_stream || !set_workspace || !gemm || create(&handle) != 0)
      handle = nullptr;
  }
  Cublas(const Cublas &) = delete; // the library stays loaded until the program ends

  bool is_there() const { return handle; }

  // C = A B: A is m x k, B n x k, both along k; C is row major.
  void multiply(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, unsigned m, unsigned n, unsigned k,
                cudaStream_t stream) const {
    constexpr int transposed = 1, plain = 0, type_bf16 = 14, compute_32f = 68, algorithm_default = -1;
    const float one = 1, zero = 0;
    int status = set_stream(handle, stream);
    if (status == 0) // setting the stream takes the workspace away
      status = set_workspace(handle, workspace.get(), workspace_bytes);
    if (status == 0)
      status = gemm(handle, transposed, plain, int(n), int(m), int(k), &one, b, type_bf16, int(k), a, type_bf16, int(k),
                    &zero, c, type_bf16, int(n), compute_32f, algorithm_default);
    if (status != 0)
      throw std::runtime_error("cuBLAS: status " + std::to_string(status));
  }

private:
  static constexpr size_t workspace_bytes = size_t(64) << 20;

  template <class F> F entry(const char *name) const {
    return library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
  }

  DeviceArray<char> workspace;
  void *library = nullptr, *handle = nullptr;
  int (*set_stream)(void *, cudaStream_t) = nullptr;
  int (*set_workspace)(void *, void *, size_t) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
              const void *, void *, int, int, int, int) = nullptr;
};

#endif
