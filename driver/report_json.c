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

/* "s*" leaves out what is NULL. */
static json_t *line_json(const pl_detail_line *line) {
  const pl_party *party = line->party ? line->party : &(pl_party){0};
  json_t *object = json_pack("{s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}", "text", pl_report_text(line->text),
                             "relation", pl_report_text(party->relation), "package", pl_report_text(party->package),
                             "version", pl_report_text(party->version), "role", pl_report_text(party->role), "file",
                             pl_report_text(party->location.file), "value", pl_report_text(line->value));
  if (object && party->location.line)
    json_object_set_new(object, "line", json_integer(party->location.line));
  if (object && party->location.column)
    json_object_set_new(object, "column", json_integer(party->location.column));
  return object;
}

static json_t *diagnostic_json(const pl_diagnostic *diagnostic) {
  json_t *details = json_array(), *fields = json_array();
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    json_array_append_new(details, line_json(&diagnostic->details[i]));
  for (size_t i = 0; i < diagnostic->field_count; i++)
    json_array_append_new(fields, json_pack("{s:o*, s:o*, s:o*}", "field", pl_report_text(diagnostic->fields[i].field),
                                            "first", pl_report_text(diagnostic->fields[i].first), "second",
                                            pl_report_text(diagnostic->fields[i].second)));
  return json_pack("{s:s, s:s, s:b, s:o*, s:o, s:o, s:o*, s:o*}", "severity", pl_report_severity(diagnostic->severity),
                   "code", diagnostic->code, "forced", diagnostic->is_forced, "summary",
                   pl_report_text(diagnostic->summary), "details", details, "fields", fields, "consequence",
                   pl_report_text(diagnostic->consequence), "fix", pl_report_text(diagnostic->fix));
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
