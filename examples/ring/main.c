/* main.c - loads the linked kernel, runs it on random rows and checks every value.
 *
 *   ring CUBIN [LAUNCH_FILE]
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

enum { COLUMNS = 1024 };
static const float epsilon = 1e-5f;

/* Uniform in [-2, 2). */
static float random_value(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (float)(*state >> 40) / (float)(1 << 22) - 2.0f;
}

/* Of each value; a warp's sum of 1024 squares in single precision is the largest part of it. */
static const double tolerance = 2e-6;

static bool row_is_right(const float *output, const float *input, size_t row) {
  double squares = 0;
  for (size_t i = 0; i < COLUMNS; ++i)
    squares += (double)input[i] * input[i];
  const double scale = 1 / sqrt(squares / COLUMNS + (double)epsilon);
  for (size_t i = 0; i < COLUMNS; ++i) {
    const double expected = input[i] * scale;
    if (!(fabs(output[i] - expected) <= tolerance * fabs(expected))) { /* also true for NaN */
      fprintf(stderr, "row %zu, column %zu is %.9g, expected %.9g\n", row, i, output[i], expected);
      return false;
    }
  }
  return true;
}

/* One more row than the kernel is told about has room: it must stay NaN. */
static bool output_is_right(const float *output, const float *input, size_t rows) {
  for (size_t row = 0; row < rows; ++row)
    if (!row_is_right(output + row * COLUMNS, input + row * COLUMNS, row))
      return false;
  for (size_t i = 0; i < COLUMNS; ++i) {
    if (!isnan(output[rows * COLUMNS + i])) {
      fprintf(stderr, "row %zu was written, but there are only %zu\n", rows, rows);
      return false;
    }
  }
  return true;
}

static bool run(pipelink_kernel *kernel, size_t rows, unsigned long long seed) {
  const size_t input_bytes = rows * COLUMNS * sizeof(float);
  const size_t output_bytes = (rows + 1) * COLUMNS * sizeof(float);
  float *input = malloc(input_bytes);
  float *output = malloc(output_bytes);
  void *device_input = NULL;
  void *device_output = NULL;
  bool right = false;

  if (!input || !output || cudaMalloc(&device_input, input_bytes) || cudaMalloc(&device_output, output_bytes)) {
    fprintf(stderr, "out of memory for %zu rows\n", rows);
    goto done;
  }
  for (size_t i = 0; i < rows * COLUMNS; ++i)
    input[i] = random_value(&seed);
  cudaMemcpy(device_input, input, input_bytes, cudaMemcpyHostToDevice);
  cudaMemset(device_output, 0xff, output_bytes); /* every value a NaN */

  /* The roles walk over the rows with the whole grid, so any grid is right; this one fills the GPU once. */
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel_properties gpu = {.size = sizeof gpu};
  pipelink_kernel_get_properties(kernel, &gpu, &error);
  const pipelink_launch_options launch = {
      .size = sizeof launch,
      .grid = {gpu.multiprocessors * gpu.ctas_per_multiprocessor, 1, 1},
  };
  pipelink_kernel_set_pointer(kernel, "load.input", (uintptr_t)device_input, &error);
  pipelink_kernel_set_unsigned(kernel, "load.rows", rows, &error);
  pipelink_kernel_set_pointer(kernel, "normalise.output", (uintptr_t)device_output, &error);
  pipelink_kernel_set_unsigned(kernel, "normalise.rows", rows, &error);
  pipelink_kernel_set_float(kernel, "normalise.epsilon", (double)epsilon, &error);
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
  right = output_is_right(output, input, rows);
  if (right)
    printf("%zu rows: right\n", rows);

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

  /* One row; a slot that is not full; the ring's slots used once, and many times over. */
  const unsigned long long seed = (unsigned long long)time(NULL);
  printf("%s, seed %llu\n", arguments[1], seed);
  const bool right =
      run(kernel, 1, seed) && run(kernel, 7, seed) && run(kernel, 4096, seed) && run(kernel, 100003, seed);
  pipelink_kernel_free(kernel);
  return right ? 0 : 1;
}
