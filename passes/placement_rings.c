/* placement_rings.c - how deep each ring is, and where shared memory and named barriers lie.
 *
 * Depths are decided over linear facts (placement_linear.c): the bytes live in each phase and the barrier ids in use.
 * A depth is final when one step more contradicts a fact, and the contradiction says what bounds it. That the bytes
 * can also be packed is shown by packing them; where that fails, these depths are excluded and the step is not taken.
 * Rings of a higher priority come first; of equal ones the shallowest is deepened next.
 */
#include "placement_parts.h"

#include <errno.h>
#include <string.h>

static const pl_placement_ring *ring_at(const pl_place_depths *depths, size_t index) {
  return &depths->place->problem->rings[depths->place->rings[index]];
}

static size_t barrier_fact(const pl_place_depths *depths) {
  return depths->shared.phase_count;
}

static unsigned at_least_one(unsigned value) {
  return value ? value : 1;
}

/* ---- the facts ---- */

static int64_t guest_bytes(const pl_place_shared *shared, size_t ring, unsigned phase) {
  int64_t bytes = 0;
  for (size_t i = 2 * shared->rings; i < shared->count; i++)
    if (shared->items[i].partner == (int)ring && shared->items[i].from <= phase && phase <= shared->items[i].to)
      bytes += (int64_t)shared->items[i].size;
  return bytes;
}

static bool is_ring_live(const pl_place_shared *shared, size_t ring, unsigned phase) {
  return shared->items[ring].from <= phase && phase <= shared->items[ring].to;
}

/* A ring with guests takes the larger of what its slots and what its guests take: a variable of its own. */
static size_t count_shares(const pl_place_shared *shared) {
  size_t count = 0;
  for (size_t p = 0; p < shared->phase_count; p++)
    for (size_t i = 0; i < shared->rings; i++)
      count += is_ring_live(shared, i, shared->phases[p]) && guest_bytes(shared, i, shared->phases[p]) > 0;
  return count;
}

/* Bytes live in a phase, static variables included, are at most the limit. `share` is the next free variable. */
static pl_status state_bytes(pl_place_depths *depths, size_t phase_index, pl_linear_term *terms, size_t *share) {
  const pl_place_shared *shared = &depths->shared;
  unsigned phase = shared->phases[phase_index];
  int64_t rest = (int64_t)shared->limit - (int64_t)shared->occupied; /* what the variable part may take */
  size_t count = 0;
  for (size_t i = 0; i < shared->rings; i++) {
    const pl_placement_ring *ring = ring_at(depths, i);
    int64_t stride = (int64_t)pl_place_slot_stride(ring), padding = stride - (int64_t)ring->slot_bytes;
    int64_t mbarriers = (int64_t)ring->mbarriers_per_slot * PL_MBARRIER_BYTES;
    int64_t guests = guest_bytes(shared, i, phase);
    if (!is_ring_live(shared, i, phase)) {
      terms[count++] = (pl_linear_term){i, mbarriers};
      rest -= guests;
    } else if (!guests) {
      terms[count++] = (pl_linear_term){i, stride + mbarriers};
      rest += padding;
    } else {
      pl_linear_term slots[] = {{i, stride}, {*share, -1}}, least = {*share, -1};
      pl_status status = pl_linear_at_most(depths->linear, PL_LINEAR_DEFINITION, slots, 2, padding);
      if (!status)
        status = pl_linear_at_most(depths->linear, PL_LINEAR_DEFINITION, &least, 1, -guests);
      if (status)
        return status;
      terms[count++] = (pl_linear_term){i, mbarriers};
      terms[count++] = (pl_linear_term){(*share)++, 1};
    }
  }
  for (size_t i = 2 * shared->rings; i < shared->count; i++)
    if (shared->items[i].partner < 0 && shared->items[i].from <= phase && phase <= shared->items[i].to)
      rest -= (int64_t)shared->items[i].size;
  return pl_linear_at_most(depths->linear, (int)phase_index, terms, count, rest);
}

