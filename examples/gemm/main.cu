// main.cu - runs builds of the GEMM, checks every element, and times them in turn with cuBLAS.
//
//   gemm [--shape=M,N,K]... [--epilogue=bias_silu] [--launch=FILE] [--no-timing] CUBIN...
//
// Every CUBIN is a linked kernel with its launch file beside it, or a unit build, which runs with FILE. bias_silu is
// for kernels that were linked with that epilogue.
#include "cublas.h"
#include "reference.h"
#include "timing.h"

#include <pipelink/pipelink.h>

#include <cstdio>
#include <cstring>

namespace {

struct Shape {
  unsigned m, n, k;
};

struct Request {
  std::vector<Shape> shapes;
  std::vector<std::string> cubins;
  std::string launch;
  Epilogue epilogue = Epilogue::none;
  bool is_timed = true;
};

void check(const pipelink_error &error) {
  if (error.code != PIPELINK_OK)
    throw std::runtime_error(error.text);
}

struct FreeKernel {
  void operator()(pipelink_kernel *kernel) const { pipelink_kernel_free(kernel); }
};
using Kernel = std::unique_ptr<pipelink_kernel, FreeKernel>;

bool is_readable(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  return file && std::fclose(file) == 0;
}

Kernel load(const std::string &cubin, const std::string &launch) {
  const std::string own = cubin.substr(0, cubin.rfind(".cubin")) + ".launch.json";
  pipelink_load_options options = {};
  options.size = sizeof options;
  if (!is_readable(own)) {
    options.launch_path = launch.c_str();
    options.other_cubin = 1;
  }
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = nullptr;
  pipelink_kernel_load(cubin.c_str(), &options, &kernel, &error);
  check(error);
  return Kernel(kernel);
}

// `rows` x `columns` in row-major order; load.cu declares the rest of what TMA needs to know.
void set_matrix(pipelink_kernel *kernel, const char *name, const __nv_bfloat16 *matrix, unsigned rows, unsigned columns,
                pipelink_error *error) {
  pipelink_tensor tensor = {};
  tensor.size = sizeof tensor;
  tensor.address = reinterpret_cast<uintptr_t>(matrix);
  tensor.rank = 2;
  tensor.extents[0] = columns;
  tensor.extents[1] = rows;
  pipelink_kernel_set_tensor(kernel, name, &tensor, error);
}

struct Matrices {
  Matrices(Shape shape)
      : a(size_t(shape.m) * shape.k), b(size_t(shape.n) * shape.k), bias(shape.n), c(size_t(shape.m) * shape.n + 4096) {
    fill_random(a, 1);
    fill_random(b, 2);
    fill_random(bias, 3);
  }

  const DeviceArray<__nv_bfloat16> a, b, bias, c; // behind C is room that nobody may write to
};

void set_parameters(pipelink_kernel *kernel, Shape shape, const Matrices &matrices) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  set_matrix(kernel, "load.a", matrices.a.get(), shape.m, shape.k, &error);
  set_matrix(kernel, "load.b", matrices.b.get(), shape.n, shape.k, &error);
  pipelink_kernel_set_pointer(kernel, "mma.c", reinterpret_cast<uintptr_t>(matrices.c.get()), &error);
  pipelink_kernel_set_pointer(kernel, "mma.bias", reinterpret_cast<uintptr_t>(matrices.bias.get()), &error);
  for (const std::string stage : {"load", "mma"}) {
    pipelink_kernel_set_unsigned(kernel, (stage + ".m").c_str(), shape.m, &error);
    pipelink_kernel_set_unsigned(kernel, (stage + ".n").c_str(), shape.n, &error);
    pipelink_kernel_set_unsigned(kernel, (stage + ".k").c_str(), shape.k, &error);
  }
  check(error);
}

// One CTA for each SM; they share the tiles out among themselves.
void launch(pipelink_kernel *kernel, cudaStream_t stream) {
  pipelink_kernel_properties properties = {};
  properties.size = sizeof properties;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel_get_properties(kernel, &properties, &error);
  const pipelink_launch_options options = {sizeof options, {properties.multiprocessors, 1, 1}, stream};
  pipelink_kernel_launch(kernel, &options, &error);
  check(error);
}

