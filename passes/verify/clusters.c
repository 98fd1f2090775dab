/* clusters.c - barriers of the cluster belong to the kernel's skeleton; other CTAs are there only where a role declares
 * them. */
#include "body.h"

#include "link.h"

static unsigned ctas_of(const pl_body *body) {
  const unsigned *shape = body->in->link ? body->in->link->cluster : body->role ? body->role->cluster : NULL;
  return shape && shape[0] ? shape[0] * shape[1] * shape[2] : 1;
}

static void check_barrier(const pl_body *body, const pl_operation *operation) {
  if (!body->has_company ||
      !pl_body_report(body, PL_ERROR, "L-CSYNC", operation,
                      "%s '%s' waits at the barrier of the whole cluster, where other roles "
                      "never come",
                      body->role ? "role" : "export", body->role ? body->role->name : body->seam->name))
    return;
  pl_consequence(body->in->sink, "the kernel would hang: barrier.cluster counts every thread of every CTA");
  pl_fix(body->in->sink, "order the CTAs by a ring or an mbarrier; the linker's skeleton synchronises the cluster at "
                         "the beginning and the end");
}

/* The greatest number of a CTA that a constant names; -1 when none is named, or it is computed. */
static int64_t reached(const pl_operation *operation) {
  int64_t greatest = operation->cta.kind == PL_OPERAND_INTEGER ? operation->cta.integer : -1;
  for (int64_t i = 0; operation->is_multicast && operation->mask.kind == PL_OPERAND_INTEGER && i < 16; i++)
    if (operation->mask.integer >> i & 1)
      greatest = i;
  return greatest;
}

/* Another CTA, and there is none. */
static void check_reach(const pl_body *body, const pl_operation *operation) {
  unsigned ctas = ctas_of(body);
  int64_t greatest = reached(operation);
  if (greatest < 0) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-CLUSTER", "which CTAs '%s' reaches is computed", operation->text);
    return;
  }
  if (greatest < ctas ||
      !pl_body_report(body, PL_ERROR, "L-CLUSTER", operation, "'%s' reaches CTA %lld, but a cluster has %u",
                      operation->text, (long long)greatest, ctas))
    return;
  pl_consequence(body->in->sink, "the launch would fail, or the copy and its bytes would never arrive");
  pl_fix(body->in->sink, "declare [[pipelink::cluster(x, y, z)]] on the role");
}

void pl_check_clusters(const pl_body *body) {
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (operation->kind == PL_OP_CLUSTER_ARRIVE || operation->kind == PL_OP_CLUSTER_WAIT)
        check_barrier(body, operation);
      else if (operation->is_multicast || operation->cta.kind != PL_OPERAND_ABSENT)
        check_reach(body, operation);
    }
}
