/* bind_resources.c - the resources' part of bind: who shares a ring or a barrier with whom.
 *
 * A ring has one producing side and at least one consuming side. Sides find each other by name; where several stages
 * produce rings of one name, the script says which one a consumer means ("bind": {"mma.ab": "load.ab"}). A named
 * barrier belongs to its stage, unless it is declared shared: then all shared barriers of that name are one.
 */
#include "link.h"

#include <errno.h>
#include <string.h>

static const pl_role *role_named(const pl_contract *contract, const char *name) {
  for (size_t i = 0; name && i < contract->role_count; i++)
    if (!strcmp(contract->roles[i].name, name))
      return &contract->roles[i];
  return NULL;
}

/* Calls for every ring of the link, in the order of instances and contracts. */
typedef pl_status ring_visitor(pl_link *link, size_t instance, const pl_ring *ring);

static pl_status each_ring(pl_link *link, ring_visitor *visit) {
  pl_status status = 0, failed;
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->ring_count; k++)
      if ((failed = visit(link, i, &link->instances[i].contract->rings[k])))
        status = failed;
  return status;
}

static pl_status add_producer(pl_link *link, size_t instance, const pl_ring *ring) {
  if (!ring->is_producer)
    return 0;
  const pl_role *role = role_named(link->instances[instance].contract, ring->role);
  if (!role) {
    pl_report(link->sink, PL_ERROR, "L-ROLE", "ring '%s': its stage has no role whose threads fill it", ring->name);
    pl_link_side_alone(link, "produced by", instance, ring->location);
    pl_fix(link->sink, "name the role in the ring's options: static constexpr char role[] = \"...\"");
    return -EINVAL;
  }
  link->rings[link->ring_count++] = (pl_joined_ring){.name = ring->name, .producer = {instance, ring, role}};
  return 0;
}

static bool is_named(const pl_link *link, size_t instance, const char *name, const char *dotted) {
  size_t length = strlen(link->instances[instance].name);
  return !strncmp(dotted, link->instances[instance].name, length) && dotted[length] == '.' &&
         !strcmp(dotted + length + 1, name);
}

/* The producing ring that the script binds this consumer to, or NULL. */
static const char *scripted(pl_link *link, size_t instance, const pl_ring *ring) {
  for (size_t i = 0; i < link->script.binding_count; i++) {
    if (is_named(link, instance, ring->name, link->script.bindings[i].import)) {
      link->script.bindings[i].used = true;
      return link->script.bindings[i].export;
    }
  }
  return NULL;
}

static void list_producers(pl_link *link, const char *name) {
  for (size_t i = 0; i < link->ring_count; i++)
    if (!name || !strcmp(link->rings[i].name, name))
      pl_link_side(link, "produced by", link->rings[i].producer.instance, link->rings[i].producer.ring->location,
                   "ring '%s'", link->rings[i].name);
}

static pl_status add_consumer(pl_link *link, size_t instance, const pl_ring *ring) {
  if (ring->is_producer)
    return 0;
  const char *chosen = scripted(link, instance, ring);
  pl_joined_ring *joined = NULL, *own = NULL;
  size_t matches = 0;
  for (size_t i = 0; i < link->ring_count; i++) {
    pl_joined_ring *candidate = &link->rings[i];
    if (chosen ? !is_named(link, candidate->producer.instance, candidate->name, chosen)
               : strcmp(candidate->name, ring->name) != 0)
      continue;
    joined = candidate;
    matches++;
    if (candidate->producer.instance == instance)
      own = candidate; /* a ring that stays within its stage */
  }
  if (!chosen && own) {
    joined = own;
    matches = 1;
  }
  const pl_role *role = role_named(link->instances[instance].contract, ring->role);
  if (matches != 1 || !role) {
    if (!role)
      pl_report(link->sink, PL_ERROR, "L-ROLE", "ring '%s': its stage has no role whose threads empty it", ring->name);
    else
      pl_report(link->sink, PL_ERROR, "L-SYM", matches ? "two producers for ring '%s'" : "nobody fills ring '%s'",
                ring->name);
    pl_link_side_alone(link, "consumed by", instance, ring->location);
    list_producers(link, matches ? ring->name : NULL);
    if (role && !matches)
      pl_consequence(link->sink, "its consumers would wait for ever");
    if (role)
      pl_fix(link->sink,
             matches ? "choose in a link script: \"bind\": {\"%s.%s\": \"PRODUCER.RING\"}"
                     : "add the package that produces it, or bind %s.%s to another ring in a link script",
             link->instances[instance].name, ring->name);
    return -EINVAL;
  }
  joined->consumers[joined->consumer_count++] = (pl_ring_side){instance, ring, role};
  return 0;
}

