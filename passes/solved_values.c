/* solved_values.c - --why and --write-pins: what the solver chose, and why.
 *
 * Both read the same list, so whatever can be asked about has the name under which it can be pinned.
 */
#include "solved_values.h"

#include "json.h"

#include <errno.h>
#include <string.h>

typedef struct list {
  const pl_link *link;
  pl_solved_value *values;
  size_t count;
  bool failed;
} list;

static void add(list *to, size_t instance, const char *resource, const char *property, uint64_t value,
                bool can_be_pinned, const char *why) {
  const char *name =
      pl_arena_printf(to->link->arena, "%s.%s.%s", to->link->instances[instance].name, resource, property);
  to->failed |= !name || !why;
  to->values[to->count++] = (pl_solved_value){name, value, why, can_be_pinned};
}

static void add_roles(list *to) {
  const pl_link *link = to->link;
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    const char *owner = link->instances[placed->instance].name, *name = placed->role->name;
    add(to, placed->instance, name, "first_warp", placed->first_warp, true,
        pl_arena_printf(link->arena, "role '%s.%s' starts at warp %u: %s", owner, name, placed->first_warp,
                        placed->warps % 4 ? "the first that warpgroups leave free"
                                          : "whole warpgroups come first, each at a multiple of four warps"));
    add(to, placed->instance, name, "warps", placed->warps, false,
        placed->role->warps_min == placed->role->warps_max
            ? pl_arena_printf(link->arena, "role '%s.%s' has %u warps: its owner says so", owner, name, placed->warps)
            : pl_arena_printf(link->arena, "role '%s.%s' has %u warps: its owner allows %u to %u, and a CTA has 32",
                              owner, name, placed->warps, placed->role->warps_min, placed->role->warps_max));
    if (placed->registers)
      add(to, placed->instance, name, "registers", placed->registers, false,
          pl_arena_printf(
              link->arena,
              "role '%s.%s' has %u registers per thread (asked for %u, %u at least, %u at most): %u threads start "
              "with %u each, and setmaxnreg only moves what there is",
              owner, name, placed->registers, placed->role->registers[1], placed->role->registers[0],
              placed->role->registers[2], link->threads, link->launch_registers));
  }
}

static void add_rings(list *to) {
  const pl_link *link = to->link;
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    add(to, ring->producer.instance, ring->name, "depth", ring->depth, true,
        pl_arena_printf(link->arena, "ring '%s' has depth %u: %s", ring->name, ring->depth,
                        ring->bound ? ring->bound : "?"));
  }
}

static void add_memory(list *to) {
  const pl_link *link = to->link;
  static const char sentence[] = "'%s.%s' lies at byte %llu of the arena: the strictest alignment first, then by size";
  for (size_t i = 0; i < link->shared_count; i++) {
    const pl_placed_shared *placed = &link->shareds[i];
    add(to, placed->instance, placed->shared->name, "offset", placed->offset, true,
        pl_arena_printf(link->arena, sentence, link->instances[placed->instance].name, placed->shared->name,
                        (unsigned long long)placed->offset));
  }
  for (size_t i = 0; i < link->buffer_count; i++) {
    const pl_placed_buffer *placed = &link->buffers[i];
    add(to, placed->instance, placed->buffer->name, "offset", placed->offset, true,
        pl_arena_printf(link->arena, sentence, link->instances[placed->instance].name, placed->buffer->name,
                        (unsigned long long)placed->offset));
  }
}

static void add_barriers(list *to) {
  const pl_link *link = to->link;
  for (size_t i = 0; i < link->barrier_count; i++) {
    const pl_joined_barrier *barrier = &link->barriers[i];
    add(to, barrier->members[0].instance, barrier->name, "id", barrier->id, true,
        pl_arena_printf(link->arena, "barrier '%s' has id %u for %u threads: %s", barrier->name, barrier->id,
                        barrier->threads,
                        barrier->members[0].barrier->id ? "its owner fixes it" : "the lowest that fixed ids leave"));
  }
}

pl_status pl_solved_values(const pl_link *link, pl_solved_value **values, size_t *count) {
  size_t most = 3 * link->role_count + link->ring_count + link->shared_count + link->buffer_count + link->barrier_count;
  list all = {.link = link, .values = pl_arena_array(link->arena, most, sizeof **values)};
  if (!all.values)
    return pl_out_of_memory(link->sink);
  add_roles(&all);
  add_rings(&all);
  add_memory(&all);
  add_barriers(&all);
  *values = all.values;
  *count = all.count;
  return all.failed ? pl_out_of_memory(link->sink) : 0;
}

pl_status pl_explain_value(const pl_link *link, const char *name, const char **sentence) {
  pl_solved_value *values;
  size_t count, matches = 0;
  pl_status status = pl_solved_values(link, &values, &count);
  if (status)
    return status;
  for (size_t i = 0; i < count; i++) {
    const char *dot = strchr(values[i].name, '.');
    if (!strcmp(values[i].name, name) || !strcmp(dot + 1, name)) {
      *sentence = values[i].why;
      matches++;
    }
  }
  if (matches == 1)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-SCRIPT",
            matches ? "--why=%s: several values are called so" : "--why=%s: no such value", name);
  for (size_t i = 0; i < count; i++)
    pl_detail(link->sink, "%s = %llu", values[i].name, (unsigned long long)values[i].value);
  return -ENOENT;
}

static void copy_choices(const pl_link *link, json_t *instances, json_t *bindings) {
  for (size_t i = 0; i < link->script.instance_count; i++)
    json_object_set_new(instances, link->script.instances[i].name, json_string(link->script.instances[i].package));
  for (size_t i = 0; i < link->script.binding_count; i++)
    json_object_set_new(bindings, link->script.bindings[i].import, json_string(link->script.bindings[i].export));
}

pl_status pl_print_pins(const pl_link *link, pl_buffer *text) {
  pl_solved_value *values;
  size_t count;
  pl_status status = pl_solved_values(link, &values, &count);
  if (status)
    return status;
  json_t *instances = json_object(), *bindings = json_object(), *pins = json_object();
  copy_choices(link, instances, bindings);
  for (size_t i = 0; i < count; i++)
    if (values[i].can_be_pinned)
      json_object_set_new(pins, values[i].name, json_integer((json_int_t)values[i].value));
  json_t *root = json_pack("{s:i, s:s, s:o, s:o, s:o}", "pipelink", 1, "entry", link->entry, "instances", instances,
                           "bind", bindings, "pin", pins);
  return pl_json_print(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER, text) ? pl_out_of_memory(link->sink) : 0;
}