static pl_status state_facts(pl_place_depths *depths) {
  pl_place *place = depths->place;
  const pl_place_shared *shared = &depths->shared;
  pl_linear_term *terms = pl_arena_array(place->scratch, 2 * shared->rings, sizeof *terms);
  if (!terms)
    return -ENOMEM;
  pl_status status = pl_linear_create(shared->rings + count_shares(shared), shared->phase_count + 1, &depths->linear);
  size_t share = shared->rings;
  for (size_t i = 0; i < shared->rings && !status; i++) { /* a ring has a slot, whatever else is wished for */
    pl_linear_term least = {i, -1};
    status = pl_linear_at_most(depths->linear, PL_LINEAR_DEFINITION, &least, 1, -1);
  }
  for (size_t p = 0; p < shared->phase_count && !status; p++)
    status = state_bytes(depths, p, terms, &share);
  for (size_t i = 0; i < shared->rings; i++)
    terms[i] = (pl_linear_term){i, ring_at(depths, i)->barriers_per_slot};
  if (!status)
    status = pl_linear_at_most(depths->linear, (int)barrier_fact(depths), terms, shared->rings,
                               PL_BARRIER_IDS - (int64_t)place->problem->barrier_count);
  return status;
}

/* ---- do depths fit? ---- */

unsigned pl_place_ids_needed(const pl_place_depths *depths) {
  size_t needed = depths->place->problem->barrier_count;
  for (size_t i = 0; i < depths->shared.rings; i++)
    needed += (size_t)depths->wishes[i].level * ring_at(depths, i)->barriers_per_slot;
  return (unsigned)needed;
}

static void set_sizes(pl_place_depths *depths) {
  for (size_t i = 0; i < depths->shared.rings; i++) {
    pl_place_shared_depth(depths->place, &depths->shared, i, depths->wishes[i].level);
    depths->ids[i].size = (uint64_t)depths->wishes[i].level * ring_at(depths, i)->barriers_per_slot;
  }
}

/* What the check's core is about: a fact, or else a cut. */
static pl_place_obstacle obstacle_of_core(const pl_place_depths *depths) {
  for (size_t i = 0; i <= barrier_fact(depths); i++)
    if (depths->fact_in_core[i])
      return PL_PLACE_FACTS;
  /* A cut may be in the core although a limit is passed as well, which says more. */
  uint64_t live;
  pl_pack_peak(depths->shared.items, depths->shared.count, &live);
  if (live + depths->shared.occupied > depths->shared.limit)
    return PL_PLACE_FACTS;
  for (const pl_place_cut *cut = depths->cuts; cut; cut = cut->next) {
    size_t i = 0;
    while (i < depths->shared.rings && depths->levels[i] >= cut->levels[i])
      i++;
    if (i == depths->shared.rings)
      return cut->obstacle;
  }
  return PL_PLACE_FACTS;
}

/* Deeper rings could not be arranged either. */
static pl_status learn(pl_place_depths *depths) {
  size_t bytes = depths->shared.rings * sizeof *depths->levels;
  pl_place_cut *cut = pl_arena_alloc(depths->place->scratch, sizeof *cut + bytes);
  if (!cut)
    return -ENOMEM;
  cut->next = depths->cuts;
  cut->obstacle = depths->obstacle;
  memcpy(cut->levels, depths->levels, bytes);
  depths->cuts = cut;
  return pl_linear_exclude(depths->linear, depths->levels, depths->shared.rings);
}

pl_status pl_place_depths_fit(void *context, bool *fit) {
  pl_place_depths *depths = context;
  pl_place_shared *shared = &depths->shared;
  uint64_t end;
  for (size_t i = 0; i < shared->rings; i++)
    depths->levels[i] = depths->wishes[i].level;
  pl_status status =
      pl_linear_check(depths->linear, depths->levels, shared->rings, fit, depths->fact_in_core, depths->ring_in_core);
  set_sizes(depths);
  if (status)
    return status;
  if (!*fit) {
    depths->obstacle = obstacle_of_core(depths);
    return 0;
  }
  depths->obstacle = PL_PLACE_FREE;
  if (!pl_pack(depths->packer, shared->items, shared->count, shared->limit - shared->occupied, PL_PACK_FIT, &end))
    depths->obstacle = PL_PLACE_PACKING;
  else if (!pl_pack(depths->packer, depths->ids, depths->id_count, PL_BARRIER_IDS, PL_PACK_FIT, &end))
    depths->obstacle = PL_PLACE_CONSECUTIVE;
  *fit = depths->obstacle == PL_PLACE_FREE;
  return *fit || !depths->is_learning ? 0 : learn(depths);
}

/* ---- depths ---- */

