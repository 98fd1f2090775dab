/* emulate_flow.c - what the branches of a program decide: to go round once more, to leave a loop, to skip something.
 *
 * A run is for one choice of the host's values. Going on in a loop is what every large enough problem does, so what is
 * found before the first other decision that depends on a choice is true of all of them (emulate_stuck.c).
 */
#include "emulate_program.h"

#include <errno.h>
#include <string.h>

typedef struct flow {
  pl_emulate_program *program;
  size_t words;      /* of a set of blocks */
  uint32_t *loop_of; /* innermost loop of each block, or NONE */
  uint64_t **loops;  /* set of blocks of each loop */
  uint32_t *headers; /* of each loop */
  size_t *sizes;     /* blocks of each loop */
  bool *has_inner;   /* of each loop */
  size_t loop_count;
  uint32_t *first_predecessor, *predecessors; /* blocks that lead to each block */
  uint32_t *work;
  uint8_t *weight; /* of each block: has an operation */
} flow;

static bool has(const uint64_t *set, uint32_t block) {
  return set[block / 64] >> block % 64 & 1;
}

static void put(uint64_t *set, uint32_t block) {
  set[block / 64] |= UINT64_C(1) << block % 64;
}

static const pl_emulate_step *terminator(const pl_emulate_program *program, uint32_t block) {
  size_t end = block + 1 < program->block_count ? program->block_steps[block + 1] : program->step_count;
  return &program->steps[end - 1];
}

static uint32_t successor_count(const pl_emulate_program *program, uint32_t block) {
  const pl_emulate_step *step = terminator(program, block);
  switch (step->code) {
  case PL_STEP_JUMP:
    return 1;
  case PL_STEP_BRANCH:
    return 2;
  case PL_STEP_SWITCH:
    return step->count + 1;
  default:
    return 0;
  }
}

static uint32_t successor(const pl_emulate_program *program, uint32_t block, uint32_t index) {
  const pl_emulate_step *step = terminator(program, block);
  uint32_t edge = step->target;
  if (step->code == PL_STEP_BRANCH && index == 1)
    edge = step->other;
  else if (step->code == PL_STEP_SWITCH && index > 0)
    edge = program->cases[(size_t)step->offset + index - 1].edge;
  return program->edges[edge].block;
}

static void find_predecessors(flow *graph) {
  const pl_emulate_program *program = graph->program;
  for (uint32_t block = 0; block < program->block_count; block++)
    for (uint32_t i = 0; i < successor_count(program, block); i++)
      graph->first_predecessor[successor(program, block, i) + 1]++;
  for (uint32_t block = 0; block < program->block_count; block++)
    graph->first_predecessor[block + 1] += graph->first_predecessor[block];
  memcpy(graph->work, graph->first_predecessor, program->block_count * sizeof *graph->work);
  for (uint32_t block = 0; block < program->block_count; block++)
    for (uint32_t i = 0; i < successor_count(program, block); i++)
      graph->predecessors[graph->work[successor(program, block, i)]++] = block;
}

/* Adds to the loop all blocks from which `latch` is reached without passing its header. */
static void grow_loop(flow *graph, size_t loop, uint32_t latch) {
  uint64_t *set = graph->loops[loop];
  size_t depth = 0;
  if (!has(set, latch)) {
    put(set, latch);
    graph->sizes[loop]++;
    graph->work[depth++] = latch;
  }
  while (depth) {
    uint32_t block = graph->work[--depth];
    for (uint32_t i = graph->first_predecessor[block]; i < graph->first_predecessor[block + 1]; i++) {
      uint32_t from = graph->predecessors[i];
      if (has(set, from))
        continue;
      put(set, from);
      graph->sizes[loop]++;
      graph->work[depth++] = from;
    }
  }
}

