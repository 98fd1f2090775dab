/* input.c - see input.h. */
#include "input.h"

#include "support.h"

#include <errno.h>
#include <string.h>

pipelink_code pl_input_read(const char *path, size_t limit, char **data, size_t *size, pipelink_error *error) {
  pl_status status = pl_file_read(path, limit, data, size);
  switch (-status) {
  case 0:
    return PIPELINK_OK;
  case ENOMEM:
    return pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s: out of memory", path);
  case EFBIG:
    return pl_error_set(error, PIPELINK_ERROR_FILE, "%s: has more than the %zu bytes that are read", path, limit);
  case EINVAL:
    return pl_error_set(error, PIPELINK_ERROR_FILE, "%s: is not a regular file", path);
  default:
    return pl_error_set(error, PIPELINK_ERROR_FILE, "%s: %s", path, strerror(-status));
  }
}
