// device.h - device memory that frees itself, and errors as exceptions, for the host program.
#ifndef GEMM_DEVICE_H
#define GEMM_DEVICE_H

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>

inline void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Memory on the device for `count` elements.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : size(count) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "device memory");
    data.reset(static_cast<T *>(memory));
  }
  T *get() const { return data.get(); }
  void poison() const { check(cudaMemset(get(), 0xff, size * sizeof(T)), "poison"); } // NaN, for floating point

  const size_t size;

private:
  struct Free {
    void operator()(T *memory) const { cudaFree(memory); }
  };
  std::unique_ptr<T, Free> data;
};

#endif
