/* placement_pack.c - gives intervals their offsets: bytes of shared memory, ids of named barriers, columns of tensor
 * memory.
 *
 * First a few orders are tried in which items usually fall into place without a gap, each item at the lowest offset
 * that is free for all its phases; the largest alignment first, for one. If none of them reaches what the fullest phase
 * needs at least, a search goes through the packings in which items are placed from low to high offsets: every packing
 * can be pushed down into one of these. The search is exact up to a number of steps that ten or so items never take.
 */
#include "placement_parts.h"

#include <string.h>

enum { WORK_MAX = 500000 /* steps of the search: about 1 ms, and far more than ten items take */ };

struct pl_packer {
  const pl_pack_item *items; /* of the packing at hand */
  size_t count;
  uint64_t limit; /* nothing may end above; sinks as better packings are found */
  pl_pack_goal goal;
  uint64_t least; /* no packing ends lower */
  uint64_t work;
  uint64_t *offset, *best; /* of each item */
  bool has_best;
  bool *is_placed;
  bool *is_host;  /* is somebody's partner */
  size_t *placed; /* items in the order of their offsets */
  size_t placed_count;
  size_t *order;    /* in which items are placed greedily */
  uint64_t *lowest; /* per step of the search and item: where it could lie */
};

pl_packer *pl_packer_create(pl_arena *arena, size_t items_max) {
  pl_packer *packer = pl_arena_alloc(arena, sizeof *packer);
  size_t squared;
  if (!packer || __builtin_mul_overflow(items_max, items_max + 1, &squared))
    return NULL;
  packer->offset = pl_arena_array(arena, items_max, sizeof *packer->offset);
  packer->best = pl_arena_array(arena, items_max, sizeof *packer->best);
  packer->is_placed = pl_arena_array(arena, items_max, sizeof *packer->is_placed);
  packer->placed = pl_arena_array(arena, items_max, sizeof *packer->placed);
  packer->order = pl_arena_array(arena, items_max, sizeof *packer->order);
  packer->lowest = pl_arena_array(arena, squared, sizeof *packer->lowest);
  bool complete =
      packer->offset && packer->best && packer->is_placed && packer->placed && packer->order && packer->lowest;
  return complete ? packer : NULL;
}

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

static bool is_live(const pl_pack_item *item, unsigned phase) {
  return item->from <= phase && phase <= item->to;
}

/* May the two not share a byte? */
static bool exclude(const pl_pack_item *items, size_t a, size_t b) {
  return items[a].from <= items[b].to && items[b].from <= items[a].to && items[a].partner != (int)b &&
         items[b].partner != (int)a;
}

uint64_t pl_pack_live(const pl_pack_item *items, size_t count, unsigned phase) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    if (items[i].partner >= 0 && is_live(&items[items[i].partner], phase))
      continue; /* lies on its partner, and is counted there */
    if (!is_live(&items[i], phase))
      continue;
    uint64_t guests = 0;
    for (size_t k = 0; k < count && items[i].has_guests; k++)
      if (items[k].partner == (int)i && is_live(&items[k], phase))
        guests += items[k].size;
    total += guests > items[i].size ? guests : items[i].size;
  }
  return total;
}

unsigned pl_pack_peak(const pl_pack_item *items, size_t count, uint64_t *total) {
  unsigned peak = 0;
  *total = 0;
  for (size_t i = 0; i < count; i++) { /* the most is live where something begins to live */
    uint64_t live = pl_pack_live(items, count, items[i].from);
    if (live > *total || (live == *total && items[i].from < peak)) {
      *total = live;
      peak = items[i].from;
    }
  }
  return peak;
}

/* ---- placing one item ---- */

/* The lowest offset from `floor` on that is free of what is placed. */
static uint64_t lowest_free(const pl_packer *packer, size_t item, uint64_t floor) {
  uint64_t size = packer->items[item].size, align = packer->items[item].align, offset = align_up(floor, align);
  for (size_t i = 0; i < packer->placed_count; i++) {
    size_t other = packer->placed[i];
    if (packer->offset[other] >= offset + size)
      break; /* so do all that follow */
    if (packer->offset[other] + packer->items[other].size > offset && exclude(packer->items, item, other))
      offset = align_up(packer->offset[other] + packer->items[other].size, align);
  }
  return offset;
}

