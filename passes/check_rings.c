/* check_rings.c - the resources' part of check: do both sides of a ring mean the same ring?
 *
 * Each field that both sides declare is compared; a difference is a named diagnostic with both sides, what it would do
 * at run time, and what to change. Counts are not compared: the linker computes them from who arrives.
 */
#include "link.h"

#include <errno.h>
#include <string.h>

static pl_status differ(pl_link *link, const char *code, const pl_joined_ring *ring, const pl_ring_side *consumer,
                        const char *what, const char *producers, const char *consumers, const char *consequence,
                        const char *fix) {
  pl_report(link->sink, PL_ERROR, code, "ring '%s': %s", ring->name, what);
  pl_detail(link->sink, "produced by %s, role %s: %s",
            pl_where(link, ring->producer.instance, ring->producer.ring->location), ring->producer.role->name,
            producers);
  pl_detail(link->sink, "consumed by %s, role %s: %s", pl_where(link, consumer->instance, consumer->ring->location),
            consumer->role->name, consumers);
  pl_consequence(link->sink, "%s", consequence);
  pl_fix(link->sink, "%s", fix);
  return -EINVAL;
}

static const char *protocol_name(pl_ring_protocol protocol) {
  static const char *const names[] = {"filled by TMA copies (tma)", "filled by threads (thread)",
                                      "filled by cp.async (cp_async)", "named barriers (named)"};
  return names[protocol];
}

static const char *number(pl_link *link, const char *format, uint64_t a, uint64_t b) {
  const char *text = pl_arena_printf(link->arena, format, (unsigned long long)a, (unsigned long long)b);
  return text ? text : "?";
}

static pl_status check_sides(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  const char *why = NULL;
  if (produced->protocol != consumed->protocol)
    return differ(link, "L-PROTO", joined, consumer, "the two sides have different protocols",
                  protocol_name(produced->protocol), protocol_name(consumed->protocol),
                  "a full barrier would never complete, or complete too early", "give both sides the same protocol");
  if (produced->slot_bytes != consumed->slot_bytes || produced->slot_align != consumed->slot_align)
    return differ(link, "L-HANDLE", joined, consumer, "slots have different sizes",
                  number(link, "%llu bytes aligned to %llu", produced->slot_bytes, produced->slot_align),
                  number(link, "%llu bytes aligned to %llu", consumed->slot_bytes, consumed->slot_align),
                  "the consumer would read other bytes than the producer wrote", "declare the same Slot on both sides");
  if (produced->payload && consumed->payload &&
      !pl_type_accepts(consumed->payload, produced->payload, link->arena, &why))
    return differ(link, "L-HANDLE", joined, consumer, "slots hold different things", produced->payload->name, why,
                  "the consumer would read one tensor's bytes as another's", "declare the same Slot on both sides");
  if (produced->credit != consumed->credit)
    return differ(link, "L-PHASE", joined, consumer, "the sides disagree who gives the first credit",
                  produced->credit == PL_CREDIT_PARITY ? "it starts at parity 1 (parity)"
                                                       : "it starts at parity 0 (pre_arrive)",
                  consumed->credit == PL_CREDIT_PARITY ? "nobody arrives beforehand (parity)"
                                                       : "slots are released beforehand (pre_arrive)",
                  "the producer would wait for ever at the first slot, or overwrite one that is being read",
                  "give both sides the same credit");
  if (produced->tx_bytes != consumed->tx_bytes)
    return differ(link, "L-TX", joined, consumer, "the sides count different bytes into a slot",
                  number(link, "%llu bytes of %llu", produced->tx_bytes, produced->slot_bytes),
                  number(link, "%llu bytes of %llu", consumed->tx_bytes, consumed->slot_bytes),
                  "the slot would be read before it is full, or never", "declare the same tx_bytes on both sides");
  unsigned least = produced->depth_min > consumed->depth_min ? produced->depth_min : consumed->depth_min;
  unsigned most = produced->depth_max < consumed->depth_max ? produced->depth_max : consumed->depth_max;
  if (least > most)
    return differ(link, "L-DEPTH", joined, consumer, "no depth suits both sides",
                  number(link, "%llu to %llu slots", produced->depth_min, produced->depth_max),
                  number(link, "%llu to %llu slots", consumed->depth_min, consumed->depth_max),
                  "nothing: the ring has no size that both accept", "widen the range of one side");
  if (most <= consumed->lookahead)
    return differ(link, "L-DEPTH", joined, consumer, "the consumer holds as many slots as there can be",
                  number(link, "%llu to %llu slots", produced->depth_min, produced->depth_max),
                  number(link, "it holds %llu slots while it waits for the next", consumed->lookahead, 0),
                  "the consumer would wait for a slot that the producer cannot fill",
                  "allow a greater depth_max, or release slots earlier");
  return 0;
}

static pl_status check_granularity(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *side) {
  if (side->ring->arrive != PL_ARRIVE_WARPGROUP || side->role->warps % 4 == 0)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-ARRIVE", "ring '%s': role '%s' arrives once per warpgroup and has %u warps",
            joined->name, side->role->name, side->role->warps);
  pl_detail(link->sink, "declared by %s", pl_where(link, side->instance, side->ring->location));
  pl_consequence(link->sink, "the barrier would count an arrival that never comes");
  pl_fix(link->sink, "give the role whole warpgroups of four warps, or arrive once per warp");
  return -EINVAL;
}

pl_status pl_check_rings(pl_link *link) {
  pl_status status = 0, failed;
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    if ((failed = check_granularity(link, ring, &ring->producer)))
      status = failed;
    for (size_t k = 0; k < ring->consumer_count; k++)
      if ((failed = check_sides(link, ring, &ring->consumers[k])) ||
          (failed = check_granularity(link, ring, &ring->consumers[k])))
        status = failed;
  }
  return status;
}
