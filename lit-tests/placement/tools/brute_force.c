/* brute_force.c - see brute_force.h. */
#include "brute_force.h"

#include <string.h>

/* ---- roles ---- */

struct roles_state {
  const pl_placement_problem *problem;
  unsigned warps_max, groups;  /* of the CTA */
  unsigned warps[BRUTE_ROLES]; /* being tried */
  unsigned first_group[BRUTE_ROLES], last_group[BRUTE_ROLES];
  unsigned registers[BRUTE_ROLES], best[BRUTE_ROLES];
  bool has_best, has_wishes;
  bool seen[1 << 16]; /* by first and last warpgroup of each role: the rest of a layout makes no difference */
};

static bool wishes(const pl_placement_role *role) {
  return role->registers_max > 0;
}

/* Is `a` better than `b`? Levels from low to high, in the order of roles, for those that prefer most first: up to what
 * they prefer, then up to their maximum. */
static bool are_registers_better(const pl_placement_problem *problem, const unsigned *a, const unsigned *b) {
  for (int round = 0; round < 2; round++)
    for (unsigned preferred = 256; preferred >= 24; preferred -= 8)
      for (unsigned level = 24; level <= 256; level += 8)
        for (size_t i = 0; i < problem->role_count; i++) {
          const pl_placement_role *role = &problem->roles[i];
          if (role->registers_preferred != preferred || level > (round ? role->registers_max : preferred))
            continue;
          if ((a[i] >= level) != (b[i] >= level))
            return a[i] >= level;
        }
  return false;
}

static unsigned launch_registers(const pl_placement_problem *problem, unsigned groups) {
  unsigned threads = groups * 128 * problem->ctas_per_sm;
  unsigned registers = threads ? problem->profile->registers_per_sm / threads : 256;
  return (registers > 256 ? 256 : registers) / 8 * 8;
}

/* Do the registers being tried go together in a CTA of so many warpgroups? */
static bool can_pay(const struct roles_state *state, unsigned groups) {
  const pl_placement_problem *problem = state->problem;
  unsigned budget[8] = {0}, total = 0;
  for (size_t i = 0; i < problem->role_count; i++)
    for (unsigned g = state->first_group[i]; g <= state->last_group[i]; g++) {
      if (budget[g] && budget[g] != state->registers[i])
        return false;
      budget[g] = state->registers[i];
    }
  for (unsigned g = 0; g < groups; g++)
    total += budget[g] ? budget[g] : 24; /* a warpgroup without a role gives back what it can */
  return total <= launch_registers(problem, groups) * groups;
}

static void try_registers(struct roles_state *state, size_t role, unsigned groups) {
  const pl_placement_problem *problem = state->problem;
  if (role == problem->role_count || role == BRUTE_ROLES) {
    if ((!state->has_best || are_registers_better(problem, state->registers, state->best)) && can_pay(state, groups)) {
      state->has_best = true;
      memcpy(state->best, state->registers, sizeof state->best);
    }
    return;
  }
  const pl_placement_role *declared = &problem->roles[role];
  state->registers[role] = launch_registers(problem, groups);
  if (!wishes(declared))
    try_registers(state, role + 1, groups);
  else
    for (unsigned value = declared->registers_min; value <= declared->registers_max; value += 8) {
      state->registers[role] = value;
      try_registers(state, role + 1, groups);
    }
}

static void seat(struct roles_state *state, size_t role, uint32_t taken) {
  const pl_placement_problem *problem = state->problem;
  if (role == problem->role_count || role == BRUTE_ROLES) {
    unsigned key = 0;
    for (size_t i = 0; i < role; i++)
      key = key * 16 + state->first_group[i] * 4 + state->last_group[i];
    if (state->seen[key])
      return;
    state->seen[key] = true;
    if (!state->has_wishes)
      state->has_best = true;
    else
      try_registers(state, 0, state->groups);
    return;
  }
  const pl_placement_role *declared = &problem->roles[role];
  unsigned limit = state->groups * 4 < state->warps_max ? state->groups * 4 : state->warps_max;
  for (unsigned first = 0; first + state->warps[role] <= limit; first += declared->warps_align) {
    uint32_t mask = ((1u << state->warps[role]) - 1) << first;
    unsigned last = first + state->warps[role] - 1;
    if ((taken & mask) || (declared->first_warp >= 0 && first != (unsigned)declared->first_warp))
      continue;
    state->first_group[role] = first / 4;
    state->last_group[role] = last / 4;
    seat(state, role + 1, taken | mask);
  }
}

