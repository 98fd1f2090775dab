/* validate.c - see validate.h. Every rule is one line of docs/placement.md. */
#include "validate.h"

#include <string.h>

static const char *check_warps(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  int owner[64];
  memset(owner, -1, sizeof owner);
  if (solution->threads > problem->profile->threads_per_cta)
    return "too many threads in the CTA";
  if (solution->threads / 32 * problem->ctas_per_sm > problem->profile->warps_per_sm)
    return "too many warps on the SM";
  for (size_t i = 0; i < problem->role_count; i++) {
    const pl_placement_role *role = &problem->roles[i];
    unsigned first = solution->first_warp[i], warps = solution->warps[i];
    if (warps < role->warps_min || warps > role->warps_max || warps % role->warps_multiple)
      return "a role has a wrong number of warps";
    if (first % role->warps_align)
      return "a role starts at a wrong warp";
    if (role->first_warp >= 0 && first != (unsigned)role->first_warp)
      return "a role is not where it is pinned";
    if ((first + warps) * 32 > solution->threads)
      return "a role is outside the CTA";
    for (unsigned warp = first; warp < first + warps; warp++) {
      if (owner[warp] >= 0)
        return "two roles have the same warp";
      owner[warp] = (int)i;
    }
  }
  return NULL;
}

static const char *check_registers(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  bool has_wishes = false;
  unsigned warpgroups = (solution->threads + 127) / 128;
  for (size_t i = 0; i < problem->role_count; i++)
    has_wishes |= problem->roles[i].registers_max > 0;
  unsigned launch = warpgroups ? problem->profile->registers_per_sm / (128 * warpgroups * problem->ctas_per_sm) : 256;
  launch = (launch < 256 ? launch : 256) / 8 * 8;
  if (solution->launch_registers != launch)
    return "wrong registers at launch";
  if (has_wishes && solution->threads % 128)
    return "registers for a part of a warpgroup";
  uint64_t used = 0;
  for (unsigned group = 0; group < warpgroups; group++) {
    unsigned budget = solution->warpgroup_registers[group];
    if (budget && (!has_wishes || budget % 8 || budget < 24 || budget > 256))
      return "a warpgroup has registers that setmaxnreg does not know";
    used += 128ull * (budget ? budget : launch);
  }
  if (has_wishes && used > 128ull * warpgroups * launch)
    return "more registers than the pool";
  for (size_t i = 0; i < problem->role_count; i++) {
    const pl_placement_role *role = &problem->roles[i];
    for (unsigned k = 0; k < solution->warps[i]; k++)
      if (solution->warpgroup_registers[(solution->first_warp[i] + k) / 4] != solution->registers[i])
        return "a role's registers are not those of its warpgroups";
    if (role->registers_max &&
        (solution->registers[i] < role->registers_min || solution->registers[i] > role->registers_max))
      return "a role has too few or too many registers";
  }
  return NULL;
}

struct extent {
  uint64_t begin, end, align;
  unsigned from, to;
  int ring, guest_of; /* index of the ring it is or lies on; -1 */
};

