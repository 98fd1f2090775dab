/* error.c - see error.h; and the names of the codes. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void pl_error_fill(pipelink_error *error, pipelink_code code, const char *format, ...) {
  if (!error || error->code)
    return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  error->code = code;
  error->cuda_result = 0;
  if (length >= (int)sizeof error->text)
    strcpy(error->text + sizeof error->text - sizeof "...", "...");
}

const char *pipelink_code_name(pipelink_code code) {
  switch (code) {
  case PIPELINK_OK:
    return "PIPELINK_OK";
  case PIPELINK_ERROR_ARGUMENT:
    return "PIPELINK_ERROR_ARGUMENT";
  case PIPELINK_ERROR_MEMORY:
    return "PIPELINK_ERROR_MEMORY";
  case PIPELINK_ERROR_FILE:
    return "PIPELINK_ERROR_FILE";
  case PIPELINK_ERROR_FORMAT:
    return "PIPELINK_ERROR_FORMAT";
  case PIPELINK_ERROR_MISMATCH:
    return "PIPELINK_ERROR_MISMATCH";
  case PIPELINK_ERROR_NO_DRIVER:
    return "PIPELINK_ERROR_NO_DRIVER";
  case PIPELINK_ERROR_DEVICE:
    return "PIPELINK_ERROR_DEVICE";
  case PIPELINK_ERROR_NAME:
    return "PIPELINK_ERROR_NAME";
  case PIPELINK_ERROR_TYPE:
    return "PIPELINK_ERROR_TYPE";
  case PIPELINK_ERROR_UNSET:
    return "PIPELINK_ERROR_UNSET";
  case PIPELINK_ERROR_DRIVER:
    return "PIPELINK_ERROR_DRIVER";
  case PIPELINK_ERROR_TIMEOUT:
    return "PIPELINK_ERROR_TIMEOUT";
  }
  return "unknown";
}

const char *pipelink_version(void) {
  return PIPELINK_VERSION;
}
