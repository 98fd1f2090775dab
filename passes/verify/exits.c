/* exits.c - a role ends by returning: what comes behind it is the skeleton's, and others count on its threads. */
#include "body.h"

void pl_check_exits(const pl_body *body) {
  bool owes = body->has_company || body->contract->ring_count || body->contract->tmem_count;
  for (size_t b = 0; b < body->block_count && owes; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (operation->kind != PL_OP_EXIT ||
          !pl_body_report(body, PL_ERROR, "L-EXIT", operation, "%s '%s' ends its thread by '%s'",
                          body->role ? "role" : "export", body->role ? body->role->name : body->seam->name,
                          operation->text))
        continue;
      pl_consequence(body->in->sink, "arrivals that others wait for, and the end of the kernel's skeleton, would be "
                                     "skipped: a hang");
      pl_fix(body->in->sink, "return from the role's function");
    }
}
