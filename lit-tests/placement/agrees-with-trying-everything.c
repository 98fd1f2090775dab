/* RUN: %test-programs/agrees-with-trying-everything

   1,000 random problems, small enough to try every placement there is: the solver says the same about what fits, and
   finds the same warps, registers, depths, bytes and columns, so what it finds is the best. */
#include "../runtime/Inputs/check.h"
#include "tools/brute_force.h"
#include "tools/random_problem.h"
#include "tools/validate.h"

#include <errno.h>
#include <stdlib.h>

enum { INSTANCES = 1000 };

static bool has_error(const pl_sink *sink, const char *codes) {
  for (size_t i = 0; i < sink->count; i++)
    if (sink->diagnostics[i]->severity == PL_ERROR && strstr(codes, sink->diagnostics[i]->code))
      return true;
  return false;
}

/* Both sides on one problem. Counts what kinds of problems there were. */
static void compare(unsigned seed, const pl_placement_problem *problem, unsigned *fitting, unsigned *failing) {
  int before = failed_checks;
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  if (!arena || pl_sink_init(&sink))
    abort();
  pl_placement_solution solution;
  brute_result best;
  brute_force(problem, &best);
  bool fits = best.roles_fit && best.rings_fit && best.tmem_fits;
  pl_status status = pl_placement_solve(problem, arena, &sink, &solution);
  /* Pins that clash with each other or with their own declaration are told before anything is solved. */
  if (status != -EINVAL) {
    CHECK(status == (fits ? 0 : -ENOSPC));
    CHECK(has_error(&sink, "L-WARPS L-RALIGN L-REGS L-REGSHARE") == !best.roles_fit);
    CHECK(has_error(&sink, "L-SMEM L-BARBUDGET") == !best.rings_fit);
    CHECK(has_error(&sink, "L-TMEM") == !best.tmem_fits);
  } else {
    CHECK(!fits);
  }
  if (!status) {
    const char *broken = broken_rule(problem, &solution);
    CHECK_TEXT(broken ? broken : "", "");
    for (size_t i = 0; i < problem->role_count; i++) {
      CHECK(solution.warps[i] == best.warps[i]);
      CHECK(!problem->roles[i].registers_max || solution.registers[i] == best.registers[i]);
    }
    for (size_t i = 0; i < problem->ring_count; i++)
      CHECK(solution.depth[i] == best.depth[i]);
    CHECK(solution.shared_bytes == best.shared_bytes);
    CHECK(solution.tmem_columns == best.tmem_columns);
  }
  ++*(fits ? fitting : failing);
  if (failed_checks > before)
    fprintf(stderr, "in problem %u\n", seed);
  pl_sink_free(&sink);
  pl_arena_free(arena);
}

int main(int argc, char **argv) {
  static problem_store store;
  pl_profile profile;
  unsigned fitting = 0, failing = 0, first = argc > 1 ? (unsigned)atoi(argv[1]) : 0; /* one alone, to look into it */
  for (unsigned i = first; i < (argc > 1 ? first + 1 : INSTANCES); i++) {
    random_source source = {i * 7919u + 1};
    random_small_problem(&source, &store, &profile);
    compare(i, &store.problem, &fitting, &failing);
  }
  printf("%u fit, %u do not\n", fitting, failing);
  CHECK(argc > 1 || (fitting > INSTANCES / 4 && failing > INSTANCES / 4)); /* both kinds are there to be tested */
  return CHECK_RESULT();
}
