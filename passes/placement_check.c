/* placement_check.c - before the solver: what a declaration says against itself, against what every GPU can do, or
 * against another value that is fixed as well. All of it is told at once.
 */
#include "placement_parts.h"

#include <errno.h>

/* More than any SM will have for a long time; keeps all sums far from overflow. */
#define SHARED_BYTES_MAX (1u << 30)
enum { DEPTH_MAX = 1 << 16 };

static unsigned long long wide(uint64_t value) {
  return value;
}

/* ---- roles ---- */

static void check_registers(pl_place *place, const pl_placement_role *role) {
  const unsigned values[] = {role->registers_min, role->registers_preferred, role->registers_max};
  static const char *const names[] = {"min", "preferred", "max"};
  if (!values[0] && !values[1] && !values[2])
    return;
  for (size_t i = 0; i < 3; i++) {
    unsigned value = values[i], legal = value / PL_REGISTERS_STEP * PL_REGISTERS_STEP;
    if (value >= PL_REGISTERS_MIN && value <= PL_REGISTERS_MAX && value == legal)
      continue;
    legal = legal < PL_REGISTERS_MIN ? PL_REGISTERS_MIN : legal > PL_REGISTERS_MAX ? PL_REGISTERS_MAX : legal;
    pl_report(place->sink, PL_ERROR, "L-REGGRAN", "role '%s' asks for %u registers (%s)", role->name, value, names[i]);
    pl_detail_of(place->sink, role->party, "%s", pl_place_who(place, "role", role->name, role->owner));
    pl_detail(place->sink, "a warpgroup has %d to %d registers per thread, in steps of %d", PL_REGISTERS_MIN,
              PL_REGISTERS_MAX, PL_REGISTERS_STEP);
    if (legal < value && legal + PL_REGISTERS_STEP <= PL_REGISTERS_MAX)
      pl_fix(place->sink, "write %u or %u", legal, legal + PL_REGISTERS_STEP);
    else
      pl_fix(place->sink, "write %u", legal);
    return;
  }
  if (values[0] <= values[1] && values[1] <= values[2])
    return;
  pl_report(place->sink, PL_ERROR, "L-REGS", "role '%s' prefers %u registers, but wants %u to %u", role->name,
            values[1], values[0], values[2]);
  pl_detail_of(place->sink, role->party, "%s", pl_place_who(place, "role", role->name, role->owner));
  pl_fix(place->sink, "write them in ascending order: min, preferred, max");
}

static void check_role(pl_place *place, const pl_placement_role *role) {
  pl_sink *sink = place->sink;
  const char *who = pl_place_who(place, "role", role->name, role->owner);
  unsigned multiple = role->warps_multiple ? role->warps_multiple : 1,
           align = role->warps_align ? role->warps_align : 1;
  if (!role->warps_max || role->warps_min > role->warps_max ||
      role->warps_max / multiple * multiple < role->warps_min || role->warps_max < multiple) {
    pl_report(sink, PL_ERROR, "L-WARPS", "role '%s' can have no number of warps", role->name);
    pl_detail_of(sink, role->party, "%s: %u to %u warps, a multiple of %u", who, role->warps_min, role->warps_max,
                 multiple);
    pl_fix(sink, "let a multiple of %u lie between the least and the most warps", multiple);
  }
  if (role->first_warp != PL_PLACEMENT_ANY) {
    if (role->first_warp < 0 || role->first_warp + role->warps_min > PL_WARPS_MAX) {
      pl_report(sink, PL_ERROR, "L-WARPS", "role '%s' is pinned to warp %d, a CTA has warps 0 to %d", role->name,
                role->first_warp, PL_WARPS_MAX - 1);
      pl_detail_of(sink, role->party, "%s: %u warps at least", who, role->warps_min);
      pl_fix(sink, "pin it to a lower warp, or let the linker choose");
    } else if (role->first_warp % align) {
      pl_report(sink, PL_ERROR, "L-RALIGN", "role '%s' is pinned to warp %d, but must start at a multiple of %u",
                role->name, role->first_warp, align);
      pl_detail_of(sink, role->party, "%s", who);
      pl_consequence(sink, "instructions of whole warpgroups would run in parts of two of them");
      pl_fix(sink, "pin it to warp %u, or let the linker choose", role->first_warp / align * align);
    }
  }
  check_registers(place, role);
}

