/* solve.c - fourth phase: gives every role its warps, every ring its depth, every resource its place.
 *
 * Writes the contracts down as a placement problem (placement.h), lets it be solved, and takes the answer back into the
 * link. Params structs are laid out here: they compete with nothing.
 */
#include "link.h"

#include "placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* PTX ISA 9.0, kernel parameters: 32,764 bytes from sm_70 on. */
#define PARAMETER_BYTES_MAX 32764

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/* ---- pins ---- */

/* What follows `part` and a dot at the start of `name`, or NULL. */
static const char *after(const char *name, const char *part) {
  size_t length = strlen(part);
  return name && !strncmp(name, part, length) && name[length] == '.' ? name + length + 1 : NULL;
}

/* "INSTANCE.RESOURCE.PROPERTY", or "RESOURCE.PROPERTY" where that is unique enough for the user. */
static int64_t pinned(pl_link *link, size_t instance, const char *resource, const char *property) {
  for (size_t i = 0; i < link->script.pin_count; i++) {
    pl_pin *pin = &link->script.pins[i];
    const char *rest = after(after(pin->name, link->instances[instance].name), resource);
    if (!rest)
      rest = after(pin->name, resource);
    if (rest && !strcmp(rest, property)) {
      pin->used = true;
      return pin->value > INT32_MAX ? INT32_MAX : (int64_t)pin->value;
    }
  }
  return PL_PLACEMENT_ANY;
}

/* ---- the problem ---- */

static const char *label(pl_link *link, size_t instance, const char *name) {
  return pl_arena_printf(link->arena, "%s.%s", link->instances[instance].name, name);
}

/* Whose declaration it is, for diagnostics; NULL when out of memory, which says less. */
static const pl_party *party(const pl_link *link, size_t instance, pl_location location) {
  pl_party *copy = pl_arena_alloc(link->arena, sizeof *copy);
  if (copy)
    *copy = pl_link_party(link, NULL, instance, location);
  return copy;
}

static pl_status describe_roles(pl_link *link, pl_placement_problem *problem) {
  size_t count = 0, next = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    count += link->instances[i].contract->role_count;
  pl_placement_role *roles = pl_arena_array(link->arena, count, sizeof *roles);
  link->roles = pl_arena_array(link->arena, count, sizeof *link->roles);
  if (!roles || !link->roles)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++, next++) {
      const pl_role *role = &link->instances[i].contract->roles[k];
      roles[next] = (pl_placement_role){
          .name = label(link, i, role->name),
          .owner = pl_where(link, i, role->location),
          .party = party(link, i, role->location),
          .warps_min = role->warps_min,
          .warps_max = role->warps_max,
          .warps_multiple = role->warps_multiple,
          /* wgmma, setmaxnreg and the lane quadrants of tensor memory need whole warpgroups to start at one. */
          .warps_align =
              role->warps_min % 4 == 0 && (role->warps_min == role->warps_max || role->warps_multiple % 4 == 0) ? 4 : 1,
          .registers_min = role->registers[0],
          .registers_preferred = role->registers[1],
          .registers_max = role->registers[2],
          .first_warp = (int)pinned(link, i, role->name, "first_warp"),
      };
      link->roles[next] = (pl_placed_role){.instance = i, .role = role};
      if (role->cluster[0] && !problem->cluster_owner)
        problem->cluster_owner = pl_arena_printf(link->arena, "role '%s' of %s", role->name, roles[next].owner);
    }
  }
  problem->roles = roles;
  problem->role_count = link->role_count = count;
  return 0;
}

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned smaller(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Both sides' wishes in one. */
static pl_status describe_rings(pl_link *link, pl_placement_problem *problem) {
  pl_placement_ring *rings = pl_arena_array(link->arena, link->ring_count, sizeof *rings);
  if (!rings)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *joined = &link->rings[i];
    const pl_ring *produced = joined->producer.ring;
    bool named = produced->protocol == PL_RING_NAMED;
    pl_placement_ring ring = {
        .name = joined->name,
        .slot_bytes = produced->slot_bytes,
        .slot_align = produced->slot_align,
        .depth_min = produced->depth_min,
        .depth_max = produced->depth_max,
        .depth_multiple = produced->depth_multiple,
        .depth_preferred = produced->depth_preferred,
        .priority = produced->priority,
        .lookahead = produced->lookahead,
        .mbarriers_per_slot = named ? 0 : 2,
        .barriers_per_slot = named ? 2 : 0,
        .live_from = produced->live.from,
        .live_to = produced->live.to,
        .depth = (int)pinned(link, joined->producer.instance, joined->name, "depth"),
    };
    const char *owner = pl_where(link, joined->producer.instance, produced->location);
    for (size_t k = 0; k < joined->consumer_count && owner; k++) {
      const pl_ring *consumed = joined->consumers[k].ring;
      ring.depth_min = larger(ring.depth_min, consumed->depth_min);
      ring.depth_max = smaller(ring.depth_max, consumed->depth_max);
      ring.depth_preferred = smaller(ring.depth_preferred, consumed->depth_preferred);
      ring.depth_multiple = larger(ring.depth_multiple, consumed->depth_multiple);
      ring.priority = larger(ring.priority, consumed->priority);
      ring.lookahead = larger(ring.lookahead, consumed->lookahead);
      ring.live_from = smaller(ring.live_from, consumed->live.from);
      ring.live_to = larger(ring.live_to, consumed->live.to);
      owner = pl_arena_printf(link->arena, "%s, with %s", owner,
                              pl_where(link, joined->consumers[k].instance, consumed->location));
      if (ring.depth == PL_PLACEMENT_ANY)
        ring.depth = (int)pinned(link, joined->consumers[k].instance, consumed->name, "depth");
    }
    ring.depth_preferred = larger(ring.depth_preferred, ring.depth_min);
    ring.owner = owner;
    ring.party = party(link, joined->producer.instance, produced->location);
    rings[i] = ring;
  }
  problem->rings = rings;
  problem->ring_count = link->ring_count;
  return 0;
}

