/* diagnostics.h - what went wrong, as data.
 *
 * A pass reports into a sink; only the driver turns a sink into text, JSON or SARIF. One diagnostic is one
 * summary line, then details (both sides, each with package and source line), what would happen at run time,
 * and what to do:
 *
 *   pl_report(sink, PL_ERROR, "L-SIG", "call seam 'scale': argument 1 differs");
 *   pl_detail(sink, "imported by %s %s (%s:%u): float", ...);
 *   pl_consequence(sink, "the callee would read half of the value");
 *   pl_fix(sink, "declare scale(float) on both sides");
 */
#ifndef PIPELINK_PASSES_DIAGNOSTICS_H
#define PIPELINK_PASSES_DIAGNOSTICS_H

#include "support.h"

typedef enum pl_severity { PL_REMARK, PL_WARNING, PL_ERROR } pl_severity;

/* Where a declaration was written. `file` is NULL when unknown. */
typedef struct pl_location {
  const char *file;
  unsigned line;   /* 1-based; 0 when unknown */
  unsigned column; /* 1-based; 0 when unknown */
} pl_location;

typedef struct pl_diagnostic {
  pl_severity severity;
  const char *code;     /* stable name such as "L-SIG"; never NULL */
  const char *summary;  /* one line, no trailing full stop */
  const char **details; /* ">>> " lines, in order */
  size_t detail_count;
  const char *consequence; /* what would happen at run time; NULL when nothing would run */
  const char *fix;         /* what to change; NULL when the summary says it */
} pl_diagnostic;

typedef struct pl_sink {
  pl_arena *arena; /* owns every string and array below */
  pl_diagnostic **diagnostics;
  size_t count, capacity;
  size_t error_count, warning_count;
  bool out_of_memory; /* a diagnostic was lost to a failed allocation; counted as an error */
} pl_sink;

pl_status pl_sink_init(pl_sink *sink);
void pl_sink_free(pl_sink *sink);

/* Begins a diagnostic; the three calls below add to the latest one. All formats are printf's. */
void pl_report(pl_sink *sink, pl_severity severity, const char *code, const char *format, ...) PL_PRINTF(4, 5);
void pl_detail(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);
void pl_consequence(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);
void pl_fix(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);

/* True once an error (or a lost diagnostic) is in the sink. */
bool pl_sink_has_errors(const pl_sink *sink);

/* One diagnostic as lld-style text: "tool: error: L-X: ...\n>>> ...". Colours when `colour`. */
void pl_diagnostic_print(const pl_diagnostic *diagnostic, const char *tool, bool colour, pl_buffer *text);

#endif