static void wish(pl_place_depths *depths) {
  for (size_t i = 0; i < depths->shared.rings; i++) {
    const pl_placement_ring *ring = ring_at(depths, i);
    unsigned multiple = at_least_one(ring->depth_multiple), least = at_least_one(ring->depth_min);
    if (least <= ring->lookahead)
      least = ring->lookahead + 1;
    least = (least + multiple - 1) / multiple * multiple;
    depths->wishes[i] =
        (pl_wish){.level = least, .step = multiple, .target = ring->depth_preferred, .limit = ring->depth_max};
    if (ring->depth != PL_PLACEMENT_ANY)
      depths->wishes[i].level = depths->wishes[i].limit = (unsigned)ring->depth;
  }
}

/* Priorities from the highest to the lowest; those of one are raised together. */
static pl_status deepen(pl_place_depths *depths, size_t *members) {
  pl_status status = 0;
  for (uint64_t bound = (uint64_t)UINT32_MAX + 1; !status;) { /* priorities below it are yet to come */
    size_t count = 0;
    unsigned priority = 0;
    for (size_t i = 0; i < depths->shared.rings; i++) {
      unsigned own = ring_at(depths, i)->priority;
      if (own >= bound || (count && own < priority))
        continue;
      if (own > priority || !count) {
        priority = own;
        count = 0;
      }
      members[count++] = i;
    }
    if (!count)
      break;
    status = pl_raise(depths->wishes, members, count, pl_place_depths_fit, depths);
    bound = priority;
  }
  return status;
}

/* ---- what bounds a depth ---- */

static const char *text(pl_place_depths *depths, const char *format, ...) PL_PRINTF(2, 3);
static const char *text(pl_place_depths *depths, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *made = pl_arena_vprintf(depths->place->arena, format, arguments);
  va_end(arguments);
  if (!made)
    depths->place->sink->out_of_memory = true;
  return made ? made : "";
}

/* One step more does not fit: why? */
static const char *obstacle_in_words(pl_place_depths *depths, unsigned deeper) {
  pl_place *place = depths->place;
  const pl_place_shared *shared = &depths->shared;
  uint64_t live;
  pl_pack_peak(shared->items, shared->count, &live);
  const char *needed = pl_place_number(place, live + shared->occupied), *limit = pl_place_number(place, shared->limit);
  switch (depths->obstacle) {
  case PL_PLACE_FACTS:
    if (depths->fact_in_core[barrier_fact(depths)])
      return text(depths, "bound by named barriers: %u would need %u of %d", deeper, pl_place_ids_needed(depths),
                  PL_BARRIER_IDS);
    return text(depths, "bound by shared memory: %u would need %s B of %s", deeper, needed, limit);
  case PL_PLACE_PACKING:
    return text(depths, "bound by shared memory: no arrangement found for the %s B of %s that %u would need", needed,
                limit, deeper);
  case PL_PLACE_CONSECUTIVE:
    return text(depths, "bound by named barriers: the free ids are not as many in a row as %u would need", deeper);
  case PL_PLACE_FREE:
    break;
  }
  return "";
}

/* Asks for one step more of each ring, the others as they are. */
static pl_status find_bounds(pl_place_depths *depths) {
  pl_status status = 0;
  for (size_t i = 0; i < depths->shared.rings && !status; i++) {
    const pl_placement_ring *ring = ring_at(depths, i);
    pl_wish *wish = &depths->wishes[i];
    const char **bound = &depths->place->solution->ring_bound[depths->place->rings[i]];
    if (ring->depth != PL_PLACEMENT_ANY) {
      *bound = "pinned";
    } else if (wish->limit - wish->level < wish->step) {
      *bound = wish->level == wish->limit
                   ? "its own maximum"
                   : text(depths, "its own maximum: %u at most, in steps of %u", wish->limit, wish->step);
    } else if (wish->level >= wish->target) {
      *bound = "as deep as it prefers to be";
    } else {
      bool fits;
      wish->level += wish->step;
      status = pl_place_depths_fit(depths, &fits);
      *bound = obstacle_in_words(depths, wish->level);
      wish->level -= wish->step;
    }
  }
  return status;
}

/* ---- the whole ---- */

