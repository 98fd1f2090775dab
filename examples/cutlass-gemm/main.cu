// main.cu - sets up one GEMM with CUTLASS's host code, then runs it as linked by PipeLink and as built by nvcc.
//
//   cutlass-gemm [--shape=M,N,K]... CUBIN...
//
// Every CUBIN is a linked kernel with its launch file beside it. They get the very parameters that CUTLASS's adapter
// has computed, as bytes, and are launched in turn with the adapter's own kernel, which nvcc compiled into this
// program. Each result is checked against a GEMM in double precision; then all are timed, interleaved.
#include "gemm_kernel.h"
#include "reference.h"

#include <pipelink/pipelink.h>

#include <cutlass/gemm/device/gemm_universal_adapter.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Adapter = cutlass::gemm::device::GemmUniversalAdapter<gemm::Kernel>;

struct Shape {
  int m, n, k;
};

void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

void check(cutlass::Status status, const char *what) {
  if (status != cutlass::Status::kSuccess)
    throw std::runtime_error(std::string(what) + ": " + cutlass::cutlassGetStatusString(status));
}

void check(const pipelink_error &error) {
  if (error.code != PIPELINK_OK)
    throw std::runtime_error(error.text);
}

// Memory on the device for `count` elements.
template <typename T> class DeviceArray {
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

struct FreeKernel {
  void operator()(pipelink_kernel *kernel) const { pipelink_kernel_free(kernel); }
};
using Kernel = std::unique_ptr<pipelink_kernel, FreeKernel>;

Kernel load(const char *cubin) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = nullptr;
  pipelink_kernel_load(cubin, nullptr, &kernel, &error);
  check(error);
  return Kernel(kernel);
}

// One way to run the same GEMM, and what was seen of it.
struct Variant {
  std::string name;
  std::function<void(cudaStream_t)> launch;
  unsigned long long wrong = 0;         // elements
  std::vector<float> milliseconds = {}; // per launch, one sample a round
};

Adapter::Arguments arguments_for(Shape shape, const gemm::Element *a, const gemm::Element *b, gemm::Element *d,
                                 float alpha) {
  const gemm::Kernel::StrideA stride_a{shape.k, {}, 0};
  const gemm::Kernel::StrideB stride_b{shape.k, {}, 0};
  const gemm::Kernel::StrideC stride_c{shape.n, {}, 0};
  const gemm::Kernel::StrideD stride_d{shape.n, {}, 0};
  Adapter::Arguments arguments{
      cutlass::gemm::GemmUniversalMode::kGemm,
      {shape.m, shape.n, shape.k, 1},
      {a, stride_a, b, stride_b},
      {{alpha, 0.0f}, nullptr, stride_c, d, stride_d},
      cutlass::KernelHardwareInfo::make_kernel_hardware_info<gemm::Kernel>(),
  };
  arguments.scheduler.max_swizzle_size = 8; // CTAs that run together share rows of A and columns of B in L2
  return arguments;
}

// A number of launches of one variant, recorded once and replayed without the host in between.
class Recording {
public:
  Recording(const Variant &variant, int launches, cudaStream_t on) : count(launches), stream(on) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
    for (int i = 0; i < count; ++i)
      variant.launch(stream);
    check(cudaStreamEndCapture(stream, &graph), "recording");
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "recording");
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
  }
  Recording(const Recording &) = delete;
  ~Recording() {
    cudaEventDestroy(end);
    cudaEventDestroy(begin);
    cudaGraphExecDestroy(executable);
  }

  // Milliseconds per launch.
  float time() const {
    float milliseconds = 0;
    check(cudaEventRecord(begin, stream), "event");
    check(cudaGraphLaunch(executable, stream), "replay");
    check(cudaEventRecord(end, stream), "event");
    check(cudaEventSynchronize(end), "replay");
    check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    return milliseconds / static_cast<float>(count);
  }

private:
  const int count;
  const cudaStream_t stream;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};

// Rounds in which every variant has its turn, each round beginning with another one: clocks and heat hit all alike.
void time_interleaved(std::vector<Variant> &variants, cudaStream_t stream) {
  constexpr size_t rounds = 40;
  constexpr float sample_milliseconds = 2.0f; // long against what an event costs
  const Recording first(variants[0], 1, stream);
  first.time(); // the first one only warms up
  const int count = std::max(1, static_cast<int>(sample_milliseconds / first.time()));

  std::vector<std::unique_ptr<Recording>> recordings;
  for (const Variant &variant : variants) {
    recordings.push_back(std::make_unique<Recording>(variant, count, stream));
    recordings.back()->time();
  }
  for (size_t round = 0; round < rounds; ++round)
    for (size_t turn = 0; turn < variants.size(); ++turn) {
      const size_t i = (round + turn) % variants.size();
      variants[i].milliseconds.push_back(recordings[i]->time());
    }
}

