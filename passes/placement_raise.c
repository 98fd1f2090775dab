/* placement_raise.c - how numbers that want to be large share what there is: ring depths, register budgets, warps.
 *
 * Whether levels fit is asked of the caller, and must be true of all smaller levels too. Then the answer "no" for one
 * more step is final, whatever the others get later, and raising one step at a time ends in the lexicographic maximum.
 * Most steps are taken by all together, by bisection.
 */
#include "placement_parts.h"

static unsigned worth(const pl_wish *wish) {
  return wish->level < wish->target ? wish->level : wish->target;
}

static bool can_grow(const pl_wish *wish) {
  return !wish->frozen && wish->level < wish->target && wish->limit - wish->level >= wish->step;
}

/* Everyone that can grows to `level` at least. */
static void raise_to(pl_wish *wishes, const size_t *members, size_t count, unsigned level) {
  for (size_t i = 0; i < count; i++) {
    pl_wish *wish = &wishes[members[i]];
    while (wish->level < level && can_grow(wish))
      wish->level += wish->step;
  }
}

static void save(pl_wish *wishes, const size_t *members, size_t count) {
  for (size_t i = 0; i < count; i++)
    wishes[members[i]].saved = wishes[members[i]].level;
}

static void restore(pl_wish *wishes, const size_t *members, size_t count) {
  for (size_t i = 0; i < count; i++)
    wishes[members[i]].level = wishes[members[i]].saved;
}

/* The first of those that have least and can grow; NULL when nobody can. */
static pl_wish *lowest(pl_wish *wishes, const size_t *members, size_t count) {
  pl_wish *found = NULL;
  for (size_t i = 0; i < count; i++) {
    pl_wish *wish = &wishes[members[i]];
    if (can_grow(wish) && (!found || worth(wish) < worth(found)))
      found = wish;
  }
  return found;
}

/* The highest level that all can have together: in ever larger steps, then by bisection. */
static pl_status raise_together(pl_wish *wishes, const size_t *members, size_t count, pl_wishes_fit fit,
                                void *context) {
  const pl_wish *first = lowest(wishes, members, count);
  if (!first)
    return 0;
  unsigned good = worth(first), top = good; /* `top`: nobody wants more */
  for (size_t i = 0; i < count; i++)
    if (can_grow(&wishes[members[i]]) && wishes[members[i]].target > top)
      top = wishes[members[i]].target;
  bool is_bounded = false; /* is it known that `bad` does not fit? */
  unsigned bad = top + 1;
  save(wishes, members, count);
  for (unsigned step = 1; good + 1 < bad; step *= 2) {
    unsigned middle = good + (bad - good) / 2, level = is_bounded || step > middle - good ? middle : good + step;
    bool fits;
    raise_to(wishes, members, count, level);
    pl_status status = fit(context, &fits);
    if (status)
      return status;
    if (fits) {
      good = level;
      save(wishes, members, count);
    } else {
      bad = level;
      is_bounded = true;
      restore(wishes, members, count);
    }
  }
  return 0;
}

pl_status pl_raise(pl_wish *wishes, const size_t *members, size_t count, pl_wishes_fit fit, void *context) {
  for (size_t i = 0; i < count; i++)
    wishes[members[i]].frozen = false;
  pl_status status = raise_together(wishes, members, count, fit, context);
  for (pl_wish *wish; !status && (wish = lowest(wishes, members, count));) {
    bool fits;
    wish->level += wish->step;
    status = fit(context, &fits);
    if (!status && !fits) {
      wish->level -= wish->step;
      wish->frozen = true;
      status = raise_together(wishes, members, count, fit, context);
    }
  }
  return status;
}
