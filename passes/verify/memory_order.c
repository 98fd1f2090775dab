/* memory_order.c - what other CTAs are told is there must be there: bulk stores are complete before a release. */
#include "body.h"

enum {
  STORED = 1,   /* bulk stores may be under way */
  READ_OUT = 2, /* they have been waited for by wait_group.read alone: their sources may be reused, no more */
};

static uint64_t transfer(const pl_body *body, const pl_operation *operation, uint64_t facts, void *context) {
  (void)body;
  (void)context;
  if (operation->kind == PL_OP_BULK_STORE)
    return STORED;
  if (operation->kind != PL_OP_BULK_WAIT)
    return facts;
  bool is_all = operation->count.kind != PL_OPERAND_INTEGER || !operation->count.integer;
  if (!is_all)
    return facts;
  return operation->is_read ? (facts & STORED ? READ_OUT : facts) : 0;
}

static bool tells_others(const pl_operation *operation) {
  bool writes = operation->kind == PL_OP_ATOMIC || operation->kind == PL_OP_STORE || operation->kind == PL_OP_FENCE;
  return writes && operation->is_release && operation->scope >= PL_SCOPE_GPU && operation->space != PL_SPACE_SHARED;
}

static void check(const pl_body *body, const pl_operation *operation, uint64_t facts) {
  if (!tells_others(operation) || !facts)
    return;
  if (!(facts & READ_OUT)) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-FENCE",
                     "whether '%s' speaks of bulk stores that are under way is not to be seen", operation->text);
    return;
  }
  if (!pl_body_report(body, PL_WARNING, "L-FENCE", operation,
                      "'%s' releases bulk stores that were only waited for by wait_group.read", operation->text))
    return;
  pl_consequence(body->in->sink, "another CTA that acquires it may read the memory before the stores arrive there");
  pl_fix(body->in->sink, "wait by cp.async.bulk.wait_group 0 (pipelink::bulk_wait<0>()), without .read");
}

void pl_check_memory_order(const pl_body *body) {
  const uint64_t *facts = pl_body_flow(body, 0, transfer, NULL);
  for (size_t b = 0; facts && b < body->block_count; b++) {
    uint64_t now = facts[b];
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      check(body, &body->blocks[b].operations[i], now);
      now = transfer(body, &body->blocks[b].operations[i], now, NULL);
    }
  }
}
