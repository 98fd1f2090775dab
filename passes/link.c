/* link.c - the life of a pl_link, and what several phases say the same way. */
#include "link.h"

#include <errno.h>

#include <llvm-c/TargetMachine.h>

void pl_link_init(pl_link *link, const pl_link_options *options, pl_arena *arena, pl_sink *sink) {
  *link = (pl_link){.options = *options, .arena = arena, .sink = sink, .prec_sqrt = true, .cluster = {1, 1, 1}};
  if (!link->options.ctas_per_sm)
    link->options.ctas_per_sm = 1;
}

void pl_link_free(pl_link *link) {
  for (size_t i = 0; i < link->instance_count; i++)
    if (link->instances[i].module)
      LLVMDisposeModule(link->instances[i].module);
  if (link->module)
    LLVMDisposeModule(link->module);
  if (link->target_machine)
    LLVMDisposeTargetMachine(link->target_machine);
  if (link->context)
    LLVMContextDispose(link->context);
  pl_codegen_result_free(&link->code);
}

pl_party pl_link_party(const pl_link *link, const char *relation, size_t instance, pl_location location) {
  const pl_package *package = link->instances[instance].package;
  return (pl_party){.relation = relation, .package = package->name, .version = package->version, .location = location};
}

const char *pl_where(const pl_link *link, size_t instance, pl_location location) {
  pl_party party = pl_link_party(link, NULL, instance, location);
  return pl_party_text(link->sink, &party);
}

void pl_link_side(pl_link *link, const char *relation, size_t instance, pl_location location, const char *format, ...) {
  pl_party party = pl_link_party(link, relation, instance, location);
  va_list arguments;
  va_start(arguments, format);
  pl_side_arguments(link->sink, &party, format, arguments);
  va_end(arguments);
}

void pl_link_side_alone(pl_link *link, const char *relation, size_t instance, pl_location location) {
  pl_party party = pl_link_party(link, relation, instance, location);
  pl_side_alone(link->sink, &party);
}

static pl_party ring_party(const pl_link *link, const pl_ring_side *side) {
  const pl_ring *ring = side->ring;
  pl_party party =
      pl_link_party(link, ring->is_producer ? "produced by" : "consumed by", side->instance, ring->location);
  party.role = side->role->name;
  return party;
}

void pl_link_ring_side(pl_link *link, const pl_ring_side *side, const char *format, ...) {
  pl_party party = ring_party(link, side);
  va_list arguments;
  va_start(arguments, format);
  pl_side_arguments(link->sink, &party, format, arguments);
  va_end(arguments);
}

void pl_link_ring_side_alone(pl_link *link, const pl_ring_side *side) {
  pl_party party = ring_party(link, side);
  pl_side_alone(link->sink, &party);
}

const char *pl_link_ring_subject(pl_link *link, const pl_joined_ring *ring, const pl_ring_side *side) {
  if (!side)
    return pl_arena_printf(link->arena, "ring '%s'", ring->name);
  return pl_arena_printf(link->arena, "ring '%s', %s %s.%s", ring->name,
                         side->ring->is_producer ? "producer" : "consumer", link->instances[side->instance].name,
                         side->role->name);
}

static pl_party role_party(pl_link *link, size_t instance, const pl_role *role) {
  const char *relation = pl_arena_printf(link->arena, "role '%s' of", role->name);
  return pl_link_party(link, relation ? relation : "a role of", instance, role->location);
}

void pl_link_role(pl_link *link, size_t instance, const pl_role *role, const char *format, ...) {
  pl_party party = role_party(link, instance, role);
  va_list arguments;
  va_start(arguments, format);
  pl_side_arguments(link->sink, &party, format, arguments);
  va_end(arguments);
}

void pl_link_role_alone(pl_link *link, size_t instance, const pl_role *role) {
  pl_party party = role_party(link, instance, role);
  pl_side_alone(link->sink, &party);
}

pl_status pl_out_of_memory(pl_sink *sink) {
  sink->out_of_memory = true;
  return -ENOMEM;
}
