/* placement_layout.c - who sits where: gives every role its first warp and every warpgroup its registers, or shows that
 * there is no way. An exact search, for the at most 32 warps of a CTA.
 *
 * It walks over the warps from the first to the last; at each, a role begins or the warp stays idle. Warpgroups over
 * which one role reaches have one register budget and are closed together (here: a block). Where nothing is pinned,
 * blocks may change places, so only the order in which each block holds the first role still waiting is looked at; what
 * was tried once from some warp, with some roles placed and at no higher cost, is not tried again.
 */
#include "placement_parts.h"

#include <string.h>

enum {
  BUDGET_MIN = PL_REGISTERS_MIN / PL_REGISTERS_STEP,
  BUDGET_MAX = PL_REGISTERS_MAX / PL_REGISTERS_STEP,
  NOTES = 4096, /* a power of two */
  /* A CTA's search takes some hundred steps. Only a wild one ends here; then the best found so far stands. */
  STEPS_MAX = 1 << 20,
};

/* "From `warp` on, with these roles placed, at this cost: no way." */
struct note {
  uint32_t placed, run; /* run: which search wrote it */
  uint16_t cost;
  uint8_t warp;
};

struct pl_layout_search {
  const pl_layout_role *roles;
  size_t count;
  unsigned warps;                  /* of the CTA */
  unsigned pool, launch;           /* registers / PL_REGISTERS_STEP: of all warpgroups together, of one at launch */
  bool has_wishes;                 /* somebody cares: warpgroups are whole and cost registers */
  bool is_symmetric;               /* blocks may change places */
  size_t dearest[PL_WARPS_MAX];    /* roles, those that need most registers first */
  int pinned_at[PL_WARPS_MAX + 1]; /* role, or -1 */
  unsigned steps;
  uint32_t run;
  pl_layout layout;
  struct note notes[NOTES];
};

/* A point of the walk: what lies behind it. */
struct walk {
  uint32_t placed; /* one bit per role */
  unsigned warp;
  unsigned cost;      /* registers / PL_REGISTERS_STEP of closed blocks */
  unsigned first;     /* warpgroup with which the open block begins */
  unsigned low, high; /* of the open block */
  bool has_role, has_wish;
  size_t must;   /* role that the open block has to hold, where blocks may change places */
  unsigned end;  /* where the latest role ends */
  size_t latest; /* that role, when it lies in one warpgroup; else `count` */
};

pl_layout_search *pl_layout_search_create(pl_arena *arena) {
  return pl_arena_alloc(arena, sizeof(pl_layout_search));
}