static void publish(pl_place_depths *depths) {
  pl_place *place = depths->place;
  pl_placement_solution *solution = place->solution;
  const pl_place_shared *shared = &depths->shared;
  for (size_t i = 0; i < shared->rings; i++) {
    size_t ring = place->rings[i];
    solution->depth[ring] = depths->wishes[i].level;
    solution->slot_offset[ring] = shared->items[i].offset;
    solution->slot_stride[ring] = pl_place_slot_stride(&place->problem->rings[ring]);
    solution->mbarrier_offset[ring] = shared->items[shared->rings + i].offset;
    solution->ring_barrier_id[ring] = depths->ids[i].size ? (unsigned)depths->ids[i].offset + 1 : 0;
  }
  for (size_t i = 0; i < shared->buffers; i++)
    solution->buffer_offset[place->buffers[i]] = shared->items[2 * shared->rings + i].offset;
  for (size_t i = 0; i < place->problem->barrier_count; i++)
    solution->barrier_id[place->barriers[i]] = (unsigned)depths->ids[shared->rings + i].offset + 1;
  solution->shared_align = shared->align;
}

/* The arrangement with the fewest bytes, the ids from 1 on. */
static pl_status arrange(pl_place_depths *depths) {
  const pl_place_shared *shared = &depths->shared;
  uint64_t ids_end;
  set_sizes(depths);
  bool fits = pl_pack(depths->packer, shared->items, shared->count, shared->limit - shared->occupied, PL_PACK_SMALLEST,
                      &depths->place->solution->shared_bytes) &&
              pl_pack(depths->packer, depths->ids, depths->id_count, PL_BARRIER_IDS, PL_PACK_SMALLEST, &ids_end);
  return fits ? 0 : -EPROTO; /* they did a moment ago */
}

static pl_status create(pl_place_depths *depths) {
  pl_place *place = depths->place;
  const pl_placement_problem *problem = place->problem;
  pl_status status = pl_place_shared_create(place, &depths->shared);
  if (status)
    return status;
  size_t rings = problem->ring_count, barriers = problem->barrier_count, phases = depths->shared.phase_count;
  depths->id_count = rings + barriers;
  size_t items = depths->shared.count > depths->id_count ? depths->shared.count : depths->id_count;
  depths->packer = pl_packer_create(place->scratch, items);
  depths->wishes = pl_arena_array(place->scratch, rings, sizeof *depths->wishes);
  depths->levels = pl_arena_array(place->scratch, rings, sizeof *depths->levels);
  depths->ids = pl_arena_array(place->scratch, depths->id_count, sizeof *depths->ids);
  depths->fact_in_core = pl_arena_array(place->scratch, phases + 1, sizeof *depths->fact_in_core);
  depths->ring_in_core =
      pl_arena_array(place->scratch, rings + count_shares(&depths->shared), sizeof *depths->ring_in_core);
  if (!depths->packer || !depths->wishes || !depths->levels || !depths->ids || !depths->fact_in_core ||
      !depths->ring_in_core)
    return -ENOMEM;
  for (size_t i = 0; i < depths->id_count; i++)
    depths->ids[i] = (pl_pack_item){.size = 1, .align = 1, .partner = PL_PACK_ALONE};
  for (size_t i = 0; i < barriers; i++) {
    int id = problem->barriers[place->barriers[i]].id;
    depths->ids[rings + i].pinned = id != PL_PLACEMENT_ANY;
    depths->ids[rings + i].offset = id != PL_PLACEMENT_ANY ? (uint64_t)id - 1 : 0;
  }
  return state_facts(depths);
}

pl_status pl_place_rings(pl_place *place) {
  pl_place_depths depths = {.place = place};
  size_t *members = pl_arena_array(place->scratch, place->problem->ring_count, sizeof *members);
  bool fits;
  pl_status status = members ? create(&depths) : -ENOMEM;
  if (status)
    goto out;
  wish(&depths);
  if ((status = pl_place_depths_fit(&depths, &fits)))
    goto out;
  if (!fits) {
    status = pl_place_tell_rings(&depths);
    goto out;
  }
  depths.is_learning = true;
  if ((status = deepen(&depths, members)))
    goto out;
  if ((status = find_bounds(&depths)) || (status = arrange(&depths)))
    goto out;
  publish(&depths);
out:
  if (status == -EPROTO) {
    pl_report(place->sink, PL_ERROR, "L-SOLVER", "Z3 gave no answer about the depths of rings");
    pl_fix(place->sink, "pin some of the depths");
  }
  pl_linear_free(depths.linear);
  return status;
}
