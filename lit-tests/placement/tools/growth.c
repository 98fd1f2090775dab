/* growth.c - how long a placement takes as it grows: one line of CSV per size, milliseconds of CPU time as the least
 * and the median of many runs. docs/placement.md shows what it prints. */
#include "large_problem.h"
#include "validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static bool measure(large_size size, unsigned runs, double *times) {
  static problem_store store;
  for (unsigned i = 0; i < runs; i++) {
    large_problem(&store, size);
    pl_sink sink;
    pl_arena *arena = pl_arena_create();
    if (!arena || pl_sink_init(&sink))
      return false;
    double start = cpu_milliseconds();
    pl_placement_solution solution;
    pl_status status = pl_placement_solve(&store.problem, arena, &sink, &solution);
    times[i] = cpu_milliseconds() - start;
    pl_buffer text = {0};
    for (size_t k = 0; k < sink.count; k++)
      pl_diagnostic_print(sink.diagnostics[k], "growth", false, &text);
    const char *broken = status ? text.data : broken_rule(&store.problem, &solution);
    if (broken)
      fprintf(stderr, "%u roles, %u rings, %u buffers: %s\n", size.roles, size.rings, size.buffers, broken);
    pl_buffer_free(&text);
    pl_sink_free(&sink);
    pl_arena_free(arena);
    if (broken)
      return false;
  }
  qsort(times, runs, sizeof *times, ascending);
  return true;
}

int main(int argc, char **argv) {
  static const large_size sizes[] = {{2, 1, 5, 2},     {4, 2, 10, 4},     {6, 4, 20, 8},
                                     {8, 6, 30, 10},   {10, 8, 40, 12},   {12, 12, 60, 13},
                                     {14, 16, 80, 14}, {16, 24, 100, 15}, {20, 32, 120, 15}};
  enum { RUNS_MAX = 100 };
  double times[RUNS_MAX];
  unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 20;
  if (!runs || runs > RUNS_MAX)
    return 2;
  puts("roles,rings,buffers,barriers,least_ms,median_ms");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (!measure(sizes[i], runs, times))
      return 1;
    printf("%u,%u,%u,%u,%.2f,%.2f\n", sizes[i].roles, sizes[i].rings, sizes[i].buffers, sizes[i].barriers, times[0],
           times[runs / 2]);
    fflush(stdout);
  }
  return 0;
}
