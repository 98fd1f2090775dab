/* compile.h - a source through `pipelink cc`, the program beside this one, into memory. */
#ifndef PIPELINK_DRIVER_COMPILE_H
#define PIPELINK_DRIVER_COMPILE_H

#include "diagnostics.h"

typedef struct pl_compile_request {
  const char *source;
  const char *profile;
  const char *cuda_path;    /* NULL when not given */
  bool without_contract;    /* a file that only helps a stage: raw, as the stage's own is */
  const char *const *flags; /* for clang */
  size_t flag_count;
} pl_compile_request;

/* clang's own messages go to stderr as they come. -EBADMSG when it refused the source. */
pl_status pl_compile(const pl_compile_request *request, pl_arena *arena, pl_sink *sink, pl_buffer *bitcode);

#endif
