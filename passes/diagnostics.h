/* diagnostics.h - what went wrong, as data.
 *
 * A pass reports into a sink; only the driver turns a sink into text, JSON or SARIF. One diagnostic is one
 * summary line, then details (both sides, each with package and source line), what would happen at run time,
 * and what to do:
 *
 *   pl_report(sink, PL_ERROR, "L-SIG", "call seam 'scale': argument 1 differs");
 *   pl_side(sink, &(pl_party){.relation = "imported by", .package = "org.x.caller", ...}, "float scale(float)");
 *   pl_side(sink, &(pl_party){.relation = "exported by", .package = "org.x.scale", ...}, "float scale(double)");
 *   pl_consequence(sink, "the callee would read half of the value");
 *   pl_fix(sink, "declare scale(float) on both sides");
 *
 * Phases of a link name a side by its instance: pl_link_side() in link.h.
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

/* Whose declaration or code a line speaks of. What is not known is NULL. */
typedef struct pl_party {
  const char *relation; /* "produced by", "imported by", "role 'mma' of" */
  const char *package, *version;
  const char *role;
  pl_location location;
} pl_party;

/* A ">>> " line. */
typedef struct pl_detail_line {
  const char *text;      /* all of it, as the terminal shows it */
  const pl_party *party; /* NULL: the line speaks of nobody */
  const char *value;     /* what the party says, the text behind the colon; NULL when it says nothing */
} pl_detail_line;

/* A row of the table that sets the first side's value of a field against the second's. */
typedef struct pl_field_row {
  const char *field, *first, *second;
} pl_field_row;

typedef struct pl_diagnostic {
  pl_severity severity;    /* as the policy wants it */
  bool is_forced;          /* an error that the user has chosen to pass over */
  const char *code;        /* stable name such as "L-SIG"; never NULL */
  const char *summary;     /* one line, no trailing full stop */
  pl_detail_line *details; /* in order */
  size_t detail_count, detail_capacity;
  pl_field_row *fields; /* stand below the details */
  size_t field_count, field_capacity;
  const char *consequence; /* what would happen at run time; NULL when nothing would run */
  const char *fix;         /* what to change; NULL when the summary says it */
} pl_diagnostic;

/* What the user wants made of a code: -Wno-CODE, -WCODE, -Werror=CODE for remarks and warnings, --force-unsafe=CODE for
 * errors. Of several rules that apply, the last counts. */
typedef enum pl_rule_action { PL_RULE_SILENT, PL_RULE_WARNING, PL_RULE_ERROR, PL_RULE_FORCE } pl_rule_action;
typedef struct pl_rule {
  const char *code;
  pl_rule_action action;
} pl_rule;
typedef struct pl_policy {
  const pl_rule *rules;
  size_t rule_count;
  bool warnings_are_errors; /* but not those that were forced */
} pl_policy;

typedef struct pl_sink {
  const pl_policy *policy; /* borrowed; NULL: everything as reported */
  pl_arena *arena;         /* owns every string and array below */
  pl_diagnostic *latest;   /* what details are added to; one that the policy silences is in no list */
  pl_diagnostic **diagnostics;
  size_t count, capacity;
  size_t error_count, warning_count;
  bool out_of_memory; /* a diagnostic was lost to a failed allocation; counted as an error */
} pl_sink;

pl_status pl_sink_init(pl_sink *sink);
void pl_sink_free(pl_sink *sink);

/* Begins a diagnostic; the calls below add to the latest one. All formats are printf's, all texts are copied. */
void pl_report(pl_sink *sink, pl_severity severity, const char *code, const char *format, ...) PL_PRINTF(4, 5);
/* A line of its own wording. */
void pl_detail(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);
/* A line of its own wording that speaks of somebody: a row of a table, a place in the code. */
void pl_detail_of(pl_sink *sink, const pl_party *party, const char *format, ...) PL_PRINTF(3, 4);
/* "produced by org.x.load 1.2.0 (load.cu:41), role load: VALUE" */
void pl_side(pl_sink *sink, const pl_party *party, const char *format, ...) PL_PRINTF(3, 4);
/* The same with a va_list. */
void pl_side_arguments(pl_sink *sink, const pl_party *party, const char *format, va_list arguments);
/* The same for a side that has no value to show. */
void pl_side_alone(pl_sink *sink, const pl_party *party);
/* A row of the table of fields that differ, when there are several: pl_field_differs(sink, "bytes of a slot", "1024",
 * "2048").
 * Its columns are headed by the relations of the first two sides. */
void pl_field_differs(pl_sink *sink, const char *field, const char *first, const char *second);
void pl_consequence(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);
void pl_fix(pl_sink *sink, const char *format, ...) PL_PRINTF(2, 3);

/* Drops diagnostics that say the same as an earlier one. */
void pl_sink_unique(pl_sink *sink);

/* True once an error (or a lost diagnostic) is in the sink. */
bool pl_sink_has_errors(const pl_sink *sink);

/* What a phase that only checks returns: -EINVAL once an error is in the sink, -ENOMEM when one was lost, else 0. */
pl_status pl_sink_status(const pl_sink *sink);

/* "org.x.load 1.2.0 (load.cu:41)", in the sink's arena. */
const char *pl_party_text(pl_sink *sink, const pl_party *party);

/* One diagnostic as lld-style text: "tool: error: L-X: ...\n>>> ...". Colours when `colour`. */
void pl_diagnostic_print(const pl_diagnostic *diagnostic, const char *tool, bool colour, pl_buffer *text);

#endif