/* In as few warpgroups as possible. */
static bool do_warps_fit(struct roles_state *state) {
  state->has_best = false;
  for (state->groups = 1; state->groups <= (state->warps_max + 3) / 4 && !state->has_best; state->groups++) {
    if (state->has_wishes && state->groups * 4 > state->warps_max)
      break;
    memset(state->seen, 0, sizeof state->seen);
    seat(state, 0, 0);
  }
  return state->has_best;
}

/* The most warps for the first role come first: so the first that fits is the best. */
static bool try_warps(struct roles_state *state, size_t role) {
  const pl_placement_problem *problem = state->problem;
  if (role == problem->role_count || role == BRUTE_ROLES)
    return do_warps_fit(state);
  for (unsigned warps = problem->roles[role].warps_max; warps >= problem->roles[role].warps_min; warps--) {
    state->warps[role] = warps;
    if (warps % problem->roles[role].warps_multiple == 0 && try_warps(state, role + 1))
      return true;
  }
  return false;
}

static void force_roles(const pl_placement_problem *problem, brute_result *result) {
  static struct roles_state state;
  memset(&state, 0, sizeof state);
  state.problem = problem;
  state.warps_max = problem->profile->threads_per_cta / 32;
  if (problem->profile->warps_per_sm / problem->ctas_per_sm < state.warps_max)
    state.warps_max = problem->profile->warps_per_sm / problem->ctas_per_sm;
  for (size_t i = 0; i < problem->role_count; i++)
    state.has_wishes |= wishes(&problem->roles[i]);
  result->roles_fit = try_warps(&state, 0);
  memcpy(result->warps, state.warps, sizeof result->warps);
  memcpy(result->registers, state.best, sizeof result->registers);
}

/* ---- intervals: everything at every offset ---- */

struct interval {
  unsigned size, align, from, to; /* in units */
  int offset;                     /* -1: free */
  int guest_of;                   /* interval it may lie on; -1 */
};

struct line {
  struct interval items[BRUTE_ITEMS];
  size_t count;
  unsigned length;
};

static bool exclude(const struct line *line, size_t a, size_t b) {
  const struct interval *x = &line->items[a], *y = &line->items[b];
  return x->guest_of != (int)b && y->guest_of != (int)a && x->from <= y->to && y->from <= x->to;
}

static uint64_t bits(unsigned offset, unsigned size) {
  uint64_t ones = size < 64 ? (1ull << size) - 1 : UINT64_MAX;
  return offset < 64 ? ones << offset : 0;
}

/* Units that something has to leave free for item `index`. */
static uint64_t blocked(const struct line *line, const unsigned *offsets, size_t index) {
  uint64_t mask = 0;
  for (size_t i = 0; i < index; i++)
    if (exclude(line, i, index))
      mask |= bits(offsets[i], line->items[i].size);
  return mask;
}

/* Do the items from `index` on find as much room as they take, in the phase of each? A count, no arrangement. */
static bool has_room(const struct line *line, const unsigned *offsets, size_t index) {
  for (size_t k = index; k < line->count; k++) {
    unsigned phase = line->items[k].from, rest = 0;
    uint64_t taken = 0;
    for (size_t i = 0; i < line->count; i++) {
      const struct interval *item = &line->items[i];
      if (phase < item->from || item->to < phase || item->guest_of >= 0)
        continue;
      if (i < index)
        taken |= bits(offsets[i], item->size);
      else
        rest += item->size;
    }
    if (rest + (unsigned)__builtin_popcountll(taken) > line->length)
      return false;
  }
  return true;
}

