/* wgmma.c - matrix instructions that are under way: nobody may get their slots, their results or their window before a
 * wait. */
#include "body.h"

#include <string.h>

/* A way through the code is in one of four states; a set of them is what may be. */
enum {
  UNDER_WAY = 1, /* a wgmma has been issued that no wait_group 0 came after */
  WAITED = 2,    /* some wait_group since the last release of a slot */
};

static uint64_t bit(unsigned state) {
  return UINT64_C(1) << state;
}

static uint64_t map(uint64_t states, unsigned clear, unsigned set) {
  uint64_t mapped = 0;
  for (unsigned state = 0; state < 4; state++)
    if (states & bit(state))
      mapped |= bit((state & ~clear) | set);
  return mapped;
}

/* A consumer gives a slot back. */
static const pl_ring *released_ring(const pl_body *body, const pl_operation *operation) {
  pl_operand target = operation->kind == PL_OP_MBARRIER_ARRIVE  ? operation->address
                      : operation->kind == PL_OP_BARRIER_ARRIVE ? operation->id
                                                                : (pl_operand){0};
  int64_t field;
  const pl_resource *resource = pl_body_trace(body->in, target, &field);
  if (!resource || resource->kind != PL_RESOURCE_RING || field != PL_RING_EMPTY)
    return NULL;
  const pl_ring *ring = resource->declaration;
  return ring->is_producer ? NULL : ring;
}

static bool is_seam(const pl_body *body, const pl_operation *operation) {
  LLVMValueRef callee =
      operation->kind == PL_OP_CALL ? LLVMIsAFunction(LLVMGetCalledValue(operation->instruction)) : NULL;
  size_t length;
  for (size_t i = 0; callee && i < body->contract->seam_count; i++)
    if (!body->contract->seams[i].is_export &&
        !strcmp(body->contract->seams[i].symbol, LLVMGetValueName2(callee, &length)))
      return true;
  return false;
}

static uint64_t transfer(const pl_body *body, const pl_operation *operation, uint64_t states, void *context) {
  (void)context;
  switch (operation->kind) {
  case PL_OP_WGMMA:
    return map(states, 0, UNDER_WAY);
  case PL_OP_WGMMA_WAIT: {
    bool is_all = operation->count.kind != PL_OPERAND_INTEGER || !operation->count.integer;
    return map(states, is_all ? UNDER_WAY : 0, WAITED);
  }
  case PL_OP_MBARRIER_ARRIVE:
  case PL_OP_BARRIER_ARRIVE:
    return released_ring(body, operation) ? map(states, WAITED, 0) : states;
  default:
    return states;
  }
}

static void check(const pl_body *body, const pl_operation *operation, uint64_t states) {
  if (!(states & bit(UNDER_WAY)))
    return;
  const pl_ring *ring = released_ring(body, operation);
  if (ring && pl_body_report(body, PL_ERROR, "L-LIVE", operation,
                             "a slot of ring '%s' is released while wgmma still reads it", ring->name)) {
    pl_consequence(body->in->sink, "the producer would overwrite the slot under the matrix instruction: wrong results");
    pl_fix(body->in->sink, "wait for the group (wgmma.wait_group) between the last wgmma that reads the slot and the "
                           "release");
  }
  if (is_seam(body, operation) &&
      pl_body_report(body, PL_ERROR, "L-LIVE", operation, "a call seam stands between a wgmma and its wait")) {
    pl_consequence(body->in->sink,
                   "what the other stage does with registers would serialise the matrix instructions, or "
                   "touch results that are not there yet");
    pl_fix(body->in->sink, "call it before the first wgmma or after wgmma.wait_group");
  }
}

static void check_end(const pl_body *body, size_t block, uint64_t states, const pl_operation *last) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(body->blocks[block].block);
  if (!end || !LLVMIsAReturnInst(end))
    return;
  if (states & bit(UNDER_WAY)) {
    if (!pl_body_report(body, PL_ERROR, "L-LIVE", last, "%s '%s' returns while a wgmma is under way",
                        body->role ? "role" : "export", body->role ? body->role->name : body->seam->name))
      return;
    pl_consequence(body->in->sink, "its results would be read before they are there");
    pl_fix(body->in->sink, "call wgmma.wait_group 0 before returning");
  } else if (states & bit(UNDER_WAY | WAITED)) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-LIVE", "which groups the last wait_group leaves is not followed");
  } else {
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-LIVE", "every wgmma is waited for before a release and the end");
  }
}

/* PTX ISA, "Warpgroup": four warps, the first of which has a number that is a multiple of four. */
static void check_warpgroup(const pl_body *body, const pl_operation *operation) {
  if (!body->role || !body->warps || (body->warps >= 4 && body->first_warp % 4 == 0))
    return; /* of a larger role some warps may stay away */
  if (!pl_body_report(body, PL_ERROR, "L-CONTEXT", operation,
                      "role '%s' issues wgmma and is no warpgroup: it has %u warps from warp %u on", body->role->name,
                      body->warps, body->first_warp))
    return;
  pl_consequence(body->in->sink, "matrix instructions of part of a warpgroup are undefined");
  pl_fix(body->in->sink, "give the role four warps, or a multiple of four");
}

void pl_check_wgmma(const pl_body *body) {
  const pl_operation *last = NULL;
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++)
      if (body->blocks[b].operations[i].kind == PL_OP_WGMMA)
        last = &body->blocks[b].operations[i];
  if (last)
    check_warpgroup(body, last);
  const uint64_t *states = last ? pl_body_flow(body, bit(0), transfer, NULL) : NULL;
  for (size_t b = 0; states && b < body->block_count; b++) {
    uint64_t now = states[b];
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      check(body, &body->blocks[b].operations[i], now);
      now = transfer(body, &body->blocks[b].operations[i], now, NULL);
    }
    check_end(body, b, now, last);
  }
}
