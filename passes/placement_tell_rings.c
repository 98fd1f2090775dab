/* placement_tell_rings.c - why rings do not even fit at their least depths: a table of who needs how much shared memory
 * or how many named barriers, and what would make it fit. Z3's core says which limit is passed, and in which phase.
 */
#include "placement_parts.h"

#include <errno.h>
#include <stdlib.h>

static const pl_placement_ring *ring_at(const pl_place_depths *depths, size_t index) {
  return &depths->place->problem->rings[depths->place->rings[index]];
}

static const pl_placement_buffer *buffer_at(const pl_place_depths *depths, size_t index) {
  return &depths->place->problem->buffers[depths->place->buffers[index]];
}

/* Which rings could be shallower, and would that be enough? A ring outside the core can't help: the rest of the core
 * stays a contradiction. */
static pl_status advise_depths(pl_place_depths *depths, pl_place_advice *advice) {
  size_t rings = depths->shared.rings;
  bool *can_help = pl_arena_array(depths->place->scratch, rings, sizeof *can_help);
  if (!can_help)
    return -ENOMEM;
  for (size_t i = 0; i < rings; i++)
    can_help[i] = depths->obstacle != PL_PLACE_FACTS || depths->ring_in_core[i];
  pl_status status = 0;
  for (size_t i = 0; i < rings && !status; i++) {
    const pl_placement_ring *ring = ring_at(depths, i);
    pl_wish *wish = &depths->wishes[i];
    unsigned least = wish->level;
    bool fits = false;
    while (can_help[i] && !fits && !status && wish->level > wish->step && wish->level - wish->step > ring->lookahead) {
      wish->level -= wish->step;
      status = pl_place_depths_fit(depths, &fits);
    }
    if (fits && ring->depth != PL_PLACEMENT_ANY)
      pl_place_advise(advice, "pin ring '%s' to a depth of %u", ring->name, wish->level);
    else if (fits)
      pl_place_advise(advice, "lower the minimum depth of ring '%s' to %u", ring->name, wish->level);
    wish->level = least;
  }
  return status;
}

/* ---- shared memory ---- */

/* A line of the table. */
struct line {
  uint64_t bytes;
  size_t item;     /* of the packing; `count` for static variables */
  uint64_t hidden; /* bytes of a guest that lie on its ring */
};

static int by_bytes(const void *left, const void *right) {
  const struct line *a = left, *b = right;
  int order = (a->bytes < b->bytes) - (a->bytes > b->bytes);
  return order ? order : (a->item > b->item) - (a->item < b->item);
}

static bool is_live(const pl_pack_item *item, unsigned phase) {
  return item->from <= phase && phase <= item->to;
}

/* Who takes what in the phase; the bytes add up to what is live. */
static size_t make_lines(const pl_place_depths *depths, unsigned phase, struct line *lines) {
  const pl_place_shared *shared = &depths->shared;
  size_t count = 0;
  if (shared->occupied)
    lines[count++] = (struct line){shared->occupied, shared->count, 0};
  for (size_t i = 0; i < shared->count; i++) {
    const pl_pack_item *item = &shared->items[i];
    if (!item->size || !is_live(item, phase))
      continue;
    struct line line = {item->size, i, 0};
    if (item->partner >= 0 && is_live(&shared->items[item->partner], phase)) {
      uint64_t room = shared->items[item->partner].size;
      for (size_t k = 0; k < i; k++) /* guests before this one have taken of it */
        if (shared->items[k].partner == item->partner && is_live(&shared->items[k], phase))
          room -= shared->items[k].size < room ? shared->items[k].size : room;
      line.hidden = item->size < room ? item->size : room;
      line.bytes = item->size - line.hidden;
    }
    lines[count++] = line;
  }
  if (count)
    qsort(lines, count, sizeof *lines, by_bytes);
  return count;
}

