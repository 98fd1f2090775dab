/* RUN: %test-programs/the-order-of-declarations-does-not-matter

   The same stages in another order, as another command line would give them, are placed alike, name by name; and the
   same problem twice gives the same solution. */
#include "../runtime/Inputs/check.h"
#include "tools/random_problem.h"

#include <stdlib.h>

enum { INSTANCES = 60 };

/* Fisher and Yates; `to` receives where each went. */
static void shuffle(random_source *source, void *items, size_t count, size_t bytes, size_t *to) {
  char *base = items, copy[256];
  for (size_t i = 0; i < count; i++)
    to[i] = i;
  for (size_t i = count; i-- > 1;) {
    size_t k = random_between(source, 0, (unsigned)i);
    memcpy(copy, base + i * bytes, bytes);
    memcpy(base + i * bytes, base + k * bytes, bytes);
    memcpy(base + k * bytes, copy, bytes);
    for (size_t j = 0; j < count; j++)
      to[j] = to[j] == i ? k : to[j] == k ? i : to[j];
  }
}

struct orders {
  size_t roles[PROBLEM_MAX], rings[PROBLEM_MAX], buffers[PROBLEM_MAX], barriers[PROBLEM_MAX];
};

static void shuffle_all(random_source *source, problem_store *store, struct orders *to) {
  const pl_placement_problem *problem = &store->problem;
  shuffle(source, store->roles, problem->role_count, sizeof *store->roles, to->roles);
  shuffle(source, store->rings, problem->ring_count, sizeof *store->rings, to->rings);
  shuffle(source, store->buffers, problem->buffer_count, sizeof *store->buffers, to->buffers);
  shuffle(source, store->barriers, problem->barrier_count, sizeof *store->barriers, to->barriers);
  for (size_t i = 0; i < problem->buffer_count; i++)
    if (store->buffers[i].overlays_ring >= 0)
      store->buffers[i].overlays_ring = (int)to->rings[store->buffers[i].overlays_ring];
}

static void compare(const pl_placement_problem *problem, const pl_placement_solution *a, const pl_placement_solution *b,
                    const struct orders *to) {
  CHECK(a->threads == b->threads && a->shared_bytes == b->shared_bytes && a->shared_align == b->shared_align);
  CHECK(!memcmp(a->warpgroup_registers, b->warpgroup_registers, sizeof a->warpgroup_registers));
  for (size_t i = 0; i < problem->role_count; i++) {
    CHECK(a->first_warp[i] == b->first_warp[to->roles[i]] && a->warps[i] == b->warps[to->roles[i]]);
    CHECK(a->registers[i] == b->registers[to->roles[i]]);
  }
  for (size_t i = 0; i < problem->ring_count; i++) {
    size_t k = to->rings[i];
    CHECK(a->depth[i] == b->depth[k] && a->slot_offset[i] == b->slot_offset[k]);
    CHECK(a->mbarrier_offset[i] == b->mbarrier_offset[k] && a->ring_barrier_id[i] == b->ring_barrier_id[k]);
    CHECK_TEXT(a->ring_bound[i], b->ring_bound[k]);
  }
  for (size_t i = 0; i < problem->buffer_count; i++)
    CHECK(a->buffer_offset[i] == b->buffer_offset[to->buffers[i]]);
  for (size_t i = 0; i < problem->barrier_count; i++)
    CHECK(a->barrier_id[i] == b->barrier_id[to->barriers[i]]);
}

int main(void) {
  static problem_store store;
  static struct orders to;
  unsigned compared = 0;
  for (unsigned i = 0; i < INSTANCES; i++) {
    random_source source = {i * 4451u + 3};
    random_real_problem(&source, &store);
    pl_sink sink;
    pl_arena *arena = pl_arena_create();
    if (!arena || pl_sink_init(&sink))
      abort();
    pl_placement_solution first, again, shuffled;
    pl_status status = pl_placement_solve(&store.problem, arena, &sink, &first);
    CHECK(status == pl_placement_solve(&store.problem, arena, &sink, &again));
    for (size_t k = 0; k < PROBLEM_MAX; k++)
      to.roles[k] = to.rings[k] = to.buffers[k] = to.barriers[k] = k;
    if (!status)
      compare(&store.problem, &first, &again, &to);
    shuffle_all(&source, &store, &to);
    CHECK(status == pl_placement_solve(&store.problem, arena, &sink, &shuffled));
    if (!status)
      compare(&store.problem, &first, &shuffled, &to);
    compared += !status;
    pl_sink_free(&sink);
    pl_arena_free(arena);
  }
  CHECK(compared > INSTANCES / 2);
  return CHECK_RESULT();
}