float median(std::vector<float> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// How fast `variant` is compared with `base`: the median over rounds, so that drift cancels.
float speed_ratio(const Variant &variant, const Variant &base) {
  std::vector<float> ratios;
  for (size_t round = 0; round < variant.milliseconds.size(); ++round)
    ratios.push_back(base.milliseconds[round] / variant.milliseconds[round]);
  return median(ratios);
}

// True when every variant computed the right matrix.
bool run(Shape shape, const std::vector<const char *> &names, const std::vector<Kernel> &kernels, cudaStream_t stream) {
  const float alpha = 0.5f;
  const DeviceArray<gemm::Element> a(size_t(shape.m) * shape.k);
  const DeviceArray<gemm::Element> b(size_t(shape.n) * shape.k);
  const DeviceArray<gemm::Element> d(size_t(shape.m) * shape.n);
  reference::fill_random(a.get(), a.size, 1);
  reference::fill_random(b.get(), b.size, 2);

  Adapter adapter;
  const Adapter::Arguments arguments = arguments_for(shape, a.get(), b.get(), d.get(), alpha);
  const DeviceArray<char> workspace(std::max<size_t>(1, Adapter::get_workspace_size(arguments)));
  check(adapter.can_implement(arguments), "shape");
  check(adapter.initialize(arguments, workspace.get()), "initialize");
  const Adapter::Params &parameters = adapter.params();
  const dim3 grid = Adapter::get_grid_shape(parameters);

  std::vector<Variant> variants;
  variants.push_back({"nvcc", [&](cudaStream_t on) { check(adapter.run(on), "launch"); }});
  for (size_t i = 0; i < kernels.size(); ++i) {
    pipelink_kernel *kernel = kernels[i].get();
    pipelink_error error = PIPELINK_ERROR_INIT;
    pipelink_kernel_set_bytes(kernel, "cutlass_gemm", &parameters, sizeof parameters, &error);
    check(error);
    variants.push_back({names[i], [kernel, grid](cudaStream_t on) {
                          pipelink_error error = PIPELINK_ERROR_INIT;
                          pipelink_launch_options launch = {sizeof launch, {grid.x, grid.y, grid.z}, on};
                          pipelink_kernel_launch(kernel, &launch, &error);
                          check(error);
                        }});
  }

  for (Variant &variant : variants) {
    d.poison();
    variant.launch(nullptr);
    variant.wrong = reference::count_wrong(a.get(), b.get(), d.get(), alpha, shape.m, shape.n, shape.k);
    check(cudaGetLastError(), variant.name.c_str());
  }
  time_interleaved(variants, stream);

  bool all_right = true;
  for (const Variant &variant : variants) {
    const float milliseconds = median(variant.milliseconds);
    const double operations = 2.0 * shape.m * shape.n * shape.k;
    const std::string text = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
    std::printf("%-16s  %-18s %9.4f %9.1f %9.3f  ", text.c_str(), variant.name.c_str(), milliseconds,
                operations / milliseconds * 1e-9, speed_ratio(variant, variants[0]));
    if (variant.wrong == 0)
      std::printf("right\n");
    else
      std::printf("WRONG: %llu elements\n", variant.wrong);
    all_right = all_right && variant.wrong == 0;
  }
  return all_right;
}

struct Request {
  std::vector<Shape> shapes;
  std::vector<const char *> cubins;
};

// False when an argument makes no sense.
bool read_arguments(int count, char **arguments, Request &request) {
  for (int i = 1; i < count; ++i) {
    Shape shape;
    if (std::strncmp(arguments[i], "--", 2) != 0)
      request.cubins.push_back(arguments[i]);
    else if (std::sscanf(arguments[i], "--shape=%d,%d,%d", &shape.m, &shape.n, &shape.k) == 3)
      request.shapes.push_back(shape);
    else
      return false;
  }
  if (request.shapes.empty()) // the first has edges that no tile fills
    request.shapes = {{1000, 1160, 328}, {2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}};
  return !request.cubins.empty();
}

} // namespace

int main(int argument_count, char **arguments) {
  Request request;
  if (!read_arguments(argument_count, arguments, request)) {
    std::fprintf(stderr, "usage: %s [--shape=M,N,K]... CUBIN...\n", arguments[0]);
    return 2;
  }
  try {
    cudaStream_t stream = nullptr;
    check(cudaSetDevice(0), "GPU");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream"); // the default one cannot be recorded
    std::vector<Kernel> kernels;
    for (const char *cubin : request.cubins)
      kernels.push_back(load(cubin));
    std::printf("%-16s  %-18s %9s %9s %9s\n", "M x N x K", "build", "ms", "TFLOP/s", "of nvcc");
    bool all_right = true;
    for (Shape shape : request.shapes)
      all_right = run(shape, request.cubins, kernels, stream) && all_right;
    return all_right ? 0 : 1;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s: %s\n", arguments[0], failure.what());
    return 1;
  }
}