static pl_status add_back_edge(flow *graph, pl_arena *arena, uint32_t latch, uint32_t header) {
  size_t loop = 0;
  while (loop < graph->loop_count && graph->headers[loop] != header)
    loop++;
  if (loop == graph->loop_count) {
    graph->loops[loop] = pl_arena_array(arena, graph->words, sizeof(uint64_t));
    if (!graph->loops[loop])
      return -ENOMEM;
    graph->headers[loop] = header;
    put(graph->loops[loop], header);
    graph->sizes[loop] = 1;
    graph->loop_count++;
  }
  grow_loop(graph, loop, latch);
  return 0;
}

/* A depth-first walk; an edge back to a block that is still open closes a loop. */
static pl_status find_loops(flow *graph, pl_arena *arena) {
  const pl_emulate_program *program = graph->program;
  size_t count = program->block_count;
  uint8_t *state = pl_arena_alloc(arena, count);
  uint32_t *stack = pl_arena_array(arena, count + 1, sizeof *stack);
  uint32_t *next = pl_arena_array(arena, count, sizeof *next);
  if (!state || !stack || !next)
    return -ENOMEM;
  size_t depth = 0;
  stack[depth++] = 0;
  state[0] = 1;
  while (depth) {
    uint32_t block = stack[depth - 1];
    if (next[block] == successor_count(program, block)) {
      state[block] = 2;
      depth--;
      continue;
    }
    uint32_t to = successor(program, block, next[block]++);
    if (state[to] == 1) {
      pl_status status = add_back_edge(graph, arena, block, to);
      if (status)
        return status;
    } else if (!state[to]) {
      state[to] = 1;
      stack[depth++] = to;
    }
  }
  return 0;
}

/* Smaller loops lie in larger ones. */
static void nest_loops(flow *graph) {
  for (uint32_t block = 0; block < graph->program->block_count; block++) {
    graph->loop_of[block] = PL_EMULATE_NONE;
    for (uint32_t loop = 0; loop < graph->loop_count; loop++)
      if (has(graph->loops[loop], block) &&
          (graph->loop_of[block] == PL_EMULATE_NONE || graph->sizes[loop] < graph->sizes[graph->loop_of[block]]))
        graph->loop_of[block] = loop;
  }
  for (size_t loop = 0; loop < graph->loop_count; loop++)
    for (size_t other = 0; other < graph->loop_count; other++)
      if (other != loop && has(graph->loops[other], graph->headers[loop]) && graph->sizes[other] > graph->sizes[loop])
        graph->has_inner[other] = true;
}

/* Goes straight into a loop that `from` is not in. */
static bool enters_loop(const flow *graph, uint32_t from, uint32_t to) {
  for (unsigned i = 0; i < 8; i++) {
    for (size_t loop = 0; loop < graph->loop_count; loop++)
      if (graph->headers[loop] == to)
        return !has(graph->loops[loop], from);
    if (terminator(graph->program, to)->code != PL_STEP_JUMP)
      return false;
    to = successor(graph->program, to, 0);
  }
  return false;
}

/* Marks what is reached from `from` within `loop` (or the whole program) without going round it. */
static void reach(flow *graph, uint32_t from, uint32_t loop, uint64_t *set) {
  memset(set, 0, graph->words * sizeof *set);
  size_t depth = 0;
  if (loop != PL_EMULATE_NONE && (from == graph->headers[loop] || !has(graph->loops[loop], from)))
    return;
  put(set, from);
  graph->work[depth++] = from;
  while (depth) {
    uint32_t block = graph->work[--depth];
    for (uint32_t i = 0; i < successor_count(graph->program, block); i++) {
      uint32_t to = successor(graph->program, block, i);
      if (has(set, to) || (loop != PL_EMULATE_NONE && (to == graph->headers[loop] || !has(graph->loops[loop], to))))
        continue;
      put(set, to);
      graph->work[depth++] = to;
    }
  }
}

/* The operations that are reached by one set of blocks and not by the other. */
static size_t more(const flow *graph, const uint64_t *set, const uint64_t *other) {
  size_t sum = 0;
  for (uint32_t block = 0; block < graph->program->block_count; block++)
    sum += has(set, block) && !has(other, block) ? graph->weight[block] : 0;
  return sum;
}