static void place(pl_packer *packer, size_t item, uint64_t offset) {
  size_t at = packer->placed_count++;
  for (; at && packer->offset[packer->placed[at - 1]] > offset; at--)
    packer->placed[at] = packer->placed[at - 1];
  packer->placed[at] = item;
  packer->offset[item] = offset;
  packer->is_placed[item] = true;
}

static void take_back(pl_packer *packer, size_t item) {
  size_t at = 0;
  while (packer->placed[at] != item)
    at++;
  packer->placed_count--;
  memmove(packer->placed + at, packer->placed + at + 1, (packer->placed_count - at) * sizeof *packer->placed);
  packer->is_placed[item] = false;
}

/* Back to the pinned items; those of no size are in nobody's way. */
static void start(pl_packer *packer) {
  packer->placed_count = 0;
  memset(packer->is_placed, 0, packer->count * sizeof *packer->is_placed);
  for (size_t i = 0; i < packer->count; i++) {
    if (!packer->items[i].size) {
      packer->offset[i] = packer->items[i].pinned ? packer->items[i].offset : 0;
      packer->is_placed[i] = true;
    } else if (packer->items[i].pinned) {
      place(packer, i, packer->items[i].offset);
    }
  }
}

static uint64_t end_of(const pl_packer *packer, const uint64_t *offset) {
  uint64_t end = 0;
  for (size_t i = 0; i < packer->count; i++)
    if (packer->items[i].size && offset[i] + packer->items[i].size > end)
      end = offset[i] + packer->items[i].size;
  return end;
}

/* Keeps the packing at hand when it is the best so far. True when it is good enough to stop. */
static bool keep(pl_packer *packer) {
  uint64_t end = end_of(packer, packer->offset);
  if (end > packer->limit)
    return false;
  memcpy(packer->best, packer->offset, packer->count * sizeof *packer->best);
  packer->has_best = true;
  if (packer->goal == PL_PACK_FIT || end <= packer->least)
    return true;
  packer->limit = end - 1; /* only better ones are of interest from here on */
  return false;
}

/* ---- greedy orders ---- */

static int descending(uint64_t a, uint64_t b) {
  return (a < b) - (a > b);
}

static uint64_t length(const pl_pack_item *item) {
  return (uint64_t)item->to - item->from + 1;
}

typedef int (*compare_items)(const pl_pack_item *a, const pl_pack_item *b);

static int by_alignment(const pl_pack_item *a, const pl_pack_item *b) {
  int order = descending(a->align, b->align);
  return order ? order : descending(a->size, b->size);
}

static int by_size(const pl_pack_item *a, const pl_pack_item *b) {
  int order = descending(a->size, b->size);
  return order ? order : descending(a->align, b->align);
}

static int by_life(const pl_pack_item *a, const pl_pack_item *b) {
  int order = descending(length(a), length(b));
  return order ? order : by_alignment(a, b);
}

static int by_begin(const pl_pack_item *a, const pl_pack_item *b) {
  int order = (a->from > b->from) - (a->from < b->from);
  return order ? order : by_life(a, b);
}

static const compare_items orders[] = {by_alignment, by_life, by_size, by_begin};
enum { ORDERS = sizeof orders / sizeof *orders, ROUNDS = 16 };

/* Stable: items that compare equal keep the caller's order. */
static void sort(pl_packer *packer, compare_items compare) {
  for (size_t i = 0; i < packer->count; i++) {
    size_t at = i;
    for (; at && compare(&packer->items[packer->order[at - 1]], &packer->items[i]) > 0; at--)
      packer->order[at] = packer->order[at - 1];
    packer->order[at] = i;
  }
}

static bool pack_in_order(pl_packer *packer) {
  start(packer);
  for (size_t i = 0; i < packer->count; i++) {
    size_t item = packer->order[i];
    if (!packer->is_placed[item])
      place(packer, item, lowest_free(packer, item, 0));
  }
  return keep(packer);
}

/* Items that ended too high move half the way to the front. False when there is none. */
static bool prefer_losers(pl_packer *packer) {
  bool has_loser = false;
  for (size_t i = 0; i < packer->count; i++) {
    size_t item = packer->order[i];
    if (!packer->items[item].size || packer->items[item].pinned ||
        packer->offset[item] + packer->items[item].size <= packer->limit)
      continue;
    for (size_t at = i; at > i / 2; at--)
      packer->order[at] = packer->order[at - 1];
    packer->order[i / 2] = item;
    has_loser = true;
  }
  return has_loser;
}

