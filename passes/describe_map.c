/* describe_map.c - --map-json: the placement as data, for `pipelink map` and for anyone's own tools (docs/map.md). */
#include "json.h"
#include "link.h"

#include <errno.h>

static json_t *live_json(const pl_live *live) {
  return json_pack("[i,i]", live ? (int)live->from : 0, live ? (int)live->to : PL_PHASE_MOST);
}

static json_t *roles_json(const pl_link *link) {
  json_t *roles = json_array();
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    json_array_append_new(roles,
                          json_pack("{s:s, s:s, s:i, s:i, s:i}", "instance", link->instances[placed->instance].name,
                                    "role", placed->role->name, "first_warp", (int)placed->first_warp, "warps",
                                    (int)placed->warps, "registers", (int)placed->registers));
  }
  return roles;
}

static json_t *piece_json(const pl_link *link, const char *kind, size_t instance, const char *name, uint64_t offset,
                          uint64_t bytes, unsigned parts, const pl_live *live) {
  return json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:o}", "kind", kind, "instance", link->instances[instance].name,
                   "name", name, "offset", (json_int_t)offset, "bytes", (json_int_t)bytes, "parts", (int)parts, "live",
                   live_json(live));
}

static json_t *memory_json(const pl_link *link) {
  json_t *pieces = json_array();
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    const pl_ring *produced = ring->producer.ring;
    json_array_append_new(pieces, piece_json(link, "ring", ring->producer.instance, ring->name, ring->slots,
                                             produced->slot_bytes * ring->depth, ring->depth, &produced->live));
    if (produced->protocol != PL_RING_NAMED)
      json_array_append_new(pieces, piece_json(link, "mbarriers", ring->producer.instance, ring->name, ring->full,
                                               (uint64_t)16 * ring->depth, 1, NULL));
  }
  for (size_t i = 0; i < link->buffer_count; i++)
    json_array_append_new(pieces, piece_json(link, "buffer", link->buffers[i].instance, link->buffers[i].buffer->name,
                                             link->buffers[i].offset, link->buffers[i].buffer->bytes, 1,
                                             &link->buffers[i].buffer->live));
  for (size_t i = 0; i < link->shared_count; i++)
    json_array_append_new(pieces, piece_json(link, "array", link->shareds[i].instance, link->shareds[i].shared->name,
                                             link->shareds[i].offset, link->shareds[i].shared->bytes, 1, NULL));
  return pieces;
}

static json_t *side_json(const pl_link *link, const pl_ring_side *side) {
  return json_sprintf("%s.%s", link->instances[side->instance].name, side->role->name);
}

static json_t *rings_json(const pl_link *link) {
  json_t *rings = json_array();
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    json_t *consumers = json_array();
    for (size_t k = 0; k < ring->consumer_count; k++)
      json_array_append_new(consumers, side_json(link, &ring->consumers[k]));
    json_array_append_new(rings, json_pack("{s:s, s:o, s:o, s:i, s:I, s:i, s:i, s:s}", "name", ring->name, "producer",
                                           side_json(link, &ring->producer), "consumers", consumers, "depth",
                                           (int)ring->depth, "slot_bytes", (json_int_t)ring->producer.ring->slot_bytes,
                                           "full_arrivals", (int)ring->full_arrivals, "empty_arrivals",
                                           (int)ring->empty_arrivals, "bound", ring->bound ? ring->bound : ""));
  }
  return rings;
}

static json_t *barriers_json(const pl_link *link) {
  json_t *barriers = json_array();
  for (size_t i = 0; i < link->barrier_count; i++)
    json_array_append_new(barriers, json_pack("{s:i, s:s, s:s, s:i}", "id", (int)link->barriers[i].id, "instance",
                                              link->instances[link->barriers[i].members[0].instance].name, "name",
                                              link->barriers[i].name, "threads", (int)link->barriers[i].threads));
  return barriers;
}

static json_t *tmem_json(const pl_link *link) {
  json_t *regions = json_array();
  for (size_t i = 0; i < link->tmem_count; i++)
    json_array_append_new(regions,
                          json_pack("{s:s, s:s, s:i, s:i}", "instance", link->instances[link->tmems[i].instance].name,
                                    "name", link->tmems[i].tmem->name, "column", (int)link->tmems[i].column, "columns",
                                    (int)link->tmems[i].tmem->columns));
  return json_pack("{s:i, s:i, s:o}", "available", (int)link->profile->tmem_columns, "allocated",
                   (int)link->tmem_columns, "regions", regions);
}

pl_status pl_print_map_json(const pl_link *link, pl_buffer *text) {
  uint64_t limit = link->options.shared_limit ? link->options.shared_limit : link->profile->shared_per_cta;
  json_t *root = json_pack(
      "{s:i, s:s, s:s, s:i, s:i, s:o, s:{s:I, s:I, s:o}, s:o, s:o, s:o}", "pipelink", 1, "kernel", link->entry,
      "profile", link->profile->name, "threads", (int)link->threads, "launch_registers", (int)link->launch_registers,
      "roles", roles_json(link), "shared", "bytes", (json_int_t)link->shared_size, "limit", (json_int_t)limit, "pieces",
      memory_json(link), "rings", rings_json(link), "barriers", barriers_json(link), "tmem", tmem_json(link));
  return pl_json_print(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER, text) ? pl_out_of_memory(link->sink) : 0;
}
