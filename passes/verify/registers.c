/* registers.c - setmaxnreg is the linker's: it moves registers between warpgroups as the roles declare them. */
#include "body.h"

void pl_check_registers(const pl_body *body) {
  bool has_budget = body->role && body->role->registers[0];
  for (size_t b = 0; b < body->block_count && (body->has_company || has_budget); b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (operation->kind != PL_OP_SETMAXNREG ||
          !pl_body_report(body, PL_ERROR, "L-SETREG", operation, "%s '%s' changes its number of registers itself",
                          body->role ? "role" : "export", body->role ? body->role->name : body->seam->name))
        continue;
      pl_consequence(body->in->sink, "the pool of registers would not add up: setmaxnreg.inc waits for ever for what "
                                     "nobody gives back");
      pl_fix(body->in->sink, "take it out, and declare [[pipelink::registers(min, preferred, max)]] on the role");
    }
}
