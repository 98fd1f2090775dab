/* check_counts.c - once the warps are known: do as many threads arrive as their owners count on?
 *
 * The linker sets every mbarrier up for who really arrives, so a ring needs no numbers. An owner that depends on one
 * all the same states it, and a named barrier may be declared for a number of threads: both are compared with the roles
 * here.
 */
#include "link.h"

#include <string.h>

static unsigned role_threads(const pl_link *link, size_t instance, const pl_role *role) {
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].instance == instance && link->roles[i].role == role)
      return link->roles[i].warps * 32;
  return 0;
}

/* ---- rings ---- */

static const char *arrival_name(pl_arrival arrival) {
  static const char *const names[] = {"thread", "warp", "warpgroup", "role"};
  return names[arrival];
}

/* What one side makes, and the words for it. */
static void tell_arrivals(pl_link *link, const pl_ring_side *side) {
  pl_link_ring_side(link, side, "arrives once per %s; the role has %u threads", arrival_name(side->ring->arrive),
                    role_threads(link, side->instance, side->role));
}

/* `counting` waits for what `made` arrivals complete. */
static void check_expected(pl_link *link, const pl_joined_ring *ring, const pl_ring_side *counting, unsigned made) {
  unsigned expected = counting->ring->arrivals;
  bool frees = counting->ring->is_producer;
  if (!expected || expected == made)
    return;
  pl_report(link->sink, PL_ERROR, "L-ARRIVE", "ring '%s': %u arrival%s %s a slot, its %s counts on %u", ring->name,
            made, made == 1 ? "" : "s", frees ? "free" : "fill", frees ? "producer" : "consumer", expected);
  pl_link_ring_side(link, counting, "arrivals = %u", expected);
  if (frees)
    for (size_t i = 0; i < ring->consumer_count; i++)
      tell_arrivals(link, &ring->consumers[i]);
  else
    tell_arrivals(link, &ring->producer);
  if (expected > made)
    pl_consequence(link->sink, "a barrier that counts %u would never complete", expected);
  else if (frees)
    pl_consequence(link->sink, "a barrier that counts %u completes early: the slot is overwritten while it is read",
                   expected);
  else
    pl_consequence(link->sink, "a barrier that counts %u completes early: the slot is read before it is full",
                   expected);
  pl_fix(link->sink,
         "declare arrivals = %u, or leave it out: the linker counts; or let the other side arrive otherwise", made);
}

static void check_ring(pl_link *link, const pl_joined_ring *ring) {
  if (ring->producer.ring->protocol == PL_RING_NAMED)
    return; /* every thread arrives, and the ids count what they are told to */
  check_expected(link, ring, &ring->producer, ring->empty_arrivals);
  for (size_t i = 0; i < ring->consumer_count; i++)
    check_expected(link, ring, &ring->consumers[i], ring->full_arrivals);
}

/* ---- named barriers ---- */

/* A stage without roles has its code run by whoever calls its exports: any role may take part. */
static bool takes_part(const pl_link *link, const pl_barrier_member *member, const pl_placed_role *placed) {
  if (!link->instances[member->instance].contract->role_count)
    return true;
  return placed->instance == member->instance &&
         (!member->barrier->role || !strcmp(member->barrier->role, placed->role->name));
}

static unsigned member_threads(const pl_link *link, const pl_barrier_member *member) {
  unsigned threads = 0;
  for (size_t i = 0; i < link->role_count; i++)
    if (takes_part(link, member, &link->roles[i]))
      threads += link->roles[i].warps * 32;
  return threads;
}

static void tell_member(pl_link *link, const pl_barrier_member *member) {
  if (member->barrier->threads)
    pl_link_side(link, "declared by", member->instance, member->barrier->location, "%u threads",
                 member->barrier->threads);
  else
    pl_link_side(link, "declared by", member->instance, member->barrier->location, "all threads of %s",
                 member->barrier->role ? "its role" : "its stage");
  for (size_t i = 0; i < link->role_count; i++)
    if (takes_part(link, member, &link->roles[i]))
      pl_link_role(link, link->roles[i].instance, link->roles[i].role, "%u threads", link->roles[i].warps * 32);
}

/* Fewer threads than the roles have are fine: some of their warps may stay away. */
static void check_barrier(pl_link *link, const pl_joined_barrier *joined) {
  unsigned there = 0;
  bool missing = false;
  for (size_t i = 0; i < joined->member_count; i++) {
    unsigned threads = member_threads(link, &joined->members[i]);
    there += threads;
    missing |= joined->members[i].barrier->threads > threads;
  }
  if (!missing)
    return;
  pl_report(link->sink, PL_ERROR, "L-BARCOUNT", "barrier '%s' counts %u threads, its roles have %u", joined->name,
            joined->threads, there);
  for (size_t i = 0; i < joined->member_count; i++)
    tell_member(link, &joined->members[i]);
  pl_consequence(link->sink, "it would wait for ever for threads that do not exist");
  pl_fix(link->sink, "declare as many threads as the role has, or none: the linker counts those of the roles");
}

pl_status pl_check_counts(pl_link *link) {
  for (size_t i = 0; i < link->ring_count; i++)
    check_ring(link, &link->rings[i]);
  for (size_t i = 0; i < link->barrier_count; i++)
    check_barrier(link, &link->barriers[i]);
  return pl_sink_status(link->sink);
}
