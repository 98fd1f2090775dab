/* random_problem.c - see random_problem.h. */
#include "random_problem.h"

unsigned random_between(random_source *source, unsigned low, unsigned high) {
  source->state = source->state * 6364136223846793005u + 1442695040888963407u;
  return low + (unsigned)((source->state >> 33) % (high - low + 1));
}

static bool one_in(random_source *source, unsigned count) {
  return random_between(source, 1, count) == 1;
}

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
static const char *const buffer_names[] = {"A", "B", "C", "D", "E", "F", "G", "H",
                                           "I", "J", "K", "L", "M", "N", "O", "P"};

static void add_role(random_source *source, problem_store *store, size_t index) {
  static const unsigned aligns[] = {1, 1, 1, 1, 4, 4, 4, 2, 3, 8};
  pl_placement_role *role = problem_role(store, names[index], "org.random");
  role->warps_align = aligns[random_between(source, 0, 9)];
  role->warps_min = random_between(source, 1, 5);
  if (one_in(source, 3)) {
    role->warps_multiple = random_between(source, 1, 3);
    role->warps_max = role->warps_min + random_between(source, role->warps_multiple, 4);
  } else {
    role->warps_max = role->warps_min;
  }
  if (!one_in(source, 3)) {
    role->registers_min = 8 * random_between(source, 3, 20);
    role->registers_max = role->registers_min + 8 * random_between(source, 0, 3);
    role->registers_max = role->registers_max > 256 ? 256 : role->registers_max;
    role->registers_preferred =
        role->registers_min + 8 * random_between(source, 0, (role->registers_max - role->registers_min) / 8);
  }
  if (one_in(source, 6))
    role->first_warp = (int)(random_between(source, 0, 9) / role->warps_align * role->warps_align);
}

static void add_ring(random_source *source, problem_store *store, size_t index) {
  pl_placement_ring *ring = problem_ring(store, names[index], "org.random");
  ring->slot_align = 8u << random_between(source, 0, 3);
  ring->slot_bytes = 8 * random_between(source, 1, 5);
  ring->depth_multiple = one_in(source, 4) ? 2 : 1;
  ring->depth_min = ring->depth_multiple * random_between(source, 1, 2);
  ring->depth_max = ring->depth_min + random_between(source, 0, 4);
  ring->depth_preferred = random_between(source, 1, 6);
  ring->priority = random_between(source, 0, 1);
  ring->lookahead = one_in(source, 3)
                        ? random_between(source, 0, ring->depth_max / ring->depth_multiple * ring->depth_multiple - 1)
                        : 0;
  if (one_in(source, 4))
    ring->barriers_per_slot = random_between(source, 1, 2);
  else
    ring->mbarriers_per_slot = random_between(source, 1, 2);
  ring->live_from = random_between(source, 0, 2);
  ring->live_to = random_between(source, ring->live_from, 2);
  if (one_in(source, 6) && ring->depth_min > ring->lookahead)
    ring->depth = (int)ring->depth_min;
}

static void add_buffer(random_source *source, problem_store *store, size_t index) {
  pl_placement_buffer *buffer = problem_buffer(store, names[index], "org.random");
  buffer->align = 8u << random_between(source, 0, 3);
  buffer->bytes = 8 * random_between(source, 0, 8);
  buffer->live_from = random_between(source, 0, 2);
  buffer->live_to = random_between(source, buffer->live_from, 2);
  if (store->problem.ring_count && one_in(source, 3))
    buffer->overlays_ring = (int)random_between(source, 0, (unsigned)store->problem.ring_count - 1);
  if (index == 0 && buffer->bytes && one_in(source, 5)) /* one pin at most, so that pins don't meet */
    buffer->offset = (int64_t)(buffer->align * random_between(source, 0, 2));
}

