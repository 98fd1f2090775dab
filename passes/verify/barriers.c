/* barriers.c - named barriers: every id is a declared handle's, and counts who takes part in it. */
#include "body.h"

#include "link.h"

static const pl_joined_barrier *joined_of(const pl_link *link, const pl_resource *resource) {
  for (size_t i = 0; link && i < link->barrier_count; i++)
    for (size_t k = 0; k < link->barriers[i].member_count; k++)
      if (link->barriers[i].members[k].barrier == resource->declaration)
        return &link->barriers[i];
  return NULL;
}

/* Threads that take part in a declared barrier; 0 when not known yet. */
static unsigned threads_of(const pl_body *body, const pl_resource *resource) {
  const pl_joined_barrier *joined = joined_of(body->in->link, resource);
  return joined ? joined->threads : ((const pl_barrier *)resource->declaration)->threads;
}

static void count_differs(const pl_body *body, const pl_operation *operation, const pl_barrier *barrier,
                          const char *counted, unsigned threads) {
  if (!pl_body_report(body, PL_ERROR, "L-BARCOUNT", operation, "named barrier '%s' counts %s, but %u threads take part",
                      barrier->name, counted, threads))
    return;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = barrier->location};
  pl_side(body->in->sink, &party, "%u threads", threads);
  pl_consequence(body->in->sink, "it would let threads pass before all have come, or hang");
  pl_fix(body->in->sink, "call %s.sync() and %s.arrive(), which count what the linker knows", barrier->name,
         barrier->name);
}

static const char *text_of(const pl_body *body, int64_t count) {
  const char *text = pl_arena_printf(body->in->arena, "%lld", (long long)count);
  return text ? text : "another number";
}

/* The id is a handle's: is the count, too? */
static void check_handle(const pl_body *body, const pl_operation *operation, const pl_resource *resource) {
  const pl_operand *count = &operation->count;
  const pl_barrier *barrier = resource->declaration;
  unsigned threads = threads_of(body, resource);
  if (count->kind == PL_OPERAND_ABSENT) {
    const pl_link *link = body->in->link;
    if (threads && link && threads != link->threads)
      count_differs(body, operation, barrier, "all threads of the CTA", threads);
    return;
  }
  if (count->kind == PL_OPERAND_INTEGER) {
    if (threads && count->integer != threads)
      count_differs(body, operation, barrier, text_of(body, count->integer), threads);
    return;
  }
  int64_t field;
  if (pl_body_trace(body->in, *count, &field) == resource && field == PL_BARRIER_THREADS)
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-BARCOUNT", "barrier '%s' is used with its own count",
                     barrier->name);
  else
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-BARCOUNT", "the count of barrier '%s' is computed", barrier->name);
}

static void refuse_whole_cta(const pl_body *body, const pl_operation *operation) {
  if (!pl_body_report(body, PL_ERROR, "L-SYNCALL", operation,
                      body->role ? "role '%s' waits at the barrier of the whole CTA, where other roles never come"
                                 : "export '%s' waits at the barrier of the whole CTA",
                      body->role ? body->role->name : body->seam->name))
    return;
  pl_consequence(body->in->sink, "the kernel would hang: __syncthreads() and barrier 0 count every thread of the CTA");
  pl_fix(body->in->sink, "declare a pipelink::barrier<> for the threads that are meant, and call its sync()");
}

/* A number in the code. It may be one that the stage has pinned for itself. */
static void check_literal(const pl_body *body, const pl_operation *operation) {
  int64_t id = operation->id.integer;
  const pl_operand *count = &operation->count;
  for (size_t i = 0; i < body->contract->barrier_count; i++) {
    const pl_barrier *barrier = &body->contract->barriers[i];
    if (barrier->id != id || !id)
      continue;
    if (barrier->threads && count->kind == PL_OPERAND_INTEGER && count->integer != barrier->threads)
      count_differs(body, operation, barrier, text_of(body, count->integer), barrier->threads);
    return;
  }
  bool exists = id >= 0 && id <= PL_NAMED_BARRIER_MOST;
  if (exists && !body->has_company && !body->contract->barrier_count)
    return; /* the whole CTA is its own */
  if (!pl_body_report(body, PL_ERROR, "L-BARID", operation,
                      exists ? "named barrier %lld is used by its number and not declared"
                             : "there is no named barrier %lld",
                      (long long)id))
    return;
  if (exists) {
    pl_consequence(body->in->sink, "another stage may be given the same barrier: threads of both would meet there");
    pl_fix(body->in->sink,
           "declare a pipelink::barrier<> and call its sync(); with `id = %lld` in its options it keeps "
           "the number",
           (long long)id);
  } else {
    pl_consequence(body->in->sink, "the launch would fail or threads of several barriers would meet");
    pl_fix(body->in->sink, "a CTA has the barriers 0 to %d", PL_NAMED_BARRIER_MOST);
  }
}

/* A handle's id and something added to it. */
static bool is_counted_on(LLVMValueRef id) {
  return LLVMIsABinaryOperator(id) && LLVMGetInstructionOpcode(id) == LLVMAdd &&
         LLVMIsAConstantInt(LLVMGetOperand(id, 1));
}

static void refuse_counted_on(const pl_body *body, const pl_operation *operation, const pl_resource *resource) {
  if (!pl_body_report(body, PL_ERROR, "L-BARID", operation,
                      "the id of a barrier is counted on from that of barrier '%s'", resource->name))
    return;
  pl_consequence(body->in->sink, "the linker gives ids one by one: threads of another owner's barrier would meet here");
  pl_fix(body->in->sink, "declare a pipelink::barrier<> for each barrier");
}

static void check(const pl_body *body, const pl_operation *operation) {
  const pl_operand *id = &operation->id;
  if (id->kind == PL_OPERAND_INTEGER || id->kind == PL_OPERAND_ABSENT) {
    if (id->kind == PL_OPERAND_INTEGER && id->integer)
      check_literal(body, operation);
    else if (body->has_company)
      refuse_whole_cta(body, operation);
    return;
  }
  int64_t field;
  const pl_resource *resource = pl_body_trace(body->in, *id, &field);
  if (resource && resource->kind == PL_RESOURCE_BARRIER && is_counted_on(id->value)) {
    refuse_counted_on(body, operation, resource);
  } else if (resource && resource->kind == PL_RESOURCE_BARRIER) {
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-BARID", "every barrier's id comes from a declared handle");
    check_handle(body, operation, resource);
  } else if (!resource && body->has_company) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-BARID", "the id of a barrier is computed (%s)", operation->text);
  }
}

void pl_check_barriers(const pl_body *body) {
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (operation->kind == PL_OP_BARRIER_SYNC || operation->kind == PL_OP_BARRIER_ARRIVE)
        check(body, operation);
    }
}
