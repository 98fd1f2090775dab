/* placement_roles.c - how many warps each role gets and how many registers each warpgroup, so that all of them find a
 * seat (placement_layout.c).
 *
 * First the warps: in the order of names, each role takes the most that leaves those to come their least. Then as few
 * warpgroups as everyone's least registers allow: more of them would leave each thread less. Then the registers: roles
 * that prefer most come first; each is raised to what it prefers, and what remains raises them, in the same order, to
 * their maximum. Roles that prefer the same are raised together.
 */
#include "placement_parts.h"

#include <errno.h>

/* What decides whether registers fit. Wishes are of roles in the order of names; a layout is looked for with roles in
 * the order in which they should sit: whole warpgroups first. */
struct seating {
  pl_layout_search *search;
  pl_layout_limits limits;
  pl_layout_role *roles; /* in the order of seats */
  size_t *seat_of;       /* of the role at each place in the order of names */
  pl_wish *wishes;       /* registers / PL_REGISTERS_STEP */
  size_t count;
  pl_layout layout; /* the latest one found */
};

static bool find_seats(struct seating *seating) {
  return pl_layout_find(seating->search, seating->roles, seating->count, seating->limits, &seating->layout);
}

static pl_status registers_fit(void *context, bool *fit) {
  struct seating *seating = context;
  for (size_t i = 0; i < seating->count; i++) {
    pl_layout_role *role = &seating->roles[seating->seat_of[i]];
    if (role->high)
      role->low = seating->wishes[i].level;
  }
  *fit = find_seats(seating);
  return 0;
}

static unsigned at_least_one(unsigned value) {
  return value ? value : 1;
}

/* Roles of whole warpgroups first, then those of half ones, then the others: then no warp lies idle for alignment. */
static void order_seats(const pl_place *place, size_t *seat_of, size_t *order) {
  size_t count = place->problem->role_count, seat = 0;
  for (unsigned align = PL_WARPS_MAX; align; align--)
    for (size_t i = 0; i < count; i++) {
      unsigned own = at_least_one(place->problem->roles[place->roles[i]].warps_align);
      if ((own < PL_WARPS_MAX ? own : PL_WARPS_MAX) != align)
        continue;
      order[seat] = place->roles[i];
      seat_of[i] = seat++;
    }
}

/* The roles whose wishes are to be raised together: those that prefer as many registers as the one at `first`. */
static size_t same_preference(const pl_place *place, size_t first, size_t *members) {
  size_t count = 0;
  unsigned preferred = place->problem->roles[place->roles[first]].registers_preferred;
  for (size_t i = 0; i < place->problem->role_count; i++)
    if (place->problem->roles[place->roles[i]].registers_preferred == preferred)
      members[count++] = i;
  return members[0] == first ? count : 0; /* once per class */
}

/* The most warps with which everyone finds a seat, the roles to come having their least. */
static void raise_warps(pl_place *place, struct seating *seating) {
  for (size_t i = 0; i < seating->count; i++) {
    const pl_placement_role *role = &place->problem->roles[place->roles[i]];
    pl_layout_role *seat = &seating->roles[seating->seat_of[i]];
    unsigned most = role->warps_max < PL_WARPS_MAX ? role->warps_max : PL_WARPS_MAX;
    unsigned least = seat->warps, multiple = at_least_one(role->warps_multiple);
    seat->warps = most / multiple * multiple;
    while (seat->warps > least && !find_seats(seating))
      seat->warps -= multiple;
  }
}

static pl_status raise_registers(pl_place *place, struct seating *seating, size_t *members) {
  for (size_t i = 0; i < seating->count; i++) {
    const pl_placement_role *role = &place->problem->roles[place->roles[i]];
    seating->wishes[i] = (pl_wish){
        .level = role->registers_min / PL_REGISTERS_STEP, .step = 1, .limit = role->registers_max / PL_REGISTERS_STEP};
  }
  for (int round = 0; round < 2; round++) { /* to what they prefer, then to their maximum */
    for (unsigned preferred = PL_REGISTERS_MAX; preferred; preferred -= PL_REGISTERS_STEP) {
      for (size_t i = 0; i < seating->count; i++) {
        if (place->problem->roles[place->roles[i]].registers_preferred != preferred)
          continue;
        size_t count = same_preference(place, i, members);
        for (size_t k = 0; k < count; k++) {
          const pl_placement_role *role = &place->problem->roles[place->roles[members[k]]];
          seating->wishes[members[k]].target =
              (round ? role->registers_max : role->registers_preferred) / PL_REGISTERS_STEP;
        }
        pl_status status = pl_raise(seating->wishes, members, count, registers_fit, seating);
        if (status)
          return status;
      }
    }
  }
  return 0;
}

