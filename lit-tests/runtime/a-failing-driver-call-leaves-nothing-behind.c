/* RUN: rm -rf %t && %make-kernel %t --edit='f["cluster"] = [16, 1, 1]'
   RUN: %fake-gpu %test-programs/a-failing-driver-call-leaves-nothing-behind \
   RUN:   %t/hello.cubin %test-programs/libcuda-fake.so

   Every call that loading makes fails in turn, then every call of a launch.
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <dlfcn.h>
#include <stdlib.h>

static int (*reset_calls)(void), (*left)(void);

static void fail_call(int number) {
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  setenv("FAKE_CUDA_FAIL_CALL", text, 1);
  reset_calls();
}

int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[2], RTLD_NOW), *symbols[2] = {NULL, NULL};
  if (library) {
    symbols[0] = dlsym(library, "fake_cuda_reset_calls");
    symbols[1] = dlsym(library, "fake_cuda_left");
  }
  memcpy(&reset_calls, &symbols[0], sizeof symbols[0]);
  memcpy(&left, &symbols[1], sizeof symbols[1]);

  pipelink_kernel *kernel = NULL;
  int failures = 0;
  for (int call = 1; !kernel && call < 1000; call++) {
    pipelink_error error = PIPELINK_ERROR_INIT;
    fail_call(call);
    pipelink_code code = pipelink_kernel_load(argv[1], NULL, &kernel, &error);
    CHECK((code == PIPELINK_OK) == (kernel != NULL));
    if (!code)
      break;
    failures++;
    CHECK(code == PIPELINK_ERROR_DRIVER || code == PIPELINK_ERROR_NO_DRIVER);
    CHECK(error.code == code && *error.text);
    CHECK(code != PIPELINK_ERROR_DRIVER || error.cuda_result == 999);
    CHECK(left() == 0);
  }
  CHECK(kernel && failures > 20);

  const unsigned char zeros[24] = {0};
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {16, 1, 1}};
  CHECK(pipelink_kernel_set_bytes(kernel, "caller", zeros, sizeof zeros, NULL) == PIPELINK_OK);
  int held = left();
  for (failures = 0;; failures++) {
    fail_call(failures + 1);
    if (pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_OK)
      break;
    CHECK(left() == held);
  }
  CHECK(failures == 2); /* the context, the launch */
  fail_call(0);
  pipelink_kernel_free(kernel);
  CHECK(left() == 0);
  return CHECK_RESULT();
}