static void decide(flow *graph, uint32_t block, uint64_t *sets[2]) {
  const pl_emulate_step *step = terminator(graph->program, block);
  if (step->code != PL_STEP_BRANCH)
    return;
  pl_emulate_decision *decision = &graph->program->decisions[step->offset];
  uint32_t loop = graph->loop_of[block];
  uint32_t to[2] = {successor(graph->program, block, 0), successor(graph->program, block, 1)};
  for (int i = 0; i < 2; i++)
    decision->leaves[i] = loop != PL_EMULATE_NONE && !has(graph->loops[loop], to[i]);
  bool is_exit = decision->leaves[0] != decision->leaves[1];
  for (int i = 0; i < 2; i++)
    decision->goes_on[i] = is_exit ? !decision->leaves[i] : enters_loop(graph, block, to[i]);
  if (!is_exit && decision->goes_on[0] && decision->goes_on[1])
    decision->goes_on[0] = decision->goes_on[1] = false;
  decision->is_innermost = loop != PL_EMULATE_NONE && !graph->has_inner[loop];
  if (is_exit) {
    decision->fuller = decision->leaves[0];
    return;
  }
  reach(graph, to[0], loop, sets[0]);
  reach(graph, to[1], loop, sets[1]);
  decision->fuller = more(graph, sets[1], sets[0]) > more(graph, sets[0], sets[1]);
}

/* ---- loops in which nothing happens ---- */

/* True for a step that the run could do without, but for the registers it writes. */
static bool is_idle(const pl_emulate_program *program, const pl_emulate_step *step) {
  switch ((pl_emulate_code)step->code) {
  case PL_STEP_OPERATE: {
    const pl_operation *operation = program->operations[step->target].operation;
    return operation->kind == PL_OP_SHUFFLE && program->operations[step->target].arguments[1] != PL_EMULATE_NONE;
  }
  case PL_STEP_LOAD:
    return LLVMIsALoadInst(step->instruction) && !pl_emulate_may_be_shared(LLVMGetOperand(step->instruction, 0));
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
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]]; step < terminator(program, block);
         step++) {
      uint32_t result = step->code == PL_STEP_OPERATE ? program->operations[step->target].result : step->result;
      if (result != PL_EMULATE_NONE)
        writers[result] = block;
    }
  for (size_t i = 0; i < program->edge_count; i++)
    for (uint32_t k = 0; k < program->edges[i].move_count; k++)
      writers[program->moves[program->edges[i].first_move + k].to] = program->edges[i].block;
}

typedef struct idleness {
  flow *graph;
  const uint32_t *writers;
  bool *is_busy; /* of each loop */
} idleness;

/* A register is read in `block`: loops that write it and do not hold the block have an effect. */
static void note_read(const idleness *found, uint32_t reference, uint32_t block) {
  if (reference == PL_EMULATE_NONE || reference & PL_EMULATE_CONSTANT || found->writers[reference] == PL_EMULATE_NONE)
    return;
  for (size_t loop = 0; loop < found->graph->loop_count; loop++)
    if (has(found->graph->loops[loop], found->writers[reference]) && !has(found->graph->loops[loop], block))
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
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]]; step <= terminator(program, block);
         step++) {
      note_read(found, step->a, block);
      note_read(found, step->b, block);
      note_read(found, step->c, block);
      if (step->code == PL_STEP_OPERATE)
        note_operation(found, &program->operations[step->target], block);
      for (size_t loop = 0; loop < found->graph->loop_count && !is_idle(program, step); loop++)
        found->is_busy[loop] |= has(found->graph->loops[loop], block);
    }
  }
  for (size_t i = 0; i < program->edge_count; i++)
    for (uint32_t k = 0; k < program->edges[i].move_count; k++)
      note_read(found, program->moves[program->edges[i].first_move + k].from, program->edges[i].block);
}

