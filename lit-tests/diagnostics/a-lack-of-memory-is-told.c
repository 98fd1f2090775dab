/* RUN: %test-programs/a-lack-of-memory-is-told

   Every allocation fails in turn while a diagnostic is reported, printed, and made a JSON and a SARIF document. What is
   lost is told: the sink counts as one with an error, a document is whole or is not there. */
#include "../runtime/Inputs/check.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>

static bool is_counting;
static size_t allocations, failing; /* `failing`: the allocation that fails, counted from 1; 0 for none */

static bool fails(void) {
  return is_counting && ++allocations == failing;
}

/* The linker sends the base library's calls here (CMakeLists.txt), under names of its own. An arena hands out many
 * pieces of one block, so each piece counts as an allocation too. NOLINTBEGIN(bugprone-reserved-identifier) */
#define WRAP(result, name, ...)                                                                                        \
  result __real_##name(__VA_ARGS__);                                                                                   \
  result __wrap_##name(__VA_ARGS__);                                                                                   \
  result __wrap_##name(__VA_ARGS__)

WRAP(void *, malloc, size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

WRAP(void *, calloc, size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}

WRAP(void *, realloc, void *memory, size_t size) {
  return fails() ? NULL : __real_realloc(memory, size);
}

WRAP(void *, pl_arena_alloc, pl_arena *arena, size_t bytes) {
  return fails() ? NULL : __real_pl_arena_alloc(arena, bytes);
}

WRAP(void *, pl_arena_array, pl_arena *arena, size_t count, size_t item_bytes) {
  return fails() ? NULL : __real_pl_arena_array(arena, count, item_bytes);
}

WRAP(char *, pl_arena_strdup, pl_arena *arena, const char *text) {
  return text && fails() ? NULL : __real_pl_arena_strdup(arena, text); /* NULL takes no memory */
}

WRAP(char *, pl_arena_vprintf, pl_arena *arena, const char *format, va_list arguments) {
  return fails() ? NULL : __real_pl_arena_vprintf(arena, format, arguments);
}

char *__wrap_pl_arena_printf(pl_arena *arena, const char *format, ...) PL_PRINTF(2, 3);
char *__wrap_pl_arena_printf(pl_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = __wrap_pl_arena_vprintf(arena, format, arguments);
  va_end(arguments);
  return text;
}

/* NOLINTEND(bugprone-reserved-identifier) */

static void *jansson_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

static void fill(pl_sink *sink) {
  const pl_party producer = {.relation = "produced by",
                             .package = "org.test.load",
                             .version = "1.0.0",
                             .role = "load",
                             .location = {"load.cu", 7, 3}};
  const pl_party consumer = {.relation = "consumed by", .package = "org.test.use", .location = {"/use it.cu", 9, 0}};
  for (int i = 0; i < 9; i++) { /* more than the first room of the array; for the first, of its lines too */
    pl_report(sink, PL_ERROR, "L-HANDLE", "ring '%d': slots have different sizes", i);
    pl_side(sink, &producer, "%d bytes", 16);
    pl_side_alone(sink, &consumer);
    for (int k = 0; k < 7 && !i; k++)
      pl_detail_of(sink, &producer, "line %d", k);
    pl_field_differs(sink, "bytes", "16", "32");
    pl_consequence(sink, "other bytes would be read");
    pl_fix(sink, "declare the same");
  }
}

/* What the sink and the documents hold when nothing is lost. */
static void look(const pl_sink *sink, const json_t *json, const json_t *sarif) {
  pl_buffer text = {0};
  pl_diagnostic_print(sink->diagnostics[0], "tool", false, &text);
  CHECK(!text.failed);
  CHECK_CONTAINS(text.data, "tool: error: L-HANDLE: ring '0': slots have different sizes\n"
                            ">>> produced by org.test.load 1.0.0 (load.cu:7), role load: 16 bytes\n"
                            ">>> consumed by org.test.use (/use it.cu:9)\n"
                            ">>> line 0\n");
  CHECK_CONTAINS(text.data, ">>>          produced by  consumed by\n"
                            ">>>   bytes  16           32\n"
                            ">>> at run time: other bytes would be read\n"
                            ">>> fix: declare the same\n");
  pl_buffer_free(&text);
  CHECK(json && json_array_size(json_object_get(json, "diagnostics")) == 9);
  const char *uri = NULL, *other = NULL;
  int line = 0, column = 0;
  CHECK(!json_unpack((json_t *)sarif, "{s:[{s:[{s:[{s:{s:{s:s}, s:{s:i, s:i}}}], s:[{s:{s:{s:s}}}, *]}, *]}]}", "runs",
                     "results", "locations", "physicalLocation", "artifactLocation", "uri", &uri, "region", "startLine",
                     &line, "startColumn", &column, "relatedLocations", "physicalLocation", "artifactLocation", "uri",
                     &other));
  CHECK_TEXT(uri ? uri : "", "load.cu");
  CHECK_TEXT(other ? other : "", "file:///use%20it.cu");
  CHECK(line == 7 && column == 3);
}

/* With allocation `fail` failing. True when nothing failed. */
static bool tell(size_t fail) {
  pl_sink sink = {0};
  allocations = 0;
  failing = fail;
  is_counting = true;
  json_t *json = NULL, *sarif = NULL;
  bool lives = !pl_sink_init(&sink);
  if (lives) {
    fill(&sink);
    json = pl_report_json(&sink, "tool");
    sarif = pl_report_sarif(&sink, "tool");
  }
  is_counting = false;
  bool failed = fail && allocations >= fail;
  CHECK(!lives || pl_sink_status(&sink) == (sink.out_of_memory ? -ENOMEM : -EINVAL));
  if (lives && !sink.out_of_memory && json && sarif)
    look(&sink, json, sarif);
  else
    CHECK(failed);
  json_decref(json);
  json_decref(sarif);
  pl_sink_free(&sink);
  return !failed;
}

int main(void) {
  json_set_alloc_funcs(jansson_malloc, free);
  CHECK(tell(0));
  size_t fail = 1;
  while (!tell(fail) && fail < 100000)
    fail++;
  printf("each of %zu allocations failed once\n", fail - 1);
  CHECK(fail > 1000);
  return CHECK_RESULT();
}
