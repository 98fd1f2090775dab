/* RUN: rm -rf %t && %make-kernel %t
   RUN: %fake-gpu %test-programs/the-first-error-wins %t/hello.cubin %t/missing.cubin

   A sequence of calls may be checked once, at its end: what failed first is what the error says, and a kernel that
   could not be loaded is safe to use and to free. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {1, 1, 1}};
  CHECK(pipelink_kernel_load(argv[2], NULL, &kernel, &error) == PIPELINK_ERROR_FILE);
  CHECK(pipelink_kernel_set_unsigned(kernel, "count", 1, &error) == PIPELINK_ERROR_ARGUMENT);
  CHECK(pipelink_kernel_set_bytes(kernel, "caller", "", 1, &error) == PIPELINK_ERROR_ARGUMENT);
  CHECK(pipelink_kernel_launch(kernel, &launch, &error) == PIPELINK_ERROR_ARGUMENT);
  pipelink_kernel_free(kernel);
  CHECK(error.code == PIPELINK_ERROR_FILE);
  CHECK_CONTAINS(error.text, "missing.cubin: No such file or directory");
  CHECK_TEXT(pipelink_code_name(error.code), "PIPELINK_ERROR_FILE");
  CHECK_TEXT(pipelink_code_name((pipelink_code)99), "unknown");

  error = (pipelink_error)PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_load(argv[1], NULL, &kernel, &error) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_integer(kernel, "count", -1, &error) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_launch(kernel, &launch, &error) == PIPELINK_ERROR_UNSET);
  CHECK(error.code == PIPELINK_ERROR_TYPE);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