/* The one edge that leaves the loop; NONE when there are several. */
static uint32_t only_exit(const flow *graph, size_t loop) {
  const pl_emulate_program *program = graph->program;
  uint32_t found = PL_EMULATE_NONE;
  for (uint32_t block = 0; block < program->block_count; block++) {
    const pl_emulate_step *step = terminator(program, block);
    if (!has(graph->loops[loop], block))
      continue;
    for (uint32_t i = 0; i < successor_count(program, block); i++) {
      if (has(graph->loops[loop], successor(program, block, i)))
        continue;
      if (found != PL_EMULATE_NONE || step->code == PL_STEP_SWITCH)
        return PL_EMULATE_NONE;
      found = step->code == PL_STEP_BRANCH && i == 1 ? step->other : step->target;
    }
  }
  return found;
}

/* The first exchange between lanes in the loop: they meet there, so they still do when the loop is passed by. */
static uint32_t first_exchange(const flow *graph, size_t loop) {
  const pl_emulate_program *program = graph->program;
  for (uint32_t block = 0; block < program->block_count; block++) {
    if (!has(graph->loops[loop], block))
      continue;
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]]; step < terminator(program, block);
         step++)
      if (step->code == PL_STEP_OPERATE)
        return step->target;
  }
  return PL_EMULATE_NONE;
}

/* Who comes to an idle loop's header goes straight to its end. */
static pl_status pass_by(flow *graph, pl_arena *arena, const bool *is_busy) {
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

static pl_status pass_idle_loops(flow *graph, pl_arena *arena) {
  uint32_t *writers = pl_arena_array(arena, graph->program->register_count + 1, sizeof *writers);
  bool *is_busy = pl_arena_array(arena, graph->loop_count + 1, sizeof *is_busy);
  if (!writers || !is_busy)
    return -ENOMEM;
  find_writers(graph->program, writers);
  find_busy_loops(&(idleness){graph, writers, is_busy});
  return pass_by(graph, arena, is_busy);
}

/* ---- all ---- */

pl_status pl_emulate_flow(pl_emulate_program *program, pl_arena *arena) {
  size_t blocks = program->block_count, edges = program->edge_count;
  flow graph = {.program = program, .words = (blocks + 63) / 64};
  graph.loop_of = pl_arena_array(arena, blocks, sizeof *graph.loop_of);
  graph.loops = pl_arena_array(arena, blocks, sizeof *graph.loops);
  graph.headers = pl_arena_array(arena, blocks, sizeof *graph.headers);
  graph.sizes = pl_arena_array(arena, blocks, sizeof *graph.sizes);
  graph.has_inner = pl_arena_array(arena, blocks, sizeof *graph.has_inner);
  graph.first_predecessor = pl_arena_array(arena, blocks + 1, sizeof *graph.first_predecessor);
  graph.predecessors = pl_arena_array(arena, edges + 1, sizeof *graph.predecessors);
  graph.work = pl_arena_array(arena, blocks + 1, sizeof *graph.work);
  graph.weight = pl_arena_alloc(arena, blocks);
  uint64_t *sets[2] = {pl_arena_array(arena, graph.words, sizeof(uint64_t)),
                       pl_arena_array(arena, graph.words, sizeof(uint64_t))};
  if (!graph.loop_of || !graph.loops || !graph.headers || !graph.sizes || !graph.has_inner ||
      !graph.first_predecessor || !graph.predecessors || !graph.work || !graph.weight || !sets[0] || !sets[1])
    return -ENOMEM;
  for (uint32_t block = 0; block < blocks; block++)
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]]; step < terminator(program, block);
         step++)
      graph.weight[block] |= step->code == PL_STEP_OPERATE;
  find_predecessors(&graph);
  pl_status status = find_loops(&graph, arena);
  if (status)
    return status;
  nest_loops(&graph);
  for (uint32_t block = 0; block < blocks; block++)
    decide(&graph, block, sets);
  return pass_idle_loops(&graph, arena);
}
