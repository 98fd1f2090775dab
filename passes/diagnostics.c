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

/* A bigger copy of an array in the arena; NULL when out of memory. */
static void *grow(pl_sink *sink, const void *items, size_t count, size_t *capacity, size_t item_bytes) {
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

static const char *format_text(pl_sink *sink, const char *format, va_list arguments) {
  const char *text = pl_arena_vprintf(sink->arena, format, arguments);
  if (!text) {
    sink->out_of_memory = true;
    text = "out of memory";
  }
  return text;
}

void pl_report(pl_sink *sink, pl_severity severity, const char *code, const char *format, ...) {
  if (severity == PL_ERROR)
    sink->error_count++;
  else if (severity == PL_WARNING)
    sink->warning_count++;
  if (sink->count == sink->capacity) {
    void *larger = grow(sink, sink->diagnostics, sink->count, &sink->capacity, sizeof *sink->diagnostics);
    if (!larger)
      return;
    sink->diagnostics = larger;
  }
  pl_diagnostic *diagnostic = pl_arena_alloc(sink->arena, sizeof *diagnostic);
  if (!diagnostic) {
    sink->out_of_memory = true;
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  *diagnostic = (pl_diagnostic){.severity = severity, .code = code, .summary = format_text(sink, format, arguments)};
  va_end(arguments);
  sink->diagnostics[sink->count++] = diagnostic;
}

static pl_diagnostic *latest(pl_sink *sink) {
  return sink->count ? sink->diagnostics[sink->count - 1] : NULL;
}

void pl_detail(pl_sink *sink, const char *format, ...) {
  pl_diagnostic *diagnostic = latest(sink);
  if (!diagnostic)
    return;
  /* Capacity is implied by the count: 0, 8, 16, 32, ... */
  size_t count = diagnostic->detail_count, capacity = count;
  if (count == 0 || (count >= 8 && (count & (count - 1)) == 0)) {
    void *larger = grow(sink, diagnostic->details, count, &capacity, sizeof *diagnostic->details);
    if (!larger)
      return;
    diagnostic->details = larger;
  }
  va_list arguments;
  va_start(arguments, format);
  diagnostic->details[diagnostic->detail_count++] = format_text(sink, format, arguments);
  va_end(arguments);
}

void pl_consequence(pl_sink *sink, const char *format, ...) {
  pl_diagnostic *diagnostic = latest(sink);
  if (!diagnostic)
    return;
  va_list arguments;
  va_start(arguments, format);
  diagnostic->consequence = format_text(sink, format, arguments);
  va_end(arguments);
}

void pl_fix(pl_sink *sink, const char *format, ...) {
  pl_diagnostic *diagnostic = latest(sink);
  if (!diagnostic)
    return;
  va_list arguments;
  va_start(arguments, format);
  diagnostic->fix = format_text(sink, format, arguments);
  va_end(arguments);
}

bool pl_sink_has_errors(const pl_sink *sink) {
  return sink->error_count || sink->out_of_memory;
}

void pl_diagnostic_print(const pl_diagnostic *diagnostic, const char *tool, bool colour, pl_buffer *text) {
  static const char *const words[] = {"remark", "warning", "error"};
  static const char *const colours[] = {"\033[1;34m", "\033[1;35m", "\033[1;31m"};
  const char *on = colour ? colours[diagnostic->severity] : "", *off = colour ? "\033[0m" : "";
  pl_buffer_printf(text, "%s: %s%s:%s %s: %s\n", tool, on, words[diagnostic->severity], off, diagnostic->code,
                   diagnostic->summary);
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    pl_buffer_printf(text, ">>> %s\n", diagnostic->details[i]);
  if (diagnostic->consequence)
    pl_buffer_printf(text, ">>> at run time: %s\n", diagnostic->consequence);
  if (diagnostic->fix)
    pl_buffer_printf(text, ">>> fix: %s\n", diagnostic->fix);
}
