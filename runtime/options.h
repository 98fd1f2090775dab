/* options.h - structs of the public header that begin with their own size. */
#ifndef PIPELINK_RUNTIME_OPTIONS_H
#define PIPELINK_RUNTIME_OPTIONS_H

#include "error.h"

/* Copies the caller's struct into ours of `size` bytes: members the caller's header did not have become zero; members
 * that only a newer header has must be zero. `first` is the size of the struct when it was first published, the least a
 * caller can have. `name` is the struct's, for messages. */
pipelink_code pl_options_read(void *options, size_t size, const void *callers, size_t first, const char *name,
                              pipelink_error *error);

/* The way back, for structs that the library fills: as much as the caller's size says; the rest of a larger one becomes
 * zero. The caller's size itself stays. */
pipelink_code pl_options_write(void *callers, size_t first, const void *filled, size_t size, const char *name,
                               pipelink_error *error);

#endif
