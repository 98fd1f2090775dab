/* emulate_idle.c - lets the run pass by loops in which nothing happens that matters.
 *
 * An epilogue or a sum over registers is a loop of arithmetic: it touches no slot, waits for nobody, and nothing that
 * matters is made from what it computes. Its threads go on behind it, as they would in the end.
 */
#include "emulate_flow.h"

#include <errno.h>
#include <string.h>

/* True for a step that the run could do without, but for the registers it writes. */
static bool is_idle(const pl_emulate_program *program, const pl_emulate_step *step) {
  switch ((pl_emulate_code)step->code) {
  case PL_STEP_OPERATE:
    return program->operations[step->target].is_exchange;
  case PL_STEP_LOAD:
    return !step->may_be_shared;
  case PL_STEP_STORE:
  case PL_STEP_RETURN:
  case PL_STEP_TRAP:
    return false;
  default:
    return true;
  }
}

/* Where each register is written: the block, or NONE. */
static void find_writers(const pl_emulate_program *program, uint32_t *writers) {
  for (uint32_t i = 0; i < program->register_count; i++)
    writers[i] = PL_EMULATE_NONE;
  for (uint32_t block = 0; block < program->block_count; block++)
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]];
         step < pl_flow_terminator(program, block); step++) {
      uint32_t result = step->code == PL_STEP_OPERATE ? program->operations[step->target].result : step->result;
      if (result != PL_EMULATE_NONE)
        writers[result] = block;
    }
  for (size_t i = 0; i < program->edge_count; i++)
    for (uint32_t k = 0; k < program->edges[i].move_count; k++)
      writers[program->moves[program->edges[i].first_move + k].to] = program->edges[i].block;
}

typedef struct idleness {
  pl_emulate_flow_graph *graph;
  const uint32_t *writers;
  bool *is_busy; /* of each loop */
} idleness;

/* A register is read in `block`: loops that write it and do not hold the block have an effect. */
static void note_read(const idleness *found, uint32_t reference, uint32_t block) {
  if (reference == PL_EMULATE_NONE || reference & PL_EMULATE_CONSTANT || found->writers[reference] == PL_EMULATE_NONE)
    return;
  for (size_t loop = 0; loop < found->graph->loop_count; loop++)
    if (pl_flow_has(found->graph->loops[loop], found->writers[reference]) &&
        !pl_flow_has(found->graph->loops[loop], block))
      found->is_busy[loop] = true;
}

static void note_operation(const idleness *found, const pl_emulate_operation *operation, uint32_t block) {
  const pl_emulate_operand *operands[] = {
      &operation->address, &operation->source, &operation->source_b, &operation->barrier, &operation->id,
      &operation->count,   &operation->parity, &operation->bytes,    &operation->mask,    &operation->guard};
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
    if (operands[i]->is_present)
      note_read(found, operands[i]->reference, block);
  for (size_t i = 0; i < 4; i++)
    note_read(found, operation->arguments[i], block);
}

static void find_busy_loops(const idleness *found) {
  const pl_emulate_program *program = found->graph->program;
  for (uint32_t block = 0; block < program->block_count; block++) {
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]];
         step <= pl_flow_terminator(program, block); step++) {
      note_read(found, step->a, block);
      note_read(found, step->b, block);
      note_read(found, step->c, block);
      if (step->code == PL_STEP_OPERATE)
        note_operation(found, &program->operations[step->target], block);
      for (size_t loop = 0; loop < found->graph->loop_count && !is_idle(program, step); loop++)
        found->is_busy[loop] |= pl_flow_has(found->graph->loops[loop], block);
    }
  }
  for (size_t i = 0; i < program->edge_count; i++)
    for (uint32_t k = 0; k < program->edges[i].move_count; k++)
      note_read(found, program->moves[program->edges[i].first_move + k].from, program->edges[i].block);
}

/* The one edge that leaves the loop; NONE when there are several. */
static uint32_t only_exit(const pl_emulate_flow_graph *graph, size_t loop) {
  const pl_emulate_program *program = graph->program;
  uint32_t found = PL_EMULATE_NONE;
  for (uint32_t block = 0; block < program->block_count; block++) {
    const pl_emulate_step *step = pl_flow_terminator(program, block);
    if (!pl_flow_has(graph->loops[loop], block))
      continue;
    for (uint32_t i = 0; i < pl_flow_successor_count(program, block); i++) {
      if (pl_flow_has(graph->loops[loop], pl_flow_successor(program, block, i)))
        continue;
      if (found != PL_EMULATE_NONE || step->code == PL_STEP_SWITCH)
        return PL_EMULATE_NONE;
      found = step->code == PL_STEP_BRANCH && i == 1 ? step->other : step->target;
    }
  }
  return found;
}

/* The first exchange between lanes in the loop: they meet there, so they still do when the loop is passed by. */
static uint32_t first_exchange(const pl_emulate_flow_graph *graph, size_t loop) {
  const pl_emulate_program *program = graph->program;
  for (uint32_t block = 0; block < program->block_count; block++) {
    if (!pl_flow_has(graph->loops[loop], block))
      continue;
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]];
         step < pl_flow_terminator(program, block); step++)
      if (step->code == PL_STEP_OPERATE)
        return step->target;
  }
  return PL_EMULATE_NONE;
}

/* Who comes to an idle loop's header goes straight to its end. */
static pl_status pass_by(pl_emulate_flow_graph *graph, pl_arena *arena, const bool *is_busy) {
  pl_emulate_program *program = graph->program;
  pl_emulate_step *steps = pl_arena_array(arena, program->step_count + 2 * graph->loop_count, sizeof *steps);
  if (!steps)
    return -ENOMEM;
  size_t count = program->step_count;
  memcpy(steps, program->steps, count * sizeof *steps);
  uint32_t *starts = pl_arena_array(arena, program->block_count, sizeof *starts);
  if (!starts)
    return -ENOMEM;
  memcpy(starts, program->block_steps, program->block_count * sizeof *starts);
  for (size_t loop = 0; loop < graph->loop_count; loop++) {
    uint32_t edge = is_busy[loop] ? PL_EMULATE_NONE : only_exit(graph, loop);
    if (edge == PL_EMULATE_NONE)
      continue;
    uint32_t exchange = first_exchange(graph, loop);
    starts[graph->headers[loop]] = (uint32_t)count;
    if (exchange != PL_EMULATE_NONE)
      steps[count++] = (pl_emulate_step){.code = PL_STEP_OPERATE, .target = exchange};
    steps[count++] = (pl_emulate_step){.code = PL_STEP_JUMP, .target = edge};
  }
  program->steps = steps;
  program->block_steps = starts;
  program->step_count = count;
  return 0;
}

pl_status pl_flow_pass_idle_loops(pl_emulate_flow_graph *graph, pl_arena *arena) {
  uint32_t *writers = pl_arena_array(arena, graph->program->register_count + 1, sizeof *writers);
  bool *is_busy = pl_arena_array(arena, graph->loop_count + 1, sizeof *is_busy);
  if (!writers || !is_busy)
    return -ENOMEM;
  find_writers(graph->program, writers);
  find_busy_loops(&(idleness){graph, writers, is_busy});
  return pass_by(graph, arena, is_busy);
}
