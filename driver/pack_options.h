/* pack_options.h - the command line of `pipelink pack`. */
#ifndef PIPELINK_DRIVER_PACK_OPTIONS_H
#define PIPELINK_DRIVER_PACK_OPTIONS_H

#include "report.h"

enum { PL_PACK_FILES_MOST = 256, PL_PACK_PROFILES_MOST = 16 };

/* Borrowed from argv and the table of profiles. */
typedef struct pl_pack_options {
  const char *inputs[PL_PACK_FILES_MOST];
  size_t input_count;
  const char *profiles[PL_PACK_PROFILES_MOST];
  size_t profile_count;
  const char *headers[PL_PACK_FILES_MOST];
  size_t header_count;
  const char *libraries[PL_PACK_FILES_MOST];
  size_t library_count;
  const char *output, *out_dir, *cuda_path; /* NULL when not given */
  const char *const *flags;                 /* for clang, behind "--" */
  size_t flag_count;
  pl_report_options report; /* of diagnostics */
  bool want_help;
} pl_pack_options;

extern const char pl_pack_help[], pl_pack_example[]; /* the shared options stand between them */

/* False when the command line is wrong, with the reason in the sink. */
bool pl_pack_options_parse(int argc, char **argv, pl_arena *arena, pl_sink *sink, pl_pack_options *options);

#endif
