/* emulate_flow.c - what the branches of a program decide: to go round once more, to leave a loop, to skip something.
 *
 * A run is for one choice of the host's values. Going on in a loop is what every large enough problem does, so what is
 * found before the first other decision that depends on a choice is true of all of them (emulate_stuck.c).
 */
#include "emulate_flow.h"

#include <errno.h>
#include <string.h>

bool pl_flow_has(const uint64_t *set, uint32_t block) {
  return set[block / 64] >> block % 64 & 1;
}

const pl_emulate_step *pl_flow_terminator(const pl_emulate_program *program, uint32_t block) {
  size_t end = block + 1 < program->block_count ? program->block_steps[block + 1] : program->step_count;
  return &program->steps[end - 1];
}

uint32_t pl_flow_successor_count(const pl_emulate_program *program, uint32_t block) {
  const pl_emulate_step *step = pl_flow_terminator(program, block);
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

uint32_t pl_flow_successor_edge(const pl_emulate_program *program, uint32_t block, uint32_t index) {
  const pl_emulate_step *step = pl_flow_terminator(program, block);
  uint32_t edge = step->target;
  if (step->code == PL_STEP_BRANCH && index == 1)
    edge = step->other;
  else if (step->code == PL_STEP_SWITCH && index > 0)
    edge = program->cases[(size_t)step->offset + index - 1].edge;
  return edge;
}

uint32_t pl_flow_successor(const pl_emulate_program *program, uint32_t block, uint32_t index) {
  return program->edges[pl_flow_successor_edge(program, block, index)].block;
}

static void put(uint64_t *set, uint32_t block) {
  set[block / 64] |= UINT64_C(1) << block % 64;
}

static void find_predecessors(pl_emulate_flow_graph *graph) {
  const pl_emulate_program *program = graph->program;
  for (uint32_t block = 0; block < program->block_count; block++)
    for (uint32_t i = 0; i < pl_flow_successor_count(program, block); i++)
      graph->first_predecessor[pl_flow_successor(program, block, i) + 1]++;
  for (uint32_t block = 0; block < program->block_count; block++)
    graph->first_predecessor[block + 1] += graph->first_predecessor[block];
  memcpy(graph->work, graph->first_predecessor, program->block_count * sizeof *graph->work);
  for (uint32_t block = 0; block < program->block_count; block++)
    for (uint32_t i = 0; i < pl_flow_successor_count(program, block); i++)
      graph->predecessors[graph->work[pl_flow_successor(program, block, i)]++] = block;
}

/* Adds to the loop all blocks from which `latch` is reached without passing its header. */
static void grow_loop(pl_emulate_flow_graph *graph, size_t loop, uint32_t latch) {
  uint64_t *set = graph->loops[loop];
  size_t depth = 0;
  if (!pl_flow_has(set, latch)) {
    put(set, latch);
    graph->sizes[loop]++;
    graph->work[depth++] = latch;
  }
  while (depth) {
    uint32_t block = graph->work[--depth];
    for (uint32_t i = graph->first_predecessor[block]; i < graph->first_predecessor[block + 1]; i++) {
      uint32_t from = graph->predecessors[i];
      if (pl_flow_has(set, from))
        continue;
      put(set, from);
      graph->sizes[loop]++;
      graph->work[depth++] = from;
    }
  }
}

static pl_status add_back_edge(pl_emulate_flow_graph *graph, pl_arena *arena, uint32_t latch, uint32_t header) {
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
static pl_status find_loops(pl_emulate_flow_graph *graph, pl_arena *arena) {
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
    if (next[block] == pl_flow_successor_count(program, block)) {
      state[block] = 2;
      depth--;
      continue;
    }
    uint32_t to = pl_flow_successor(program, block, next[block]++);
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
static void nest_loops(pl_emulate_flow_graph *graph) {
  for (uint32_t block = 0; block < graph->program->block_count; block++) {
    graph->loop_of[block] = PL_EMULATE_NONE;
    for (uint32_t loop = 0; loop < graph->loop_count; loop++)
      if (pl_flow_has(graph->loops[loop], block) &&
          (graph->loop_of[block] == PL_EMULATE_NONE || graph->sizes[loop] < graph->sizes[graph->loop_of[block]]))
        graph->loop_of[block] = loop;
  }
  for (size_t loop = 0; loop < graph->loop_count; loop++)
    for (size_t other = 0; other < graph->loop_count; other++)
      if (other != loop && pl_flow_has(graph->loops[other], graph->headers[loop]) &&
          graph->sizes[other] > graph->sizes[loop])
        graph->has_inner[other] = true;
}

/* Goes straight into a loop that `from` is not in. */
static bool enters_loop(const pl_emulate_flow_graph *graph, uint32_t from, uint32_t to) {
  for (unsigned i = 0; i < 8; i++) {
    for (size_t loop = 0; loop < graph->loop_count; loop++)
      if (graph->headers[loop] == to)
        return !pl_flow_has(graph->loops[loop], from);
    if (pl_flow_terminator(graph->program, to)->code != PL_STEP_JUMP)
      return false;
    to = pl_flow_successor(graph->program, to, 0);
  }
  return false;
}

/* Marks what is reached from `from` within `loop` (or the whole program) without going round it. */
static void reach(pl_emulate_flow_graph *graph, uint32_t from, uint32_t loop, uint64_t *set) {
  memset(set, 0, graph->words * sizeof *set);
  size_t depth = 0;
  if (loop != PL_EMULATE_NONE && (from == graph->headers[loop] || !pl_flow_has(graph->loops[loop], from)))
    return;
  put(set, from);
  graph->work[depth++] = from;
  while (depth) {
    uint32_t block = graph->work[--depth];
    for (uint32_t i = 0; i < pl_flow_successor_count(graph->program, block); i++) {
      uint32_t to = pl_flow_successor(graph->program, block, i);
      if (pl_flow_has(set, to) ||
          (loop != PL_EMULATE_NONE && (to == graph->headers[loop] || !pl_flow_has(graph->loops[loop], to))))
        continue;
      put(set, to);
      graph->work[depth++] = to;
    }
  }
}

/* The operations that are reached by one set of blocks and not by the other. */
static size_t more(const pl_emulate_flow_graph *graph, const uint64_t *set, const uint64_t *other) {
  size_t sum = 0;
  for (uint32_t block = 0; block < graph->program->block_count; block++)
    sum += pl_flow_has(set, block) && !pl_flow_has(other, block) ? graph->weight[block] : 0;
  return sum;
}

static bool is_same_edge(const pl_emulate_program *program, const pl_emulate_edge *a, const pl_emulate_edge *b) {
  if (a->block != b->block || a->move_count != b->move_count)
    return false;
  for (uint32_t i = 0; i < a->move_count; i++) {
    const pl_emulate_move *one = &program->moves[a->first_move + i], *other = &program->moves[b->first_move + i];
    if (one->to != other->to || one->from != other->from)
      return false;
  }
  return true;
}

/* Whether the two ways come together at one place, however they got there; *alike: with the same values. */
static bool end_together(const pl_emulate_flow_graph *graph, uint32_t branch, const uint64_t *one,
                         const uint64_t *other, bool *alike) {
  const pl_emulate_program *program = graph->program;
  const pl_emulate_edge *end = NULL;
  *alike = true;
  for (uint32_t block = 0; block < program->block_count; block++) {
    if (block != branch && pl_flow_has(one, block) == pl_flow_has(other, block))
      continue;
    if (block != branch && !pl_flow_successor_count(program, block))
      return false; /* a way on which the thread ends */
    for (uint32_t i = 0; i < pl_flow_successor_count(program, block); i++) {
      const pl_emulate_edge *edge = &program->edges[pl_flow_successor_edge(program, block, i)];
      if (pl_flow_has(one, edge->block) != pl_flow_has(other, edge->block))
        continue;
      if (end && end->block != edge->block)
        return false;
      *alike &= !end || is_same_edge(program, end, edge);
      end = edge;
    }
  }
  return end != NULL;
}

static void decide(pl_emulate_flow_graph *graph, uint32_t block, uint64_t *sets[2]) {
  const pl_emulate_step *step = pl_flow_terminator(graph->program, block);
  if (step->code != PL_STEP_BRANCH)
    return;
  pl_emulate_decision *decision = &graph->program->decisions[step->offset];
  uint32_t loop = graph->loop_of[block];
  uint32_t to[2] = {pl_flow_successor(graph->program, block, 0), pl_flow_successor(graph->program, block, 1)};
  for (int i = 0; i < 2; i++)
    decision->leaves[i] = loop != PL_EMULATE_NONE && !pl_flow_has(graph->loops[loop], to[i]);
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
  size_t first = more(graph, sets[0], sets[1]), second = more(graph, sets[1], sets[0]);
  decision->fuller = second > first;
  bool alike;
  decision->is_idle = !first && !second && end_together(graph, block, sets[0], sets[1], &alike);
  decision->makes_values = decision->is_idle && !alike;
}

pl_status pl_emulate_flow(pl_emulate_program *program, pl_arena *arena) {
  size_t blocks = program->block_count, edges = program->edge_count;
  pl_emulate_flow_graph graph = {.program = program, .words = (blocks + 63) / 64};
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
    for (const pl_emulate_step *step = &program->steps[program->block_steps[block]];
         step < pl_flow_terminator(program, block); step++)
      graph.weight[block] |= step->code == PL_STEP_OPERATE || step->code == PL_STEP_STORE;
  for (uint32_t block = 0; block < blocks; block++) /* to end is something that happens, too */
    graph.weight[block] |= pl_flow_successor_count(program, block) == 0;
  find_predecessors(&graph);
  pl_status status = find_loops(&graph, arena);
  if (status)
    return status;
  nest_loops(&graph);
  for (uint32_t block = 0; block < blocks; block++)
    decide(&graph, block, sets);
  return pl_flow_pass_idle_loops(&graph, arena);
}