static void tell_line(pl_place_depths *depths, struct line line, bool with_alignment) {
  pl_place *place = depths->place;
  const pl_place_shared *shared = &depths->shared;
  const char *bytes = pl_place_number(place, line.bytes);
  if (line.item == shared->count) {
    pl_detail(place->sink, "%7s bytes: static shared variables, up to a multiple of %s", bytes,
              pl_place_number(place, shared->align));
  } else if (line.item < shared->rings) {
    const pl_placement_ring *ring = ring_at(depths, line.item);
    unsigned depth = depths->wishes[line.item].level;
    pl_detail_of(place->sink, ring->party, "%7s bytes: %s: %u slot%s of %s%s", bytes,
                 pl_place_who(place, "ring", ring->name, ring->owner), depth, depth > 1 ? "s" : "",
                 pl_place_number(place, pl_place_slot_stride(ring)),
                 ring->depth != PL_PLACEMENT_ANY        ? ", pinned"
                 : depth > ring->depth_min && depth > 1 ? " at least, for what its consumer holds at once"
                                                        : " at least");
  } else if (line.item < 2 * shared->rings) {
    const pl_placement_ring *ring = ring_at(depths, line.item - shared->rings);
    pl_detail(place->sink, "%7s bytes: mbarriers of ring '%s'", bytes, ring->name);
  } else {
    const pl_placement_buffer *buffer = buffer_at(depths, line.item - 2 * shared->rings);
    const char *who = pl_place_who(place, "buffer", buffer->name, buffer->owner), *more = "";
    if (line.hidden)
      more = pl_arena_printf(place->scratch, ": %s more lie on ring '%s'", pl_place_number(place, line.hidden),
                             ring_at(depths, (size_t)shared->items[line.item].partner)->name);
    else if (with_alignment && buffer->offset != PL_PLACEMENT_ANY)
      more = pl_arena_printf(place->scratch, ", pinned to offset %lld", (long long)buffer->offset);
    else if (with_alignment)
      more = pl_arena_printf(place->scratch, ", aligned to %s", pl_place_number(place, buffer->align));
    pl_detail_of(place->sink, buffer->party, "%7s bytes: %s%s", bytes, who, more ? more : "");
  }
}

/* What there is, said of whoever says so. */
static const char *limit_in_words(pl_place_depths *depths) {
  pl_place *place = depths->place;
  const pl_placement_problem *problem = place->problem;
  const char *limit = pl_place_number(place, depths->shared.limit), *words;
  if (depths->shared.limit == problem->shared_limit)
    words = pl_arena_printf(place->scratch, "the link allows %s", limit);
  else if (place->ctas_per_sm > 1)
    words = pl_arena_printf(place->scratch, "each of %u CTAs on an SM of %s has %s", place->ctas_per_sm,
                            problem->profile->name, limit);
  else
    words = pl_arena_printf(place->scratch, "a CTA on %s has %s", problem->profile->name, limit);
  return words ? words : limit;
}

static pl_status advise_shared(pl_place_depths *depths, const struct line *lines, size_t line_count, unsigned phase,
                               uint64_t needed, pl_place_advice *advice) {
  pl_place *place = depths->place;
  const pl_place_shared *shared = &depths->shared;
  const pl_placement_problem *problem = place->problem;
  pl_status status = advise_depths(depths, advice);
  if (status)
    return status;
  bool is_pinned = false;
  for (size_t i = 0; i < shared->buffers && !status; i++) {
    pl_pack_item *item = &shared->items[2 * shared->rings + i];
    bool fits;
    if (!item->pinned)
      continue;
    is_pinned = true;
    uint64_t offset = item->offset;
    item->pinned = false;
    if (!(status = pl_place_depths_fit(depths, &fits)) && fits)
      pl_place_advise(advice, "unpin buffer '%s'", buffer_at(depths, i)->name);
    item->pinned = true;
    item->offset = offset;
  }
  if (needed <= shared->limit) {
    if (!advice->text)
      pl_place_advise(advice, is_pinned ? "drop pins" : "ask for smaller alignments");
    return status;
  }
  for (unsigned ctas = place->ctas_per_sm; ctas > 1; ctas--)
    if (needed <= pl_place_shared_limit(place, ctas - 1)) {
      pl_place_advise(advice, "ask for %u CTA%s per SM", ctas - 1, ctas > 2 ? "s" : "");
      break;
    }
  if (shared->limit == problem->shared_limit && needed <= problem->profile->shared_per_cta)
    pl_place_advise(advice, "allow %s bytes: %s has %s", pl_place_number(place, needed), problem->profile->name,
                    pl_place_number(place, problem->profile->shared_per_cta));
  size_t buffers = 0;
  for (size_t i = 0; i < line_count; i++)
    buffers += lines[i].item >= 2 * shared->rings && lines[i].item < shared->count;
  if (buffers > 1 && shared->phase_count == 1)
    pl_place_advise(advice, "say in which phases the buffers are live, so that they may lie on each other");
  uint64_t over = needed - shared->limit;
  if (shared->phase_count > 1)
    pl_place_advise(advice, "free %s byte%s in phase %u", pl_place_number(place, over), over > 1 ? "s" : "", phase);
  else
    pl_place_advise(advice, "free %s byte%s", pl_place_number(place, over), over > 1 ? "s" : "");
  return 0;
}

