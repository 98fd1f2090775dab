/* solve.c - fourth phase: gives every role its warps, every params struct its offset, every buffer its place.
 *
 * Roles whose warps form whole warpgroups come first, so that each starts at a multiple of four warps (wgmma,
 * setmaxnreg and TMEM lane quadrants need that); within the two groups the order is the command line's.
 */
#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WARPS_MAX 32
/* PTX ISA 9.0, kernel parameters: 32,764 bytes from sm_70 on. */
#define PARAMETER_BYTES_MAX 32764

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

static unsigned alignment_of(const pl_role *role) {
  return role->warps % 4 ? 1 : 4;
}

static pl_pin *find_pin(pl_link *link, size_t instance, const char *resource, const char *property) {
  for (size_t i = 0; i < link->script.pin_count; i++) {
    const char *name = link->script.pins[i].name, *parts[3] = {link->instances[instance].name, resource, property};
    bool equal = true;
    for (size_t k = 0; k < 3 && equal; k++) {
      size_t length = strlen(parts[k]);
      equal = !strncmp(name, parts[k], length) && name[length] == (k < 2 ? '.' : 0);
      name += length + (k < 2);
    }
    if (equal) {
      link->script.pins[i].used = true;
      return &link->script.pins[i];
    }
  }
  return NULL;
}

static pl_status too_many_warps(pl_link *link, unsigned warps) {
  pl_report(link->sink, PL_ERROR, "L-WARPS", "the roles need %u threads, a CTA has 1024 at most", warps * 32);
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++) {
      const pl_role *role = &link->instances[i].contract->roles[k];
      pl_detail(link->sink, "%4u threads: role '%s' of %s", role->warps * 32, role->name,
                pl_where(link, i, role->location));
    }
  pl_consequence(link->sink, "the launch would fail");
  pl_fix(link->sink, "give a role fewer warps, or put its work into another role");
  return -EINVAL;
}

/* The lowest aligned base at which the role's warps are free; 32 when there is none. */
static unsigned free_base(const bool *taken, unsigned warps, unsigned align) {
  for (unsigned base = 0; base + warps <= WARPS_MAX; base += align) {
    unsigned i = 0;
    while (i < warps && !taken[base + i])
      i++;
    if (i == warps)
      return base;
  }
  return WARPS_MAX;
}

static pl_status place_role(pl_link *link, size_t instance, const pl_role *role, unsigned base, bool *taken) {
  for (unsigned i = 0; i < role->warps; i++) {
    if (base + i < WARPS_MAX && !taken[base + i])
      continue;
    pl_report(link->sink, PL_ERROR, "L-WARPS", "role '%s' is pinned to warps %u-%u, which are not free", role->name,
              base, base + role->warps - 1);
    pl_detail(link->sink, "role '%s' of %s", role->name, pl_where(link, instance, role->location));
    return -EINVAL;
  }
  memset(taken + base, true, role->warps);
  link->roles[link->role_count++] = (pl_placed_role){instance, role, base};
  return 0;
}

static int by_first_warp(const void *a, const void *b) {
  const pl_placed_role *left = a, *right = b;
  return (left->first_warp > right->first_warp) - (left->first_warp < right->first_warp);
}

