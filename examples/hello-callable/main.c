/* main.c - loads the linked kernel, runs it on random input and checks every value.
 *
 *   hello-callable CUBIN [LAUNCH_FILE]
 *
 * The launch file is found beside the cubin. Name one for a cubin that the linker did not make but that takes the same
 * parameters: the unit build. */
#include <pipelink/pipelink.h>

#include <cuda_runtime_api.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What scale.cu computes, in double precision. */
static double soft_clip(double x) {
  const double inside = fmin(fmax(x, -1.0), 1.0);
  return inside * (1.5 - 0.5 * inside * inside);
}

/* Uniform in [-2, 2): a quarter of the values lies outside of [-1, 1] on each side. */
static float random_value(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (float)(*state >> 40) / (float)(1 << 22) - 2.0f;
}

/* Two units in the last place of 1: the order of rounding is the compiler's choice. */
static const double tolerance = 2.4e-7;

/* One more value than the kernel is told about has room: it must stay NaN, and all others must not. */
static bool output_is_right(const float *output, const float *input, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double expected = soft_clip(input[i]);
    if (!(fabs(output[i] - expected) <= tolerance)) { /* also true for NaN */
      fprintf(stderr, "output[%zu] is %.9g, expected %.9g\n", i, output[i], expected);
      return false;
    }
  }
  if (!isnan(output[count])) {
    fprintf(stderr, "output[%zu] was written, but there are only %zu values\n", count, count);
    return false;
  }
  return true;
}

static bool run(pipelink_kernel *kernel, size_t count, unsigned long long seed) {
  const size_t input_bytes = count * sizeof(float);
  const size_t output_bytes = (count + 1) * sizeof(float);
  float *input = malloc(input_bytes);
  float *output = malloc(output_bytes);
  void *device_input = NULL;
  void *device_output = NULL;
  bool right = false;

  if (!input || !output || cudaMalloc(&device_input, input_bytes) || cudaMalloc(&device_output, output_bytes)) {
    fprintf(stderr, "out of memory for %zu values\n", count);
    goto done;
  }
  for (size_t i = 0; i < count; ++i)
    input[i] = random_value(&seed);
  cudaMemcpy(device_input, input, input_bytes, cudaMemcpyHostToDevice);
  cudaMemset(device_output, 0xff, output_bytes); /* every value a NaN */

  /* The role walks over its input with the whole grid, so any grid is right; this one fills the GPU once. */
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel_properties gpu = {.size = sizeof gpu};
  pipelink_kernel_get_properties(kernel, &gpu, &error);
  const pipelink_launch_options launch = {
      .size = sizeof launch,
      .grid = {gpu.multiprocessors * gpu.ctas_per_multiprocessor, 1, 1},
  };
  pipelink_kernel_set_pointer(kernel, "caller.output", (uintptr_t)device_output, &error);
  pipelink_kernel_set_pointer(kernel, "caller.input", (uintptr_t)device_input, &error);
  pipelink_kernel_set_unsigned(kernel, "caller.count", count, &error);
  pipelink_kernel_launch(kernel, &launch, &error);
  if (error.code) { /* the first error of all these calls */
    fprintf(stderr, "%s\n", error.text);
    goto done;
  }
  const cudaError_t status = cudaMemcpy(output, device_output, output_bytes, cudaMemcpyDeviceToHost);
  if (status) {
    fprintf(stderr, "the kernel failed: %s\n", cudaGetErrorString(status));
    goto done;
  }
  right = output_is_right(output, input, count);
  if (right)
    printf("%zu values: right\n", count);

done:
  cudaFree(device_output);
  cudaFree(device_input);
  free(output);
  free(input);
  return right;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2 && argument_count != 3) {
    fprintf(stderr, "usage: %s CUBIN [LAUNCH_FILE]\n", arguments[0]);
    return 2;
  }
  if (cudaSetDevice(0)) { /* also makes the context that the kernel is loaded into */
    fprintf(stderr, "no usable GPU\n");
    return 1;
  }

  pipelink_error error = PIPELINK_ERROR_INIT;
  const pipelink_load_options options = {
      .size = sizeof options,
      .launch_path = argument_count == 3 ? arguments[2] : NULL,
      .other_cubin = argument_count == 3,
  };
  pipelink_kernel *kernel = NULL;
  if (pipelink_kernel_load(arguments[1], &options, &kernel, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }

  const unsigned long long seed = (unsigned long long)time(NULL);
  printf("%s, seed %llu\n", arguments[1], seed);
  const bool right = run(kernel, 1, seed) && run(kernel, 31, seed) && run(kernel, 1048577, seed);
  pipelink_kernel_free(kernel);
  return right ? 0 : 1;
}
