/* placement_tell_roles.c - why roles do not fit into a CTA: too many warps, alignments and pins that are in each
 * other's way, different registers in one warpgroup, or more registers than there are. The layout search is asked again
 * with one demand less at a time; what must be there for it to fail is what the report is about.
 */
#include "placement_parts.h"

#include <errno.h>
#include <string.h>

/* Registers for everyone: warpgroups' registers / PL_REGISTERS_STEP. */
enum { ENOUGH = PL_WARPGROUPS_MAX * PL_REGISTERS_MAX / PL_REGISTERS_STEP };

struct inquiry {
  pl_place *place;
  pl_layout_search *search;
  pl_layout_role *roles; /* in the order of seats, with their least demands */
  const size_t *order;   /* role of each seat */
  size_t count;
  pl_layout_limits limits;
  pl_layout layout;
};

static const pl_placement_role *role_at(const struct inquiry *inquiry, size_t seat) {
  return &inquiry->place->problem->roles[inquiry->order[seat]];
}

static const char *who_at(const struct inquiry *inquiry, size_t seat) {
  return pl_place_who(inquiry->place, "role", role_at(inquiry, seat)->name, role_at(inquiry, seat)->owner);
}

static bool fits(struct inquiry *inquiry) {
  return pl_layout_find(inquiry->search, inquiry->roles, inquiry->count, inquiry->limits, &inquiry->layout);
}

/* ---- too many warps ---- */

static pl_status tell_warps(struct inquiry *inquiry, unsigned warps) {
  pl_place *place = inquiry->place;
  const pl_profile *profile = place->problem->profile;
  unsigned limit = inquiry->limits.warps_max;
  if (limit * PL_WARP_THREADS == profile->threads_per_cta)
    pl_report(place->sink, PL_ERROR, "L-WARPS", "the roles need %u threads, a CTA has %u at most",
              warps * PL_WARP_THREADS, profile->threads_per_cta);
  else
    pl_report(place->sink, PL_ERROR, "L-WARPS", "the roles need %u threads, %u CTAs on an SM of %s have %u each",
              warps * PL_WARP_THREADS, place->ctas_per_sm, profile->name, limit * PL_WARP_THREADS);
  for (size_t seat = 0; seat < inquiry->count; seat++)
    pl_detail_of(place->sink, role_at(inquiry, seat)->party, "%4u threads: %s",
                 inquiry->roles[seat].warps * PL_WARP_THREADS, who_at(inquiry, seat));
  pl_consequence(place->sink, "the launch would fail");
  unsigned more = warps - limit;
  pl_place_advice advice = {place, NULL};
  pl_place_advise(&advice, "give the roles %u warp%s less", more, more > 1 ? "s" : "");
  if (place->ctas_per_sm > 1 && warps <= profile->warps_per_sm / (place->ctas_per_sm - 1))
    pl_place_advise(&advice, "ask for %u CTA%s per SM", place->ctas_per_sm - 1, place->ctas_per_sm > 2 ? "s" : "");
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  return -ENOSPC;
}

/* ---- alignments and pins ---- */

static pl_status tell_alignment(struct inquiry *inquiry, unsigned warps) {
  pl_place *place = inquiry->place;
  pl_report(place->sink, PL_ERROR, "L-RALIGN",
            "the roles' %u warps do not fit into %u: alignments and pins leave gaps that are too small", warps,
            inquiry->limits.warps_max);
  pl_place_advice advice = {place, NULL};
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    pl_layout_role *role = &inquiry->roles[seat], asked = *role;
    const char *pin = "";
    if (role->first_warp >= 0)
      pin = pl_arena_printf(place->scratch, ", pinned to warp %d", role->first_warp);
    pl_detail_of(place->sink, role_at(inquiry, seat)->party, "%2u warps at a multiple of %u%s: %s", role->warps,
                 role->align, pin ? pin : ", pinned", who_at(inquiry, seat));
    role->first_warp = PL_PLACEMENT_ANY;
    if (asked.first_warp >= 0 && fits(inquiry))
      pl_place_advise(&advice, "unpin role '%s'", role_at(inquiry, seat)->name);
    *role = asked;
    role->align = 1;
    if (asked.align > 1 && asked.first_warp < 0 && fits(inquiry))
      pl_place_advise(&advice, "let role '%s' start at any warp", role_at(inquiry, seat)->name);
    *role = asked;
  }
  pl_consequence(place->sink, "two roles would run on the same warps");
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  else
    pl_fix(place->sink, "drop pins, or give the roles fewer warps");
  return -ENOSPC;
}

/* ---- different registers in one warpgroup ---- */

