/* tensor_memory.c - tensor memory is allocated once, by the kernel's skeleton, in one cta_group. */
#include "body.h"

#include "link.h"

static bool allocates(pl_operation_kind kind) {
  return kind == PL_OP_TCGEN05_ALLOC || kind == PL_OP_TCGEN05_DEALLOC || kind == PL_OP_TCGEN05_RELINQUISH;
}

static bool uses(pl_operation_kind kind) {
  return kind == PL_OP_TCGEN05_MMA || kind == PL_OP_TCGEN05_LOAD || kind == PL_OP_TCGEN05_STORE ||
         kind == PL_OP_TCGEN05_COPY;
}

static const pl_operation *first(const pl_body *body, bool (*is_wanted)(pl_operation_kind)) {
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++)
      if (is_wanted(body->blocks[b].operations[i].kind))
        return &body->blocks[b].operations[i];
  return NULL;
}

void pl_check_tensor_memory(const pl_body *body) {
  const pl_operation *allocation = first(body, allocates), *use = first(body, uses);
  size_t declared = body->in->link ? body->in->link->tmem_count : body->contract->tmem_count;
  if (allocation && (body->has_company || declared) &&
      pl_body_report(body, PL_ERROR, "L-TMEMOWN", allocation, "%s '%s' allocates or frees tensor memory itself",
                     body->role ? "role" : "export", body->role ? body->role->name : body->seam->name)) {
    pl_consequence(body->in->sink, "tcgen05.alloc would wait for ever for columns that the kernel's skeleton holds");
    pl_fix(body->in->sink, "declare a pipelink::tmem<> with the columns, and use its address()");
  }
  /* Its columns may be another stage's, handed over by a seam: only all of a link can tell. */
  if (use && !allocation && body->in->link && !declared &&
      pl_body_report(body, PL_ERROR, "L-TMEMOWN", use, "'%s' uses tensor memory that no stage declares", use->text)) {
    pl_consequence(body->in->sink, "nobody allocates it: the kernel would trap, or share columns with another kernel");
    pl_fix(body->in->sink, "declare a pipelink::tmem<> with the columns, and use its address()");
  }
}

void pl_check_cta_groups(const pl_body *bodies, size_t count) {
  const pl_operation *seen[3] = {NULL};
  const pl_body *by[3] = {NULL};
  for (size_t c = 0; c < count; c++)
    for (size_t b = 0; b < bodies[c].block_count; b++)
      for (size_t i = 0; i < bodies[c].blocks[b].operation_count; i++) {
        const pl_operation *operation = &bodies[c].blocks[b].operations[i];
        if (operation->cta_group && operation->cta_group <= 2 && !seen[operation->cta_group] &&
            operation->kind != PL_OP_BULK_LOAD) {
          seen[operation->cta_group] = operation;
          by[operation->cta_group] = &bodies[c];
        }
      }
  const pl_link *link = count ? bodies[0].in->link : NULL;
  bool skeleton_has_one = link && link->tmem_count;
  if (!seen[2] || !(seen[1] || skeleton_has_one) ||
      !pl_body_report(by[2], PL_ERROR, "L-CTAGRP", seen[2], "cta_group::2 and cta_group::1 in one kernel"))
    return;
  if (seen[1])
    pl_detail(by[2]->in->sink, "cta_group::1 in %s: %s", by[1]->subject, seen[1]->text);
  else
    pl_detail(by[2]->in->sink, "cta_group::1 in the kernel's skeleton, which allocates the declared columns");
  pl_consequence(by[2]->in->sink, "all tcgen05 instructions of a kernel must be of one cta_group: undefined otherwise");
  pl_fix(by[2]->in->sink, "compile both stages for the same cta_group");
}
