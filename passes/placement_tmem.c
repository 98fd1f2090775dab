/* placement_tmem.c - columns of tensor memory: fixed ranges first, the others packed around them, and a power of two in
 * all, which one tcgen05.alloc takes at the start of the kernel.
 */
#include "placement_parts.h"

#include <errno.h>

static unsigned at_least_one(unsigned value) {
  return value ? value : 1;
}

static pl_status tell_tmem(pl_place *place, unsigned limit, uint64_t needed) {
  const pl_placement_problem *problem = place->problem;
  const pl_profile *profile = problem->profile;
  if (!profile->tmem_columns)
    pl_report(place->sink, PL_ERROR, "L-TMEM", "%s has no tensor memory", profile->name);
  else if (needed <= limit)
    pl_report(place->sink, PL_ERROR, "L-TMEM", "%llu columns of tensor memory do not fit into %u as they are fixed",
              (unsigned long long)needed, limit);
  else if (place->ctas_per_sm == 1)
    pl_report(place->sink, PL_ERROR, "L-TMEM", "the stages need %llu columns of tensor memory, a CTA on %s has %u",
              (unsigned long long)needed, profile->name, limit);
  else
    pl_report(place->sink, PL_ERROR, "L-TMEM",
              "the stages need %llu columns of tensor memory, each of %u CTAs on an SM of %s has %u",
              (unsigned long long)needed, place->ctas_per_sm, profile->name, limit);
  for (size_t i = 0; i < problem->tmem_count; i++) {
    const pl_placement_tmem *tmem = &problem->tmems[place->tmems[i]];
    const char *who = pl_place_who(place, "tensor memory", tmem->name, tmem->owner);
    if (tmem->column != PL_PLACEMENT_ANY)
      pl_detail_of(place->sink, tmem->party, "%4u columns: %s, fixed at column %d", tmem->columns, who, tmem->column);
    else
      pl_detail_of(place->sink, tmem->party, "%4u columns: %s", tmem->columns, who);
  }
  if (!profile->tmem_columns) {
    pl_consequence(place->sink, "tcgen05 instructions do not exist there");
    pl_fix(place->sink, "take stages for %s that keep accumulators in registers", profile->name);
    return -ENOSPC;
  }
  pl_consequence(place->sink, "tcgen05.alloc would wait for columns for ever, or fault");
  pl_place_advice advice = {place, NULL};
  if (needed > limit)
    pl_place_advise(&advice, "free %llu columns", (unsigned long long)needed - limit);
  else
    pl_place_advise(&advice, "declare the tensor memory without columns");
  if (place->ctas_per_sm > 1 && needed <= profile->tmem_columns / (place->ctas_per_sm - 1))
    pl_place_advise(&advice, "ask for %u CTA%s per SM", place->ctas_per_sm - 1, place->ctas_per_sm > 2 ? "s" : "");
  if (advice.text)
    pl_fix(place->sink, "%s", advice.text);
  return -ENOSPC;
}

pl_status pl_place_tmem(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  size_t count = problem->tmem_count;
  if (!count)
    return 0;
  pl_packer *packer = pl_packer_create(place->scratch, count);
  pl_pack_item *items = pl_arena_array(place->scratch, count, sizeof *items);
  if (!packer || !items)
    return -ENOMEM;
  uint64_t needed = 0;
  for (size_t i = 0; i < count; i++) {
    const pl_placement_tmem *tmem = &problem->tmems[place->tmems[i]];
    bool is_fixed = tmem->column != PL_PLACEMENT_ANY;
    items[i] = (pl_pack_item){.size = tmem->columns,
                              .align = at_least_one(tmem->align),
                              .pinned = is_fixed,
                              .offset = is_fixed ? (uint64_t)tmem->column : 0,
                              .partner = PL_PACK_ALONE};
    needed += tmem->columns;
  }
  unsigned limit = problem->profile->tmem_columns / place->ctas_per_sm;
  uint64_t end;
  for (unsigned columns = PL_TMEM_COLUMNS_MIN; columns <= limit; columns *= 2) {
    if (!pl_pack(packer, items, count, columns, PL_PACK_FIT, &end))
      continue;
    place->solution->tmem_columns = columns;
    for (size_t i = 0; i < count; i++)
      place->solution->tmem_column[place->tmems[i]] = (unsigned)items[i].offset;
    return 0;
  }
  unsigned usable = 0; /* the largest power of two up to the limit */
  for (unsigned columns = PL_TMEM_COLUMNS_MIN; columns <= limit; columns *= 2)
    usable = columns;
  return tell_tmem(place, usable, needed);
}
