/* options.c - see options.h. */
#include "options.h"

#include <string.h>

static pipelink_code check_size(const void *callers, size_t first, const char *name, size_t *given,
                                pipelink_error *error) {
  if (!callers)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "%s is NULL", name);
  memcpy(given, callers, sizeof *given);
  if (*given < first)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "%s.size is %zu: set it to sizeof(%s)", name, *given, name);
  return PIPELINK_OK;
}

pipelink_code pl_options_read(void *options, size_t size, const void *callers, size_t first, const char *name,
                              pipelink_error *error) {
  size_t given = 0;
  pipelink_code code = check_size(callers, first, name, &given, error);
  if (code)
    return code;
  const unsigned char *bytes = callers;
  for (size_t i = size; i < given; i++)
    if (bytes[i])
      return pl_error_set(error, PIPELINK_ERROR_ARGUMENT,
                          "%s has members set that this library (%s) does not know: it is older than the program", name,
                          pipelink_version());
  memset(options, 0, size);
  memcpy(options, callers, given < size ? given : size);
  return PIPELINK_OK;
}

pipelink_code pl_options_write(void *callers, size_t first, const void *filled, size_t size, const char *name,
                               pipelink_error *error) {
  size_t given = 0;
  pipelink_code code = check_size(callers, first, name, &given, error);
  if (code)
    return code;
  if (given > size)
    memset((unsigned char *)callers + size, 0, given - size);
  size_t copied = given < size ? given : size;
  memcpy((unsigned char *)callers + sizeof given, (const unsigned char *)filled + sizeof given, copied - sizeof given);
  return PIPELINK_OK;
}
