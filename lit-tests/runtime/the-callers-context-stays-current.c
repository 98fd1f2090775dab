/* RUN: rm -rf %t && %make-kernel %t
   RUN: %fake-gpu FAKE_CUDA_DEVICES=2 FAKE_CUDA_LOG=%t/log \
   RUN:   %test-programs/the-callers-context-stays-current %t/hello.cubin %test-programs/libcuda-fake.so
   RUN: FileCheck %s < %t/log

   Without a current context the kernel takes the primary context of the device asked for, and leaves the thread without
   one; with one, it is loaded there, whatever device is asked for.

   CHECK: launch {{.*}} device=1
   CHECK: launch {{.*}} device=0
   CHECK: left: contexts=0 current=0 modules=0
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <dlfcn.h>

struct CUctx_st;
static int (*get_current)(struct CUctx_st **), (*push)(struct CUctx_st *), (*pop)(struct CUctx_st **);
static int (*retain)(struct CUctx_st **, int), (*release)(int);

static void find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  CHECK(address);
  memcpy(function, &address, sizeof address);
}

static struct CUctx_st *current(void) {
  struct CUctx_st *context = NULL;
  CHECK(!get_current(&context));
  return context;
}

static void load_and_launch(const char *cubin, struct CUctx_st *expected) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pipelink_load_options options = {.size = sizeof options, .device = 1};
  pipelink_launch_options launch = {.size = sizeof launch, .grid = {1, 1, 1}};
  const unsigned char zeros[24] = {0};
  pipelink_kernel_load(cubin, &options, &kernel, &error);
  CHECK(current() == expected);
  pipelink_kernel_set_bytes(kernel, "caller", zeros, sizeof zeros, &error);
  pipelink_kernel_launch(kernel, &launch, &error);
  CHECK(current() == expected);
  CHECK_TEXT(error.text, "");
  pipelink_kernel_free(kernel);
  CHECK(current() == expected);
}

int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[2], RTLD_NOW);
  CHECK(library);
  find(library, "cuCtxGetCurrent", &get_current);
  find(library, "cuCtxPushCurrent_v2", &push);
  find(library, "cuCtxPopCurrent_v2", &pop);
  find(library, "cuDevicePrimaryCtxRetain", &retain);
  find(library, "cuDevicePrimaryCtxRelease_v2", &release);

  load_and_launch(argv[1], NULL);

  struct CUctx_st *mine = NULL, *popped = NULL;
  CHECK(!retain(&mine, 0) && !push(mine));
  load_and_launch(argv[1], mine);
  CHECK(!pop(&popped) && popped == mine && !release(0));
  return CHECK_RESULT();
}
