/* diagnostics.c - the sink, and its text form. */
#include "diagnostics.h"

#include <errno.h>
#include <string.h>

pl_status pl_sink_init(pl_sink *sink) {
  *sink = (pl_sink){.arena = pl_arena_create()};
  return sink->arena ? 0 : -ENOMEM;
}

void pl_sink_free(pl_sink *sink) {
  pl_arena_free(sink->arena);
  *sink = (pl_sink){0};
}

/* Room for one more item in an array of the sink's arena; NULL when out of memory. */
static void *grow(pl_sink *sink, void *items, size_t count, size_t *capacity, size_t item_bytes) {
  if (count < *capacity)
    return items;
  size_t larger = *capacity ? *capacity * 2 : 8;
  void *copy = pl_arena_array(sink->arena, larger, item_bytes);
  if (!copy) {
    sink->out_of_memory = true;
    return NULL;
  }
  if (count)
    memcpy(copy, items, count * item_bytes);
  *capacity = larger;
  return copy;
}

static const char *copy_text(pl_sink *sink, const char *text) {
  const char *copy = pl_arena_strdup(sink->arena, text);
  if (!copy && text)
    sink->out_of_memory = true;
  return copy;
}

static const char *format_text(pl_sink *sink, const char *format, va_list arguments) {
  const char *text = pl_arena_vprintf(sink->arena, format, arguments);
  if (!text) {
    sink->out_of_memory = true;
    text = "out of memory";
  }
  return text;
}

/* What becomes of a diagnostic of this code. False: nothing. */
static bool judge(const pl_policy *policy, const char *code, pl_severity *severity, bool *is_forced) {
  const pl_severity reported = *severity;
  for (size_t i = 0; policy && i < policy->rule_count; i++) {
    const pl_rule *rule = &policy->rules[i];
    if ((rule->action == PL_RULE_FORCE) != (reported == PL_ERROR) || strcmp(rule->code, code))
      continue;
    *is_forced = rule->action == PL_RULE_FORCE;
    *severity = rule->action == PL_RULE_SILENT ? PL_REMARK : rule->action == PL_RULE_ERROR ? PL_ERROR : PL_WARNING;
    if (rule->action == PL_RULE_SILENT)
      return false;
  }
  if (policy && policy->warnings_are_errors && *severity == PL_WARNING && !*is_forced)
    *severity = PL_ERROR;
  return true;
}

void pl_report(pl_sink *sink, pl_severity severity, const char *code, const char *format, ...) {
  bool is_forced = false, is_shown = judge(sink->policy, code, &severity, &is_forced);
  if (is_shown && severity == PL_ERROR)
    sink->error_count++;
  else if (is_shown && severity == PL_WARNING)
    sink->warning_count++;
  sink->latest = pl_arena_alloc(sink->arena, sizeof *sink->latest);
  void *room = grow(sink, sink->diagnostics, sink->count, &sink->capacity, sizeof(pl_diagnostic *));
  if (!sink->latest || !room) {
    sink->out_of_memory = true;
    sink->latest = NULL;
    return;
  }
  sink->diagnostics = room;
  va_list arguments;
  va_start(arguments, format);
  *sink->latest = (pl_diagnostic){
      .severity = severity, .is_forced = is_forced, .code = code, .summary = format_text(sink, format, arguments)};
  va_end(arguments);
  if (is_shown)
    sink->diagnostics[sink->count++] = sink->latest;
}

