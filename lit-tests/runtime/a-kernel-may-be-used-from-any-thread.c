/* RUN: rm -rf %t && %make-kernel %t --cubin="program=scale"
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/a-kernel-may-be-used-from-any-thread %t/hello.cubin
   RUN: grep -c '^launch' %t/log | grep -x 201
   RUN: grep -x 'left: contexts=0 current=0 modules=0 allocations=0 streams=0 events=0 graphs=0' %t/log

   One kernel goes from thread to thread, one thread at a time; and several threads each with a kernel of its own run at
   once. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <pthread.h>

enum { THREADS = 4, LAUNCHES = 50 };
static const char *cubin;

static void launch(pipelink_kernel *kernel, int times) {
  float input[4] = {1, 2, 3, 4}, output[4] = {0};
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_launch_options options = {.size = sizeof options, .grid = {1, 1, 1}};
  pipelink_kernel_set_pointer(kernel, "output", (uintptr_t)output, &error);
  pipelink_kernel_set_pointer(kernel, "input", (uintptr_t)input, &error);
  pipelink_kernel_set_unsigned(kernel, "count", 4, &error);
  for (int i = 0; i < times; i++)
    pipelink_kernel_launch(kernel, &options, &error);
  CHECK_TEXT(error.text, "");
  CHECK(output[3] == 8);
}

static void *use_given(void *kernel) {
  launch(kernel, 1);
  return NULL;
}

static void *use_own(void *unused) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pipelink_kernel_load(cubin, NULL, &kernel, &error);
  CHECK_TEXT(error.text, "");
  launch(kernel, LAUNCHES);
  pipelink_kernel_free(kernel);
  return unused;
}

int main(int argc, char **argv) {
  (void)argc;
  cubin = argv[1];
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pthread_t threads[THREADS];
  pipelink_kernel_load(cubin, NULL, &kernel, &error);
  CHECK_TEXT(error.text, "");
  CHECK(!pthread_create(&threads[0], NULL, use_given, kernel));
  pthread_join(threads[0], NULL);
  for (int i = 0; i < THREADS; i++)
    CHECK(!pthread_create(&threads[i], NULL, use_own, NULL));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
