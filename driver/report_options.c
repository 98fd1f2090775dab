/* report_options.c - the options about diagnostics that ld.pipelink and pipelink pack share, named as in lld and GCC.
 */
#include "report.h"

#include "diagnostic_catalogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLOUR = PL_OPTION_REPORT_FIRST, FORMAT, REPORT_FILE, ERROR_LIMIT, FATAL, FORCE };

const struct option pl_report_long_options[] = {{"color-diagnostics", optional_argument, NULL, COLOUR},
                                                {"diagnostics", required_argument, NULL, FORMAT},
                                                {"diagnostics-file", required_argument, NULL, REPORT_FILE},
                                                {"error-limit", required_argument, NULL, ERROR_LIMIT},
                                                {"fatal-warnings", no_argument, NULL, FATAL},
                                                {"force-unsafe", required_argument, NULL, FORCE},
                                                {0}};

const char pl_report_help[] =
    "diagnostics (`pipelink explain CODE` tells what a code means):\n"
    "  --diagnostics=FORMAT    text (default), json or sarif (SARIF 2.1.0)\n"
    "  --diagnostics-file=FILE write them to FILE instead of standard error\n"
    "  --color-diagnostics[=WHEN]  always, never or auto (default: on a terminal, unless NO_COLOR is set)\n"
    "  --error-limit=N         show N errors at most (default 20; 0: all)\n"
    "  -WCODE, -Wno-CODE       show remarks of CODE as warnings; hide its remarks and warnings\n"
    "  -Werror=CODE            take remarks and warnings of CODE for errors\n"
    "  --fatal-warnings        take all warnings for errors\n"
    "  --force-unsafe=CODE     go on although CODE says that the kernel would hang or compute something else\n";

static int refuse(pl_arena *arena, const char **why, const char *format, const char *value, const char *more) {
  *why = pl_arena_printf(arena, format, value, more);
  return *why ? -EINVAL : -ENOMEM;
}

static int add_rule(pl_report_options *options, const char *name, pl_rule_action action, pl_arena *arena,
                    const char **why) {
  const pl_code_entry *entry = pl_catalogue_find(name), *near = entry ? NULL : pl_catalogue_near(name);
  if (!entry && near)
    return refuse(arena, why, "'%s' is no code of a diagnostic; did you mean %s?", name, near->code);
  if (!entry)
    return refuse(arena, why, "'%s' is no code of a diagnostic; `%s` lists them", name, "pipelink explain");
  if (action == PL_RULE_FORCE && !entry->is_forcible)
    return refuse(arena, why, "--force-unsafe=%s: no kernel could be made without it: %s", entry->code, entry->meaning);
  pl_policy *policy = &options->policy;
  pl_rule *rules = pl_arena_array(arena, policy->rule_count + 1, sizeof *rules);
  if (!rules)
    return -ENOMEM;
  if (policy->rule_count)
    memcpy(rules, policy->rules, policy->rule_count * sizeof *rules);
  rules[policy->rule_count++] = (pl_rule){.code = entry->code, .action = action};
  policy->rules = rules;
  return 0;
}

static int read_warning(pl_report_options *options, const char *value, pl_arena *arena, const char **why) {
  if (!strncmp(value, "no-", 3))
    return add_rule(options, value + 3, PL_RULE_SILENT, arena, why);
  if (!strncmp(value, "error=", 6))
    return add_rule(options, value + 6, PL_RULE_ERROR, arena, why);
  return add_rule(options, value, PL_RULE_WARNING, arena, why);
}

/* The index of the value among `words`, or -1. */
static int word(const char *value, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (!strcmp(value, words[i]))
      return i;
  return -1;
}

static int read_limit(pl_report_options *options, const char *value, pl_arena *arena, const char **why) {
  char *end;
  errno = 0;
  unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || number > UINT32_MAX)
    return refuse(arena, why, "--error-limit=%s: a number, 0 for no limit%s", value, "");
  options->error_limit = (unsigned)number;
  options->has_error_limit = true;
  return 0;
}

int pl_report_option(int option, const char *value, pl_arena *arena, pl_report_options *options, const char **why) {
  static const char *const formats[] = {"text", "json", "sarif"};
  static const char *const colours[] = {"auto", "always", "never"};
  int chosen;
  *why = "out of memory";
  switch (option) {
  case 'W':
    return read_warning(options, value, arena, why);
  case FORCE:
    return add_rule(options, value, PL_RULE_FORCE, arena, why);
  case ERROR_LIMIT:
    return read_limit(options, value, arena, why);
  case FATAL:
    options->policy.warnings_are_errors = true;
    return 0;
  case REPORT_FILE:
    options->file = value;
    return 0;
  case FORMAT:
    if ((chosen = word(value, formats, 3)) < 0)
      return refuse(arena, why, "--diagnostics=%s: it is text, json or sarif%s", value, "");
    options->format = (pl_report_format)chosen;
    return 0;
  case COLOUR:
    if ((chosen = word(value ? value : "always", colours, 3)) < 0)
      return refuse(arena, why, "--color-diagnostics=%s: it is auto, always or never%s", value, "");
    options->colour = (pl_report_colour)chosen;
    return 0;
  default:
    return 1;
  }
}

const struct option *pl_report_join_options(const struct option *own, pl_arena *arena) {
  size_t own_count = 0, shared_count = sizeof pl_report_long_options / sizeof *pl_report_long_options;
  while (own[own_count].name)
    own_count++;
  struct option *joined = pl_arena_array(arena, own_count + shared_count, sizeof *joined);
  if (!joined)
    return NULL;
  memcpy(joined, own, own_count * sizeof *joined);
  memcpy(joined + own_count, pl_report_long_options, shared_count * sizeof *joined);
  return joined;
}
