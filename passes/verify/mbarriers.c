/* mbarriers.c - the mbarriers of rings are initialised by the kernel's skeleton, and by nobody else; and each side
 * arrives on the other's: producers on full, consumers on empty.
 */
#include "body.h"

#include <string.h>

/* The stage has both sides of the ring: either of its variables may stand for it. */
static bool has_both_sides(const pl_body *body, const pl_ring *ring) {
  for (size_t i = 0; i < body->contract->ring_count; i++)
    if (body->contract->rings[i].is_producer != ring->is_producer && !strcmp(body->contract->rings[i].name, ring->name))
      return true;
  return false;
}

static void check_side(const pl_body *body, const pl_operation *operation, pl_operand address) {
  int64_t field = -1;
  const pl_resource *resource = pl_body_trace(body->in, address, &field);
  if (!resource || resource->kind != PL_RESOURCE_RING)
    return;
  const pl_ring *ring = resource->declaration;
  if (field != (ring->is_producer ? PL_RING_EMPTY : PL_RING_FULL) || has_both_sides(body, ring))
    return;
  const char *side = ring->is_producer ? "empty" : "full", *other = ring->is_producer ? "consumers" : "the producer";
  if (!pl_body_report(body, PL_ERROR, "L-ARRIVE", operation, "the %s of ring '%s' arrives on its '%s' barrier",
                      ring->is_producer ? "producer" : "consumer", ring->name, side))
    return;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = ring->location};
  pl_side_alone(body->in->sink, &party);
  pl_consequence(body->in->sink, "a slot would count as %s before %s made it so", side, other);
  pl_fix(body->in->sink, "%s",
         ring->is_producer ? "commit slots; only consumers release them"
                           : "release slots; only the producer commits them");
}

static void check_initialisation(const pl_body *body, const pl_operation *operation) {
  const pl_resource *resource = pl_body_trace(body->in, operation->address, NULL);
  bool initialises = operation->kind == PL_OP_MBARRIER_INIT;
  if (!resource) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-INIT", "whose mbarrier is initialised is not to be seen");
    return;
  }
  if (resource->kind != PL_RESOURCE_RING) {
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-INIT", "only mbarriers in its own shared memory are initialised");
    return;
  }
  const pl_ring *ring = resource->declaration;
  if (!pl_body_report(body, PL_ERROR, "L-INIT", operation, "an mbarrier of ring '%s' is %s by the stage", ring->name,
                      initialises ? "initialised" : "invalidated"))
    return;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = ring->location};
  pl_side_alone(body->in->sink, &party);
  pl_consequence(body->in->sink, initialises
                                     ? "arrivals that have happened would be forgotten and others counted wrong: "
                                       "the ring would hang"
                                     : "whoever waits for the ring would hang");
  pl_fix(body->in->sink, "take it out: the linker initialises the mbarriers of all rings before the roles begin");
}

void pl_check_mbarriers(const pl_body *body) {
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      switch (operation->kind) {
      case PL_OP_MBARRIER_INIT:
      case PL_OP_MBARRIER_INVAL:
        check_initialisation(body, operation);
        break;
      case PL_OP_MBARRIER_ARRIVE:
      case PL_OP_MBARRIER_EXPECT_TX:
      case PL_OP_CP_ASYNC_ARRIVE:
      case PL_OP_TCGEN05_COMMIT:
        check_side(body, operation, operation->address);
        break;
      case PL_OP_BULK_LOAD:
        check_side(body, operation, operation->barrier);
        break;
      default:
        break;
      }
    }
}
