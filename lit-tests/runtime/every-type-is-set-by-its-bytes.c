/* RUN: rm -rf %t && %make-kernel %t --kind=types
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/every-type-is-set-by-its-bytes %t/hello.cubin
   RUN: FileCheck %s < %t/log

   The parameter block as the kernel gets it, field by field with the padding between:

   CHECK:           launch {{.*}} parameters=80
   CHECK-SAME: {{^}}ff
   CHECK-SAME: {{^}}0080
   CHECK-SAME: {{^}}ffff
   CHECK-SAME: {{^}}0100
   CHECK-SAME: {{^}}feffffff
   CHECK-SAME: {{^}}ffffffff
   CHECK-SAME: {{^}}0000000000000080
   CHECK-SAME: {{^}}ffffffffffffffff
   CHECK-SAME: {{^}}0000c03f
   CHECK-SAME: {{^}}003e
   CHECK-SAME: {{^}}c0bf
   CHECK-SAME: {{^}}182d4454fb210940
   CHECK-SAME: {{^}}010000000200000003000000
   CHECK-SAME: {{^}}00000000
   CHECK-SAME: {{^}}feffffffffffffffffffffffffffffff{{$}}
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  const int shape[3] = {1, 2, 3};
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {1, 1, 1}};
  pipelink_kernel_load(argv[1], NULL, &kernel, &error);
  pipelink_kernel_set_integer(kernel, "stage.i8", -128, &error);
  pipelink_kernel_set_integer(kernel, "stage.u8", 255, &error);
  pipelink_kernel_set_integer(kernel, "stage.i16", -32768, &error);
  pipelink_kernel_set_unsigned(kernel, "stage.u16", 65535, &error);
  pipelink_kernel_set_integer(kernel, "stage.flag", 1, &error);
  pipelink_kernel_set_integer(kernel, "stage.i32", -2, &error);
  pipelink_kernel_set_unsigned(kernel, "stage.u32", UINT32_MAX, &error);
  pipelink_kernel_set_integer(kernel, "stage.i64", INT64_MIN, &error);
  pipelink_kernel_set_unsigned(kernel, "stage.u64", UINT64_MAX, &error);
  pipelink_kernel_set_float(kernel, "stage.f32", 1.5, &error);
  pipelink_kernel_set_float(kernel, "stage.half", 1.5, &error);
  pipelink_kernel_set_float(kernel, "stage.bfloat", -1.5, &error);
  pipelink_kernel_set_float(kernel, "stage.f64", 3.141592653589793, &error);
  pipelink_kernel_set_bytes(kernel, "stage.shape", shape, sizeof shape, &error);
  pipelink_kernel_set_integer(kernel, "stage.wide", -2, &error);
  pipelink_kernel_launch(kernel, &launch, &error);
  CHECK_TEXT(error.text, "");
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