/* A new line of the latest diagnostic; NULL when there is none or no memory. */
static pl_detail_line *add_line(pl_sink *sink, const pl_party *party) {
  pl_diagnostic *diagnostic = sink->latest;
  pl_party *copy = NULL;
  if (!diagnostic)
    return NULL;
  if (party) {
    copy = pl_arena_alloc(sink->arena, sizeof *copy);
    if (!copy) {
      sink->out_of_memory = true;
      return NULL;
    }
    *copy = (pl_party){.relation = copy_text(sink, party->relation),
                       .package = copy_text(sink, party->package),
                       .version = copy_text(sink, party->version),
                       .role = copy_text(sink, party->role),
                       .location = party->location};
    copy->location.file = copy_text(sink, party->location.file);
  }
  void *room = grow(sink, diagnostic->details, diagnostic->detail_count, &diagnostic->detail_capacity,
                    sizeof *diagnostic->details);
  if (!room)
    return NULL;
  diagnostic->details = room;
  pl_detail_line *line = &diagnostic->details[diagnostic->detail_count++];
  *line = (pl_detail_line){.text = "", .party = copy};
  return line;
}

void pl_detail(pl_sink *sink, const char *format, ...) {
  pl_detail_line *line = add_line(sink, NULL);
  if (!line)
    return;
  va_list arguments;
  va_start(arguments, format);
  line->text = format_text(sink, format, arguments);
  va_end(arguments);
}

void pl_detail_of(pl_sink *sink, const pl_party *party, const char *format, ...) {
  pl_detail_line *line = add_line(sink, party);
  if (!line)
    return;
  va_list arguments;
  va_start(arguments, format);
  line->text = format_text(sink, format, arguments);
  va_end(arguments);
}

const char *pl_party_text(pl_sink *sink, const pl_party *party) {
  pl_buffer text = {0};
  if (party->package)
    pl_buffer_printf(&text, "%s%s%s", party->package, party->version ? " " : "", party->version ? party->version : "");
  if (party->location.file) {
    const char *around = party->package ? " (" : "";
    pl_buffer_printf(&text, "%s%s", around, party->location.file);
    if (party->location.line)
      pl_buffer_printf(&text, ":%u", party->location.line);
    pl_buffer_puts(&text, party->package ? ")" : "");
  }
  const char *copy = text.failed ? NULL : copy_text(sink, text.data ? text.data : "");
  sink->out_of_memory |= text.failed;
  pl_buffer_free(&text);
  return copy ? copy : "";
}

/* A side's line without its value. */
static const char *side_text(pl_sink *sink, const pl_party *party) {
  const char *text =
      pl_arena_printf(sink->arena, "%s%s%s%s%s", party->relation ? party->relation : "", party->relation ? " " : "",
                      pl_party_text(sink, party), party->role ? ", role " : "", party->role ? party->role : "");
  sink->out_of_memory |= !text;
  return text ? text : "";
}

void pl_side_alone(pl_sink *sink, const pl_party *party) {
  pl_detail_line *line = add_line(sink, party);
  if (line)
    line->text = side_text(sink, party);
}

void pl_side_arguments(pl_sink *sink, const pl_party *party, const char *format, va_list arguments) {
  pl_detail_line *line = add_line(sink, party);
  if (!line)
    return;
  line->value = format_text(sink, format, arguments);
  const char *text = pl_arena_printf(sink->arena, "%s: %s", side_text(sink, party), line->value);
  sink->out_of_memory |= !text;
  line->text = text ? text : line->value;
}

void pl_side(pl_sink *sink, const pl_party *party, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pl_side_arguments(sink, party, format, arguments);
  va_end(arguments);
}

void pl_field_differs(pl_sink *sink, const char *field, const char *first, const char *second) {
  pl_diagnostic *diagnostic = sink->latest;
  if (!diagnostic)
    return;
  void *room =
      grow(sink, diagnostic->fields, diagnostic->field_count, &diagnostic->field_capacity, sizeof *diagnostic->fields);
  if (!room)
    return;
  diagnostic->fields = room;
  diagnostic->fields[diagnostic->field_count++] = (pl_field_row){
      .field = copy_text(sink, field), .first = copy_text(sink, first), .second = copy_text(sink, second)};
}

void pl_consequence(pl_sink *sink, const char *format, ...) {
  pl_diagnostic *diagnostic = sink->latest;
  if (!diagnostic)
    return;
  va_list arguments;
  va_start(arguments, format);
  diagnostic->consequence = format_text(sink, format, arguments);
  va_end(arguments);
}