static const char *check_shared(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  static struct extent extents[1024];
  size_t count = 0;
  uint64_t limit = problem->profile->shared_per_cta, align = solution->shared_align;
  uint64_t share = (problem->profile->shared_per_sm / problem->ctas_per_sm - 1024) / 128 * 128;
  if (problem->shared_limit && problem->shared_limit < limit)
    limit = problem->shared_limit;
  limit = share < limit ? share : limit;
  for (size_t i = 0; i < problem->ring_count; i++) {
    const pl_placement_ring *ring = &problem->rings[i];
    unsigned depth = solution->depth[i];
    uint64_t slots = solution->slot_offset[i], stride = solution->slot_stride[i];
    if (depth < ring->depth_min || depth > ring->depth_max || depth % ring->depth_multiple || depth <= ring->lookahead)
      return "a ring has a wrong depth";
    if (ring->depth >= 0 && depth != (unsigned)ring->depth)
      return "a ring is not as deep as it is pinned";
    if (stride < ring->slot_bytes || stride % ring->slot_align)
      return "a ring has a wrong stride";
    if (ring->slot_bytes)
      extents[count++] = (struct extent){slots,
                                         slots + (depth - 1) * stride + ring->slot_bytes,
                                         ring->slot_align,
                                         ring->live_from,
                                         ring->live_to,
                                         (int)i,
                                         -1};
    if (ring->mbarriers_per_slot)
      extents[count++] = (struct extent){solution->mbarrier_offset[i],
                                         solution->mbarrier_offset[i] + 8ull * depth * ring->mbarriers_per_slot,
                                         8,
                                         0,
                                         UINT32_MAX,
                                         -1,
                                         -1};
  }
  for (size_t i = 0; i < problem->buffer_count; i++) {
    const pl_placement_buffer *buffer = &problem->buffers[i];
    uint64_t offset = solution->buffer_offset[i];
    if (buffer->offset >= 0 && offset != (uint64_t)buffer->offset)
      return "a buffer is not where it is pinned";
    if (buffer->bytes)
      extents[count++] = (struct extent){
          offset, offset + buffer->bytes, buffer->align, buffer->live_from, buffer->live_to, -1, buffer->overlays_ring};
  }
  for (size_t i = 0; i < count; i++) {
    const struct extent *a = &extents[i];
    if (a->begin % a->align || align % a->align)
      return "something in shared memory is not aligned";
    if (a->end > solution->shared_bytes)
      return "something in shared memory lies outside the arena";
    for (size_t k = i + 1; k < count; k++) {
      const struct extent *b = &extents[k];
      bool is_guest = (a->guest_of >= 0 && a->guest_of == b->ring) || (b->guest_of >= 0 && b->guest_of == a->ring);
      if (!is_guest && a->begin < b->end && b->begin < a->end && a->from <= b->to && b->from <= a->to)
        return "two things live on the same bytes";
    }
  }
  if ((problem->static_shared + align - 1) / align * align + solution->shared_bytes > limit)
    return "more shared memory than there is";
  return NULL;
}

static const char *check_ids(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  bool is_taken[16] = {true};
  for (size_t i = 0; i < problem->barrier_count; i++) {
    unsigned id = solution->barrier_id[i];
    if (id > 15 || is_taken[id])
      return "a barrier has an id that is not free";
    if (problem->barriers[i].id >= 0 && id != (unsigned)problem->barriers[i].id)
      return "a barrier has not the id it is fixed to";
    is_taken[id] = true;
  }
  for (size_t i = 0; i < problem->ring_count; i++) {
    unsigned ids = solution->depth[i] * problem->rings[i].barriers_per_slot, first = solution->ring_barrier_id[i];
    if (!ids != !first)
      return "a ring has barriers it does not want, or none";
    for (unsigned id = first; id < first + ids; id++) {
      if (id > 15 || is_taken[id])
        return "a ring has a barrier that is not free";
      is_taken[id] = true;
    }
  }
  return NULL;
}

static const char *check_tmem(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  unsigned columns = solution->tmem_columns;
  if (!problem->tmem_count)
    return columns ? "tensor memory for nobody" : NULL;
  if (columns < 32 || (columns & (columns - 1)) || columns * problem->ctas_per_sm > problem->profile->tmem_columns)
    return "a wrong number of columns";
  for (size_t i = 0; i < problem->tmem_count; i++) {
    const pl_placement_tmem *a = &problem->tmems[i];
    unsigned column = solution->tmem_column[i];
    if (column % a->align || column + a->columns > columns || (a->column >= 0 && column != (unsigned)a->column))
      return "tensor memory at a wrong column";
    for (size_t k = i + 1; k < problem->tmem_count; k++)
      if (column < solution->tmem_column[k] + problem->tmems[k].columns &&
          solution->tmem_column[k] < column + a->columns)
        return "the same columns twice";
  }
  return NULL;
}

const char *broken_rule(const pl_placement_problem *problem, const pl_placement_solution *solution) {
  static const char *(*const checks[])(const pl_placement_problem *, const pl_placement_solution *) = {
      check_warps, check_registers, check_shared, check_ids, check_tmem};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    const char *broken = checks[i](problem, solution);
    if (broken)
      return broken;
  }
  return NULL;
}