static void check_pinned_roles(pl_place *place) {
  for (size_t i = 0; i < place->problem->role_count; i++) {
    const pl_placement_role *a = &place->problem->roles[place->roles[i]];
    for (size_t k = i + 1; k < place->problem->role_count && a->first_warp >= 0; k++) {
      const pl_placement_role *b = &place->problem->roles[place->roles[k]];
      if (b->first_warp < 0 || a->first_warp + a->warps_min <= (unsigned)b->first_warp ||
          b->first_warp + b->warps_min <= (unsigned)a->first_warp)
        continue;
      pl_report(place->sink, PL_ERROR, "L-WARPS", "roles '%s' and '%s' are pinned to the same warps", a->name, b->name);
      for (const pl_placement_role *role = a; role; role = role == a ? b : NULL)
        pl_detail_of(place->sink, role->party, "%s: warps %d to %d",
                     pl_place_who(place, "role", role->name, role->owner), role->first_warp,
                     role->first_warp + (int)role->warps_min - 1);
      pl_fix(place->sink, "drop one of the pins");
    }
  }
}

/* ---- rings ---- */

static void check_alignment(pl_place *place, const pl_party *party, const char *who, const char *name, uint64_t align) {
  if (align && !(align & (align - 1)) && align <= SHARED_BYTES_MAX)
    return;
  pl_report(place->sink, PL_ERROR, "L-SALIGN", "'%s' has an alignment of %llu bytes, which is no power of two", name,
            wide(align));
  pl_detail_of(place->sink, party, "%s", who);
  pl_fix(place->sink, "use 16 for bulk copies, 128 for TMA tiles, 1,024 for tiles with 128-byte swizzle");
}

static void check_size(pl_place *place, const pl_party *party, const char *who, const char *name, uint64_t bytes) {
  if (bytes <= SHARED_BYTES_MAX)
    return;
  pl_report(place->sink, PL_ERROR, "L-SMEM", "'%s' has %s bytes, more than any SM", name,
            pl_place_number(place, bytes));
  pl_detail_of(place->sink, party, "%s", who);
}

static void check_life(pl_place *place, const pl_party *party, const char *who, const char *name, unsigned from,
                       unsigned to) {
  if (from <= to)
    return;
  pl_report(place->sink, PL_ERROR, "L-SMEM", "'%s' is live from phase %u to phase %u", name, from, to);
  pl_detail_of(place->sink, party, "%s", who);
  pl_fix(place->sink, "let it live from the earlier phase to the later one");
}

static void check_depth(pl_place *place, const char *who, const pl_placement_ring *ring) {
  pl_sink *sink = place->sink;
  unsigned multiple = ring->depth_multiple ? ring->depth_multiple : 1;
  unsigned least = ring->depth_min > ring->lookahead ? ring->depth_min : ring->lookahead + 1;
  if (!ring->depth_max || ring->depth_min > ring->depth_max || ring->depth_max > DEPTH_MAX ||
      ring->lookahead > DEPTH_MAX || ring->depth_max / multiple * multiple < (ring->depth_min ? ring->depth_min : 1)) {
    pl_report(sink, PL_ERROR, "L-DEPTH", "ring '%s' can have no depth", ring->name);
    pl_detail_of(sink, ring->party, "%s: %u to %u slots, a multiple of %u", who, ring->depth_min, ring->depth_max,
                 multiple);
    pl_fix(sink, "let both sides' ranges share a multiple of %u", multiple);
  } else if (ring->depth_max / multiple * multiple < least) {
    pl_report(sink, PL_ERROR, "L-DEPTH", "ring '%s' has %u slots at most, its consumer holds %u at once", ring->name,
              ring->depth_max / multiple * multiple, ring->lookahead);
    pl_detail_of(sink, ring->party, "%s: %u to %u slots, lookahead %u", who, ring->depth_min, ring->depth_max,
                 ring->lookahead);
    pl_consequence(sink, "the consumer would wait for a slot that the producer may not fill yet: a deadlock");
    pl_fix(sink, "allow %u slots, or release slots before waiting for the next",
           (ring->lookahead + multiple) / multiple * multiple);
  } else if (ring->depth != PL_PLACEMENT_ANY &&
             (ring->depth < (int)least || ring->depth > (int)ring->depth_max || (unsigned)ring->depth % multiple)) {
    pl_report(sink, PL_ERROR, "L-DEPTH", "ring '%s' is pinned to %d slots, which its contract does not allow",
              ring->name, ring->depth);
    pl_detail_of(sink, ring->party, "%s: %u to %u slots, a multiple of %u, lookahead %u", who, ring->depth_min,
                 ring->depth_max, multiple, ring->lookahead);
    pl_fix(sink, "pin it to %u to %u", (least + multiple - 1) / multiple * multiple,
           ring->depth_max / multiple * multiple);
  }
}

