/* RUN: rm -rf %t && %make-kernel %t --name=one && %make-kernel %t --name=two --kind=twice
   RUN: %fake-gpu %test-programs/a-parameter-is-named-alone-where-that-is-unique %t/one.cubin %t/two.cubin

   "count" means caller.count where there is one; where there are two, the refusal lists both; and a name that nothing
   has lists what there is. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *one = NULL, *two = NULL;
  CHECK(pipelink_kernel_load(argv[1], NULL, &one, &error) == PIPELINK_OK);
  CHECK(pipelink_kernel_load(argv[2], NULL, &two, &error) == PIPELINK_OK);

  CHECK(pipelink_kernel_set_unsigned(one, "count", 1, &error) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_unsigned(one, "caller.count", 1, &error) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_unsigned(two, "second.count", 1, &error) == PIPELINK_OK);

  CHECK(pipelink_kernel_set_unsigned(two, "count", 1, &error) == PIPELINK_ERROR_NAME);
  CHECK_CONTAINS(error.text, "parameter 'count' could be first.count, second.count: name its instance too");
  error = (pipelink_error)PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_set_unsigned(one, "caller.cuont", 1, &error) == PIPELINK_ERROR_NAME);
  CHECK_CONTAINS(error.text,
                 "no parameter is called 'caller.cuont'; there are caller.output, caller.input, caller.count");
  CHECK(pipelink_kernel_set_unsigned(one, "", 1, NULL) == PIPELINK_ERROR_NAME);
  CHECK(pipelink_kernel_set_unsigned(one, "caller", 1, NULL) == PIPELINK_ERROR_NAME);
  CHECK(pipelink_kernel_set_unsigned(one, NULL, 1, NULL) == PIPELINK_ERROR_ARGUMENT);
  pipelink_kernel_free(one);
  pipelink_kernel_free(two);
  return CHECK_RESULT();
}
