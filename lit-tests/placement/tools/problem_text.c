/* problem_text.c - see problem_text.h. */
#include "problem_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void problem_clear(problem_store *store) {
  memset(store, 0, sizeof *store);
  store->problem = (pl_placement_problem){
      .profile = pl_profile_find("sm_90a"),
      .ctas_per_sm = 1,
      .cluster = {1, 1, 1},
      .roles = store->roles,
      .rings = store->rings,
      .buffers = store->buffers,
      .barriers = store->barriers,
      .tmems = store->tmems,
  };
}

pl_placement_role *problem_role(problem_store *store, const char *name, const char *owner) {
  pl_placement_role *role = &store->roles[store->problem.role_count++];
  *role = (pl_placement_role){.name = name,
                              .owner = owner,
                              .warps_min = 1,
                              .warps_max = 1,
                              .warps_multiple = 1,
                              .warps_align = 1,
                              .first_warp = PL_PLACEMENT_ANY};
  return role;
}

pl_placement_ring *problem_ring(problem_store *store, const char *name, const char *owner) {
  pl_placement_ring *ring = &store->rings[store->problem.ring_count++];
  *ring = (pl_placement_ring){.name = name,
                              .owner = owner,
                              .slot_align = 16,
                              .depth_min = 1,
                              .depth_max = 1,
                              .depth_multiple = 1,
                              .depth_preferred = 64,
                              .depth = PL_PLACEMENT_ANY};
  return ring;
}

pl_placement_buffer *problem_buffer(problem_store *store, const char *name, const char *owner) {
  pl_placement_buffer *buffer = &store->buffers[store->problem.buffer_count++];
  *buffer =
      (pl_placement_buffer){.name = name, .owner = owner, .align = 16, .overlays_ring = -1, .offset = PL_PLACEMENT_ANY};
  return buffer;
}

pl_placement_barrier *problem_barrier(problem_store *store, const char *name, const char *owner) {
  pl_placement_barrier *barrier = &store->barriers[store->problem.barrier_count++];
  *barrier = (pl_placement_barrier){.name = name, .owner = owner, .id = PL_PLACEMENT_ANY};
  return barrier;
}

pl_placement_tmem *problem_tmem(problem_store *store, const char *name, const char *owner) {
  pl_placement_tmem *tmem = &store->tmems[store->problem.tmem_count++];
  *tmem = (pl_placement_tmem){.name = name, .owner = owner, .columns = 32, .align = 32, .column = PL_PLACEMENT_ANY};
  return tmem;
}

/* The value of `key` among "key=value" words; NULL when it is not there. */
static const char *value_of(char *const *words, size_t count, const char *key) {
  size_t length = strlen(key);
  for (size_t i = 0; i < count; i++)
    if (!strncmp(words[i], key, length) && words[i][length] == '=')
      return words[i] + length + 1;
  return NULL;
}

static void set_number(char *const *words, size_t count, const char *key, unsigned *number) {
  const char *value = value_of(words, count, key);
  if (value)
    *number = (unsigned)strtoul(value, NULL, 0);
}

static void set_bytes(char *const *words, size_t count, const char *key, uint64_t *bytes) {
  const char *value = value_of(words, count, key);
  if (value)
    *bytes = strtoull(value, NULL, 0);
}

static void set_pin(char *const *words, size_t count, const char *key, int *pin) {
  const char *value = value_of(words, count, key);
  if (value)
    *pin = (int)strtol(value, NULL, 0);
}

/* "2..8", or "4" for 4..4 */
static void set_range(char *const *words, size_t count, const char *key, unsigned *from, unsigned *to) {
  const char *value = value_of(words, count, key);
  char *end;
  if (!value)
    return;
  *from = *to = (unsigned)strtoul(value, &end, 0);
  if (!strncmp(end, "..", 2))
    *to = (unsigned)strtoul(end + 2, NULL, 0);
}

static void read_role(problem_store *store, char *const *words, size_t count, const char *name, const char *owner) {
  pl_placement_role *role = problem_role(store, name, owner);
  const char *registers = value_of(words, count, "registers");
  set_range(words, count, "warps", &role->warps_min, &role->warps_max);
  set_number(words, count, "multiple", &role->warps_multiple);
  set_number(words, count, "align", &role->warps_align);
  set_pin(words, count, "first", &role->first_warp);
  if (registers)
    sscanf(registers, "%u,%u,%u", &role->registers_min, &role->registers_preferred, &role->registers_max);
}