static pl_status join_rings(pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    count += link->instances[i].contract->ring_count;
  if (!(link->rings = pl_arena_array(link->arena, count, sizeof *link->rings)))
    return pl_out_of_memory(link->sink);
  pl_status status = each_ring(link, add_producer), failed;
  for (size_t i = 0; i < link->ring_count; i++)
    if (!(link->rings[i].consumers = pl_arena_array(link->arena, count, sizeof *link->rings[i].consumers)))
      return pl_out_of_memory(link->sink);
  if ((failed = each_ring(link, add_consumer)))
    return failed;
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    if (ring->consumer_count)
      continue;
    pl_report(link->sink, PL_ERROR, "L-SYM", "nobody empties ring '%s'", ring->name);
    pl_link_side_alone(link, "produced by", ring->producer.instance, ring->producer.ring->location);
    pl_consequence(link->sink, "the producer would wait for ever once all slots are full");
    pl_fix(link->sink, "add the package that consumes it, or leave the producer out");
    status = -EINVAL;
  }
  return status;
}

int pl_ring_index(const pl_link *link, size_t instance, const char *name) {
  for (size_t i = 0; name && i < link->ring_count; i++) {
    const pl_joined_ring *joined = &link->rings[i];
    if (joined->producer.instance == instance && !strcmp(joined->producer.ring->name, name))
      return (int)i;
    for (size_t k = 0; k < joined->consumer_count; k++)
      if (joined->consumers[k].instance == instance && !strcmp(joined->consumers[k].ring->name, name))
        return (int)i;
  }
  return -1;
}

static pl_joined_barrier *shared_barrier(pl_link *link, const char *name) {
  for (size_t i = 0; i < link->barrier_count; i++)
    if (link->barriers[i].members[0].barrier->is_shared && !strcmp(link->barriers[i].name, name))
      return &link->barriers[i];
  return NULL;
}

static pl_status join_barriers(pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    count += link->instances[i].contract->barrier_count;
  if (!(link->barriers = pl_arena_array(link->arena, count, sizeof *link->barriers)))
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->barrier_count; k++) {
      const pl_barrier *barrier = &contract->barriers[k];
      pl_joined_barrier *joined = barrier->is_shared ? shared_barrier(link, barrier->name) : NULL;
      if (!joined) {
        joined = &link->barriers[link->barrier_count++];
        joined->name = barrier->name;
        if (!(joined->members = pl_arena_array(link->arena, count, sizeof *joined->members)))
          return pl_out_of_memory(link->sink);
      }
      joined->members[joined->member_count++] = (pl_barrier_member){i, barrier};
    }
  }
  return 0;
}

static pl_status list_buffers(pl_link *link) {
  size_t buffers = 0, tmems = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    buffers += link->instances[i].contract->buffer_count;
    tmems += link->instances[i].contract->tmem_count;
  }
  link->buffers = pl_arena_array(link->arena, buffers, sizeof *link->buffers);
  link->tmems = pl_arena_array(link->arena, tmems, sizeof *link->tmems);
  if (!link->buffers || !link->tmems)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->buffer_count; k++)
      link->buffers[link->buffer_count++] = (pl_placed_buffer){i, &contract->buffers[k], 0};
    for (size_t k = 0; k < contract->tmem_count; k++)
      link->tmems[link->tmem_count++] = (pl_placed_tmem){i, &contract->tmems[k], 0};
  }
  return 0;
}

pl_status pl_bind_resources(pl_link *link) {
  pl_status status = join_rings(link);
  if (!status)
    status = join_barriers(link);
  return status ? status : list_buffers(link);
}
