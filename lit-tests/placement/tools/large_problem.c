/* large_problem.c - see large_problem.h. */
#include "large_problem.h"

#include <stdio.h>

enum { NAME_BYTES = 24 };

static const char *name_of(const char *kind, unsigned index) {
  static char names[5 * PROBLEM_MAX][NAME_BYTES];
  static unsigned count;
  char *name = names[count++ % (5 * PROBLEM_MAX)];
  snprintf(name, NAME_BYTES, "%s%u", kind, index);
  return name;
}

static void add_roles(problem_store *store, unsigned count) {
  unsigned warpgroups = count < 24 ? 4 : 2;
  for (unsigned i = 0; i < count; i++) {
    pl_placement_role *role = problem_role(store, name_of("role", i), "org.large.roles 1.0.0");
    if (i % 3 == 0 && i / 3 < warpgroups) {
      role->warps_min = role->warps_max = 4;
      role->warps_align = 4;
      role->registers_min = 96;
      role->registers_preferred = 144 + 8 * (i % 2);
      role->registers_max = 240;
    } else {
      role->warps_max = i % 4 == 1 ? 2 : 1;
      role->registers_min = 24 + 8 * (i % 2);
      role->registers_preferred = 40;
      role->registers_max = 64;
    }
  }
}

static void add_rings(problem_store *store, unsigned count, uint64_t bytes) {
  static const unsigned weights[] = {8, 4, 6, 1, 3, 8, 2, 1};
  unsigned weight = 0;
  for (unsigned i = 0; i < count; i++)
    weight += weights[i % 8];
  for (unsigned i = 0; i < count; i++) {
    pl_placement_ring *ring = problem_ring(store, name_of("ring", i), "org.large.rings 1.0.0");
    /* As much as is there at a depth of two and a half; whole swizzle atoms where tiles are that large. */
    uint64_t slot = bytes * 2 / 5 * weights[i % 8] / weight;
    ring->slot_align = slot >= 1024 ? 1024 : 128;
    ring->slot_bytes = slot / ring->slot_align * ring->slot_align;
    ring->slot_bytes = ring->slot_bytes ? ring->slot_bytes : 128;
    ring->depth_min = 1 + i % 2;
    ring->depth_max = 8 + i % 5;
    ring->depth_preferred = 4 + i % 4;
    ring->priority = 3 - i % 4;
    ring->lookahead = i % 3 == 0;
    ring->mbarriers_per_slot = 2;
    ring->live_from = i % 4 == 3 ? 1 : 0;
    ring->live_to = i % 4 == 2 ? 2 : 3;
  }
}

static void add_buffers(problem_store *store, unsigned count, unsigned rings, uint64_t bytes) {
  static const uint64_t aligns[] = {1024, 128, 16, 128, 512};
  for (unsigned i = 0; i < count; i++) {
    pl_placement_buffer *buffer = problem_buffer(store, name_of("buffer", i), "org.large.buffers 1.0.0");
    uint64_t size = bytes * (1 + i % 5) / (2 * count);
    buffer->align = aligns[i % 5];
    buffer->bytes = size / 16 * 16 + 16;
    buffer->live_from = i % 4;
    buffer->live_to = buffer->live_from + i % (4 - buffer->live_from);
    if (i % 7 == 6)
      buffer->overlays_ring = (int)(i % rings);
  }
}

void large_problem(problem_store *store, large_size size) {
  enum { RING_BYTES = 160 * 1024, BUFFER_BYTES = 48 * 1024 };
  problem_clear(store);
  store->problem.profile = pl_profile_find("sm_100a");
  add_roles(store, size.roles);
  add_rings(store, size.rings, RING_BYTES);
  add_buffers(store, size.buffers, size.rings, BUFFER_BYTES);
  for (unsigned i = 0; i < size.barriers; i++) {
    pl_placement_barrier *barrier = problem_barrier(store, name_of("barrier", i), "org.large.barriers 1.0.0");
    barrier->id = i % 3 == 0 ? (int)i + 1 : PL_PLACEMENT_ANY;
  }
  for (unsigned i = 0; i < 3; i++) {
    pl_placement_tmem *tmem = problem_tmem(store, name_of("tmem", i), "org.large.tmem 1.0.0");
    tmem->columns = 64 + 64 * (i % 2);
  }
}