static void check_ring(pl_place *place, const pl_placement_ring *ring) {
  const char *who = pl_place_who(place, "ring", ring->name, ring->owner);
  check_alignment(place, ring->party, who, ring->name, ring->slot_align);
  check_size(place, ring->party, who, ring->name, ring->slot_bytes);
  check_life(place, ring->party, who, ring->name, ring->live_from, ring->live_to);
  check_depth(place, who, ring);
}

/* ---- buffers ---- */

static void check_buffer(pl_place *place, const pl_placement_buffer *buffer) {
  const char *who = pl_place_who(place, "buffer", buffer->name, buffer->owner);
  check_alignment(place, buffer->party, who, buffer->name, buffer->align);
  check_size(place, buffer->party, who, buffer->name, buffer->bytes);
  check_life(place, buffer->party, who, buffer->name, buffer->live_from, buffer->live_to);
  if (buffer->overlays_ring >= (int)place->problem->ring_count) {
    pl_report(place->sink, PL_ERROR, "L-SMEM", "buffer '%s' lies on a ring that is not there", buffer->name);
    pl_detail_of(place->sink, buffer->party, "%s", who);
  }
  if (buffer->offset == PL_PLACEMENT_ANY)
    return;
  uint64_t limit = pl_place_shared_limit(place, place->ctas_per_sm), offset = (uint64_t)buffer->offset;
  if (buffer->align && offset % buffer->align) {
    pl_report(place->sink, PL_ERROR, "L-SALIGN",
              "buffer '%s' is pinned to offset %lld, but must lie at a multiple of %s", buffer->name,
              (long long)buffer->offset, pl_place_number(place, buffer->align));
    pl_detail_of(place->sink, buffer->party, "%s: %s bytes, aligned to %s", who, pl_place_number(place, buffer->bytes),
                 pl_place_number(place, buffer->align));
    pl_consequence(place->sink, "TMA and matrix instructions would address other bytes than the stage, or fault");
    pl_fix(place->sink, "pin it to %llu, or let the linker choose", wide(offset / buffer->align * buffer->align));
  } else if (offset > limit || buffer->bytes > limit - offset) {
    pl_report(place->sink, PL_ERROR, "L-SMEM", "buffer '%s' is pinned behind the end of shared memory", buffer->name);
    pl_detail_of(place->sink, buffer->party, "%s: %s bytes at offset %lld of %s", who,
                 pl_place_number(place, buffer->bytes), (long long)buffer->offset, pl_place_number(place, limit));
    pl_fix(place->sink, "pin it to a lower offset, or let the linker choose");
  }
}