static bool place_all(const struct line *line, unsigned *offsets, size_t index) {
  if (index == line->count)
    return true;
  if (!has_room(line, offsets, index))
    return false;
  const struct interval *item = &line->items[index];
  uint64_t mask = blocked(line, offsets, index);
  for (unsigned offset = 0; offset + item->size <= line->length; offset += item->align) {
    if ((item->offset >= 0 && offset != (unsigned)item->offset) || (mask & bits(offset, item->size)))
      continue;
    offsets[index] = offset;
    if (place_all(line, offsets, index + 1))
      return true;
  }
  return false;
}

static bool can_place(const struct line *line) {
  unsigned offsets[BRUTE_ITEMS];
  return place_all(line, offsets, 0);
}

static void add(struct line *line, struct interval item) {
  if (item.size)
    line->items[line->count++] = item;
}

static uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/* ---- rings ---- */

struct rings_state {
  const pl_placement_problem *problem;
  unsigned units; /* of the arena */
  unsigned depth[BRUTE_RINGS], best[BRUTE_RINGS];
  bool has_best;
};

static void make_line(const struct rings_state *state, struct line *line) {
  const pl_placement_problem *problem = state->problem;
  int item_of_ring[BRUTE_RINGS];
  *line = (struct line){.length = state->units};
  for (size_t i = 0; i < problem->ring_count; i++) {
    const pl_placement_ring *ring = &problem->rings[i];
    uint64_t stride = round_up(ring->slot_bytes, ring->slot_align);
    item_of_ring[i] = ring->slot_bytes ? (int)line->count : -1;
    add(line, (struct interval){(unsigned)(((state->depth[i] - 1) * stride + ring->slot_bytes) / BRUTE_UNIT),
                                (unsigned)(ring->slot_align / BRUTE_UNIT), ring->live_from, ring->live_to, -1, -1});
  }
  for (size_t i = 0; i < problem->ring_count; i++)
    add(line, (struct interval){state->depth[i] * problem->rings[i].mbarriers_per_slot, 1, 0, UINT32_MAX, -1, -1});
  for (size_t i = 0; i < problem->buffer_count; i++) {
    const pl_placement_buffer *buffer = &problem->buffers[i];
    add(line, (struct interval){(unsigned)(buffer->bytes / BRUTE_UNIT), (unsigned)(buffer->align / BRUTE_UNIT),
                                buffer->live_from, buffer->live_to,
                                buffer->offset < 0 ? -1 : (int)(buffer->offset / BRUTE_UNIT),
                                buffer->overlays_ring < 0 ? -1 : item_of_ring[buffer->overlays_ring]});
  }
}

static bool barriers_fit(const struct rings_state *state) {
  const pl_placement_problem *problem = state->problem;
  struct line line = {.length = 15};
  size_t needed = problem->barrier_count;
  for (size_t i = 0; i < problem->ring_count; i++)
    needed += (size_t)state->depth[i] * problem->rings[i].barriers_per_slot;
  if (needed > 15)
    return false;
  for (size_t i = 0; i < problem->barrier_count; i++) /* fixed ones first; those that are free take what is left */
    if (problem->barriers[i].id >= 0)
      add(&line, (struct interval){1, 1, 0, 0, problem->barriers[i].id - 1, -1});
  for (size_t i = 0; i < problem->ring_count; i++)
    add(&line, (struct interval){state->depth[i] * problem->rings[i].barriers_per_slot, 1, 0, 0, -1, -1});
  return can_place(&line);
}

static bool do_depths_fit(const struct rings_state *state) {
  struct line line;
  make_line(state, &line);
  return barriers_fit(state) && can_place(&line);
}

static unsigned worth(const pl_placement_ring *ring, unsigned depth) {
  return depth < ring->depth_preferred ? depth : ring->depth_preferred;
}

