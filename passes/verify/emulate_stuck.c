/* emulate_stuck.c - nobody can go on: why, and is that so whatever the host chooses?
 *
 * A run is for one choice of the host's. That it gets stuck is a fault of the code when nobody who is involved has yet
 * decided anything by such a choice except to go on, as every large enough problem does; or when all of them decide by
 * the same choices, so that the host cannot give one more rounds than another. Everything else is left undecided: the
 * rounds of two packages may well be meant to be equal in a way that only the host knows.
 */
#include "emulate_setup.h"

static const pl_emulate_barrier_state *barrier_of(const pl_emulate_outcome *outcome, const pl_emulate_waiter *waiter) {
  return waiter->is_named || waiter->is_collective ? NULL : &outcome->barriers[waiter->barrier];
}

static const pl_emulate_ring *ring_of(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                                      const pl_emulate_waiter *waiter) {
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter);
  return barrier && barrier->ring != PL_EMULATE_NONE ? &setup->rings[barrier->ring] : NULL;
}

/* Roles whose arrivals a waiter needs, as bits; all when that is not known. */
static uint32_t suppliers_of(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                             const pl_emulate_waiter *waiter) {
  const pl_emulate_ring *ring = ring_of(setup, outcome, waiter);
  if (ring)
    return barrier_of(outcome, waiter)->is_full ? ring->producers : ring->consumers;
  return setup->role_count >= 32 ? UINT32_MAX : (UINT32_C(1) << setup->role_count) - 1;
}

/* Those who wait, and those whom they wait for, in turn. */
static uint32_t involved_roles(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  uint32_t roles = 0;
  for (size_t i = 0; i < outcome->waiter_count; i++) {
    const pl_emulate_waiter *waiter = &outcome->waiters[i];
    roles |= suppliers_of(setup, outcome, waiter);
    roles |= waiter->role == PL_EMULATE_NONE ? 0 : UINT32_C(1) << waiter->role;
  }
  return roles;
}

/* NULL when it holds for every choice; `depends` is set when it holds because all look at the same choices. */
static const char *doubt(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, bool *depends) {
  if (outcome->unknown)
    return outcome->unknown;
  bool all_collective = true;
  for (size_t i = 0; i < outcome->waiter_count; i++)
    all_collective &= outcome->waiters[i].is_collective;
  if (all_collective)
    return "lanes of one warp wait for each other at different places";
  uint32_t roles = involved_roles(setup, outcome);
  uint64_t choices = 0, all = 0, common = UINT64_MAX;
  for (size_t i = 0; i < setup->role_count; i++) {
    if (!(roles >> i & 1))
      continue;
    choices |= outcome->roles[i].choices;
    all |= outcome->roles[i].considered;
    common &= outcome->roles[i].considered;
  }
  if (!choices)
    return NULL;
  *depends = true;
  if (choices & PL_EMULATE_CHOICE_MEMORY)
    return "how often its roles go round depends on what memory holds";
  if (all != common || all & PL_EMULATE_CHOICE_OTHER)
    return "its roles go round as often as the host tells each of them";
  return NULL;
}

/* ---- what it is ---- */

/* Somebody whose arrival is waited for; rather one at an mbarrier than at a named barrier, where threads also meet in
 * the end. */
static size_t find_opposite(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, size_t waiter) {
  uint32_t suppliers = suppliers_of(setup, outcome, &outcome->waiters[waiter]);
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < outcome->waiter_count; i++) {
    const pl_emulate_waiter *candidate = &outcome->waiters[i];
    if (i == waiter || candidate->is_collective || candidate->role == PL_EMULATE_NONE ||
        !(suppliers >> candidate->role & 1))
      continue;
    if (!candidate->is_named)
      return i;
    found = found == SIZE_MAX ? i : found;
  }
  return found;
}

static bool has_ended_threads(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, uint32_t roles) {
  for (size_t i = 0; i < setup->role_count; i++)
    if (roles >> i & 1 && outcome->roles[i].ended)
      return true;
  return false;
}

static bool have_ended(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, uint32_t roles) {
  for (size_t i = 0; i < setup->role_count; i++)
    if (roles >> i & 1 && outcome->roles[i].ended < 32 * setup->roles[i].warps)
      return false;
  return roles != 0;
}