static void describe_array(pl_link *link, pl_placed_shared array, pl_placement_buffer *buffer) {
  *buffer = (pl_placement_buffer){.name = label(link, array.instance, array.shared->name),
                                  .owner = pl_where(link, array.instance, array.shared->location),
                                  .party = party(link, array.instance, array.shared->location),
                                  .bytes = array.shared->bytes,
                                  .align = array.shared->align,
                                  .live_to = PL_PHASE_MOST,
                                  .overlays_ring = -1,
                                  .offset = pinned(link, array.instance, array.shared->name, "offset")};
  link->shareds[link->shared_count++] = array;
}

/* Buffers, the arrays that stages address themselves, and one word for the address of tensor memory. */
static pl_status describe_buffers(pl_link *link, pl_placement_problem *problem) {
  size_t shared_count = link->static_count, next = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    shared_count += link->instances[i].contract->shared_count;
  pl_placement_buffer *buffers = pl_arena_array(link->arena, link->buffer_count + shared_count + 1, sizeof *buffers);
  link->shareds = pl_arena_array(link->arena, shared_count, sizeof *link->shareds);
  if (!buffers || !link->shareds)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->buffer_count; i++, next++) {
    const pl_smem_buffer *buffer = link->buffers[i].buffer;
    size_t instance = link->buffers[i].instance;
    buffers[next] = (pl_placement_buffer){.name = label(link, instance, buffer->name),
                                          .owner = pl_where(link, instance, buffer->location),
                                          .party = party(link, instance, buffer->location),
                                          .bytes = buffer->bytes,
                                          .align = buffer->align,
                                          .live_from = buffer->live.from,
                                          .live_to = buffer->live.to,
                                          .overlays_ring = pl_ring_index(link, instance, buffer->overlay),
                                          .offset = pinned(link, instance, buffer->name, "offset")};
  }
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->shared_count; k++)
      describe_array(link, (pl_placed_shared){i, &link->instances[i].contract->shareds[k], 0}, &buffers[next++]);
  for (size_t i = 0; i < link->static_count; i++)
    describe_array(link, link->statics[i], &buffers[next++]);
  if (link->tmem_count)
    buffers[next++] = (pl_placement_buffer){.name = "address of tensor memory",
                                            .owner = "the linker",
                                            .bytes = 4,
                                            .align = 4,
                                            .live_to = PL_PHASE_MOST,
                                            .overlays_ring = -1,
                                            .offset = PL_PLACEMENT_ANY};
  problem->buffers = buffers;
  problem->buffer_count = next;
  return 0;
}

