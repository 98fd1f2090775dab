/* cubin_file.h - whether a cubin is the one that a launch file speaks of. */
#ifndef PIPELINK_RUNTIME_CUBIN_FILE_H
#define PIPELINK_RUNTIME_CUBIN_FILE_H

#include "launch_file.h"

#define PL_CUBIN_MAX ((size_t)1 << 30) /* bytes */

/* Size and SHA-256 are those of the launch file. */
pipelink_code pl_cubin_file_check(const void *cubin, size_t size, const char *name, const pl_launch_file *file,
                                  pipelink_error *error);

/* At least a whole ELF file, for a cubin whose hash nobody vouches for: the driver takes no size and reads as far as
 * the headers say. */
pipelink_code pl_cubin_file_check_elf(const void *cubin, size_t size, const char *name, pipelink_error *error);

#endif