/* Makes roles content with any registers, as long as there is no layout for the others: these are the core. */
static size_t find_core(struct inquiry *inquiry, bool *is_core) {
  size_t size = 0;
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    pl_layout_role *role = &inquiry->roles[seat], asked = *role;
    role->low = PL_REGISTERS_MIN / PL_REGISTERS_STEP;
    role->high = PL_REGISTERS_MAX / PL_REGISTERS_STEP;
    is_core[seat] = fits(inquiry);
    size += is_core[seat];
    if (is_core[seat])
      *role = asked;
  }
  return size;
}

static const char *registers_in_words(pl_place *place, const pl_layout_role *role) {
  const char *words = "as at launch";
  if (role->high && role->low < role->high)
    words = pl_arena_printf(place->scratch, "%u to %u", role->low * PL_REGISTERS_STEP, role->high * PL_REGISTERS_STEP);
  else if (role->high)
    words = pl_arena_printf(place->scratch, "%u", role->high * PL_REGISTERS_STEP);
  return words ? words : "";
}

static pl_status tell_sharing(struct inquiry *inquiry) {
  pl_place *place = inquiry->place;
  bool is_core[PL_WARPS_MAX];
  size_t pair[2] = {0}, found = 0, pinned = 0, size = find_core(inquiry, is_core);
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    if (is_core[seat] && found < 2)
      pair[found++] = seat;
    pinned += is_core[seat] && inquiry->roles[seat].first_warp >= 0;
  }
  if (size == 2)
    pl_report(place->sink, PL_ERROR, "L-REGSHARE",
              "roles '%s' and '%s' have to share a warpgroup, but no number of registers suits both",
              role_at(inquiry, pair[0])->name, role_at(inquiry, pair[1])->name);
  else
    pl_report(place->sink, PL_ERROR, "L-REGSHARE",
              "%zu roles have to share warpgroups, but no number of registers suits all that share one", size);
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    const pl_layout_role *role = &inquiry->roles[seat];
    const char *pin = "";
    if (role->first_warp >= 0)
      pin = pl_arena_printf(place->scratch, ", pinned to warp %d", role->first_warp);
    /* Pinned roles take the place of those that could sit elsewhere. */
    if (is_core[seat] || (role->first_warp >= 0 && size > pinned))
      pl_detail_of(place->sink, role_at(inquiry, seat)->party, "%12s registers, %2u warp%s%s: %s",
                   is_core[seat] ? registers_in_words(place, role) : "any", role->warps, role->warps > 1 ? "s" : "",
                   pin ? pin : ", pinned", who_at(inquiry, seat));
  }
  pl_consequence(place->sink, "setmaxnreg with different counts in one warpgroup is undefined (PTX ISA)");
  if (pinned)
    pl_fix(place->sink, "pin the roles to different warpgroups, or let their ranges of registers overlap");
  else
    pl_fix(place->sink, "let their ranges of registers overlap, or use fewer warps");
  return -ENOSPC;
}

/* ---- not enough registers ---- */

/* One line per role, and what its warpgroups take where it is the first in them. */
static void list_registers(struct inquiry *inquiry, unsigned launch) {
  pl_place *place = inquiry->place;
  const pl_layout *layout = &inquiry->layout;
  unsigned warpgroups = layout->warps / PL_WARPGROUP_WARPS;
  bool is_counted[PL_WARPGROUPS_MAX] = {false};
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    unsigned first = layout->first_warp[seat] / PL_WARPGROUP_WARPS;
    unsigned last = (layout->first_warp[seat] + inquiry->roles[seat].warps - 1) / PL_WARPGROUP_WARPS, own = 0;
    for (unsigned i = first; i <= last; i++) {
      own += !is_counted[i];
      is_counted[i] = true;
    }
    unsigned budget = layout->budget[first] ? layout->budget[first] : launch;
    unsigned threads = own * PL_WARPGROUP_WARPS * PL_WARP_THREADS, registers = budget * PL_REGISTERS_STEP;
    if (!own)
      pl_detail_of(place->sink, role_at(inquiry, seat)->party, "%6s registers: in the same warpgroup: %s", "",
                   who_at(inquiry, seat));
    else
      pl_detail_of(place->sink, role_at(inquiry, seat)->party, "%6s registers: %u threads x %u%s: %s",
                   pl_place_number(place, (uint64_t)threads * registers), threads, registers,
                   layout->budget[first] ? "" : " as at launch", who_at(inquiry, seat));
  }
  for (unsigned i = 0; i < warpgroups; i++)
    if (!is_counted[i])
      pl_detail(place->sink, "%6s registers: warpgroup %u, which no role uses",
                pl_place_number(place, (uint64_t)layout->budget[i] * PL_REGISTERS_STEP * 128), i);
}

