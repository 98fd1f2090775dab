/* fuzz_launch.c - the runtime's launch file parser on any text. */
#include "launch_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pl_launch_file file;
  pipelink_error error = {0};
  pipelink_code code = pl_launch_file_parse((const char *)data, size, "fuzz.launch.json", &file, &error);
  if (code)
    return 0;
  /* What is accepted lies within the parameter block, so that setting it writes nowhere else. */
  for (size_t i = 0; i < file.field_count; i++)
    if (file.fields[i].offset > file.parameters_size ||
        file.fields[i].size > file.parameters_size - file.fields[i].offset)
      abort();
  pl_launch_file_free(&file);
  return 0;
}
