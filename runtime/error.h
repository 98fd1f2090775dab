/* error.h - how the library fills the caller's pipelink_error. */
#ifndef PIPELINK_RUNTIME_ERROR_H
#define PIPELINK_RUNTIME_ERROR_H

#include "pipelink/pipelink.h"

/* Puts code and text (printf's) into *error unless it is NULL or holds an error already: the first one wins.
 * Returns `code`, so that a refusal is one statement. Text that does not fit ends in "...". */
pipelink_code pl_error_set(pipelink_error *error, pipelink_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
