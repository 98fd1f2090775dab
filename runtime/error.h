/* error.h - how the library fills the caller's pipelink_error. */
#ifndef PIPELINK_RUNTIME_ERROR_H
#define PIPELINK_RUNTIME_ERROR_H

#include "pipelink/pipelink.h"

/* Puts code and text (printf's) into *error unless it is NULL or holds an error already: the first one wins. Text that
 * does not fit ends in "...". */
void pl_error_fill(pipelink_error *error, pipelink_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same as an expression of value `code`, so that a refusal is one statement and readers of the code, compilers
 * among them, see which one it is. */
#define pl_error_set(error, code, ...) (pl_error_fill(error, code, __VA_ARGS__), (code))

#endif