void pl_fix(pl_sink *sink, const char *format, ...) {
  pl_diagnostic *diagnostic = sink->latest;
  if (!diagnostic)
    return;
  va_list arguments;
  va_start(arguments, format);
  diagnostic->fix = format_text(sink, format, arguments);
  va_end(arguments);
}

static bool is_same(const pl_diagnostic *a, const pl_diagnostic *b) {
  if (strcmp(a->code, b->code) || strcmp(a->summary, b->summary) || a->detail_count != b->detail_count ||
      a->field_count != b->field_count)
    return false;
  for (size_t i = 0; i < a->detail_count; i++)
    if (strcmp(a->details[i].text, b->details[i].text))
      return false;
  return true;
}

void pl_sink_unique(pl_sink *sink) {
  size_t kept = 0;
  for (size_t i = 0; i < sink->count; i++) {
    pl_diagnostic *diagnostic = sink->diagnostics[i];
    size_t k = 0;
    while (k < kept && !is_same(sink->diagnostics[k], diagnostic))
      k++;
    if (k == kept)
      sink->diagnostics[kept++] = diagnostic;
  }
  sink->count = kept;
}

bool pl_sink_has_errors(const pl_sink *sink) {
  return sink->error_count || sink->out_of_memory;
}

pl_status pl_sink_status(const pl_sink *sink) {
  return sink->out_of_memory ? -ENOMEM : sink->error_count ? -EINVAL : 0;
}

/* The relation of the n-th side; heads a column of the table. */
static const char *relation_of(const pl_diagnostic *diagnostic, size_t n) {
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    if (diagnostic->details[i].party && diagnostic->details[i].party->relation && n-- == 0)
      return diagnostic->details[i].party->relation;
  return "";
}

static int widest(int width, const char *text) {
  size_t length = text ? strlen(text) : 0;
  return length > (size_t)width && length < 80 ? (int)length : width;
}

static void print_fields(const pl_diagnostic *diagnostic, pl_buffer *text) {
  const char *first = relation_of(diagnostic, 0), *second = relation_of(diagnostic, 1);
  int field_width = 0, first_width = widest(0, first);
  for (size_t i = 0; i < diagnostic->field_count; i++) {
    field_width = widest(field_width, diagnostic->fields[i].field);
    first_width = widest(first_width, diagnostic->fields[i].first);
  }
  if (diagnostic->field_count)
    pl_buffer_printf(text, ">>>   %*s  %-*s  %s\n", field_width, "", first_width, first, second);
  for (size_t i = 0; i < diagnostic->field_count; i++) {
    const pl_field_row *row = &diagnostic->fields[i];
    pl_buffer_printf(text, ">>>   %-*s  %-*s  %s\n", field_width, row->field ? row->field : "", first_width,
                     row->first ? row->first : "", row->second ? row->second : "");
  }
}

void pl_diagnostic_print(const pl_diagnostic *diagnostic, const char *tool, bool colour, pl_buffer *text) {
  static const char *const words[] = {"remark", "warning", "error"};
  static const char *const colours[] = {"\033[1;34m", "\033[1;35m", "\033[1;31m"};
  const char *on = colour ? colours[diagnostic->severity] : "", *off = colour ? "\033[0m" : "";
  pl_buffer_printf(text, "%s: %s%s:%s %s: %s%s\n", tool, on, words[diagnostic->severity], off, diagnostic->code,
                   diagnostic->is_forced ? "forced: " : "", diagnostic->summary);
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    pl_buffer_printf(text, ">>> %s\n", diagnostic->details[i].text);
  print_fields(diagnostic, text);
  if (diagnostic->consequence)
    pl_buffer_printf(text, ">>> at run time: %s\n", diagnostic->consequence);
  if (diagnostic->fix)
    pl_buffer_printf(text, ">>> fix: %s\n", diagnostic->fix);
}