static void check_pinned_buffers(pl_place *place) {
  for (size_t i = 0; i < place->problem->buffer_count; i++) {
    const pl_placement_buffer *a = &place->problem->buffers[place->buffers[i]];
    for (size_t k = i + 1; k < place->problem->buffer_count && a->offset >= 0; k++) {
      const pl_placement_buffer *b = &place->problem->buffers[place->buffers[k]];
      if (b->offset < 0 || a->live_to < b->live_from || b->live_to < a->live_from || !a->bytes || !b->bytes ||
          (uint64_t)a->offset >= b->offset + b->bytes || (uint64_t)b->offset >= a->offset + a->bytes)
        continue;
      pl_report(place->sink, PL_ERROR, "L-SMEM", "buffers '%s' and '%s' are pinned onto each other", a->name, b->name);
      for (const pl_placement_buffer *buffer = a; buffer; buffer = buffer == a ? b : NULL)
        pl_detail_of(place->sink, buffer->party, "%s: bytes %lld to %lld, phases %u to %u",
                     pl_place_who(place, "buffer", buffer->name, buffer->owner), (long long)buffer->offset,
                     (long long)(buffer->offset + (int64_t)buffer->bytes - 1), buffer->live_from, buffer->live_to);
      pl_consequence(place->sink, "one would overwrite the other");
      pl_fix(place->sink, "drop one of the pins");
    }
  }
}

/* ---- named barriers ---- */

static void check_barrier(pl_place *place, const pl_placement_barrier *barrier) {
  if (barrier->id == PL_PLACEMENT_ANY || (barrier->id >= 1 && barrier->id <= PL_BARRIER_IDS))
    return;
  pl_report(place->sink, PL_ERROR, "L-BARID", "barrier '%s' has id %d", barrier->name, barrier->id);
  pl_detail_of(place->sink, barrier->party, "%s", pl_place_who(place, "barrier", barrier->name, barrier->owner));
  if (barrier->id == 0) {
    pl_detail(place->sink, "id 0 is the barrier of the whole CTA, which the kernel itself uses");
    pl_consequence(place->sink, "its threads would meet those of the other roles, or wait for them for ever");
  } else {
    pl_detail(place->sink, "a CTA has the ids 0 to %d", PL_BARRIER_IDS);
    pl_consequence(place->sink, "the id would be taken for another one, or fault");
  }
  pl_fix(place->sink, "declare the barrier without an id, or with one from 1 to %d", PL_BARRIER_IDS);
}

/* One diagnostic for all ids that are fixed twice: two packages often share more than one. */
static void check_fixed_barriers(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  unsigned owners[PL_BARRIER_IDS + 1] = {0}, clashes = 0;
  const char *ids = "";
  for (size_t i = 0; i < problem->barrier_count; i++)
    if (problem->barriers[i].id >= 1 && problem->barriers[i].id <= PL_BARRIER_IDS)
      owners[problem->barriers[i].id]++;
  for (int id = 1; id <= PL_BARRIER_IDS && ids; id++)
    if (owners[id] > 1)
      ids = pl_arena_printf(place->scratch, "%s%s %d", ids, clashes++ ? "," : "", id);
  if (!ids)
    place->sink->out_of_memory = true;
  if (!ids || !clashes)
    return;
  pl_report(place->sink, PL_ERROR, "L-BARID",
            clashes > 1 ? "named barriers%s are fixed twice" : "named barrier%s is fixed twice", ids);
  for (int id = 1; id <= PL_BARRIER_IDS; id++)
    for (size_t i = 0; i < problem->barrier_count; i++) {
      const pl_placement_barrier *barrier = &problem->barriers[place->barriers[i]];
      if (owners[id] > 1 && barrier->id == id)
        pl_detail_of(place->sink, barrier->party, "id %2d: %s", id,
                     pl_place_who(place, "barrier", barrier->name, barrier->owner));
    }
  pl_consequence(place->sink, "arrivals at one barrier would count for the other: a hang, or data read too early");
  pl_fix(place->sink, "let one of the owners declare its barriers without ids");
}

/* ---- tensor memory ---- */

static void check_tmem(pl_place *place, const pl_placement_tmem *tmem) {
  const char *who = pl_place_who(place, "tensor memory", tmem->name, tmem->owner);
  unsigned align = tmem->align ? tmem->align : 1;
  if (!tmem->columns) {
    pl_report(place->sink, PL_ERROR, "L-TMEM", "tensor memory '%s' has no columns", tmem->name);
    pl_detail_of(place->sink, tmem->party, "%s", who);
  } else if (tmem->column != PL_PLACEMENT_ANY && (tmem->column < 0 || (unsigned)tmem->column % align)) {
    pl_report(place->sink, PL_ERROR, "L-TMEM",
              "tensor memory '%s' is fixed at column %d, but must start at a multiple of %u", tmem->name, tmem->column,
              align);
    pl_detail_of(place->sink, tmem->party, "%s", who);
    pl_fix(place->sink, "declare it without a column");
  }
}