void random_small_problem(random_source *source, problem_store *store, pl_profile *profile) {
  problem_clear(store);
  *profile = *pl_profile_find("sm_100a");
  profile->threads_per_cta = 128 * random_between(source, 3, 4);
  profile->warps_per_sm = 16;
  profile->registers_per_sm = 4096 * random_between(source, 8, 16);
  profile->shared_per_cta = 8 * random_between(source, 24, 52);
  profile->shared_per_sm = 2 * profile->shared_per_cta + 2048;
  profile->tmem_columns = 128u << random_between(source, 0, 2);
  store->problem.profile = profile;
  store->problem.ctas_per_sm = one_in(source, 5) ? 2 : 1;
  store->problem.static_shared = one_in(source, 5) ? random_between(source, 1, 40) : 0;
  store->problem.shared_limit = one_in(source, 8) ? 8 * random_between(source, 8, 40) : 0;
  unsigned roles = random_between(source, 1, 4), rings = random_between(source, 0, 2);
  unsigned buffers = random_between(source, 0, 3), barriers = random_between(source, 0, 9);
  unsigned tmems = random_between(source, 0, 3);
  for (size_t i = 0; i < roles; i++)
    add_role(source, store, i);
  for (size_t i = 0; i < rings; i++)
    add_ring(source, store, i);
  for (size_t i = 0; i < buffers; i++)
    add_buffer(source, store, i);
  for (size_t i = 0; i < barriers && i < 8; i++) {
    pl_placement_barrier *barrier = problem_barrier(store, names[i], "org.random");
    if (one_in(source, 3)) /* none twice */
      barrier->id = (int)(2 * i + random_between(source, 0, 1)) % 15 + 1;
  }
  for (size_t i = 0; i < tmems; i++) {
    pl_placement_tmem *tmem = problem_tmem(store, names[i], "org.random");
    tmem->columns = 16 * random_between(source, 1, 6);
    tmem->align = 16u << random_between(source, 0, 2);
    if (i == 0 && one_in(source, 4))
      tmem->column = (int)(tmem->align * random_between(source, 0, 2));
  }
}

/* ---- problems of real size ---- */

void random_real_problem(random_source *source, problem_store *store) {
  static const char *const profiles[] = {"sm_90a", "sm_100a", "sm_120a"};
  problem_clear(store);
  store->problem.profile = pl_profile_find(profiles[random_between(source, 0, 2)]);
  uint64_t unit = store->problem.profile->shared_per_cta / 96 / 512 * 512; /* a tile of a small stage */
  unsigned rings = random_between(source, 2, 8), buffers = random_between(source, 2, 16);
  for (unsigned i = 0; i < rings; i++) {
    pl_placement_ring *ring = problem_ring(store, names[i], "org.random");
    ring->slot_align = one_in(source, 3) ? 128 : 1024;
    ring->slot_bytes = (unit * random_between(source, 1, 12) + 1023) / 1024 * 1024;
    ring->depth_min = random_between(source, 1, 2);
    ring->depth_max = random_between(source, 3, 16);
    ring->depth_preferred = random_between(source, 2, 12);
    ring->depth_multiple = one_in(source, 5) ? 2 : 1;
    ring->priority = random_between(source, 0, 2);
    ring->mbarriers_per_slot = 2;
    ring->live_from = random_between(source, 0, 1);
    ring->live_to = random_between(source, 1, 3);
    if (one_in(source, 6)) {
      ring->barriers_per_slot = 1;
      ring->mbarriers_per_slot = 0;
    }
  }
  for (unsigned i = 0; i < buffers; i++) {
    pl_placement_buffer *buffer = problem_buffer(store, buffer_names[i], "org.random");
    buffer->align = one_in(source, 2) ? 128 : 1024;
    buffer->bytes = 128 * random_between(source, 1, (unsigned)(2 * unit / 128));
    buffer->live_from = random_between(source, 0, 3);
    buffer->live_to = random_between(source, buffer->live_from, 3);
    if (one_in(source, 4))
      buffer->overlays_ring = (int)random_between(source, 0, rings - 1);
  }
  unsigned roles = random_between(source, 3, 8);
  for (unsigned i = 0; i < roles; i++) {
    pl_placement_role *role = problem_role(store, names[i], "org.random");
    if (i < 2) {
      role->warps_min = role->warps_max = 4;
      role->warps_align = 4;
      role->registers_min = 96;
      role->registers_preferred = 8 * random_between(source, 20, 30);
      role->registers_max = 240;
    } else {
      role->registers_min = 24;
      role->registers_preferred = 8 * random_between(source, 3, 6);
      role->registers_max = 64;
    }
  }
  unsigned barriers = random_between(source, 0, 8);
  for (unsigned i = 0; i < barriers && i < 8; i++)
    problem_barrier(store, names[i], "org.random")->id = one_in(source, 3) ? (int)i + 1 : PL_PLACEMENT_ANY;
}
