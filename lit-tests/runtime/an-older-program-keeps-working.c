/* RUN: rm -rf %t && %make-kernel %t
   RUN: %fake-gpu %test-programs/an-older-program-keeps-working %t/hello.cubin

   Options begin with their size. A struct larger than the library's is taken as long as what it adds is zero, and
   refused when it asks for something the library does not know; a size that was never set is refused. Structs that the
   library fills are filled as far as they go. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <stddef.h>

struct newer_load_options {
  pipelink_load_options known;
  size_t added;
};

struct newer_properties {
  pipelink_kernel_properties known;
  size_t added;
};

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  struct newer_load_options options = {.known.size = sizeof options};
  CHECK(pipelink_kernel_load(argv[1], &options.known, &kernel, &error) == PIPELINK_OK);

  pipelink_kernel *other = NULL;
  options.added = 1;
  CHECK(pipelink_kernel_load(argv[1], &options.known, &other, &error) == PIPELINK_ERROR_ARGUMENT);
  CHECK_CONTAINS(error.text, "pipelink_load_options has members set that this library");
  CHECK(!other);

  error = (pipelink_error)PIPELINK_ERROR_INIT;
  pipelink_load_options unsized = {0};
  CHECK(pipelink_kernel_load(argv[1], &unsized, &other, &error) == PIPELINK_ERROR_ARGUMENT);
  CHECK_CONTAINS(error.text, "pipelink_load_options.size is 0: set it to sizeof(pipelink_load_options)");

  struct newer_properties properties = {.known.size = sizeof properties, .added = 5};
  CHECK(pipelink_kernel_get_properties(kernel, &properties.known, NULL) == PIPELINK_OK);
  CHECK(properties.known.size == sizeof properties);
  CHECK(properties.added == 0);
  CHECK_TEXT(properties.known.entry, "pipelink_kernel");
  CHECK(properties.known.multiprocessors == 132 && properties.known.ctas_per_multiprocessor == 16);
  CHECK(properties.known.parameters_size == 24 && properties.known.parameter_count == 3);

  pipelink_launch_options launch = {.size = 4, .grid = {1, 1, 1}};
  CHECK(pipelink_kernel_launch(kernel, &launch, NULL) == PIPELINK_ERROR_ARGUMENT);
  CHECK(pipelink_kernel_launch(kernel, NULL, NULL) == PIPELINK_ERROR_ARGUMENT);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
