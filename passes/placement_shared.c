/* placement_shared.c - shared memory as a list of items to pack: slots of rings, mbarriers of rings, buffers; and how
 * much there is of it.
 */
#include "placement_parts.h"

#include <errno.h>
#include <stdlib.h>

enum {
  RESERVED_BYTES = 1024,  /* of each CTA, by the system (CUDA C++ Programming Guide, technical specifications) */
  ALLOCATION_BYTES = 128, /* shared memory is handed out in these (cuda_occupancy.h, capability 8 to 12) */
  ARENA_ALIGN_MIN = 16,   /* as every dynamic shared array */
};

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

uint64_t pl_place_slot_stride(const pl_placement_ring *ring) {
  return align_up(ring->slot_bytes, ring->slot_align);
}

uint64_t pl_place_shared_limit(const pl_place *place, unsigned ctas_per_sm) {
  const pl_profile *profile = place->problem->profile;
  uint64_t limit = profile->shared_per_cta, share = profile->shared_per_sm / ctas_per_sm;
  share = share > RESERVED_BYTES ? (share - RESERVED_BYTES) / ALLOCATION_BYTES * ALLOCATION_BYTES : 0;
  if (share < limit)
    limit = share;
  if (place->problem->shared_limit && place->problem->shared_limit < limit)
    limit = place->problem->shared_limit;
  return limit;
}

void pl_place_shared_depth(const pl_place *place, pl_place_shared *shared, size_t ring, unsigned depth) {
  const pl_placement_ring *declared = &place->problem->rings[place->rings[ring]];
  /* What rounds up the last slot is nobody's. */
  shared->items[ring].size = (depth - 1) * pl_place_slot_stride(declared) + declared->slot_bytes;
  shared->items[shared->rings + ring].size = (uint64_t)depth * declared->mbarriers_per_slot * PL_MBARRIER_BYTES;
}

static int by_value(const void *left, const void *right) {
  unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
  return (a > b) - (a < b);
}

/* At least one phase, so that static variables alone are checked too. */
static void list_phases(pl_place_shared *shared) {
  for (size_t i = 0; i < shared->count; i++)
    shared->phases[i] = shared->items[i].from;
  qsort(shared->phases, shared->count, sizeof *shared->phases, by_value);
  for (size_t i = 0; i < shared->count; i++)
    if (!i || shared->phases[i] != shared->phases[i - 1])
      shared->phases[shared->phase_count++] = shared->phases[i];
  if (!shared->phase_count)
    shared->phase_count = 1;
}

pl_status pl_place_shared_create(pl_place *place, pl_place_shared *shared) {
  const pl_placement_problem *problem = place->problem;
  *shared = (pl_place_shared){
      .rings = problem->ring_count,
      .buffers = problem->buffer_count,
      .count = 2 * problem->ring_count + problem->buffer_count,
      .limit = pl_place_shared_limit(place, place->ctas_per_sm),
      .align = ARENA_ALIGN_MIN,
  };
  size_t *place_of_ring = pl_arena_array(place->scratch, shared->rings, sizeof *place_of_ring);
  shared->items = pl_arena_array(place->scratch, shared->count, sizeof *shared->items);
  shared->phases = pl_arena_array(place->scratch, shared->count + 1, sizeof *shared->phases);
  if (!place_of_ring || !shared->items || !shared->phases)
    return -ENOMEM;
  for (size_t i = 0; i < shared->rings; i++) {
    const pl_placement_ring *ring = &problem->rings[place->rings[i]];
    place_of_ring[place->rings[i]] = i;
    shared->items[i] = (pl_pack_item){
        .align = ring->slot_align, .from = ring->live_from, .to = ring->live_to, .partner = PL_PACK_ALONE};
    /* Initialised before the first phase and waited on up to the last: nothing may lie on an mbarrier. */
    shared->items[shared->rings + i] =
        (pl_pack_item){.align = PL_MBARRIER_BYTES, .from = 0, .to = UINT32_MAX, .partner = PL_PACK_ALONE};
  }
  for (size_t i = 0; i < shared->buffers; i++) {
    const pl_placement_buffer *buffer = &problem->buffers[place->buffers[i]];
    shared->items[2 * shared->rings + i] = (pl_pack_item){
        .size = buffer->bytes,
        .align = buffer->align,
        .pinned = buffer->offset != PL_PLACEMENT_ANY,
        .offset = buffer->offset != PL_PLACEMENT_ANY ? (uint64_t)buffer->offset : 0,
        .from = buffer->live_from,
        .to = buffer->live_to,
        .partner = buffer->overlays_ring < 0 ? PL_PACK_ALONE : (int)place_of_ring[buffer->overlays_ring],
    };
    if (buffer->overlays_ring >= 0)
      shared->items[place_of_ring[buffer->overlays_ring]].has_guests = true;
  }
  for (size_t i = 0; i < shared->count; i++)
    if (shared->items[i].align > shared->align)
      shared->align = shared->items[i].align;
  shared->occupied = align_up(problem->static_shared, shared->align);
  list_phases(shared);
  return 0;
}
