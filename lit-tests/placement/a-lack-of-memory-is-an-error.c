/* RUN: %test-programs/a-lack-of-memory-is-an-error

   Every allocation of a solve fails in turn, of one that fits and of one that does not: the answer is -ENOMEM, or the
   same as ever when a message was all that got lost, and nothing is left behind. Z3's own memory is not touched: where
   it runs out, Z3 says so through its error code. */
#include "../runtime/Inputs/check.h"
#include "tools/large_problem.h"

#include <errno.h>
#include <stdlib.h>

static bool is_counting;
static size_t allocations, failing; /* `failing`: the allocation that fails, counted from 1; 0 for none */
static long outstanding;

static bool fails(void) {
  return is_counting && ++allocations == failing;
}

/* The linker sends the solver's calls here (CMakeLists.txt), under names of its own. An arena hands out many pieces of
 * one block, so each piece counts as an allocation too. NOLINTBEGIN(bugprone-reserved-identifier) */
#define WRAP(result, name, ...)                                                                                        \
  result __real_##name(__VA_ARGS__);                                                                                   \
  result __wrap_##name(__VA_ARGS__);                                                                                   \
  result __wrap_##name(__VA_ARGS__)

WRAP(void *, malloc, size_t size) {
  void *memory = fails() ? NULL : __real_malloc(size);
  outstanding += is_counting && memory;
  return memory;
}

WRAP(void *, calloc, size_t count, size_t size) {
  void *memory = fails() ? NULL : __real_calloc(count, size);
  outstanding += is_counting && memory;
  return memory;
}

WRAP(void, free, void *memory) {
  outstanding -= is_counting && memory;
  __real_free(memory);
}

WRAP(void *, pl_arena_alloc, pl_arena *arena, size_t bytes) {
  return fails() ? NULL : __real_pl_arena_alloc(arena, bytes);
}

WRAP(void *, pl_arena_array, pl_arena *arena, size_t count, size_t item_bytes) {
  return fails() ? NULL : __real_pl_arena_array(arena, count, item_bytes);
}

WRAP(char *, pl_arena_strdup, pl_arena *arena, const char *text) {
  return fails() ? NULL : __real_pl_arena_strdup(arena, text);
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

static pl_status solve(const pl_placement_problem *problem, size_t fail) {
  pl_sink sink;
  pl_placement_solution solution;
  allocations = 0;
  outstanding = 0;
  failing = fail;
  is_counting = true;
  pl_arena *arena = pl_arena_create();
  pl_status status = pl_sink_init(&sink);
  if (!arena)
    status = -ENOMEM;
  if (!status)
    status = pl_placement_solve(problem, arena, &sink, &solution);
  CHECK(!status || status == -ENOMEM || pl_sink_has_errors(&sink));
  if (sink.arena)
    pl_sink_free(&sink);
  pl_arena_free(arena);
  is_counting = false;
  CHECK(!outstanding);
  return status;
}

static void fail_each(const char *name, const pl_placement_problem *problem, pl_status expected) {
  CHECK(solve(problem, 0) == expected);
  size_t count = allocations;
  for (size_t fail = 1; fail <= count; fail++) {
    pl_status status = solve(problem, fail);
    CHECK(status == -ENOMEM || status == expected);
  }
  printf("%s: each of %zu allocations failed once\n", name, count);
  CHECK(count > 40);
}

int main(void) {
  static problem_store store;
  large_problem(&store, (large_size){.roles = 4, .rings = 2, .buffers = 6, .barriers = 4});
  fail_each("fits", &store.problem, 0);
  store.rings[0].slot_bytes = 200000;
  store.roles[0].registers_min = store.roles[0].registers_preferred = store.roles[0].registers_max = 256;
  store.roles[3].registers_min = store.roles[3].registers_preferred = store.roles[3].registers_max = 256;
  fail_each("does not fit", &store.problem, -ENOSPC);
  store.barriers[0].id = 99;
  fail_each("contradicts itself", &store.problem, -EINVAL);
  return CHECK_RESULT();
}
