/* place.c - reads a placement problem (problem_text.h) from a file, solves it, and prints the solution, held against
 * the rules, or the diagnostics as ld.pipelink would. Exits with 1 when nothing fits. */
#include "problem_text.h"
#include "validate.h"

#include <stdio.h>
#include <stdlib.h>

static void print(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  printf("%u threads, %u registers at launch\n", solution->threads, solution->launch_registers);
  for (size_t i = 0; i < problem->role_count; i++) {
    printf("role %s: warps %u-%u", problem->roles[i].name, solution->first_warp[i],
           solution->first_warp[i] + solution->warps[i] - 1);
    if (solution->registers[i])
      printf(", %u registers", solution->registers[i]);
    puts("");
  }
  for (size_t i = 0; i < problem->ring_count; i++) {
    printf("ring %s: depth %u (%s)", problem->rings[i].name, solution->depth[i], solution->ring_bound[i]);
    if (problem->rings[i].slot_bytes)
      printf(", slots at %llu + %llu i", (unsigned long long)solution->slot_offset[i],
             (unsigned long long)solution->slot_stride[i]);
    if (problem->rings[i].mbarriers_per_slot)
      printf(", mbarriers at %llu", (unsigned long long)solution->mbarrier_offset[i]);
    if (solution->ring_barrier_id[i])
      printf(", barrier ids from %u", solution->ring_barrier_id[i]);
    puts("");
  }
  for (size_t i = 0; i < problem->buffer_count; i++)
    printf("buffer %s: %llu\n", problem->buffers[i].name, (unsigned long long)solution->buffer_offset[i]);
  for (size_t i = 0; i < problem->barrier_count; i++)
    printf("barrier %s: id %u\n", problem->barriers[i].name, solution->barrier_id[i]);
  for (size_t i = 0; i < problem->tmem_count; i++)
    printf("tmem %s: column %u of %u\n", problem->tmems[i].name, solution->tmem_column[i], solution->tmem_columns);
  printf("arena: %llu bytes, aligned to %llu\n", (unsigned long long)solution->shared_bytes,
         (unsigned long long)solution->shared_align);
}

int main(int argc, char **argv) {
  static problem_store store;
  char *text;
  size_t size;
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  if (argc != 2 || pl_file_read(argv[1], 1 << 20, &text, &size) || !problem_read(&store, text) || !arena ||
      pl_sink_init(&sink))
    return 2;
  pl_placement_solution solution;
  pl_status status = pl_placement_solve(&store.problem, arena, &sink, &solution);
  pl_buffer output = {0};
  for (size_t i = 0; i < sink.count; i++)
    pl_diagnostic_print(sink.diagnostics[i], "place", false, &output);
  if (output.size)
    fputs(output.data, stdout);
  pl_buffer_free(&output);
  int result = status ? 1 : 0;
  if (!status) {
    print(&store.problem, &solution);
    const char *broken = broken_rule(&store.problem, &solution);
    if (broken)
      printf("BROKEN RULE: %s\n", broken);
    result = broken ? 3 : 0;
  } else if (!sink.error_count) {
    printf("status %d without a diagnostic\n", status);
    result = 3;
  }
  pl_sink_free(&sink);
  pl_arena_free(arena);
  free(text);
  return result;
}
