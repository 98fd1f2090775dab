/* RUN: rm -rf %t && %make-kernel %t --cubin="program=none kernel=other" && %make-kernel %t --name=launch
   RUN: %fake-gpu FAKE_CUDA_LOG=%t/log %test-programs/loading-keeps-nothing-of-the-caller \
   RUN:   %t/hello.cubin %t/launch.launch.json
   RUN: grep '^launch other .* parameters=400000000000000080000000000000000000000000000000$' %t/log

   Cubin, launch file, names and options are overwritten and freed as soon as each call has returned.
 */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <stdlib.h>

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *data = malloc(65536);
  *size = file && data ? fread(data, 1, 65536, file) : 0;
  if (file)
    fclose(file);
  return data;
}

static void forget(void *data, size_t size) {
  memset(data, 0xa5, size);
  free(data);
}

static char *copy(const char *text) {
  char *copied = malloc(strlen(text) + 1);
  return copied ? strcpy(copied, text) : NULL;
}

static void set_pointer(pipelink_kernel *kernel, const char *name, uint64_t address) {
  char *copied = copy(name);
  CHECK(pipelink_kernel_set_pointer(kernel, copied, address, NULL) == PIPELINK_OK);
  forget(copied, strlen(name));
}

int main(int argc, char **argv) {
  (void)argc;
  size_t cubin_size, launch_size;
  void *cubin = read_file(argv[1], &cubin_size), *launch = read_file(argv[2], &launch_size);
  char *name = copy("a name"), *entry = copy("other");
  pipelink_load_options *options = calloc(1, sizeof *options);
  *options = (pipelink_load_options){.size = sizeof *options, .entry = entry, .other_cubin = 1};
  pipelink_error error = PIPELINK_ERROR_INIT;
  pipelink_kernel *kernel = NULL;
  pipelink_kernel_load_memory(name, cubin, cubin_size, launch, launch_size, options, &kernel, &error);
  CHECK_TEXT(error.text, "");
  forget(cubin, cubin_size);
  forget(launch, launch_size);
  forget(name, 6);
  forget(entry, 5);
  forget(options, sizeof *options);

  set_pointer(kernel, "caller.output", 0x40);
  set_pointer(kernel, "caller.input", 0x80);
  uint64_t *count = calloc(1, sizeof *count);
  CHECK(pipelink_kernel_set_bytes(kernel, "count", count, sizeof *count, NULL) == PIPELINK_OK);
  forget(count, sizeof *count);

  pipelink_launch_options *grid = calloc(1, sizeof *grid);
  *grid = (pipelink_launch_options){.size = sizeof *grid, .grid = {1, 1, 1}};
  CHECK(pipelink_kernel_launch(kernel, grid, NULL) == PIPELINK_OK);
  forget(grid, sizeof *grid);
  CHECK(pipelink_kernel_set_unsigned(kernel, "nothing", 0, &error) == PIPELINK_ERROR_NAME);
  CHECK_CONTAINS(error.text, "a name: no parameter is called 'nothing'; there are caller.output");
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