static const pl_emulate_barrier_state *other_barrier(const pl_emulate_outcome *outcome,
                                                     const pl_emulate_barrier_state *barrier) {
  for (size_t i = 0; i < outcome->barrier_count; i++)
    if (outcome->barriers[i].ring == barrier->ring && outcome->barriers[i].slot == barrier->slot &&
        outcome->barriers[i].is_full != barrier->is_full)
      return &outcome->barriers[i];
  return NULL;
}

/* Slots of a ring that a consumer has seen full and not given back, and all releases there were. */
typedef struct holding {
  unsigned held;
  uint64_t releases;
} holding;

static holding count_held(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, uint32_t ring) {
  holding sum = {0};
  for (size_t i = 0; i < outcome->barrier_count; i++) {
    const pl_emulate_barrier_state *empty = &outcome->barriers[i], *full;
    if (empty->ring != ring || empty->is_full || !(full = other_barrier(outcome, empty)))
      continue;
    uint64_t credits = setup->rings[ring].is_pre_arrived;
    sum.releases += empty->arrivals - credits * empty->count;
    sum.held += full->phase > empty->phase - credits && full->known_to & setup->rings[ring].consumers;
  }
  return sum;
}

/* The producer waits for another slot of this ring, so it has passed this one. */
static bool is_passed(const pl_emulate_outcome *outcome, const pl_emulate_barrier_state *full) {
  bool has_passed = false;
  for (size_t i = 0; i < outcome->waiter_count; i++) {
    const pl_emulate_barrier_state *barrier = barrier_of(outcome, &outcome->waiters[i]);
    if (!barrier || barrier->ring != full->ring || barrier->is_full)
      continue;
    if (barrier->slot == full->slot)
      return false;
    has_passed = true;
  }
  return has_passed;
}

/* What a waiter's own barrier says; NULL when nothing is wrong with it by itself. */
static const char *judge_barrier(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                                 const pl_emulate_waiter *waiter) {
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter);
  const pl_emulate_ring *ring = ring_of(setup, outcome, waiter);
  if (!ring || waiter->role == PL_EMULATE_NONE)
    return NULL;
  if (barrier->bytes && (!barrier->pending || barrier->bytes < 0))
    return "L-TX";
  if (barrier->pending && barrier->pending < barrier->count)
    return has_ended_threads(setup, outcome, suppliers_of(setup, outcome, waiter)) &&
                   !have_ended(setup, outcome, suppliers_of(setup, outcome, waiter))
               ? "L-EXIT"
               : "L-ARRIVE";
  const pl_emulate_barrier_state *other = other_barrier(outcome, barrier);
  uint64_t credits = ring->is_pre_arrived ? barrier->count : 0;
  if (!barrier->is_full && !ring->is_pre_arrived && !barrier->phase && other && !other->arrivals)
    return "L-PHASE"; /* the producer waits for a release of what it has not filled */
  if (!barrier->is_full && ring->is_pre_arrived && barrier->arrivals == credits && other && !other->arrivals)
    return "L-PHASE";
  if (barrier->is_full && barrier->phase && !(barrier->known_to & UINT32_C(1) << waiter->role))
    return "L-PHASE"; /* a consumer waits for the second filling and has not waited for the first */
  uint64_t empties = other ? other->phase - ring->is_pre_arrived : 0;
  if (barrier->is_full && other && empties == barrier->phase && is_passed(outcome, barrier))
    return "L-ARRIVE"; /* the slot is free, and its producer has not filled it */
  return NULL;
}

/* All threads of the waiter's role that have not ended wait where it waits. */
static bool whole_role_waits(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                             const pl_emulate_waiter *waiter) {
  unsigned threads = 0;
  for (size_t i = 0; i < outcome->waiter_count; i++)
    if (outcome->waiters[i].role == waiter->role && !outcome->waiters[i].is_named &&
        !outcome->waiters[i].is_collective && outcome->waiters[i].barrier == waiter->barrier)
      threads += outcome->waiters[i].threads;
  return threads + outcome->roles[waiter->role].ended == 32 * setup->roles[waiter->role].warps;
}

/* A role that waits for what only it could bring about: a consumer for a slot that it has not given back, a producer
 * for one that it has not filled. That is so whatever the others do. */
