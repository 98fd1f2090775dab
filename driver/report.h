/* report.h - a sink of diagnostics, shown: text for people, JSON and SARIF for programs. Shared by the programs. */
#ifndef PIPELINK_DRIVER_REPORT_H
#define PIPELINK_DRIVER_REPORT_H

#include "diagnostics.h"

#include <getopt.h>
#include <jansson.h>

typedef enum pl_report_format { PL_REPORT_TEXT, PL_REPORT_JSON, PL_REPORT_SARIF } pl_report_format;
typedef enum pl_report_colour { PL_COLOUR_AUTO, PL_COLOUR_ALWAYS, PL_COLOUR_NEVER } pl_report_colour;

/* How diagnostics are shown, and what is made of them; zero is the usual. */
typedef struct pl_report_options {
  pl_report_format format;
  pl_report_colour colour;
  const char *file;     /* instead of standard error; NULL: none */
  unsigned error_limit; /* errors shown as text */
  bool has_error_limit; /* else PL_ERROR_LIMIT; a limit of 0 shows all */
  pl_policy policy;     /* its rules are in the arena that the options were read into */
} pl_report_options;

enum { PL_ERROR_LIMIT = 20 };

/* Shows every diagnostic once, as `tool`: "ld.pipelink: error: L-X: ...". In colour on a terminal, unless NO_COLOR is
 * set (no-color.org) or the options say otherwise. False, with a message on standard error, when the file cannot be
 * written. */
bool pl_report_show(pl_sink *sink, const char *tool, const pl_report_options *options);

/* pl_report_show() without options. */
void pl_report_print(pl_sink *sink, const char *tool);

/* report_options.c: the options that all programs share, for their getopt tables and help texts. */
enum { PL_OPTION_REPORT_FIRST = 1024 };
extern const struct option pl_report_long_options[]; /* ends with a zero entry */
extern const char pl_report_help[];

/* Takes one of those options; `option` is what getopt returned: a number of the table, or 'W'. 0 when it is done, 1
 * when it is not one of them, -EINVAL or -ENOMEM with the reason in the arena. */
int pl_report_option(int option, const char *value, pl_arena *arena, pl_report_options *options, const char **why);

/* `own` and the shared options as one table in the arena; NULL when out of memory. */
const struct option *pl_report_join_options(const struct option *own, pl_arena *arena);

/* report_json.c, report_sarif.c: the documents; NULL when out of memory. */
json_t *pl_report_json(const pl_sink *sink, const char *tool);
json_t *pl_report_sarif(const pl_sink *sink, const char *tool);
/* report_json.c: text that may not be UTF-8, as a JSON string; NULL for NULL. */
json_t *pl_report_text(const char *text);
const char *pl_report_severity(pl_severity severity);

#endif
