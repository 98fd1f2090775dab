/* placement.c - solves the placement of one CTA: the parts in order, each in a file of its own (placement_parts.h).
 *
 * Warps with registers, tensor memory, and ring depths with shared memory and named barriers share nothing, so each is
 * solved, and explained, by itself: a problem that fails in two ways gets two diagnostics.
 */
#include "placement_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

const char *pl_place_number(pl_place *place, uint64_t number) {
  char digits[32], *at = digits + sizeof digits;
  *--at = 0;
  for (unsigned count = 0; number || !count; number /= 10, count++) {
    if (count && count % 3 == 0)
      *--at = ',';
    *--at = (char)('0' + number % 10);
  }
  const char *text = pl_arena_strdup(place->scratch, at);
  if (!text)
    place->sink->out_of_memory = true;
  return text ? text : "?";
}

const char *pl_place_who(pl_place *place, const char *kind, const char *name, const char *owner) {
  const char *text = pl_arena_printf(place->scratch, "%s '%s' of %s", kind, name, owner);
  if (!text)
    place->sink->out_of_memory = true;
  return text ? text : name;
}

void pl_place_advise(pl_place_advice *advice, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = pl_arena_vprintf(advice->place->scratch, format, arguments);
  va_end(arguments);
  if (text && advice->text)
    text = pl_arena_printf(advice->place->scratch, "%s, or %s", advice->text, text);
  if (text)
    advice->text = text;
  else
    advice->place->sink->out_of_memory = true;
}

/* ---- the order of names ---- */

struct named {
  const char *name, *owner;
  size_t index;
};

static int by_name(const void *left, const void *right) {
  const struct named *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  if (!order)
    order = strcmp(a->owner, b->owner);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Every declaration begins with its name and its owner. NULL when out of memory. */
static size_t *order_of_names(pl_place *place, const void *declarations, size_t count, size_t bytes) {
  struct named *list = pl_arena_array(place->scratch, count, sizeof *list);
  size_t *order = pl_arena_array(place->scratch, count, sizeof *order);
  if (!list || !order)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    const char *names[2];
    memcpy(names, (const char *)declarations + i * bytes, sizeof names);
    list[i] = (struct named){names[0], names[1], i};
  }
  if (count)
    qsort(list, count, sizeof *list, by_name);
  for (size_t i = 0; i < count; i++)
    order[i] = list[i].index;
  return order;
}

static pl_status order_declarations(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
#define ORDER(kind)                                                                                                    \
  (place->kind##s = order_of_names(place, problem->kind##s, problem->kind##_count, sizeof *problem->kind##s))
  return ORDER(role) && ORDER(ring) && ORDER(buffer) && ORDER(barrier) && ORDER(tmem) ? 0 : -ENOMEM;
#undef ORDER
}

/* ---- the solution ---- */

static pl_status make_solution(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  pl_placement_solution *solution = place->solution;
  bool complete = true;
  *solution = (pl_placement_solution){0};
#define MAKE(array, count)                                                                                             \
  (complete &= (solution->array = pl_arena_array(place->arena, problem->count, sizeof *solution->array)) != NULL)
  MAKE(first_warp, role_count);
  MAKE(warps, role_count);
  MAKE(registers, role_count);
  MAKE(depth, ring_count);
  MAKE(slot_offset, ring_count);
  MAKE(slot_stride, ring_count);
  MAKE(mbarrier_offset, ring_count);
  MAKE(ring_barrier_id, ring_count);
  MAKE(ring_bound, ring_count);
  MAKE(buffer_offset, buffer_count);
  MAKE(barrier_id, barrier_count);
  MAKE(tmem_column, tmem_count);
#undef MAKE
  return complete ? 0 : -ENOMEM;
}

/* Every part is asked, so that all that is wrong is told at once. */
static pl_status solve(pl_place *place) {
  static pl_status (*const parts[])(pl_place *) = {pl_place_roles, pl_place_tmem, pl_place_rings};
  pl_status result = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    pl_status status = parts[i](place);
    if (status && status != -ENOSPC)
      return status;
    if (status)
      result = status;
  }
  return result;
}

pl_status pl_placement_solve(const pl_placement_problem *problem, pl_arena *arena, pl_sink *sink,
                             pl_placement_solution *solution) {
  double start = pl_milliseconds();
  pl_arena *scratch = pl_arena_create();
  if (!scratch)
    return -ENOMEM;
  pl_place place = {
      .problem = problem,
      .ctas_per_sm = problem->ctas_per_sm ? problem->ctas_per_sm : 1,
      .arena = arena,
      .scratch = scratch,
      .sink = sink,
      .solution = solution,
  };
  pl_status status = make_solution(&place);
  if (!status)
    status = order_declarations(&place);
  if (!status)
    status = pl_place_check(&place);
  if (!status)
    status = solve(&place);
  if (!status && sink->out_of_memory)
    status = -ENOMEM;
  pl_arena_free(scratch);
  solution->milliseconds = pl_milliseconds() - start;
  return status;
}