static pl_status describe_barriers(pl_link *link, pl_placement_problem *problem) {
  pl_placement_barrier *barriers = pl_arena_array(link->arena, link->barrier_count, sizeof *barriers);
  pl_placement_tmem *tmems = pl_arena_array(link->arena, link->tmem_count, sizeof *tmems);
  if (!barriers || !tmems)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->barrier_count; i++) {
    const pl_joined_barrier *joined = &link->barriers[i];
    int id = (int)pinned(link, joined->members[0].instance, joined->name, "id");
    for (size_t k = 0; k < joined->member_count && id == PL_PLACEMENT_ANY; k++)
      id = joined->members[k].barrier->id ? (int)joined->members[k].barrier->id : PL_PLACEMENT_ANY;
    barriers[i] = (pl_placement_barrier){
        .name = label(link, joined->members[0].instance, joined->name),
        .owner = pl_where(link, joined->members[0].instance, joined->members[0].barrier->location),
        .party = party(link, joined->members[0].instance, joined->members[0].barrier->location),
        .id = id};
  }
  for (size_t i = 0; i < link->tmem_count; i++) {
    const pl_placed_tmem *placed = &link->tmems[i];
    tmems[i] = (pl_placement_tmem){.name = label(link, placed->instance, placed->tmem->name),
                                   .owner = pl_where(link, placed->instance, placed->tmem->location),
                                   .party = party(link, placed->instance, placed->tmem->location),
                                   .columns = placed->tmem->columns,
                                   .align = placed->tmem->align,
                                   .column = placed->tmem->column};
  }
  problem->barriers = barriers;
  problem->barrier_count = link->barrier_count;
  problem->tmems = tmems;
  problem->tmem_count = link->tmem_count;
  return 0;
}

/* ---- the answer ---- */

/* How often a side arrives on a slot's barrier. */
static unsigned arrivals(const pl_ring_side *side, unsigned warps) {
  switch (side->ring->arrive) {
  case PL_ARRIVE_THREAD:
    return warps * 32;
  case PL_ARRIVE_WARP:
    return warps;
  case PL_ARRIVE_WARPGROUP: /* its first thread arrives: a part of one has that, too */
    return (warps + 3) / 4;
  default:
    return 1;
  }
}

static unsigned warps_of(const pl_link *link, const pl_ring_side *side) {
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].instance == side->instance && link->roles[i].role == side->role)
      return link->roles[i].warps;
  return side->role->warps;
}

static void take_rings(pl_link *link, const pl_placement_solution *solution) {
  for (size_t i = 0; i < link->ring_count; i++) {
    pl_joined_ring *joined = &link->rings[i];
    bool named = joined->producer.ring->protocol == PL_RING_NAMED;
    joined->depth = solution->depth[i];
    joined->slots = solution->slot_offset[i];
    joined->full = named ? solution->ring_barrier_id[i] : solution->mbarrier_offset[i];
    joined->empty = joined->full + (uint64_t)joined->depth * (named ? 1 : 8);
    joined->bound = solution->ring_bound[i];
    joined->full_arrivals = joined->producer.ring->protocol == PL_RING_TMA
                                ? 1
                                : arrivals(&joined->producer, warps_of(link, &joined->producer));
    joined->empty_arrivals = 0;
    for (size_t k = 0; k < joined->consumer_count; k++)
      joined->empty_arrivals += arrivals(&joined->consumers[k], warps_of(link, &joined->consumers[k]));
  }
}

static unsigned barrier_threads(const pl_link *link, const pl_barrier_member *member) {
  unsigned threads = 0;
  if (member->barrier->threads)
    return member->barrier->threads;
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].instance == member->instance &&
        (!member->barrier->role || !strcmp(link->roles[i].role->name, member->barrier->role)))
      threads += link->roles[i].warps * 32;
  return threads;
}

static int by_first_warp(const void *a, const void *b) {
  const pl_placed_role *left = a, *right = b;
  return (left->first_warp > right->first_warp) - (left->first_warp < right->first_warp);
}

static void take(pl_link *link, const pl_placement_solution *solution) {
  for (size_t i = 0; i < link->role_count; i++) {
    link->roles[i].first_warp = solution->first_warp[i];
    link->roles[i].warps = solution->warps[i];
    link->roles[i].registers = solution->registers[i];
  }
  take_rings(link, solution);
  for (size_t i = 0; i < link->barrier_count; i++) {
    pl_joined_barrier *joined = &link->barriers[i];
    joined->id = solution->barrier_id[i];
    joined->threads = 0;
    for (size_t k = 0; k < joined->member_count; k++)
      joined->threads += barrier_threads(link, &joined->members[k]);
  }
  for (size_t i = 0; i < link->buffer_count; i++)
    link->buffers[i].offset = solution->buffer_offset[i];
  for (size_t i = 0; i < link->shared_count; i++)
    link->shareds[i].offset = solution->buffer_offset[link->buffer_count + i];
  if (link->tmem_count)
    link->tmem_base = solution->buffer_offset[link->buffer_count + link->shared_count];
  for (size_t i = 0; i < link->tmem_count; i++)
    link->tmems[i].column = solution->tmem_column[i];
  memcpy(link->warpgroup_registers, solution->warpgroup_registers, sizeof link->warpgroup_registers);
  link->tmem_columns = solution->tmem_columns;
  link->threads = solution->threads;
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].registers) /* otherwise ptxas decides alone */
      link->launch_registers = solution->launch_registers;
  link->shared_size = solution->shared_bytes;
  link->shared_align = solution->shared_align < 16 ? 16 : solution->shared_align;
  qsort(link->roles, link->role_count, sizeof *link->roles, by_first_warp);
}

