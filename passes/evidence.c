/* evidence.c - collects what each check rests on, and prints it as the link report. */
#include "evidence.h"

#include "json.h"
#include "link.h"

#include <errno.h>
#include <string.h>

enum { REPORT_VERSION = 1 };

static const char *const STATES[] = {"declared", "verified", "undecided"};

static pl_evidence_row *find(pl_evidence_list *evidence, const char *code, const char *subject) {
  for (size_t i = 0; i < evidence->count; i++)
    if (!strcmp(evidence->rows[i].code, code) && !strcmp(evidence->rows[i].subject, subject))
      return &evidence->rows[i];
  return NULL;
}

static pl_evidence_row *add(pl_link *link) {
  pl_evidence_list *evidence = &link->evidence;
  if (evidence->count == evidence->capacity) {
    size_t larger = evidence->capacity ? evidence->capacity * 2 : 32;
    pl_evidence_row *rows = pl_arena_array(link->arena, larger, sizeof *rows);
    if (!rows)
      return NULL;
    if (evidence->count)
      memcpy(rows, evidence->rows, evidence->count * sizeof *rows);
    evidence->rows = rows;
    evidence->capacity = larger;
  }
  return &evidence->rows[evidence->count++];
}

void pl_evidence(pl_link *link, pl_evidence_state state, const char *code, const char *subject, const char *reason,
                 ...) {
  va_list arguments;
  va_start(arguments, reason);
  const char *why = subject ? pl_arena_vprintf(link->arena, reason, arguments) : NULL;
  va_end(arguments);
  pl_evidence_row *row = why ? find(&link->evidence, code, subject) : NULL;
  if (row && row->state > state)
    return;
  if (why && !row)
    row = add(link);
  if (!row) {
    link->sink->out_of_memory = true;
    return;
  }
  *row = (pl_evidence_row){.subject = subject, .code = code, .state = state, .reason = why};
}

size_t pl_evidence_count(const pl_evidence_list *evidence, pl_evidence_state state) {
  size_t count = 0;
  for (size_t i = 0; i < evidence->count; i++)
    count += evidence->rows[i].state == state;
  return count;
}

pl_status pl_evidence_print(const pl_link *link, pl_buffer *text) {
  const pl_evidence_list *evidence = &link->evidence;
  json_t *rows = json_array();
  for (size_t i = 0; i < evidence->count; i++)
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "subject", evidence->rows[i].subject, "code",
                                          evidence->rows[i].code, "state", STATES[evidence->rows[i].state], "reason",
                                          evidence->rows[i].reason));
  json_t *summary = json_object();
  for (int state = PL_EVIDENCE_DECLARED; state <= PL_EVIDENCE_UNDECIDED; state++)
    json_object_set_new(summary, STATES[state],
                        json_integer((json_int_t)pl_evidence_count(evidence, (pl_evidence_state)state)));
  json_t *report = json_pack("{s:i, s:s, s:s, s:o, s:o}", "pipelink", REPORT_VERSION, "kernel", link->entry, "profile",
                             link->profile->name, "summary", summary, "checks", rows);
  bool is_whole = report && json_array_size(rows) == evidence->count && json_object_size(summary) == 3;
  pl_status status = pl_json_print(report, JSON_INDENT(2), text);
  return is_whole ? status : -ENOMEM;
}