std::string base_name(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

// The build that nvcc made in one piece, if it is among them: the other thing to be measured by.
const Variant *built_by_nvcc(const std::vector<Variant> &variants) {
  const auto found = std::find_if(variants.begin(), variants.end(), [](const Variant &variant) {
    return variant.name.find(".nvcc.") != std::string::npos;
  });
  return found == variants.end() ? nullptr : &*found;
}

// SHAPE BUILD MILLISECONDS TFLOP/S RATIO-TO-LAST RATIO-TO-NVCC right|WRONG
void print(Shape shape, const std::vector<Variant> &variants, bool is_timed) {
  const Variant *nvcc = built_by_nvcc(variants);
  const std::string text = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
  for (const Variant &variant : variants) {
    std::printf("%-18s %-24s ", text.c_str(), variant.name.c_str());
    if (is_timed) {
      const float milliseconds = median(variant.milliseconds);
      const double operations = 2.0 * shape.m * shape.n * shape.k;
      std::printf("%9.4f %9.1f %9.4f %9.4f  ", milliseconds, operations / milliseconds * 1e-9,
                  speed_ratio(variant, variants.back()), nvcc ? speed_ratio(variant, *nvcc) : 0.0f);
    }
    if (variant.wrong == 0)
      std::printf("right\n");
    else
      std::printf("WRONG: %llu elements\n", variant.wrong);
  }
  std::fflush(stdout);
}

// True when every variant computed the right matrix.
bool run(Shape shape, const Request &request, const std::vector<Kernel> &kernels, const Cublas *cublas,
         cudaStream_t stream) {
  const Matrices matrices(shape);
  const Reference reference(matrices.a.get(), matrices.b.get(), matrices.bias.get(), request.epilogue, shape.m, shape.n,
                            shape.k);
  std::vector<Variant> variants;
  for (size_t i = 0; i < kernels.size(); ++i) {
    pipelink_kernel *kernel = kernels[i].get();
    set_parameters(kernel, shape, matrices);
    variants.push_back({base_name(request.cubins[i]), [kernel](cudaStream_t on) { launch(kernel, on); }});
  }
  if (cublas && cublas->is_there())
    variants.push_back({"cuBLAS", [&](cudaStream_t on) {
                          cublas->multiply(matrices.a.get(), matrices.b.get(), matrices.c.get(), shape.m, shape.n,
                                           shape.k, on);
                        }});
  bool all_right = true;
  for (Variant &variant : variants) {
    matrices.c.poison();
    check(cudaDeviceSynchronize(), "poison"); // the stream does not wait for the default one
    variant.launch(stream);
    check(cudaStreamSynchronize(stream), variant.name.c_str());
    variant.wrong = reference.count_wrong(matrices.c);
    all_right = all_right && variant.wrong == 0;
  }
  if (request.is_timed)
    time_interleaved(variants, 60, stream);
  print(shape, variants, request.is_timed);
  return all_right;
}

// False when an argument makes no sense.
bool read_arguments(int count, char **arguments, Request &request) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    Shape shape;
    if (argument.rfind("--", 0) != 0)
      request.cubins.push_back(argument);
    else if (std::sscanf(arguments[i], "--shape=%u,%u,%u", &shape.m, &shape.n, &shape.k) == 3)
      request.shapes.push_back(shape);
    else if (argument.rfind("--launch=", 0) == 0)
      request.launch = argument.substr(std::strlen("--launch="));
    else if (argument == "--epilogue=bias_silu")
      request.epilogue = Epilogue::bias_silu;
    else if (argument == "--no-timing")
      request.is_timed = false;
    else
      return false;
  }
  for (Shape shape : request.shapes)
    if (shape.m == 0 || shape.n == 0 || shape.k == 0 || shape.n % 8 != 0 || shape.k % 8 != 0)
      return false; // 16-byte stores, and strides of tensor maps
  if (request.shapes.empty())
    request.shapes = {{2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 16384, 16384}};
  return !request.cubins.empty();
}

} // namespace

int main(int argument_count, char **arguments) {
  Request request;
  if (!read_arguments(argument_count, arguments, request)) {
    std::fprintf(stderr,
                 "usage: %s [--shape=M,N,K]... [--epilogue=bias_silu] [--launch=FILE] [--no-timing] CUBIN...\n"
                 "N and K are multiples of 8.\n",
                 arguments[0]);
    return 2;
  }
  try {
    cudaStream_t stream = nullptr;
    check(cudaSetDevice(0), "GPU");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream"); // the default one cannot be recorded
    std::vector<Kernel> kernels;
    for (const std::string &cubin : request.cubins)
      kernels.push_back(load(cubin, request.launch));
    std::unique_ptr<Cublas> cublas;
    if (request.is_timed && request.epilogue == Epilogue::none)
      cublas = std::make_unique<Cublas>();
    if (cublas && !cublas->is_there())
      std::printf("no cuBLAS here: ratios are to the last build\n");
    if (request.is_timed)
      std::printf("%-18s %-24s %9s %9s %9s\n", "M x N x K", "build", "ms", "TFLOP/s", "ratio");
    bool all_right = true;
    for (Shape shape : request.shapes)
      all_right = run(shape, request, kernels, cublas.get(), stream) && all_right;
    return all_right ? 0 : 1;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s: %s\n", arguments[0], failure.what());
    return 1;
  }
}