static pl_status place_roles(pl_link *link) {
  bool taken[WARPS_MAX] = {0};
  unsigned warps = 0;
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++, count++)
      warps += link->instances[i].contract->roles[k].warps;
  if (warps > WARPS_MAX)
    return too_many_warps(link, warps);
  if (!(link->roles = pl_arena_array(link->arena, count, sizeof *link->roles)))
    return pl_out_of_memory(link->sink);

  /* Pinned roles, then warpgroups, then the rest. */
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < link->instance_count; i++) {
      for (size_t k = 0; k < link->instances[i].contract->role_count; k++) {
        const pl_role *role = &link->instances[i].contract->roles[k];
        const pl_pin *pin = find_pin(link, i, role->name, "first_warp");
        unsigned align = alignment_of(role);
        if (round != (pin ? 0 : align == 4 ? 1 : 2))
          continue;
        if (pin && (pin->value >= WARPS_MAX || pin->value % align)) {
          pl_report(link->sink, PL_ERROR, "L-RALIGN",
                    "pin %s = %llu: role '%s' must start at a multiple of %u warps below 32", pin->name,
                    (unsigned long long)pin->value, role->name, align);
          pl_detail(link->sink, "role '%s' of %s", role->name, pl_where(link, i, role->location));
          return -EINVAL;
        }
        unsigned base = pin ? (unsigned)pin->value : free_base(taken, role->warps, align);
        if (base == WARPS_MAX)
          return too_many_warps(link, warps);
        pl_status status = place_role(link, i, role, base, taken);
        if (status)
          return status;
      }
    }
  }
  qsort(link->roles, link->role_count, sizeof *link->roles, by_first_warp);
  const pl_placed_role *last = &link->roles[link->role_count - 1];
  link->threads = (last->first_warp + last->role->warps) * 32;
  return 0;
}

static const pl_params *params_named(const pl_contract *contract, const char *name) {
  for (size_t i = 0; i < contract->params_count; i++)
    if (!strcmp(contract->params[i].struct_name, name))
      return &contract->params[i];
  return NULL;
}

/* Structs that some role takes, one copy per instance, in the order of instances and roles. */
static pl_status place_params(pl_link *link) {
  link->params_align = 1;
  if (!(link->params = pl_arena_array(link->arena, link->role_count, sizeof *link->params)))
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
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
    pl_detail(link->sink, "%6llu bytes: %s of %s", (unsigned long long)link->params[p].params->size,
              link->params[p].params->struct_name,
              pl_where(link, link->params[p].instance, link->params[p].params->location));
  pl_consequence(link->sink, "the launch would fail");
  pl_fix(link->sink, "keep large tables in device memory and pass a pointer");
  return -EINVAL;
}

static pl_status place_shared(pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    count += link->instances[i].contract->shared_count;
  link->shared_align = 16;
  if (!(link->shareds = pl_arena_array(link->arena, count, sizeof *link->shareds)))
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
    for (size_t k = 0; k < link->instances[i].contract->shared_count; k++) {
      const pl_shared *shared = &link->instances[i].contract->shareds[k];
      uint64_t offset = align_up(link->shared_size, shared->align);
      link->shareds[link->shared_count++] = (pl_placed_shared){i, shared, offset};
      link->shared_size = offset + shared->bytes;
      if (shared->align > link->shared_align)
        link->shared_align = shared->align;
    }
  }
  if (link->shared_size <= link->profile->shared_per_cta)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-SMEM", "the stages need %llu bytes of shared memory, a CTA on %s has %llu",
            (unsigned long long)link->shared_size, link->profile->name,
            (unsigned long long)link->profile->shared_per_cta);
  for (size_t s = 0; s < link->shared_count; s++)
    pl_detail(link->sink, "%6llu bytes: '%s' of %s", (unsigned long long)link->shareds[s].shared->bytes,
              link->shareds[s].shared->name,
              pl_where(link, link->shareds[s].instance, link->shareds[s].shared->location));
  pl_consequence(link->sink, "the launch would fail");
  return -EINVAL;
}

pl_status pl_phase_solve(pl_link *link) {
  pl_status status = place_roles(link);
  if (!status)
    status = place_params(link);
  if (!status)
    status = place_shared(link);
  for (size_t i = 0; !status && i < link->script.pin_count; i++) {
    if (!link->script.pins[i].used) {
      pl_report(link->sink, PL_ERROR, "L-SCRIPT", "%s: pin '%s' names nothing in this link", link->script.path,
                link->script.pins[i].name);
      pl_fix(link->sink, "write it as INSTANCE.ROLE.first_warp");
      status = -EINVAL;
    }
  }
  return status;
}