static pl_status tell_registers(struct inquiry *inquiry) {
  pl_place *place = inquiry->place;
  const pl_profile *profile = place->problem->profile;
  unsigned warps_max = inquiry->limits.warps_max;
  inquiry->limits.spare = ENOUGH;
  fits(inquiry); /* as it did a moment ago: in so many warps */
  inquiry->limits.warps_max = inquiry->layout.warps;
  for (inquiry->limits.spare = 1; inquiry->limits.spare < ENOUGH && !fits(inquiry);)
    inquiry->limits.spare++;
  unsigned threads = inquiry->layout.warps * PL_WARP_THREADS;
  unsigned launch = pl_layout_launch_budget(inquiry->limits, inquiry->layout.warps), needed = 0;
  for (unsigned i = 0; i < inquiry->layout.warps / PL_WARPGROUP_WARPS; i++)
    needed += inquiry->layout.budget[i] ? inquiry->layout.budget[i] : launch;
  uint64_t unit = (uint64_t)PL_REGISTERS_STEP * PL_WARPGROUP_WARPS * PL_WARP_THREADS;
  uint64_t pool = (uint64_t)launch * PL_REGISTERS_STEP * threads;
  pl_report(place->sink, PL_ERROR, "L-REGS", "the roles need %s registers, a CTA of %u threads has %s",
            pl_place_number(place, needed * unit), threads, pl_place_number(place, pool));
  list_registers(inquiry, launch);
  const char *ctas = place->ctas_per_sm > 1 ? pl_arena_printf(place->scratch, " / %u CTAs", place->ctas_per_sm) : "";
  pl_detail(place->sink, "the pool: %u registers for each of %u threads at launch (%s%s / %u threads, %s)",
            launch * PL_REGISTERS_STEP, threads, pl_place_number(place, profile->registers_per_sm), ctas ? ctas : "",
            threads, launch * PL_REGISTERS_STEP < PL_REGISTERS_MAX ? "down to a multiple of 8" : "256 at most");
  pl_consequence(place->sink, "setmaxnreg would wait for registers for ever");
  inquiry->limits.spare = 0;
  inquiry->limits.warps_max = warps_max;
  pl_place_advice advice = {place, NULL};
  for (size_t seat = 0; seat < inquiry->count; seat++) {
    pl_layout_role *role = &inquiry->roles[seat], asked = *role;
    bool is_enough = false;
    if (!asked.high) { /* it has never said what it needs */
      role->low = launch;
      role->high = PL_REGISTERS_MAX / PL_REGISTERS_STEP;
    }
    while (!is_enough && role->low > PL_REGISTERS_MIN / PL_REGISTERS_STEP) {
      role->low--;
      is_enough = fits(inquiry);
    }
    if (is_enough && asked.high)
      pl_place_advise(&advice, "lower the minimum of role '%s' to %u registers", role_at(inquiry, seat)->name,
                      role->low * PL_REGISTERS_STEP);
    else if (is_enough)
      pl_place_advise(&advice, "say that role '%s' can do with %u registers", role_at(inquiry, seat)->name,
                      role->low * PL_REGISTERS_STEP);
    *role = asked;
  }
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  else
    pl_fix(place->sink, "lower the minimum of several roles, or use fewer warps");
  return -ENOSPC;
}

pl_status pl_place_tell_roles(pl_place *place, pl_layout_search *search, pl_layout_role *roles, const size_t *order,
                              pl_layout_limits limits) {
  struct inquiry inquiry = {place, search, roles, order, place->problem->role_count, limits, {{0}, {0}, 0}};
  unsigned warps = 0;
  for (size_t seat = 0; seat < inquiry.count; seat++)
    warps += roles[seat].warps;
  if (warps > limits.warps_max)
    return tell_warps(&inquiry, warps);
  pl_layout_role *asked = pl_arena_array(place->scratch, inquiry.count, sizeof *asked);
  if (!asked)
    return -ENOMEM;
  memcpy(asked, roles, inquiry.count * sizeof *asked);
  for (size_t seat = 0; seat < inquiry.count; seat++)
    roles[seat].low = roles[seat].high = 0;
  bool sits = fits(&inquiry);
  memcpy(roles, asked, inquiry.count * sizeof *asked);
  if (!sits)
    return tell_alignment(&inquiry, warps);
  inquiry.limits.spare = ENOUGH;
  if (!fits(&inquiry))
    return tell_sharing(&inquiry);
  return tell_registers(&inquiry);
}