static pl_status place(pl_link *link) {
  pl_placement_problem problem = {.profile = link->profile,
                                  .shared_limit = link->options.shared_limit,
                                  .ctas_per_sm = link->options.ctas_per_sm,
                                  .allow_non_portable_cluster = link->options.allow_non_portable_cluster};
  pl_placement_solution solution;
  memcpy(problem.cluster, link->cluster, sizeof problem.cluster);
  pl_status status = describe_roles(link, &problem);
  if (status || (status = describe_rings(link, &problem)) || (status = describe_buffers(link, &problem)) ||
      (status = describe_barriers(link, &problem)) ||
      (status = pl_placement_solve(&problem, link->arena, link->sink, &solution)))
    return status;
  take(link, &solution);
  return 0;
}

/* The order in which code is merged and inlined decides how the back end lays it out. */
static pl_status order_instances(pl_link *link) {
  size_t count = 0;
  bool *seen = pl_arena_array(link->arena, link->instance_count, sizeof *seen);
  link->by_warp = pl_arena_array(link->arena, link->instance_count, sizeof *link->by_warp);
  if (!seen || !link->by_warp)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->role_count; i++) {
    size_t instance = link->roles[i].instance;
    if (!seen[instance])
      link->by_warp[count++] = instance;
    seen[instance] = true;
  }
  for (size_t i = 0; i < link->instance_count; i++)
    if (!seen[i])
      link->by_warp[count++] = i;
  return 0;
}

/* ---- params ---- */

static const pl_params *params_named(const pl_contract *contract, const char *name) {
  for (size_t i = 0; i < contract->params_count; i++)
    if (!strcmp(contract->params[i].struct_name, name))
      return &contract->params[i];
  return NULL;
}

/* Structs that some role takes, one copy per instance, in the order of link->by_warp and of the stage's roles. */
static pl_status place_params(pl_link *link) {
  link->params_align = 1;
  if (!(link->params = pl_arena_array(link->arena, link->role_count, sizeof *link->params)))
    return pl_out_of_memory(link->sink);
  for (size_t n = 0; n < link->instance_count; n++) {
    size_t i = link->by_warp[n];
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->role_count; k++) {
      const pl_params *params = contract->roles[k].params ? params_named(contract, contract->roles[k].params) : NULL;
      bool placed = !params;
      for (size_t p = 0; p < link->params_count; p++)
        placed |= link->params[p].instance == i && link->params[p].params == params;
      if (placed)
        continue;
      uint64_t offset = align_up(link->params_size, params->align);
      link->params[link->params_count++] = (pl_placed_params){i, params, offset};
      link->params_size = offset + params->size;
      if (params->align > link->params_align)
        link->params_align = params->align;
    }
  }
  if (link->params_size <= PARAMETER_BYTES_MAX)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-PARAMSIZE", "the parameter block has %llu bytes, a kernel takes %d at most",
            (unsigned long long)link->params_size, PARAMETER_BYTES_MAX);
  for (size_t p = 0; p < link->params_count; p++)
    pl_link_side_alone(link,
                       pl_arena_printf(link->arena, "%6llu bytes: %s of",
                                       (unsigned long long)link->params[p].params->size,
                                       link->params[p].params->struct_name),
                       link->params[p].instance, link->params[p].params->location);
  pl_consequence(link->sink, "the launch would fail");
  pl_fix(link->sink, "keep large tables in device memory and pass a pointer");
  return -EINVAL;
}

pl_status pl_phase_solve(pl_link *link) {
  pl_status status = pl_find_static_shared(link);
  if (!status)
    status = place(link);
  if (!status)
    status = pl_check_counts(link);
  if (!status)
    status = order_instances(link);
  if (!status)
    status = place_params(link);
  for (size_t i = 0; !status && i < link->script.pin_count; i++) {
    if (!link->script.pins[i].used) {
      pl_report(link->sink, PL_ERROR, "L-SCRIPT", "%s: pin '%s' names nothing in this link", link->script.path,
                link->script.pins[i].name);
      pl_fix(link->sink, "pins are INSTANCE.ROLE.first_warp, RING.depth, BUFFER.offset and BARRIER.id");
      status = -EINVAL;
    }
  }
  return status;
}
