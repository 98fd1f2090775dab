/* report_json.c - diagnostics as JSON: docs/linker.md, "Diagnostics for programs". */
#include "report.h"

#include <errno.h>
#include <string.h>

enum { REPORT_VERSION = 1 };

const char *pl_report_severity(pl_severity severity) {
  static const char *const words[] = {"remark", "warning", "error"};
  return words[severity];
}

json_t *pl_report_text(const char *text) {
  json_t *string = text ? json_string(text) : NULL;
  if (string || !text)
    return string;
  /* Names come from other people's files: what is no UTF-8 is shown as ASCII. */
  pl_buffer ascii = {0};
  for (const char *at = text; *at; at++)
    pl_buffer_append(&ascii, (unsigned char)*at < 0x80 ? at : "?", 1);
  string = ascii.failed || !ascii.size ? NULL : json_string(ascii.data);
  pl_buffer_free(&ascii);
  return string;
}

/* An object of those texts that are not NULL; NULL when out of memory. */
static json_t *texts_json(const char *const *keys, const char *const *texts, size_t count) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++)
    if (texts[i] && json_object_set_new(object, keys[i], pl_report_text(texts[i]))) {
      json_decref(object);
      return NULL;
    }
  return object;
}

static json_t *line_json(const pl_detail_line *line) {
  static const char *const keys[] = {"text", "relation", "package", "version", "role", "file", "value"};
  const pl_party *party = line->party ? line->party : &(pl_party){0};
  const char *const texts[] = {line->text,  party->relation,      party->package, party->version,
                               party->role, party->location.file, line->value};
  json_t *object = texts_json(keys, texts, sizeof keys / sizeof *keys);
  bool failed = party->location.line && json_object_set_new(object, "line", json_integer(party->location.line));
  failed |= party->location.column && json_object_set_new(object, "column", json_integer(party->location.column));
  if (failed) {
    json_decref(object);
    return NULL;
  }
  return object;
}

static json_t *field_json(const pl_field_row *row) {
  static const char *const keys[] = {"field", "first", "second"};
  const char *const texts[] = {row->field, row->first, row->second};
  return texts_json(keys, texts, 3);
}

static json_t *diagnostic_json(const pl_diagnostic *diagnostic) {
  static const char *const keys[] = {"severity", "code", "summary", "consequence", "fix"};
  const char *const texts[] = {pl_report_severity(diagnostic->severity), diagnostic->code, diagnostic->summary,
                               diagnostic->consequence, diagnostic->fix};
  json_t *details = json_array(), *fields = json_array(), *object = texts_json(keys, texts, 5);
  bool failed = !object;
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    failed |= json_array_append_new(details, line_json(&diagnostic->details[i])) != 0;
  for (size_t i = 0; i < diagnostic->field_count; i++)
    failed |= json_array_append_new(fields, field_json(&diagnostic->fields[i])) != 0;
  failed |= json_object_set_new(object, "forced", json_boolean(diagnostic->is_forced)) != 0;
  failed |= json_object_set_new(object, "details", details) != 0;
  failed |= json_object_set_new(object, "fields", fields) != 0;
  if (failed) {
    json_decref(object);
    return NULL;
  }
  return object;
}

json_t *pl_report_json(const pl_sink *sink, const char *tool) {
  json_t *diagnostics = json_array();
  for (size_t i = 0; i < sink->count; i++)
    if (json_array_append_new(diagnostics, diagnostic_json(sink->diagnostics[i]))) {
      json_decref(diagnostics);
      return NULL;
    }
  return json_pack("{s:i, s:s, s:s, s:b, s:o}", "pipelink", REPORT_VERSION, "tool", tool, "tool_version",
                   PIPELINK_VERSION, "out_of_memory", sink->out_of_memory, "diagnostics", diagnostics);
}
