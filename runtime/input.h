/* input.h - whole files, with the library's errors. */
#ifndef PIPELINK_RUNTIME_INPUT_H
#define PIPELINK_RUNTIME_INPUT_H

#include "error.h"

/* Reads a regular file of at most `limit` bytes into memory that the caller frees. */
pipelink_code pl_input_read(const char *path, size_t limit, char **data, size_t *size, pipelink_error *error);

#endif