static bool pack_greedily(pl_packer *packer) {
  for (size_t i = 0; i < ORDERS; i++) {
    sort(packer, orders[i]);
    for (int round = 0; round < ROUNDS; round++) {
      if (pack_in_order(packer))
        return true;
      if (!prefer_losers(packer))
        break;
    }
  }
  return false;
}

/* ---- the search ---- */

/* Does what is yet to place reach above the limit in some phase? No unplaced item lies lower than in `lowest`. */
static bool is_hopeless(pl_packer *packer, const uint64_t *lowest) {
  for (size_t i = 0; i < packer->count; i++) {
    if (packer->is_placed[i])
      continue;
    unsigned phase = packer->items[i].from;
    uint64_t total = 0, floor = UINT64_MAX;
    for (size_t k = 0; k < packer->count; k++) {
      const pl_pack_item *item = &packer->items[k];
      if (packer->is_placed[k] || !is_live(item, phase) || item->partner >= 0)
        continue; /* guests may lie on their partner */
      total += item->size;
      if (lowest[k] < floor)
        floor = lowest[k];
    }
    if (total && floor + total > packer->limit)
      return true;
  }
  return false;
}

/* Would changing places change nothing? */
static bool are_twins(const pl_packer *packer, size_t left, size_t right) {
  const pl_pack_item *a = &packer->items[left], *b = &packer->items[right];
  return a->size == b->size && a->align == b->align && a->from == b->from && a->to == b->to && a->partner < 0 &&
         b->partner < 0 && !a->has_guests && !b->has_guests;
}

/* Places the rest at or above `floor`. True when the search is over. */
static bool search(pl_packer *packer, uint64_t floor, uint64_t *lowest) {
  uint64_t first_end = UINT64_MAX;
  bool is_complete = true;
  for (size_t i = 0; i < packer->count; i++) {
    if (packer->is_placed[i])
      continue;
    is_complete = false;
    lowest[i] = lowest_free(packer, i, floor);
    if (lowest[i] + packer->items[i].size < first_end)
      first_end = lowest[i] + packer->items[i].size;
  }
  if (is_complete)
    return keep(packer);
  packer->work += packer->count * packer->count;
  if (packer->work > WORK_MAX)
    return true;
  if (is_hopeless(packer, lowest))
    return false;
  /* One after the other, from low to high. An item that begins where another could already end can wait for it. */
  for (uint64_t offset = floor, next; offset < first_end; offset = next) {
    next = UINT64_MAX;
    for (size_t i = 0; i < packer->count; i++) {
      if (packer->is_placed[i] || lowest[i] < offset)
        continue;
      if (lowest[i] > offset) {
        next = lowest[i] < next ? lowest[i] : next;
        continue;
      }
      bool has_twin = false;
      for (size_t k = 0; k < i && !has_twin; k++)
        has_twin = !packer->is_placed[k] && are_twins(packer, k, i);
      if (has_twin || offset + packer->items[i].size > packer->limit)
        continue;
      place(packer, i, offset);
      if (search(packer, offset, lowest + packer->count))
        return true;
      take_back(packer, i);
    }
  }
  return false;
}

bool pl_pack(pl_packer *packer, pl_pack_item *items, size_t count, uint64_t limit, pl_pack_goal goal, uint64_t *end) {
  packer->items = items;
  packer->count = count;
  packer->limit = limit;
  packer->goal = goal;
  packer->work = 0;
  pl_pack_peak(items, count, &packer->least);
  uint64_t pinned_end = 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].pinned && items[i].offset + items[i].size > pinned_end)
      pinned_end = items[i].offset + items[i].size;
  if (pinned_end > packer->least)
    packer->least = pinned_end;
  if (packer->least > limit)
    return false;
  packer->has_best = false;
  if (!pack_greedily(packer)) {
    start(packer);
    search(packer, 0, packer->lowest);
  }
  if (!packer->has_best)
    return false;
  for (size_t i = 0; i < count; i++)
    items[i].offset = packer->best[i];
  *end = end_of(packer, packer->best);
  return true;
}
