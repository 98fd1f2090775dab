/* flow.c - what may hold at each block: sets of facts, carried along every way through a function. */
#include "body.h"

uint64_t pl_body_pass(const pl_body *body, size_t block, uint64_t facts, pl_body_transfer *transfer, void *context) {
  for (size_t i = 0; i < body->blocks[block].operation_count; i++)
    facts = transfer(body, &body->blocks[block].operations[i], facts, context);
  return facts;
}

const uint64_t *pl_body_flow(const pl_body *body, uint64_t entry, pl_body_transfer *transfer, void *context) {
  uint64_t *facts = pl_arena_array(body->in->arena, body->block_count + 1, sizeof *facts);
  if (!facts) {
    body->in->sink->out_of_memory = true;
    return NULL;
  }
  facts[0] = entry;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t b = 0; b < body->block_count; b++) {
      uint64_t out = pl_body_pass(body, b, facts[b], transfer, context);
      for (size_t k = 0; k < body->blocks[b].successor_count; k++) {
        uint64_t *to = &facts[body->blocks[b].successors[k]];
        has_changed |= (*to | out) != *to;
        *to |= out;
      }
    }
  }
  return facts;
}
