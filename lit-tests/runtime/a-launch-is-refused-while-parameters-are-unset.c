/* RUN: rm -rf %t && %make-kernel %t --cubin="program=none"
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/a-launch-is-refused-while-parameters-are-unset %t/hello.cubin
   RUN: grep -c '^launch' %t/log | grep -x 2

   The refusal names what is missing; with everything set the launch goes through, and again without setting anew. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

static pipelink_code launch(pipelink_kernel *kernel, pipelink_error *error) {
  pipelink_launch_options options = {.size = sizeof options, .grid = {1, 1, 1}};
  *error = (pipelink_error)PIPELINK_ERROR_INIT;
  return pipelink_kernel_launch(kernel, &options, error);
}

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  CHECK(pipelink_kernel_load(argv[1], NULL, &kernel, &error) == PIPELINK_OK);

  CHECK(launch(kernel, &error) == PIPELINK_ERROR_UNSET);
  CHECK_CONTAINS(error.text, "not launched, caller.output, caller.input, caller.count are not set");
  CHECK(pipelink_kernel_set_pointer(kernel, "caller.output", 64, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_pointer(kernel, "caller.input", 128, NULL) == PIPELINK_OK);
  CHECK(launch(kernel, &error) == PIPELINK_ERROR_UNSET);
  CHECK_CONTAINS(error.text, "not launched, caller.count is not set");

  pipelink_parameter count = {.size = sizeof count};
  CHECK(pipelink_kernel_get_parameter(kernel, 2, &count, NULL) == PIPELINK_OK);
  CHECK_TEXT(count.field, "count");
  CHECK(!count.is_set);
  CHECK(pipelink_kernel_set_unsigned(kernel, "caller.count", 7, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_get_parameter(kernel, 2, &count, NULL) == PIPELINK_OK);
  CHECK(count.is_set);

  CHECK(launch(kernel, &error) == PIPELINK_OK);
  CHECK(launch(kernel, &error) == PIPELINK_OK);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
