/* emulate_flow.h - the blocks and loops of a program, for emulate_flow.c and emulate_idle.c. */
#ifndef PIPELINK_PASSES_EMULATE_FLOW_H
#define PIPELINK_PASSES_EMULATE_FLOW_H

#include "emulate_program.h"

typedef struct pl_emulate_flow_graph {
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
} pl_emulate_flow_graph;

bool pl_flow_has(const uint64_t *set, uint32_t block);
/* The last step of a block, and the blocks it leads to. */
const pl_emulate_step *pl_flow_terminator(const pl_emulate_program *program, uint32_t block);
uint32_t pl_flow_successor_count(const pl_emulate_program *program, uint32_t block);
/* The edge's number, and the block it leads to. */
uint32_t pl_flow_successor_edge(const pl_emulate_program *program, uint32_t block, uint32_t index);
uint32_t pl_flow_successor(const pl_emulate_program *program, uint32_t block, uint32_t index);

/* emulate_idle.c: -ENOMEM. */
pl_status pl_flow_pass_idle_loops(pl_emulate_flow_graph *graph, pl_arena *arena);

#endif