unsigned pl_layout_launch_budget(pl_layout_limits limits, unsigned warps) {
  unsigned warpgroups = (warps + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS;
  if (!warpgroups)
    return BUDGET_MAX;
  /* Registers are handed out per SM partition, a fourth of the SM each, and warps go to partitions in turn: so a CTA
   * that is no whole number of warpgroups gets no more than one that is. */
  uint64_t threads = (uint64_t)warpgroups * PL_WARPGROUP_WARPS * PL_WARP_THREADS * limits.ctas_per_sm;
  uint64_t budget = limits.registers_per_sm / threads / PL_REGISTERS_STEP;
  return budget < BUDGET_MAX ? (unsigned)budget : BUDGET_MAX;
}

static bool is_placed(const struct walk *walk, size_t role) {
  return walk->placed >> role & 1;
}

/* Registers / PL_REGISTERS_STEP that a warpgroup needs for the role. */
static unsigned low_of(const pl_layout_search *search, size_t role) {
  return search->roles[role].high ? search->roles[role].low : search->launch;
}

static unsigned max(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static bool is_alike(const pl_layout_role *a, const pl_layout_role *b) {
  return a->warps == b->warps && a->align == b->align && a->low == b->low && a->high == b->high && a->first_warp < 0 &&
         b->first_warp < 0;
}

/* Can no layout with these roles left be paid for, or be held by the warps left? At best, the roles that cost most sit
 * in what is left of the open warpgroup, for nothing, and those that cost alike sit together. */
static bool is_hopeless(const pl_layout_search *search, const struct walk *walk) {
  unsigned warps = 0, next = (walk->warp + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS;
  unsigned paid = next * PL_WARPGROUP_WARPS - walk->warp, warpgroups = 0;
  unsigned cost = walk->cost + (next - walk->first) * walk->low;
  for (size_t i = 0; i < search->count; i++) {
    size_t index = search->dearest[i];
    if (is_placed(walk, index))
      continue;
    unsigned begin = warps > paid ? warps - paid : 0;
    warps += search->roles[index].warps;
    unsigned end = warps > paid ? warps - paid : 0;
    unsigned more =
        (end + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS - (begin + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS;
    warpgroups += more;
    cost += more * low_of(search, index);
  }
  if (walk->warp + warps > search->warps)
    return true;
  if (!search->has_wishes)
    return false;
  unsigned left = search->warps / PL_WARPGROUP_WARPS - next;
  return cost + (left > warpgroups ? left - warpgroups : 0) * BUDGET_MIN > search->pool;
}

/* Ends the open block before `walk->warp` and opens the next. False when the block may not end like this. */
static bool close_block(pl_layout_search *search, struct walk *walk, bool is_last) {
  unsigned next = (walk->warp + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS, warpgroups = next - walk->first;
  if (search->is_symmetric && !is_last) {
    if (!walk->has_role || !is_placed(walk, walk->must))
      return false; /* idle warpgroups come last, and the first role waiting comes first */
  }
  unsigned budget = walk->has_wish ? walk->low : walk->has_role ? 0 : BUDGET_MIN;
  for (unsigned i = walk->first; i < next; i++)
    search->layout.budget[i] = search->has_wishes ? budget : 0;
  walk->cost += warpgroups * (budget ? budget : search->launch);
  walk->first = next;
  walk->low = BUDGET_MIN;
  walk->high = BUDGET_MAX;
  walk->has_role = walk->has_wish = false;
  walk->latest = search->count;
  for (walk->must = 0; walk->must < search->count && is_placed(walk, walk->must); walk->must++)
    ;
  return true;
}

static struct note *note_of(pl_layout_search *search, const struct walk *walk) {
  uint32_t hash = (walk->placed * 2654435761u) ^ (walk->warp * 40503u);
  return &search->notes[(hash ^ hash >> 16) & (NOTES - 1)];
}

static bool is_known(const pl_layout_search *search, const struct note *note, const struct walk *walk) {
  return note->run == search->run && note->placed == walk->placed && note->warp == walk->warp &&
         note->cost <= walk->cost;
}

/* Could the role begin here, or is there a reason against it? `after` is the walk behind it. */
static bool begins(const pl_layout_search *search, const struct walk *walk, size_t index, struct walk *after) {
  const pl_layout_role *role = &search->roles[index];
  unsigned begin = walk->warp, end = begin + role->warps, in_group = begin % PL_WARPGROUP_WARPS;
  if (is_placed(walk, index) || begin % role->align || end > search->warps)
    return false;
  bool is_pinned = role->first_warp >= 0, is_inside = in_group + role->warps <= PL_WARPGROUP_WARPS;
  if (is_pinned && (unsigned)role->first_warp != begin)
    return false;
  for (unsigned warp = begin; warp < end; warp++)
    if (search->pinned_at[warp] >= 0 && (size_t)search->pinned_at[warp] != index)
      return false;
  if (!is_pinned) {
    /* Of roles that are alike, the first comes first; it would fit further left; neighbours could change places. */
    for (size_t i = 0; i < index; i++)
      if (!is_placed(walk, i) && is_alike(&search->roles[i], role))
        return false;
    if (in_group >= role->align && begin - role->align >= walk->end)
      return false;
    if (is_inside && role->align == 1 && walk->end == begin && walk->latest < search->count && index < walk->latest)
      return false;
  }
  *after = *walk;
  after->placed |= 1u << index;
  after->warp = after->end = end;
  after->latest = is_inside && role->align == 1 && !is_pinned ? index : search->count;
  after->has_role = true;
  after->has_wish |= role->high > 0;
  if (search->has_wishes) {
    after->low = max(after->low, low_of(search, index));
    after->high = min(after->high, role->high ? role->high : search->launch);
  }
  return after->low <= after->high;
}

static bool go_on(pl_layout_search *search, struct walk walk) {
  if (++search->steps > STEPS_MAX)
    return false;
  bool is_complete = walk.placed == (search->count == 32 ? UINT32_MAX : (1u << search->count) - 1);
  if (is_complete || walk.warp % PL_WARPGROUP_WARPS == 0) {
    if (!close_block(search, &walk, is_complete || !walk.warp))
      return false;
  }
  if (is_complete) {
    unsigned warpgroups = (search->warps + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS;
    for (; walk.first < warpgroups; walk.first++, walk.cost += BUDGET_MIN)
      search->layout.budget[walk.first] = search->has_wishes ? BUDGET_MIN : 0;
    return !search->has_wishes || walk.cost <= search->pool;
  }
  if (is_hopeless(search, &walk))
    return false;
  struct note *note = NULL;
  if (walk.warp % PL_WARPGROUP_WARPS == 0) {
    note = note_of(search, &walk);
    if (is_known(search, note, &walk))
      return false;
  }
  struct walk after;
  for (size_t i = 0; i < search->count; i++) {
    if (!begins(search, &walk, i, &after))
      continue;
    search->layout.first_warp[i] = walk.warp;
    if (go_on(search, after))
      return true;
  }
  if (walk.warp < search->warps && search->pinned_at[walk.warp] < 0) {
    after = walk;
    after.warp++;
    if (go_on(search, after))
      return true;
  }
  if (note && search->steps <= STEPS_MAX)
    *note = (struct note){walk.placed, search->run, (uint16_t)walk.cost, (uint8_t)walk.warp};
  return false;
}

/* One search, for a CTA of so many warps. */
static bool find_with(pl_layout_search *search, unsigned warps, pl_layout_limits limits) {
  search->warps = warps;
  search->launch = pl_layout_launch_budget(limits, warps);
  search->pool = search->launch * ((warps + PL_WARPGROUP_WARPS - 1) / PL_WARPGROUP_WARPS) + limits.spare;
  search->is_symmetric = warps % PL_WARPGROUP_WARPS == 0;
  for (size_t i = 0; i < search->count; i++) {
    size_t at = i;
    for (; at && low_of(search, search->dearest[at - 1]) < low_of(search, i); at--)
      search->dearest[at] = search->dearest[at - 1];
    search->dearest[at] = i;
  }
  for (unsigned i = 0; i <= PL_WARPS_MAX; i++)
    search->pinned_at[i] = -1;
  for (size_t i = 0; i < search->count; i++) {
    const pl_layout_role *role = &search->roles[i];
    search->is_symmetric &= role->first_warp < 0 && PL_WARPGROUP_WARPS % role->align == 0;
    for (unsigned k = 0; role->first_warp >= 0 && k < role->warps; k++)
      if (role->first_warp + k < PL_WARPS_MAX)
        search->pinned_at[role->first_warp + k] = (int)i;
  }
  search->run++;
  struct walk walk = {.low = BUDGET_MIN, .high = BUDGET_MAX, .latest = search->count};
  return go_on(search, walk);
}

bool pl_layout_find(pl_layout_search *search, const pl_layout_role *roles, size_t count, pl_layout_limits limits,
                    pl_layout *layout) {
  unsigned least = 0, most = min(limits.warps_max, PL_WARPS_MAX);
  if (count > PL_WARPS_MAX)
    return false;
  search->roles = roles;
  search->count = count;
  search->has_wishes = false;
  search->steps = 0;
  for (size_t i = 0; i < count; i++) {
    if (roles[i].warps > most)
      return false;
    least += roles[i].warps;
    search->has_wishes |= roles[i].high > 0;
    if (roles[i].first_warp >= 0 && roles[i].first_warp + roles[i].warps > most)
      return false;
  }
  unsigned step = search->has_wishes ? PL_WARPGROUP_WARPS : 1;
  least = (max(least, limits.warps_min) + step - 1) / step * step;
  for (unsigned warps = least; warps <= most; warps += step) {
    memset(&search->layout, 0, sizeof search->layout);
    if (find_with(search, warps, limits)) {
      *layout = search->layout;
      layout->warps = warps;
      return true;
    }
  }
  return false;
}
