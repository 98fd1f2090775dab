/* check_rings.c - the resources' part of check: do both sides of a ring mean the same ring?
 *
 * Each field that both sides declare is compared; a difference is a named diagnostic with both sides, what it would do
 * at run time, and what to change. What follows from another difference is not told again. Counts are not compared: the
 * linker computes them from who arrives.
 */
#include "link.h"

/* One comparison: what differs, in each side's words. */
typedef struct difference {
  const char *code;
  const char *what;                  /* summary, behind the ring's name */
  const char *producers, *consumers; /* NULL: the table of fields says it */
  const char *consequence, *fix;
} difference;

static void report(pl_link *link, const pl_joined_ring *ring, const pl_ring_side *consumer, const difference *told) {
  pl_report(link->sink, PL_ERROR, told->code, "ring '%s': %s", ring->name, told->what);
  if (told->producers) {
    pl_link_ring_side(link, &ring->producer, "%s", told->producers);
    pl_link_ring_side(link, consumer, "%s", told->consumers);
  } else {
    pl_link_ring_side_alone(link, &ring->producer);
    pl_link_ring_side_alone(link, consumer);
  }
  pl_consequence(link->sink, "%s", told->consequence);
  pl_fix(link->sink, "%s", told->fix);
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

/* The row of the link report for what a comparison found equal. */
static void agree(pl_link *link, const pl_joined_ring *ring, const pl_ring_side *consumer, const char *code,
                  const char *what) {
  const pl_ring_side *one_of_several = ring->consumer_count > 1 ? consumer : NULL;
  pl_evidence(link, PL_EVIDENCE_DECLARED, code, pl_link_ring_subject(link, ring, one_of_several), "%s", what);
}

static bool check_protocol(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  if (produced->protocol == consumed->protocol) {
    agree(link, joined, consumer, "L-PROTO", protocol_name(produced->protocol));
    return true;
  }
  report(link, joined, consumer,
         &(difference){.code = "L-PROTO",
                       .what = "the two sides have different protocols",
                       .producers = protocol_name(produced->protocol),
                       .consumers = protocol_name(consumed->protocol),
                       .consequence = "a full barrier would never complete, or complete too early",
                       .fix = "give both sides the same protocol"});
  return false;
}

/* Size, alignment and content of a slot. One difference is told in the sides' own lines, several in a table. */
static bool check_handle(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  const char *why = NULL;
  bool bytes = produced->slot_bytes != consumed->slot_bytes, align = produced->slot_align != consumed->slot_align;
  bool payload = !bytes && produced->payload && consumed->payload &&
                 !pl_type_accepts(consumed->payload, produced->payload, link->arena, &why);
  if (!bytes && !align && !payload) {
    agree(
        link, joined, consumer, "L-HANDLE",
        number(link, "slots of %llu bytes aligned to %llu on both sides", produced->slot_bytes, produced->slot_align));
    return true;
  }
  difference told = {.code = "L-HANDLE",
                     .what = payload ? "slots hold different things" : "slots have different sizes",
                     .consequence = payload ? "the consumer would read one tensor's bytes as another's"
                                            : "the consumer would read other bytes than the producer wrote",
                     .fix = "declare the same Slot on both sides"};
  bool is_table = align && (bytes || payload);
  if (!is_table) {
    told.producers = payload ? produced->payload->name
                             : number(link, "%llu bytes aligned to %llu", produced->slot_bytes, produced->slot_align);
    told.consumers =
        payload ? why : number(link, "%llu bytes aligned to %llu", consumed->slot_bytes, consumed->slot_align);
  }
  report(link, joined, consumer, &told);
  if (is_table && bytes)
    pl_field_differs(link->sink, "bytes", number(link, "%llu", produced->slot_bytes, 0),
                     number(link, "%llu", consumed->slot_bytes, 0));
  if (is_table)
    pl_field_differs(link->sink, "alignment", number(link, "%llu", produced->slot_align, 0),
                     number(link, "%llu", consumed->slot_align, 0));
  if (is_table && payload)
    pl_field_differs(link->sink, "payload", produced->payload->name, why);
  return false;
}

static void check_credit(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  if (produced->credit == consumed->credit) {
    agree(link, joined, consumer, "L-PHASE",
          produced->credit == PL_CREDIT_PARITY ? "both sides: the producer starts at parity 1"
                                               : "both sides: the kernel releases every slot beforehand");
    return;
  }
  bool parity = produced->credit == PL_CREDIT_PARITY;
  report(link, joined, consumer,
         &(difference){
             .code = "L-PHASE",
             .what = "the sides disagree who gives the first credit",
             .producers = parity ? "it starts at parity 1 (parity)" : "it starts at parity 0 (pre_arrive)",
             .consumers = parity ? "slots are released beforehand (pre_arrive)" : "nobody arrives beforehand (parity)",
             .consequence = "the producer would wait for ever at the first slot, or overwrite one that is being read",
             .fix = "give both sides the same credit"});
}

static void check_bytes(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  if (produced->tx_bytes == consumed->tx_bytes) {
    if (produced->tx_bytes)
      agree(link, joined, consumer, "L-TX",
            number(link, "both sides count %llu bytes into a slot of %llu", produced->tx_bytes, produced->slot_bytes));
    return;
  }
  report(link, joined, consumer,
         &(difference){.code = "L-TX",
                       .what = "the sides count different bytes into a slot",
                       .producers = number(link, "%llu bytes of %llu", produced->tx_bytes, produced->slot_bytes),
                       .consumers = number(link, "%llu bytes of %llu", consumed->tx_bytes, consumed->slot_bytes),
                       .consequence = "the slot would be read before it is full, or never",
                       .fix = "declare the same tx_bytes on both sides"});
}

static void check_depth(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *consumer) {
  const pl_ring *produced = joined->producer.ring, *consumed = consumer->ring;
  unsigned least = produced->depth_min > consumed->depth_min ? produced->depth_min : consumed->depth_min;
  unsigned most = produced->depth_max < consumed->depth_max ? produced->depth_max : consumed->depth_max;
  difference told = {.code = "L-DEPTH",
                     .producers = number(link, "%llu to %llu slots", produced->depth_min, produced->depth_max)};
  if (least > most) {
    told.what = "no depth suits both sides";
    told.consumers = number(link, "%llu to %llu slots", consumed->depth_min, consumed->depth_max);
    told.consequence =
        "the sides would look for the next slot and its phase at different places: stale data, or a hang";
    told.fix = "widen the range of one side";
  } else if (most <= consumed->lookahead) {
    told.what = "the consumer holds as many slots as there can be";
    told.consumers = number(link, "it holds %llu slots while it waits for the next", consumed->lookahead, 0);
    told.consequence = "the consumer would wait for a slot that the producer cannot fill";
    told.fix = "allow a greater depth_max, or release slots earlier";
  } else {
    agree(link, joined, consumer, "L-DEPTH",
          number(link, "%llu to %llu slots suit both sides, more than the consumer holds", least, most));
    return;
  }
  report(link, joined, consumer, &told);
}

/* Whatever arrives, the linker counts it: nothing to refuse. */
static void note_arrivals(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *side) {
  static const char *const units[] = {"each thread", "each warp", "each warpgroup", "one thread"};
  pl_evidence(link, PL_EVIDENCE_DECLARED, "L-ARRIVE", pl_link_ring_subject(link, joined, side),
              "%s of role %s arrives on a slot; the linker counts them", units[side->ring->arrive], side->role->name);
}

void pl_check_rings(pl_link *link) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    note_arrivals(link, ring, &ring->producer);
    for (size_t k = 0; k < ring->consumer_count; k++) {
      const pl_ring_side *consumer = &ring->consumers[k];
      bool same_protocol = check_protocol(link, ring, consumer), same_handle = check_handle(link, ring, consumer);
      check_credit(link, ring, consumer);
      if (same_protocol && same_handle)
        check_bytes(link, ring, consumer);
      check_depth(link, ring, consumer);
      note_arrivals(link, ring, consumer);
    }
  }
}