/* Higher priorities first; of equal ones, levels from low to high in the order of rings; then the shallower ring. */
static bool are_depths_better(const pl_placement_problem *problem, const unsigned *a, const unsigned *b) {
  for (int priority = 9; priority >= 0; priority--)
    for (unsigned level = 1; level <= 64; level++)
      for (size_t i = 0; i < problem->ring_count; i++) {
        bool has_a = worth(&problem->rings[i], a[i]) >= level, has_b = worth(&problem->rings[i], b[i]) >= level;
        if (problem->rings[i].priority == (unsigned)priority && has_a != has_b)
          return has_a;
      }
  for (size_t i = 0; i < problem->ring_count; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return false;
}

static void try_depths(struct rings_state *state, size_t ring) {
  const pl_placement_problem *problem = state->problem;
  if (ring == problem->ring_count || ring == BRUTE_RINGS) {
    if ((!state->has_best || are_depths_better(problem, state->depth, state->best)) && do_depths_fit(state)) {
      state->has_best = true;
      memcpy(state->best, state->depth, sizeof state->best);
    }
    return;
  }
  const pl_placement_ring *declared = &problem->rings[ring];
  for (unsigned depth = declared->depth_min; depth <= declared->depth_max; depth++) {
    if (depth <= declared->lookahead || depth % declared->depth_multiple ||
        (declared->depth >= 0 && depth != (unsigned)declared->depth))
      continue;
    state->depth[ring] = depth;
    try_depths(state, ring + 1);
  }
}

static void force_rings(const pl_placement_problem *problem, brute_result *result) {
  struct rings_state state = {.problem = problem};
  uint64_t limit = problem->profile->shared_per_cta, align = 16;
  uint64_t share = (problem->profile->shared_per_sm / problem->ctas_per_sm - 1024) / 128 * 128;
  if (problem->shared_limit && problem->shared_limit < limit)
    limit = problem->shared_limit;
  limit = share < limit ? share : limit;
  for (size_t i = 0; i < problem->ring_count; i++)
    align = problem->rings[i].slot_align > align ? problem->rings[i].slot_align : align;
  for (size_t i = 0; i < problem->buffer_count; i++)
    align = problem->buffers[i].align > align ? problem->buffers[i].align : align;
  uint64_t before = round_up(problem->static_shared, align);
  result->rings_fit = before <= limit;
  if (!result->rings_fit)
    return;
  state.units = (unsigned)((limit - before) / BRUTE_UNIT);
  try_depths(&state, 0);
  result->rings_fit = state.has_best;
  if (!state.has_best)
    return;
  memcpy(result->depth, state.best, sizeof result->depth);
  memcpy(state.depth, state.best, sizeof state.depth);
  struct line line;
  make_line(&state, &line);
  for (line.length = 0; !can_place(&line);)
    line.length++;
  result->shared_bytes = (uint64_t)line.length * BRUTE_UNIT;
}

/* ---- tensor memory ---- */

static void force_tmem(const pl_placement_problem *problem, brute_result *result) {
  enum { UNIT = 16 }; /* columns */
  struct line line = {0};
  for (size_t i = 0; i < problem->tmem_count; i++) {
    const pl_placement_tmem *tmem = &problem->tmems[i];
    add(&line, (struct interval){tmem->columns / UNIT, tmem->align / UNIT, 0, 0,
                                 tmem->column < 0 ? -1 : tmem->column / UNIT, -1});
  }
  result->tmem_fits = !problem->tmem_count;
  for (unsigned columns = 32; columns <= problem->profile->tmem_columns / problem->ctas_per_sm && !result->tmem_fits;
       columns *= 2) {
    line.length = columns / UNIT;
    result->tmem_fits = can_place(&line);
    result->tmem_columns = columns;
  }
}

void brute_force(const pl_placement_problem *problem, brute_result *result) {
  *result = (brute_result){0};
  force_roles(problem, result);
  force_rings(problem, result);
  force_tmem(problem, result);
}
