/* RUN: rm -rf %t && %make-kernel %t --kind=tensors && %make-kernel %t --name=hello2
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/a-tensor-map-is-encoded-from-its-declaration \
   RUN:   %t/hello.cubin %t/hello2.cubin
   RUN: FileCheck %s --input-file=%t/log

   The host names address, extents and strides; element type, box and swizzle are the stage's. Each refusal says what is
   wrong with which tensor, and stands beside a tensor that is taken.

   CHECK: launch {{.*}} 0:<bf16 4096x8192 +8192 box 64x128 0 3 3 0> 128:<u8 1 box 256 0 0 3 0>
   CHECK-SAME: 256:<f64 2x3x4x5x6 +16 +48 +192 +960 box 4x1x2x3x256 0 1 3 0>
   CHECK: launch {{.*}} 0:<bf16 4294967296x1 +1099511627760 box 64x128 0 3 3 0>
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <stdlib.h>

static pipelink_kernel *kernel;

static const pipelink_tensor matrix = {
    .size = sizeof matrix, .address = 0x1000, .rank = 2, .extents = {4096, 8192}, .strides = {8192}};

static void accepted(const char *name, pipelink_tensor tensor) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_set_tensor(kernel, name, &tensor, &error) == PIPELINK_OK);
  CHECK_TEXT(error.text, "");
}

static void refused(const char *name, pipelink_tensor tensor, pipelink_code code, const char *text) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_set_tensor(kernel, name, &tensor, &error) == code);
  CHECK_CONTAINS(error.text, text);
}

static void check_refusals(void) {
  pipelink_tensor tensor = matrix;
  refused("count", tensor, PIPELINK_ERROR_TYPE, "load.count has type int and cannot be set as a tensor");
  refused("b", tensor, PIPELINK_ERROR_NAME, "no parameter is called 'b'");
  tensor.rank = 3;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "load.a has 2 dimensions, it was given a tensor of 3");
  tensor = matrix;
  tensor.address = 0x1008;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "the tensor for load.a is at address 0x1008: a multiple of 16 is needed");
  tensor.address = 0;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "the tensor for load.a is at address 0x0: a multiple of 16 is needed");
  tensor = matrix;
  tensor.extents[1] = 0;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "the tensor for load.a has 0 elements in dimension 1: 1 to 2^32");
  tensor.extents[1] = ((uint64_t)1 << 32) + 1;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "has 4294967297 elements in dimension 1: 1 to 2^32 are possible");
  tensor = matrix;
  tensor.strides[0] = 8200;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "load.a has a stride of 8200 bytes in dimension 1: a multiple of 16");
  tensor.strides[0] = (uint64_t)1 << 40;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "load.a has a stride of 2^40 bytes or more in dimension 1");
  tensor = matrix;
  tensor.extents[0] = 4097;
  tensor.strides[0] = 0;
  refused("a", tensor, PIPELINK_ERROR_TYPE, "load.a has a stride of 8194 bytes in dimension 1: a multiple of 16");
  tensor = (pipelink_tensor){.size = sizeof tensor, .address = 16, .rank = 5, .extents = {2, 1, 1, 1, 1}};
  for (int i = 1; i < 5; i++)
    tensor.extents[i] = (uint64_t)1 << 32;
  refused("five", tensor, PIPELINK_ERROR_TYPE, "load.five has a stride of 2^40 bytes or more in dimension 3");
  tensor = matrix;
  tensor.size = 0;
  refused("a", tensor, PIPELINK_ERROR_ARGUMENT, "pipelink_tensor.size is 0");
  CHECK(pipelink_kernel_set_tensor(kernel, "a", NULL, NULL) == PIPELINK_ERROR_ARGUMENT);
  CHECK(pipelink_kernel_set_tensor(NULL, "a", &matrix, NULL) == PIPELINK_ERROR_ARGUMENT);
  setenv("FAKE_CUDA_FAIL", "cuTensorMapEncodeTiled:1", 1);
  refused("a", matrix, PIPELINK_ERROR_DRIVER, "tensor map of load.a: invalid argument (CUDA_ERROR_INVALID_VALUE)");
  unsetenv("FAKE_CUDA_FAIL");
}

static pipelink_parameter parameter(size_t index) {
  pipelink_parameter parameter = {.size = sizeof parameter};
  CHECK(pipelink_kernel_get_parameter(kernel, index, &parameter, NULL) == PIPELINK_OK);
  return parameter;
}

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {1, 1, 1}};
  CHECK(pipelink_kernel_load(argv[1], NULL, &kernel, &error) == PIPELINK_OK);

  pipelink_parameter a = parameter(0), count = parameter(3);
  CHECK(a.kind == PIPELINK_PARAMETER_BYTES && a.bytes == 128 && !a.is_set && !a.points_to_numbers);
  CHECK(a.tensor_rank == 2 && a.tensor_box[0] == 64 && a.tensor_box[1] == 128 && a.tensor_swizzle == 128);
  CHECK(a.element_kind == PIPELINK_PARAMETER_FLOAT && a.element_bits == 16 && a.element_is_bfloat);
  CHECK(count.tensor_rank == 0);
  a = (pipelink_parameter){.size = offsetof(pipelink_parameter, tensor_rank)}; /* an older program's */
  CHECK(pipelink_kernel_get_parameter(kernel, 0, &a, NULL) == PIPELINK_OK && a.bytes == 128 && !a.tensor_rank);

  check_refusals();
  CHECK(pipelink_kernel_set_integer(kernel, "count", 1, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_launch(kernel, &launch, &error) == PIPELINK_ERROR_UNSET);
  CHECK_CONTAINS(error.text, "load.a, load.line, load.five are not set"); /* a refusal sets nothing */

  accepted("load.a", matrix);
  CHECK(parameter(0).is_set);
  accepted("line", (pipelink_tensor){.size = sizeof matrix, .address = 16, .rank = 1, .extents = {1}});
  accepted("five", (pipelink_tensor){.size = sizeof matrix, .address = 16, .rank = 5, .extents = {2, 3, 4, 5, 6}});
  CHECK(pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_OK);

  pipelink_tensor largest = matrix;
  largest.extents[0] = (uint64_t)1 << 32;
  largest.extents[1] = 1;
  largest.strides[0] = ((uint64_t)1 << 40) - 16;
  accepted("a", largest);
  CHECK(pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_OK);
  pipelink_kernel_free(kernel);

  CHECK(pipelink_kernel_load(argv[2], NULL, &kernel, NULL) == PIPELINK_OK);
  refused("input", matrix, PIPELINK_ERROR_TYPE, "caller.input has type const float * and cannot be set as a tensor");
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