static const char *judge_alone(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                               const pl_emulate_waiter *waiter) {
  const pl_emulate_ring *ring = ring_of(setup, outcome, waiter);
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter), *other;
  if (!ring || waiter->role == PL_EMULATE_NONE || !(other = other_barrier(outcome, barrier)) ||
      outcome->roles[waiter->role].choices & (PL_EMULATE_CHOICE_MEMORY | PL_EMULATE_CHOICE_OTHER))
    return NULL;
  uint32_t bit = UINT32_C(1) << waiter->role;
  uint64_t filled = (barrier->is_full ? barrier : other)->phase;
  uint64_t freed = (barrier->is_full ? other : barrier)->phase - ring->is_pre_arrived;
  bool is_alone = ring->producers != ring->consumers && (barrier->is_full ? ring->consumers : ring->producers) == bit;
  if (!is_alone || !whole_role_waits(setup, outcome, waiter))
    return NULL;
  if (barrier->is_full && filled > freed && other->known_to & bit && barrier->known_to & bit) {
    holding all = count_held(setup, outcome, barrier->ring);
    if (other->pending < other->count)
      return outcome->roles[waiter->role].ended ? "L-EXIT" : "L-ARRIVE";
    return all.releases && all.held >= ring->depth ? "L-DEPTH" : "L-ARRIVE";
  }
  if (!barrier->is_full && filled <= freed && !other->bytes && other->pending == other->count)
    return filled || other->arrivals || freed ? "L-ARRIVE" : "L-PHASE";
  return NULL;
}

static const char *judge_pair(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, size_t index,
                              size_t opposite) {
  const pl_emulate_waiter *waiter = &outcome->waiters[index];
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter);
  const pl_emulate_barrier_state *theirs =
      opposite == SIZE_MAX ? NULL : barrier_of(outcome, &outcome->waiters[opposite]);
  if (waiter->is_collective)
    return NULL;
  if (waiter->is_named || (opposite != SIZE_MAX && outcome->waiters[opposite].is_named))
    return "L-BARPAIR";
  if (!barrier || barrier->ring == PL_EMULATE_NONE)
    return NULL;
  if (theirs && theirs->ring == barrier->ring && barrier->is_full != theirs->is_full) {
    holding all = count_held(setup, outcome, barrier->ring);
    return all.releases && all.held >= setup->rings[barrier->ring].depth ? "L-DEPTH" : "L-ARRIVE";
  }
  if (have_ended(setup, outcome, suppliers_of(setup, outcome, waiter)))
    return "L-TRIP";
  return opposite == SIZE_MAX ? NULL : "L-ORDER";
}

static bool is_partial(const pl_emulate_outcome *outcome, const pl_emulate_waiter *waiter) {
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter);
  return barrier && barrier->pending && barrier->pending < barrier->count;
}

static void swap_sides(pl_emulate_verdict *verdict) {
  size_t waiter = verdict->waiter;
  verdict->waiter = verdict->opposite;
  verdict->opposite = waiter;
}

pl_emulate_verdict pl_emulate_judge(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  pl_emulate_verdict verdict = {.opposite = SIZE_MAX};
  verdict.reason = doubt(setup, outcome, &verdict.depends);
  for (size_t i = 0; i < outcome->waiter_count && !outcome->unknown && !verdict.code; i++) {
    verdict.code = judge_alone(setup, outcome, &outcome->waiters[i]);
    verdict.waiter = i;
  }
  if (verdict.code) {
    verdict.depends = false;
    verdict.opposite = find_opposite(setup, outcome, verdict.waiter);
    if (verdict.opposite != SIZE_MAX && is_partial(outcome, &outcome->waiters[verdict.opposite]))
      swap_sides(&verdict); /* where some arrivals have come is where the others are missed */
    return verdict;
  }
  if (verdict.reason)
    return verdict;
  for (size_t i = 0; i < outcome->waiter_count && !verdict.code; i++) {
    verdict.code = judge_barrier(setup, outcome, &outcome->waiters[i]);
    verdict.waiter = i;
  }
  for (int named = 0; named < 2; named++) /* mbarriers first */
    for (size_t i = 0; i < outcome->waiter_count && !verdict.code; i++) {
      if (outcome->waiters[i].is_named != (named == 1))
        continue;
      verdict.code = judge_pair(setup, outcome, i, find_opposite(setup, outcome, i));
      verdict.waiter = i;
    }
  if (!verdict.code) {
    verdict.reason = "nobody can go on, and it is not known whom they wait for";
    return verdict;
  }
  verdict.opposite = find_opposite(setup, outcome, verdict.waiter);
  if (verdict.opposite != SIZE_MAX && outcome->waiters[verdict.opposite].is_named &&
      !outcome->waiters[verdict.waiter].is_named) { /* the named barrier is what it is about */
    swap_sides(&verdict);
  }
  return verdict;
}