static pl_status tell_shared(pl_place_depths *depths) {
  pl_place *place = depths->place;
  const pl_place_shared *shared = &depths->shared;
  struct line *lines = pl_arena_array(place->scratch, shared->count + 1, sizeof *lines);
  if (!lines)
    return -ENOMEM;
  uint64_t needed;
  unsigned phase = pl_pack_peak(shared->items, shared->count, &needed);
  bool is_too_much = depths->obstacle == PL_PLACE_FACTS;
  needed += shared->occupied;
  const char *in_phase = "";
  if (shared->phase_count > 1)
    in_phase = pl_arena_printf(place->scratch, " in phase %u", phase);
  if (is_too_much)
    pl_report(place->sink, PL_ERROR, "L-SMEM", "the stages need %s bytes of shared memory%s, %s",
              pl_place_number(place, needed), in_phase ? in_phase : "", limit_in_words(depths));
  else
    pl_report(place->sink, PL_ERROR, "L-SMEM",
              "the stages' %s bytes of shared memory cannot be arranged within %s: alignments and pins leave gaps",
              pl_place_number(place, needed), pl_place_number(place, shared->limit));
  size_t count = make_lines(depths, phase, lines);
  for (size_t i = 0; i < count; i++)
    tell_line(depths, lines[i], !is_too_much);
  pl_consequence(place->sink, is_too_much ? "the launch would fail" : "one would overwrite the other");
  pl_place_advice advice = {place, NULL};
  pl_status status = advise_shared(depths, lines, count, phase, needed, &advice);
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  return status ? status : -ENOSPC;
}

/* ---- named barriers ---- */

static pl_status tell_barriers(pl_place_depths *depths, bool is_too_many) {
  pl_place *place = depths->place;
  const pl_placement_problem *problem = place->problem;
  unsigned needed = pl_place_ids_needed(depths);
  if (is_too_many)
    pl_report(place->sink, PL_ERROR, "L-BARBUDGET",
              "%u named barriers are needed, a CTA has 16 and id 0 is the kernel's own", needed);
  else
    pl_report(place->sink, PL_ERROR, "L-BARBUDGET",
              "%u named barriers are needed of %d, but those of a ring follow each other and fixed ids are in the way",
              needed, PL_BARRIER_IDS);
  for (size_t i = 0; i < problem->ring_count; i++) {
    const pl_placement_ring *ring = ring_at(depths, i);
    if (ring->barriers_per_slot)
      pl_detail_of(place->sink, ring->party, "%2llu ids: %s: %u for each of %u slots",
                   (unsigned long long)depths->ids[i].size, pl_place_who(place, "ring", ring->name, ring->owner),
                   ring->barriers_per_slot, depths->wishes[i].level);
  }
  for (size_t i = 0; i < problem->barrier_count; i++) {
    const pl_placement_barrier *barrier = &problem->barriers[place->barriers[i]];
    const char *who = pl_place_who(place, "barrier", barrier->name, barrier->owner);
    if (barrier->id != PL_PLACEMENT_ANY)
      pl_detail_of(place->sink, barrier->party, " 1 id:  %s, fixed as %d", who, barrier->id);
    else
      pl_detail_of(place->sink, barrier->party, " 1 id:  %s", who);
  }
  pl_consequence(place->sink, "two owners would wait at the same barrier: a hang, or data read too early");
  pl_place_advice advice = {place, NULL};
  pl_status status = advise_depths(depths, &advice);
  if (is_too_many)
    pl_place_advise(&advice, "do without %u of them, for example with rings of mbarriers", needed - PL_BARRIER_IDS);
  else
    pl_place_advise(&advice, "declare barriers without ids");
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  return status ? status : -ENOSPC;
}

pl_status pl_place_tell_rings(pl_place_depths *depths) {
  pl_place_obstacle obstacle = depths->obstacle;
  bool is_shared = obstacle == PL_PLACE_PACKING;
  for (size_t p = 0; p < depths->shared.phase_count; p++)
    is_shared |= obstacle == PL_PLACE_FACTS && depths->fact_in_core[p];
  pl_status status = is_shared ? tell_shared(depths) : -ENOSPC;
  /* One contradiction is enough for a core; the other one is not less true. */
  bool is_too_many = pl_place_ids_needed(depths) > PL_BARRIER_IDS;
  if (status == -ENOSPC && (!is_shared || is_too_many))
    status = tell_barriers(depths, is_too_many);
  return status;
}
