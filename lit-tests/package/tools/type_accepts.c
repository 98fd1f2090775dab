/* type_accepts.c - pl_type_accepts over cases on stdin: [{"wanted": TYPE, "provided": TYPE}, ...]. Prints one line per
 * case: "accepted" or the reason. Used by two-types-match-by-layout.test. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>

/* A contract with both types as arguments of one import: the contract reader is the only way to a pl_type. */
static json_t *contract_of(json_t *wanted, json_t *provided) {
  return json_pack("[{s:s, s:{s:s, s:i, s:i}, s:s, s:s},"
                   " {s:s, s:{s:s, s:i, s:i}, s:s, s:s, s:s, s:b, s:{s:s, s:s, s:i, s:i}, s:[O, O]}]",
                   "kind", "stage", "loc", "file", "a.cu", "line", 1, "column", 1, "name", "a", "version", "1.0.0",
                   "kind", "import", "loc", "file", "a.cu", "line", 1, "column", 1, "name", "f", "symbol", "f",
                   "function", "f", "defined", 0, "result", "kind", "void", "name", "void", "size", 0, "align", 1,
                   "arguments", wanted, provided);
}

static bool run(json_t *cases, pl_arena *arena, pl_sink *sink) {
  for (size_t i = 0; i < json_array_size(cases); i++) {
    const json_t *one = json_array_get(cases, i);
    json_t *nodes = contract_of(json_object_get(one, "wanted"), json_object_get(one, "provided"));
    pl_contract contract;
    pl_status status = pl_contract_parse(nodes, "case", arena, sink, &contract);
    json_decref(nodes);
    if (status) {
      printf("case %zu: %s\n", i, sink->count ? sink->diagnostics[0]->summary : "out of memory");
      return false;
    }
    const char *why = NULL;
    const pl_type *const *types = contract.seams[0].arguments;
    bool is_accepted = pl_type_accepts(types[0], types[1], arena, &why);
    if (is_accepted != !why)
      return false;
    puts(is_accepted ? "accepted" : why);
  }
  return true;
}

int main(void) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  if (pl_sink_init(&sink) || !arena)
    return 1;
  json_t *cases = json_loadf(stdin, 0, NULL);
  bool good = cases && run(cases, arena, &sink);
  json_decref(cases);
  pl_arena_free(arena);
  pl_sink_free(&sink);
  return !good;
}
