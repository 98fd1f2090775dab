/* RUN: rm -rf %t && %make-kernel %t --kind=opaque && %make-kernel %t --name=hello2
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/an-opaque-struct-is-set-as-bytes %t/hello.cubin %t/hello2.cubin
   RUN: grep -E 'parameters=00010203.*bcbdbebf$' %t/log
   RUN: grep -E 'parameters=(41){24}$' %t/log

   Under its instance's name, with exactly its size; and so is a whole struct whose fields are known. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {1, 1, 1}};
  unsigned char bytes[192];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)i;

  CHECK(pipelink_kernel_load(argv[1], NULL, &kernel, &error) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_bytes(kernel, "gemm", bytes, 191, &error) == PIPELINK_ERROR_TYPE);
  CHECK_CONTAINS(error.text, "'gemm' has 192 bytes, it was given 191");
  error = (pipelink_error)PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_launch(kernel, &launch, &error) == PIPELINK_ERROR_UNSET);
  CHECK_CONTAINS(error.text, "gemm is not set");
  CHECK(pipelink_kernel_set_integer(kernel, "gemm", 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_bytes(kernel, "gemm", NULL, 192, NULL) == PIPELINK_ERROR_ARGUMENT);
  CHECK(pipelink_kernel_set_bytes(kernel, "gemm", bytes, 192, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_OK);
  pipelink_kernel_free(kernel);

  memset(bytes, 0x41, sizeof bytes);
  CHECK(pipelink_kernel_load(argv[2], NULL, &kernel, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_bytes(kernel, "caller", bytes, 24, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_OK);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
