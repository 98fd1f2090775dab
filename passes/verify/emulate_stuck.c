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
  for (size_t i = 0; i < outcome->waiter_count; i++)
    if (outcome->waiters[i].is_collective)
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

static size_t find_opposite(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, size_t waiter) {
  uint32_t suppliers = suppliers_of(setup, outcome, &outcome->waiters[waiter]);
  for (size_t i = 0; i < outcome->waiter_count; i++)
    if (i != waiter && outcome->waiters[i].role != PL_EMULATE_NONE && suppliers >> outcome->waiters[i].role & 1)
      return i;
  return SIZE_MAX;
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

static const char *judge_pair(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, size_t index,
                              size_t opposite) {
  const pl_emulate_waiter *waiter = &outcome->waiters[index];
  const pl_emulate_barrier_state *barrier = barrier_of(outcome, waiter);
  const pl_emulate_barrier_state *theirs =
      opposite == SIZE_MAX ? NULL : barrier_of(outcome, &outcome->waiters[opposite]);
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

pl_emulate_verdict pl_emulate_judge(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  pl_emulate_verdict verdict = {.opposite = SIZE_MAX};
  verdict.reason = doubt(setup, outcome, &verdict.depends);
  if (verdict.reason)
    return verdict;
  for (size_t i = 0; i < outcome->waiter_count && !verdict.code; i++) {
    verdict.code = judge_barrier(setup, outcome, &outcome->waiters[i]);
    verdict.waiter = i;
  }
  for (size_t i = 0; i < outcome->waiter_count && !verdict.code; i++) {
    verdict.code = judge_pair(setup, outcome, i, find_opposite(setup, outcome, i));
    verdict.waiter = i;
  }
  if (!verdict.code)
    verdict.reason = "nobody can go on, and it is not known whom they wait for";
  else
    verdict.opposite = find_opposite(setup, outcome, verdict.waiter);
  return verdict;
}
