/* mbarriers.c - the mbarriers of rings are initialised by the kernel's skeleton, and by nobody else. */
#include "body.h"

static void check(const pl_body *body, const pl_operation *operation) {
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
      if (operation->kind == PL_OP_MBARRIER_INIT || operation->kind == PL_OP_MBARRIER_INVAL)
        check(body, operation);
    }
}