static void read_ring(problem_store *store, char *const *words, size_t count, const char *name, const char *owner) {
  pl_placement_ring *ring = problem_ring(store, name, owner);
  set_bytes(words, count, "slot", &ring->slot_bytes);
  set_bytes(words, count, "align", &ring->slot_align);
  set_range(words, count, "depth", &ring->depth_min, &ring->depth_max);
  set_number(words, count, "preferred", &ring->depth_preferred);
  set_number(words, count, "multiple", &ring->depth_multiple);
  set_number(words, count, "priority", &ring->priority);
  set_number(words, count, "lookahead", &ring->lookahead);
  set_number(words, count, "mbarriers", &ring->mbarriers_per_slot);
  set_number(words, count, "barriers", &ring->barriers_per_slot);
  set_range(words, count, "live", &ring->live_from, &ring->live_to);
  set_pin(words, count, "pin", &ring->depth);
}

static bool read_buffer(problem_store *store, char *const *words, size_t count, const char *name, const char *owner) {
  pl_placement_buffer *buffer = problem_buffer(store, name, owner);
  const char *ring = value_of(words, count, "on"), *offset = value_of(words, count, "offset");
  set_bytes(words, count, "bytes", &buffer->bytes);
  set_bytes(words, count, "align", &buffer->align);
  set_range(words, count, "live", &buffer->live_from, &buffer->live_to);
  if (offset)
    buffer->offset = strtoll(offset, NULL, 0);
  for (size_t i = 0; ring && i < store->problem.ring_count; i++)
    if (!strcmp(store->rings[i].name, ring))
      buffer->overlays_ring = (int)i;
  return !ring || buffer->overlays_ring >= 0;
}

static void read_tmem(problem_store *store, char *const *words, size_t count, const char *name, const char *owner) {
  pl_placement_tmem *tmem = problem_tmem(store, name, owner);
  set_number(words, count, "columns", &tmem->columns);
  set_number(words, count, "align", &tmem->align);
  set_pin(words, count, "column", &tmem->column);
}

static bool read_line(problem_store *store, char *line) {
  enum { WORDS_MAX = 24 };
  char *words[WORDS_MAX], *comment = strchr(line, '#'), *owner = strchr(line, '|'), *state;
  size_t count = 0;
  if (comment)
    *comment = 0;
  if (owner) {
    *owner = 0;
    owner += 1 + strspn(owner + 1, " ");
  }
  for (char *word = strtok_r(line, " \t", &state); word && count < WORDS_MAX; word = strtok_r(NULL, " \t", &state))
    words[count++] = word;
  if (!count)
    return true;
  if (count < 2)
    return false;
  const char *kind = words[0], *name = words[1], *of = owner ? owner : "org.test";
  pl_placement_problem *problem = &store->problem;
  if (!strcmp(kind, "profile"))
    return (problem->profile = pl_profile_find(name)) != NULL;
  if (!strcmp(kind, "shared"))
    problem->shared_limit = strtoull(name, NULL, 0);
  else if (!strcmp(kind, "static"))
    problem->static_shared = strtoull(name, NULL, 0);
  else if (!strcmp(kind, "ctas"))
    problem->ctas_per_sm = (unsigned)strtoul(name, NULL, 0);
  else if (!strcmp(kind, "cluster")) {
    problem->cluster_owner = of;
    return sscanf(name, "%ux%ux%u", &problem->cluster[0], &problem->cluster[1], &problem->cluster[2]) == 3;
  } else if (!strcmp(kind, "role"))
    read_role(store, words, count, name, of);
  else if (!strcmp(kind, "ring"))
    read_ring(store, words, count, name, of);
  else if (!strcmp(kind, "buffer"))
    return read_buffer(store, words, count, name, of);
  else if (!strcmp(kind, "barrier"))
    set_pin(words, count, "id", &problem_barrier(store, name, of)->id);
  else if (!strcmp(kind, "tmem"))
    read_tmem(store, words, count, name, of);
  else
    return false;
  return true;
}

bool problem_read(problem_store *store, char *text) {
  char *state;
  unsigned number = 0;
  problem_clear(store);
  for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
    number++;
    if (!read_line(store, line)) {
      fprintf(stderr, "declaration %u: not understood: %s\n", number, line);
      return false;
    }
  }
  return true;
}
