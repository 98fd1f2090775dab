/* RUN: rm -rf %t && %make-kernel %t --kind=twice
   RUN: %fake-gpu %test-programs/a-failing-allocation-leaves-nothing-behind \
   RUN:   %t/hello.cubin %test-programs/libcuda-fake.so

   Every allocation that loading makes fails in turn, jansson's included: each time the error says so, nothing is lost
   (AddressSanitizer looks on) and nothing is left in the driver. With all of them the kernel loads.
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <dlfcn.h>
#include <jansson.h>
#include <stdlib.h>

/* The linker's names for --wrap. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
/* NOLINTEND(bugprone-reserved-identifier) */

static long allocations_left = -1; /* before the one that fails; negative: none fails */

static int fails(void) {
  if (allocations_left < 0)
    return 0;
  return allocations_left-- == 0;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size) {
  return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text) {
  return fails() ? NULL : __real_strdup(text);
}

int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[2], RTLD_NOW), *symbol = library ? dlsym(library, "fake_cuda_left") : NULL;
  int (*left)(void);
  memcpy(&left, &symbol, sizeof symbol);
  json_set_alloc_funcs(__wrap_malloc, free);

  pipelink_kernel *kernel = NULL;
  long failures = 0;
  for (long nth = 0; nth < 100000; nth++) {
    pipelink_error error = PIPELINK_ERROR_INIT;
    allocations_left = nth;
    pipelink_code code = pipelink_kernel_load(argv[1], NULL, &kernel, &error);
    int all_succeeded = allocations_left >= 0;
    allocations_left = -1;
    CHECK(all_succeeded == !code);
    if (all_succeeded)
      break;
    failures++;
    CHECK(code == PIPELINK_ERROR_MEMORY && error.code == PIPELINK_ERROR_MEMORY);
    CHECK_CONTAINS(error.text, "out of memory");
    CHECK(!kernel);
    CHECK(left() == 0);
  }
  CHECK(kernel);
  CHECK(failures > 100);
  pipelink_kernel_free(kernel);
  CHECK(left() == 0);
  printf("%ld allocations failed in turn\n", failures);
  return CHECK_RESULT();
}