/* A role that never said what it needs keeps what every thread has at launch. Who pays for that should know. */
static void remark_silence(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  const pl_placement_solution *solution = place->solution;
  const pl_placement_role *poor = NULL;
  unsigned given = 0;
  for (size_t i = 0; i < problem->role_count; i++) {
    const pl_placement_role *role = &problem->roles[place->roles[i]];
    if (solution->registers[place->roles[i]] < role->registers_preferred &&
        (!poor || role->registers_preferred > poor->registers_preferred)) {
      poor = role;
      given = solution->registers[place->roles[i]];
    }
  }
  for (size_t i = 0; i < problem->role_count && poor; i++) {
    const pl_placement_role *role = &problem->roles[place->roles[i]];
    if (role->registers_max)
      continue;
    pl_report(place->sink, PL_REMARK, "L-REGS", "role '%s' says nothing about registers and keeps %u", role->name,
              solution->launch_registers);
    pl_detail_of(place->sink, role->party, "%s", pl_place_who(place, "role", role->name, role->owner));
    pl_detail_of(place->sink, poor->party, "%s gets %u of the %u it prefers",
                 pl_place_who(place, "role", poor->name, poor->owner), given, poor->registers_preferred);
    pl_fix(place->sink, "declare what it needs: [[pipelink::registers(min, preferred, max)]]");
  }
}

static void publish(pl_place *place, const struct seating *seating, const size_t *order) {
  pl_placement_solution *solution = place->solution;
  const pl_layout *layout = &seating->layout;
  for (size_t seat = 0; seat < seating->count; seat++) {
    unsigned first = layout->first_warp[seat];
    solution->first_warp[order[seat]] = first;
    solution->warps[order[seat]] = seating->roles[seat].warps;
    solution->registers[order[seat]] = layout->budget[first / PL_WARPGROUP_WARPS] * PL_REGISTERS_STEP;
  }
  for (size_t i = 0; i < PL_WARPGROUPS_MAX; i++)
    solution->warpgroup_registers[i] = layout->budget[i] * PL_REGISTERS_STEP;
  solution->threads = layout->warps * PL_WARP_THREADS;
  solution->launch_registers = pl_layout_launch_budget(seating->limits, layout->warps) * PL_REGISTERS_STEP;
}

pl_status pl_place_roles(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  size_t count = problem->role_count;
  unsigned warps = problem->profile->threads_per_cta / PL_WARP_THREADS;
  unsigned resident = problem->profile->warps_per_sm / place->ctas_per_sm;
  struct seating seating = {
      .search = pl_layout_search_create(place->scratch),
      .limits = {.warps_max = warps < resident ? warps : resident,
                 .registers_per_sm = problem->profile->registers_per_sm,
                 .ctas_per_sm = place->ctas_per_sm},
      .roles = pl_arena_array(place->scratch, count, sizeof *seating.roles),
      .seat_of = pl_arena_array(place->scratch, count, sizeof *seating.seat_of),
      .wishes = pl_arena_array(place->scratch, count, sizeof *seating.wishes),
      .count = count,
  };
  size_t *order = pl_arena_array(place->scratch, count, sizeof *order); /* role of each seat */
  size_t *members = pl_arena_array(place->scratch, count, sizeof *members);
  if (!seating.search || !seating.roles || !seating.seat_of || !seating.wishes || !order || !members)
    return -ENOMEM;
  order_seats(place, seating.seat_of, order);
  for (size_t seat = 0; seat < count; seat++) {
    const pl_placement_role *role = &problem->roles[order[seat]];
    unsigned multiple = at_least_one(role->warps_multiple);
    seating.roles[seat] = (pl_layout_role){
        .warps = (at_least_one(role->warps_min) + multiple - 1) / multiple * multiple,
        .align = at_least_one(role->warps_align),
        .first_warp = role->first_warp,
        .low = role->registers_min / PL_REGISTERS_STEP,
        .high = role->registers_max / PL_REGISTERS_STEP,
    };
    if (role->registers_max) /* then there are whole warpgroups only */
      seating.limits.warps_max = seating.limits.warps_max / PL_WARPGROUP_WARPS * PL_WARPGROUP_WARPS;
  }
  if (!find_seats(&seating))
    return pl_place_tell_roles(place, seating.search, seating.roles, order, seating.limits);
  raise_warps(place, &seating);
  find_seats(&seating);
  seating.limits.warps_min = seating.limits.warps_max = seating.layout.warps;
  pl_status status = raise_registers(place, &seating, members);
  if (status)
    return status;
  bool fits; /* the latest layout looked for may have been one that does not exist */
  status = registers_fit(&seating, &fits);
  publish(place, &seating, order);
  remark_silence(place);
  return status;
}
