/* report_sarif.c - diagnostics as SARIF 2.1.0 (OASIS), for code hosts and editors.
 *
 * The rules are the catalogue's codes. A result's location is its first side with a known file, its related locations
 * are the others.
 */
#include "report.h"

#include "diagnostic_catalogue.h"

#include <ctype.h>
#include <string.h>

static const char SCHEMA[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
static const char *const LEVELS[] = {"note", "warning", "error"};

static json_t *message_json(const char *text) {
  return json_pack("{s:o}", "text", pl_report_text(text));
}

static json_t *rule_json(const pl_code_entry *entry) {
  return json_pack("{s:s, s:o, s:o, s:o, s:{s:s}, s:{s:s, s:s, s:s}}", "id", entry->code, "shortDescription",
                   message_json(entry->meaning), "fullDescription", message_json(entry->consequence), "help",
                   message_json(entry->fix), "defaultConfiguration", "level", LEVELS[entry->severity], "properties",
                   "family", pl_family_words(entry->family), "outcome", pl_outcome_words(entry->outcome), "basis",
                   pl_basis_words(entry->basis));
}

/* Those that are reported today. */
static json_t *rules_json(void) {
  json_t *rules = json_array();
  const pl_code_entry *entry;
  for (size_t i = 0; (entry = pl_catalogue_at(i)); i++)
    if (!entry->arrives_with && json_array_append_new(rules, rule_json(entry))) {
      json_decref(rules);
      return NULL;
    }
  return rules;
}

/* A path as a URI reference (RFC 3986): absolute paths as file:, everything unusual percent-encoded. */
static json_t *uri_json(const char *path) {
  pl_buffer uri = {0};
  pl_buffer_puts(&uri, *path == '/' ? "file://" : "");
  for (; *path; path++) {
    unsigned char letter = (unsigned char)*path;
    if (isalnum(letter) || strchr("/-._~", letter))
      pl_buffer_append(&uri, path, 1);
    else
      pl_buffer_printf(&uri, "%%%02X", letter);
  }
  json_t *string = uri.failed || !uri.size ? NULL : json_string(uri.data);
  pl_buffer_free(&uri);
  return string;
}

static json_t *region_json(const pl_location *location) {
  return location->column
             ? json_pack("{s:i, s:i}", "startLine", (int)location->line, "startColumn", (int)location->column)
             : json_pack("{s:i}", "startLine", (int)location->line);
}

static json_t *location_json(const pl_detail_line *line) {
  const pl_party *party = line->party;
  json_t *location = json_pack("{s:{s:{s:o}}, s:o}", "physicalLocation", "artifactLocation", "uri",
                               uri_json(party->location.file), "message", message_json(line->text));
  bool failed = party->location.line && json_object_set_new(json_object_get(location, "physicalLocation"), "region",
                                                            region_json(&party->location));
  failed |= party->package && json_object_set_new(location, "logicalLocations",
                                                  json_pack("[{s:o, s:s}]", "fullyQualifiedName",
                                                            pl_report_text(party->package), "kind", "module"));
  if (failed) {
    json_decref(location);
    return NULL;
  }
  return location;
}

/* The diagnostic without its first line's code, for a reader who sees nothing else of it. */
static json_t *whole_message(const pl_diagnostic *diagnostic) {
  pl_buffer text = {0};
  pl_buffer_puts(&text, diagnostic->summary);
  for (size_t i = 0; i < diagnostic->detail_count; i++)
    pl_buffer_printf(&text, "\n%s", diagnostic->details[i].text);
  for (size_t i = 0; i < diagnostic->field_count; i++)
    pl_buffer_printf(&text, "\n%s: %s, %s", diagnostic->fields[i].field, diagnostic->fields[i].first,
                     diagnostic->fields[i].second);
  if (diagnostic->consequence)
    pl_buffer_printf(&text, "\nat run time: %s", diagnostic->consequence);
  if (diagnostic->fix)
    pl_buffer_printf(&text, "\nfix: %s", diagnostic->fix);
  json_t *message = text.failed ? NULL : message_json(text.data);
  pl_buffer_free(&text);
  return message;
}

static json_t *result_json(const pl_diagnostic *diagnostic) {
  json_t *locations = json_array(), *related = json_array();
  bool failed = false;
  for (size_t i = 0; i < diagnostic->detail_count; i++) {
    const pl_detail_line *line = &diagnostic->details[i];
    if (line->party && line->party->location.file)
      failed |= json_array_append_new(json_array_size(locations) ? related : locations, location_json(line)) != 0;
  }
  if (failed) {
    json_decref(locations);
    json_decref(related);
    return NULL;
  }
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:b}}", "ruleId", diagnostic->code, "level",
                   LEVELS[diagnostic->severity], "message", whole_message(diagnostic), "locations", locations,
                   "relatedLocations", related, "properties", "forced", diagnostic->is_forced);
}

json_t *pl_report_sarif(const pl_sink *sink, const char *tool) {
  json_t *results = json_array();
  for (size_t i = 0; i < sink->count; i++)
    if (json_array_append_new(results, result_json(sink->diagnostics[i]))) {
      json_decref(results);
      return NULL;
    }
  return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[{s:b}], s:o}]}", "$schema", SCHEMA, "version", "2.1.0",
                   "runs", "tool", "driver", "name", tool, "version", PIPELINK_VERSION, "rules", rules_json(),
                   "invocations", "executionSuccessful", !pl_sink_has_errors(sink), "results", results);
}
