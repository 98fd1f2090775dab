/* RUN: %test-programs/depths-are-maximal

   400 problems of real size: no ring can be one step deeper with the others as they are, unless its contract forbids it
   or it prefers not to be. What is live in the fullest phase, counted here from the declarations, would pass the limit,
   or there are not as many barrier ids. Where the bytes would be there, but not in place, the solver says so; that is
   rare, and only when the gaps would have to be smaller than two hundredths of the memory. */
#include "../runtime/Inputs/check.h"
#include "tools/random_problem.h"
#include "tools/validate.h"

#include <errno.h>
#include <stdlib.h>

enum { INSTANCES = 400 };

static uint64_t ring_bytes(const pl_placement_ring *ring, unsigned depth) {
  uint64_t stride = (ring->slot_bytes + ring->slot_align - 1) / ring->slot_align * ring->slot_align;
  return (depth - 1) * stride + ring->slot_bytes;
}

static bool is_live(unsigned phase, unsigned from, unsigned to) {
  return from <= phase && phase <= to;
}

/* Bytes that nobody can do without in a phase: a ring and what lies on it need the larger of the two. */
static uint64_t live_bytes(const pl_placement_problem *problem, const unsigned *depth, unsigned phase) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < problem->ring_count; i++) {
    const pl_placement_ring *ring = &problem->rings[i];
    uint64_t own = is_live(phase, ring->live_from, ring->live_to) ? ring_bytes(ring, depth[i]) : 0, guests = 0;
    for (size_t k = 0; k < problem->buffer_count; k++)
      if (problem->buffers[k].overlays_ring == (int)i &&
          is_live(phase, problem->buffers[k].live_from, problem->buffers[k].live_to))
        guests += problem->buffers[k].bytes;
    bytes += (own > guests ? own : guests) + 8ull * depth[i] * ring->mbarriers_per_slot;
  }
  for (size_t k = 0; k < problem->buffer_count; k++)
    if (problem->buffers[k].overlays_ring < 0 &&
        is_live(phase, problem->buffers[k].live_from, problem->buffers[k].live_to))
      bytes += problem->buffers[k].bytes;
  return bytes;
}

static uint64_t most_live_bytes(const pl_placement_problem *problem, const unsigned *depth) {
  uint64_t most = 0;
  for (unsigned phase = 0; phase < 4; phase++) {
    uint64_t bytes = live_bytes(problem, depth, phase);
    most = bytes > most ? bytes : most;
  }
  return most;
}

static bool fits_by_count(const pl_placement_problem *problem, const unsigned *depth) {
  size_t ids = problem->barrier_count;
  for (size_t i = 0; i < problem->ring_count; i++)
    ids += (size_t)depth[i] * problem->rings[i].barriers_per_slot;
  return ids <= 15 && most_live_bytes(problem, depth) <= problem->profile->shared_per_cta;
}

/* One solved problem. Adds up how many rings want to be deeper, and how many of them only gaps keep from it. */
static void check_depths(const pl_placement_problem *problem, const pl_placement_solution *solution, unsigned *rings,
                         unsigned *gaps) {
  unsigned depth[16];
  memcpy(depth, solution->depth, problem->ring_count * sizeof *depth);
  for (size_t i = 0; i < problem->ring_count; i++) {
    const pl_placement_ring *ring = &problem->rings[i];
    const char *bound = solution->ring_bound[i];
    bool is_largest = depth[i] + ring->depth_multiple > ring->depth_max;
    if (is_largest || depth[i] >= ring->depth_preferred) {
      CHECK(!strncmp(bound, is_largest ? "its own maximum" : "as deep as it prefers", is_largest ? 15 : 21));
      continue;
    }
    ++*rings;
    depth[i] += ring->depth_multiple;
    if (fits_by_count(problem, depth)) {
      CHECK(strstr(bound, "no arrangement found") || strstr(bound, "in a row"));
      CHECK(strstr(bound, "in a row") || most_live_bytes(problem, depth) > problem->profile->shared_per_cta * 98 / 100);
      ++*gaps;
    } else {
      CHECK(strstr(bound, " would need ") && !strstr(bound, "no arrangement"));
    }
    depth[i] -= ring->depth_multiple;
  }
}

int main(void) {
  static problem_store store;
  unsigned solved = 0, gaps = 0, rings = 0; /* rings: that want to be deeper */
  for (unsigned i = 0; i < INSTANCES; i++) {
    random_source source = {i * 6007u + 5};
    random_real_problem(&source, &store);
    pl_sink sink;
    pl_arena *arena = pl_arena_create();
    if (!arena || pl_sink_init(&sink))
      abort();
    pl_placement_solution solution;
    pl_status status = pl_placement_solve(&store.problem, arena, &sink, &solution);
    CHECK(!status || status == -ENOSPC);
    if (!status) {
      int before = failed_checks;
      const char *broken = broken_rule(&store.problem, &solution);
      CHECK_TEXT(broken ? broken : "", "");
      check_depths(&store.problem, &solution, &rings, &gaps);
      solved++;
      if (failed_checks > before)
        fprintf(stderr, "in problem %u\n", i);
    }
    pl_sink_free(&sink);
    pl_arena_free(arena);
  }
  printf("%u of %d fit; %u rings want to be deeper, %u of them would but for gaps\n", solved, INSTANCES, rings, gaps);
  CHECK(solved > INSTANCES / 2 && rings > INSTANCES);
  CHECK(gaps * 50 < rings);
  return CHECK_RESULT();
}
