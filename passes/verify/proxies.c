/* proxies.c - stores that the async proxy reads need fence.proxy.async in between, on every way.
 *
 * Readers of the async proxy are bulk stores, wgmma and tcgen05.mma; cp.async stores as ordinary threads do. They may
 * stand in the role that stored, or in another one behind a ring or a named barrier.
 */
#include "body.h"

#include "link.h"

#include <string.h>

static const char *const READERS[] = {
    [PL_OP_BULK_STORE] = "a bulk store", [PL_OP_WGMMA] = "wgmma", [PL_OP_TCGEN05_MMA] = "tcgen05.mma"};

static bool reads_by_async_proxy(pl_operation_kind kind) {
  return kind == PL_OP_BULK_STORE || kind == PL_OP_WGMMA || kind == PL_OP_TCGEN05_MMA;
}

/* ---- one role ---- */

static const pl_resource *stored_to(const pl_body *body, const pl_operation *operation) {
  bool stores = operation->kind == PL_OP_STORE || operation->kind == PL_OP_ATOMIC ||
                operation->kind == PL_OP_CP_ASYNC ||
                (operation->kind == PL_OP_MMA && operation->address.kind != PL_OPERAND_ABSENT);
  if (!stores || (operation->space != PL_SPACE_SHARED && operation->space != PL_SPACE_GENERIC))
    return NULL;
  int64_t field = 0;
  const pl_resource *resource = pl_body_trace(body->in, operation->address, &field);
  if (!resource || resource->kind == PL_RESOURCE_TMEM || resource->kind == PL_RESOURCE_BARRIER)
    return NULL;
  return resource->kind == PL_RESOURCE_RING && field != PL_RING_SLOTS ? NULL : resource;
}

/* Facts: a bit for each resource that has been stored to and not fenced. */
static uint64_t transfer(const pl_body *body, const pl_operation *operation, uint64_t stored, void *context) {
  (void)context;
  if (operation->kind == PL_OP_FENCE_ASYNC)
    return operation->space == PL_SPACE_GLOBAL ? stored : 0;
  return stored | pl_body_bit(body->in, stored_to(body, operation));
}

/* ---- across roles ---- */

static const char *ring_name(const pl_body_module *in, const pl_resource *resource) {
  const pl_link *link = in->link;
  for (size_t i = 0; link && i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    bool is_it = ring->producer.ring == resource->declaration;
    for (size_t k = 0; k < ring->consumer_count; k++)
      is_it |= ring->consumers[k].ring == resource->declaration;
    if (is_it)
      return ring->name;
  }
  return resource->name;
}

typedef struct reader {
  const pl_body *body;
  const pl_operation *operation;
} reader;

static const pl_resource *source_of(const pl_body *body, const pl_operation *operation, unsigned which) {
  return pl_body_trace(body->in, which ? operation->source_b : operation->source, NULL);
}

/* What was stored to, and what tells others that it was. */
typedef struct handover {
  const pl_resource *stored, *told;
  bool is_ring; /* told is the ring that was stored to */
} handover;

static bool is_same_ring(const pl_body_module *in, const pl_resource *resource, const pl_resource *ring) {
  return resource && resource->kind == PL_RESOURCE_RING && !strcmp(ring_name(in, resource), ring_name(in, ring));
}

/* A wait for something that others tell; NULL for another operation. */
static const pl_resource *waited_for(const pl_body *body, const pl_operation *operation, int64_t *field) {
  bool tests = operation->kind == PL_OP_MBARRIER_TEST || operation->kind == PL_OP_MBARRIER_WAIT;
  pl_operand target = tests                                   ? operation->address
                      : operation->kind == PL_OP_BARRIER_SYNC ? operation->id
                                                              : (pl_operand){0};
  return pl_body_trace(body->in, target, field);
}

/* Whether what was handed over may still need a fence: the reader's own, behind its wait, will do. Another wait than
 * for what was told may be for a later hand-over, with a fence before it. */
static uint64_t transfer_to_reader(const pl_body *body, const pl_operation *operation, uint64_t open, void *context) {
  const handover *over = context;
  if (operation->kind == PL_OP_FENCE_ASYNC)
    return operation->space == PL_SPACE_GLOBAL ? open : 0;
  int64_t field = 0;
  const pl_resource *resource = waited_for(body, operation, &field);
  if (!resource)
    return open;
  if (over->is_ring)
    return open || (is_same_ring(body->in, resource, over->told) && field == PL_RING_FULL);
  return resource == over->told;
}

static bool reads(const pl_body *body, const pl_operation *operation, const handover *over) {
  for (unsigned which = 0; reads_by_async_proxy(operation->kind) && which < 2; which++) {
    const pl_resource *source = source_of(body, operation, which);
    if (over->is_ring ? is_same_ring(body->in, source, over->told) : source == over->stored && source)
      return true;
  }
  return false;
}