static void check_fixed_tmem(pl_place *place) {
  for (size_t i = 0; i < place->problem->tmem_count; i++) {
    const pl_placement_tmem *a = &place->problem->tmems[place->tmems[i]];
    for (size_t k = i + 1; k < place->problem->tmem_count && a->column >= 0; k++) {
      const pl_placement_tmem *b = &place->problem->tmems[place->tmems[k]];
      if (b->column < 0 || a->column + a->columns <= (unsigned)b->column ||
          b->column + b->columns <= (unsigned)a->column)
        continue;
      pl_report(place->sink, PL_ERROR, "L-TMEM", "tensor memory '%s' and '%s' is fixed at the same columns", a->name,
                b->name);
      for (const pl_placement_tmem *tmem = a; tmem; tmem = tmem == a ? b : NULL)
        pl_detail_of(place->sink, tmem->party, "%s: columns %d to %u",
                     pl_place_who(place, "tensor memory", tmem->name, tmem->owner), tmem->column,
                     tmem->column + tmem->columns - 1);
      pl_consequence(place->sink, "one accumulator would overwrite the other");
      pl_fix(place->sink, "let one of the owners declare its tensor memory without a column");
    }
  }
}

/* ---- the cluster ---- */

static void check_cluster(pl_place *place) {
  const pl_profile *profile = place->problem->profile;
  uint64_t ctas = 1;
  for (size_t i = 0; i < 3; i++)
    if (place->problem->cluster[i] && __builtin_mul_overflow(ctas, place->problem->cluster[i], &ctas))
      ctas = UINT64_MAX;
  unsigned most = place->problem->allow_non_portable_cluster ? profile->cluster_non_portable_max : profile->cluster_max;
  if (ctas <= most)
    return;
  const unsigned *shape = place->problem->cluster;
  pl_report(place->sink, PL_ERROR, "L-CLUSTER", "a cluster of %u x %u x %u is %llu CTAs, %s has %u at most", shape[0],
            shape[1], shape[2], wide(ctas), profile->name, most);
  pl_detail(place->sink, "asked for by %s", place->problem->cluster_owner ? place->problem->cluster_owner : "the link");
  pl_consequence(place->sink, "the launch would fail");
  if (profile->cluster_max == 1)
    pl_fix(place->sink, "link for a GPU with clusters, or take a stage without them");
  else if (ctas <= profile->cluster_non_portable_max)
    pl_fix(place->sink,
           "use a cluster of %u CTAs at most, or allow more with --allow-non-portable-cluster: not every GPU of the "
           "architecture takes them",
           most);
  else
    pl_fix(place->sink, "use a cluster of %u CTAs at most", profile->cluster_non_portable_max);
}

pl_status pl_place_check(pl_place *place) {
  const pl_placement_problem *problem = place->problem;
  size_t errors = place->sink->error_count;
  check_cluster(place);
  for (size_t i = 0; i < problem->role_count; i++)
    check_role(place, &problem->roles[place->roles[i]]);
  for (size_t i = 0; i < problem->ring_count; i++)
    check_ring(place, &problem->rings[place->rings[i]]);
  for (size_t i = 0; i < problem->buffer_count; i++)
    check_buffer(place, &problem->buffers[place->buffers[i]]);
  for (size_t i = 0; i < problem->barrier_count; i++)
    check_barrier(place, &problem->barriers[place->barriers[i]]);
  for (size_t i = 0; i < problem->tmem_count; i++)
    check_tmem(place, &problem->tmems[place->tmems[i]]);
  check_pinned_roles(place);
  check_pinned_buffers(place);
  check_fixed_barriers(place);
  check_fixed_tmem(place);
  return place->sink->error_count > errors ? -EINVAL : 0;
}
