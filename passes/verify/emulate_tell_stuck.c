/* emulate_tell_stuck.c - a deadlock as a diagnostic: who waits for what, and what to change. */
#include "emulate_tell.h"

typedef struct wording {
  const char *code, *summary, *consequence, *fix;
} wording;

static const wording WORDINGS[] = {
    {"L-TX", "the bytes that a slot's copies bring are not those that were announced",
     "the slot would never be full, and the kernel would hang",
     "give expect_tx() exactly the bytes of all copies into the slot"},
    {"L-ARRIVE", "a slot's barrier waits for arrivals that nobody makes", "the kernel would hang at this slot",
     "call commit() or release() for every slot, by all threads of the role, on every path"},
    {"L-EXIT", "threads end that others still count on", "the kernel would hang at this slot",
     "let all threads of the role run to its end, or declare the arrivals of those that do"},
    {"L-PHASE", "a role waits for a round that cannot come before the one it waits for is over",
     "the kernel would hang at the first slots", "begin at ring.begin() and move the cursor by ++ for every slot"},
    {"L-DEPTH", "a consumer still holds every slot when it waits for another",
     "producer and consumer would wait for each other for ever",
     "release earlier, or declare lookahead and a depth_min above what is held"},
    {"L-ORDER", "roles wait for each other in a circle", "the kernel would hang, every time",
     "let one role use the rings in the other's order, or raise depth_min of the ring whose producer waits"},
    {"L-BARPAIR", "fewer threads come to it than it counts", "the kernel would hang at the barrier",
     "let all who take part sync() or arrive() equally often"},
    {"L-TRIP", "one role makes more rounds than the role that it waits for", "the kernel would hang in the last rounds",
     "give both roles the same number of rounds"},
};

static const wording *wording_of(const char *code) {
  for (size_t i = 0; i < sizeof WORDINGS / sizeof *WORDINGS; i++)
    if (WORDINGS[i].code == code || !__builtin_strcmp(WORDINGS[i].code, code))
      return &WORDINGS[i];
  return &WORDINGS[0];
}

static const char *ring_of_id(const pl_link *link, uint32_t id, unsigned *slot, const char **what) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    if (ring->producer.ring->protocol != PL_RING_NAMED)
      continue;
    *what = id - ring->full < ring->depth ? "full" : "free";
    *slot = (unsigned)(id - (id - ring->full < ring->depth ? ring->full : ring->empty));
    if (*slot < ring->depth)
      return ring->name;
  }
  return NULL;
}

/* "waits for slot 1 of ring 'ab' to be free: 96 of 128 arrivals have come" */
static void tell_waiter(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                        const pl_emulate_waiter *waiter) {
  pl_emulate_place place = {waiter->thread, waiter->instruction};
  if (waiter->is_named) {
    unsigned slot = 0;
    const char *what = NULL, *ring = ring_of_id(link, waiter->barrier, &slot, &what);
    const pl_emulate_named_state *state = &outcome->named[waiter->barrier];
    if (ring)
      pl_emulate_tell_place(link, setup, &place, "waits for slot %u of ring '%s' to be %s: %u of %u threads have come",
                            slot, ring, what, state->arrived, state->count);
    else if (state->count)
      pl_emulate_tell_place(link, setup, &place, "waits at named barrier %u: %u of %u threads have come",
                            waiter->barrier, state->arrived, state->count);
    else
      pl_emulate_tell_place(link, setup, &place, "waits for all threads of the CTA: %u have come", state->arrived);
    return;
  }
  const pl_emulate_barrier_state *barrier = &outcome->barriers[waiter->barrier];
  if (barrier->ring == PL_EMULATE_NONE) {
    pl_emulate_tell_place(link, setup, &place, "waits for an mbarrier of its own: %u of %u arrivals have come",
                          barrier->count - barrier->pending, barrier->count);
    return;
  }
  const char *ring = link->rings[barrier->ring].name, *what = barrier->is_full ? "full" : "free";
  if (barrier->bytes)
    pl_emulate_tell_place(link, setup, &place, "waits for slot %u of ring '%s' to be %s: %lld bytes %s", barrier->slot,
                          ring, what, (long long)(barrier->bytes < 0 ? -barrier->bytes : barrier->bytes),
                          barrier->bytes < 0 ? "have come that were not announced" : "are announced that do not come");
  else
    pl_emulate_tell_place(link, setup, &place,
                          "waits for slot %u of ring '%s' to be %s (round %llu): %u of %u arrivals have come",
                          barrier->slot, ring, what, (unsigned long long)barrier->phase + 1,
                          barrier->count - barrier->pending, barrier->count);
}

/* A named barrier's name, where the link gave it its id. */
static const char *subject_of(pl_link *link, const pl_emulate_outcome *outcome, const pl_emulate_waiter *waiter) {
  unsigned slot;
  const char *what, *ring;
  if (waiter->is_named && (ring = ring_of_id(link, waiter->barrier, &slot, &what)))
    return pl_arena_printf(link->arena, "ring '%s'", ring);
  if (waiter->is_named && !waiter->barrier)
    return "the CTA's barrier";
  for (size_t i = 0; waiter->is_named && i < link->barrier_count; i++)
    if (link->barriers[i].id == waiter->barrier)
      return pl_arena_printf(link->arena, "barrier '%s'", link->barriers[i].name);
  if (!waiter->is_named && outcome->barriers[waiter->barrier].ring != PL_EMULATE_NONE)
    return pl_arena_printf(link->arena, "ring '%s'", link->rings[outcome->barriers[waiter->barrier].ring].name);
  return waiter->is_named ? pl_arena_printf(link->arena, "named barrier %u", waiter->barrier) : "the kernel";
}

/* The declarations that the waiting is about, where somebody has ended instead of waiting. */
static void tell_supplier(pl_link *link, const pl_emulate_outcome *outcome, const pl_emulate_waiter *waiter) {
  if (waiter->is_named || outcome->barriers[waiter->barrier].ring == PL_EMULATE_NONE)
    return;
  const pl_emulate_barrier_state *barrier = &outcome->barriers[waiter->barrier];
  const pl_joined_ring *ring = &link->rings[barrier->ring];
  if (barrier->is_full)
    pl_link_ring_side(link, &ring->producer, "fills it");
  for (size_t i = 0; !barrier->is_full && i < ring->consumer_count; i++)
    pl_link_ring_side(link, &ring->consumers[i], "empties it");
}

void pl_emulate_tell_stuck(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                           const pl_emulate_verdict *verdict) {
  const wording *words = wording_of(verdict->code);
  const pl_emulate_waiter *waiter = &outcome->waiters[verdict->waiter];
  const char *subject = subject_of(link, outcome, waiter);
  pl_report(link->sink, PL_ERROR, verdict->code, "%s: %s", subject ? subject : "", words->summary);
  tell_waiter(link, setup, outcome, waiter);
  if (verdict->opposite != SIZE_MAX)
    tell_waiter(link, setup, outcome, &outcome->waiters[verdict->opposite]);
  else
    tell_supplier(link, outcome, waiter);
  for (size_t i = 0, told = 0; i < outcome->waiter_count && told < 4; i++) {
    if (i == verdict->waiter || i == verdict->opposite || outcome->waiters[i].role == waiter->role)
      continue;
    tell_waiter(link, setup, outcome, &outcome->waiters[i]);
    told++;
  }
  pl_consequence(link->sink, "%s", words->consequence);
  pl_fix(link->sink, "%s", words->fix);
}