/* Who reads what was handed over by the async proxy; body is NULL when nobody does. */
static reader reader_of(const pl_body *bodies, size_t count, const pl_body *writer, handover *over) {
  for (size_t c = 0; c < count; c++) {
    const pl_body *body = &bodies[c];
    bool may_read = false;
    for (size_t b = 0; b < body->block_count && !may_read; b++)
      for (size_t i = 0; i < body->blocks[b].operation_count && !may_read; i++)
        may_read = reads(body, &body->blocks[b].operations[i], over);
    if (!may_read || (body == writer && !over->is_ring))
      continue;
    const uint64_t *open = pl_body_flow(body, over->is_ring, transfer_to_reader, over);
    for (size_t b = 0; open && b < body->block_count; b++) {
      uint64_t now = open[b];
      for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
        const pl_operation *operation = &body->blocks[b].operations[i];
        if (now && reads(body, operation, over))
          return (reader){body, operation};
        now = transfer_to_reader(body, operation, now, over);
      }
    }
  }
  return (reader){0};
}

static void say(const pl_body *body, const pl_operation *at, const char *what, const char *name, const reader *by) {
  if (!pl_body_report(body, PL_ERROR, "L-PROXY", at,
                      "%s '%s' is stored to, then read by %s, and no fence.proxy.async "
                      "stands between",
                      what, name, READERS[by->operation->kind]))
    return;
  if (by->body != body) {
    pl_location place = pl_body_location(by->operation);
    if (place.file)
      pl_detail(body->in->sink, "read in %s (%s:%u): %s", by->body->subject, place.file, place.line,
                by->operation->text);
    else
      pl_detail(body->in->sink, "read in %s: %s", by->body->subject, by->operation->text);
  }
  pl_consequence(body->in->sink, "now and then the async proxy would read what the memory held before the stores");
  pl_fix(body->in->sink, "every thread that has stored calls pipelink::fence_async() before it %s",
         by->body == body        ? "meets the one that issues the read"
         : !strcmp(what, "ring") ? "commits the slot"
                                 : "arrives at the barrier");
}

static const char *const WORDS[] = {[PL_RESOURCE_RING] = "ring",
                                    [PL_RESOURCE_BARRIER] = "barrier",
                                    [PL_RESOURCE_BUFFER] = "buffer",
                                    [PL_RESOURCE_TMEM] = "tmem",
                                    [PL_RESOURCE_SHARED] = "shared array"};

/* What the operation tells others of: a ring, a named barrier, or NULL. */
static const pl_resource *told_by(const pl_body *body, const pl_operation *operation) {
  pl_operand target = {0};
  if (operation->kind == PL_OP_MBARRIER_ARRIVE || operation->kind == PL_OP_CP_ASYNC_ARRIVE)
    target = operation->address;
  else if (operation->kind == PL_OP_BARRIER_ARRIVE || operation->kind == PL_OP_BARRIER_SYNC)
    target = operation->id;
  int64_t field = 0;
  const pl_resource *told = pl_body_trace(body->in, target, &field);
  bool is_slot = told && told->kind == PL_RESOURCE_RING && field == PL_RING_FULL;
  return is_slot || (told && told->kind == PL_RESOURCE_BARRIER) ? told : NULL;
}

/* A read in the same role, or something handed over to another one. */
static void check(const pl_body *bodies, size_t count, const pl_body *body, const pl_operation *operation,
                  uint64_t stored) {
  for (unsigned which = 0; reads_by_async_proxy(operation->kind) && which < 2; which++) {
    const pl_resource *source = source_of(body, operation, which);
    if (pl_body_bit(body->in, source) & stored)
      say(body, operation, WORDS[source->kind], source->name, &(reader){body, operation});
  }
  const pl_resource *told = stored ? told_by(body, operation) : NULL;
  for (size_t i = 0; told && i < body->in->resource_count; i++) {
    const pl_resource *resource = &body->in->resources[i];
    bool is_ring = told->kind == PL_RESOURCE_RING;
    if (!(pl_body_bit(body->in, resource) & stored) || (is_ring && resource != told))
      continue;
    handover over = {.stored = resource, .told = told, .is_ring = is_ring};
    reader by = reader_of(bodies, count, body, &over);
    if (by.body)
      say(body, operation, WORDS[resource->kind], resource->name, &by);
  }
}

void pl_check_proxies(const pl_body *bodies, size_t count) {
  for (size_t c = 0; c < count; c++) {
    const pl_body *body = &bodies[c];
    bool stores = false;
    for (size_t b = 0; b < body->block_count && !stores; b++)
      for (size_t i = 0; i < body->blocks[b].operation_count && !stores; i++)
        stores = stored_to(body, &body->blocks[b].operations[i]) != NULL;
    const uint64_t *stored = stores ? pl_body_flow(body, 0, transfer, NULL) : NULL;
    for (size_t b = 0; stored && b < body->block_count; b++) {
      uint64_t now = stored[b];
      for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
        check(bodies, count, body, &body->blocks[b].operations[i], now);
        now = transfer(body, &body->blocks[b].operations[i], now, NULL);
      }
    }
    if (stored)
      pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-PROXY", "stores to shared memory are fenced before async reads");
  }
}
