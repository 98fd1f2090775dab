/* contract_resources.c - reads the nodes of resources (rings, named barriers, buffers, tensor memory) of a contract.
 *
 * Part of the one reader, contract.c: what it lets through is bounded, consistent and refers to what is there.
 */
#include "contract_reader.h"

#include <string.h>

enum {
  PRIORITY_MOST = 1000,
  CTA_THREADS_MOST = 1024,
  WARP_THREADS = 32,
};

/* A name, or NULL for "". */
static const char *read_reference(pl_json_reader *reader, const pl_json_path *path, const json_t *node,
                                  const char *key) {
  const char *name = pl_json_text(reader, path, node, key, PL_NAME_MAX);
  if (!*name)
    return NULL;
  if (!pl_name_is_valid(name))
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "'%s' is not a name", pl_printable(reader->arena, name));
  return name;
}

static pl_live read_live(pl_json_reader *reader, const pl_json_path *path, const json_t *node) {
  pl_live live;
  live.from = (unsigned)pl_json_unsigned(reader, path, node, "live_from", 0, PL_PHASE_MOST);
  live.to = (unsigned)pl_json_unsigned(reader, path, node, "live_to", live.from, PL_PHASE_MOST);
  return live;
}

static const pl_type *read_payload(pl_json_reader *reader, const pl_json_path *path, const json_t *node) {
  const pl_type *payload = pl_read_type(reader, path, node, "payload", 0);
  if (!reader->status && !pl_type_has_values(payload))
    pl_json_fail(reader, &(pl_json_path){path, "payload", 0}, "'%s' has no values", payload->name);
  return payload;
}

/* ---- rings ---- */

static void read_depth(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_ring *ring) {
  ring->depth_min = (unsigned)pl_json_unsigned(reader, path, node, "depth_min", 1, PL_DEPTH_MOST);
  ring->depth_max = (unsigned)pl_json_unsigned(reader, path, node, "depth_max", 1, PL_DEPTH_MOST);
  ring->depth_multiple = (unsigned)pl_json_unsigned(reader, path, node, "depth_multiple", 1, PL_DEPTH_MOST);
  ring->depth_preferred = (unsigned)pl_json_unsigned(reader, path, node, "depth_preferred", 1, PL_DEPTH_MOST);
  ring->lookahead = (unsigned)pl_json_unsigned(reader, path, node, "lookahead", 0, PL_DEPTH_MOST - 1);
  if (reader->status)
    return;
  if (ring->depth_min > ring->depth_max)
    pl_json_fail(reader, path, "depths from %u to %u: none", ring->depth_min, ring->depth_max);
  else if (ring->depth_max / ring->depth_multiple * ring->depth_multiple < ring->depth_min)
    pl_json_fail(reader, path, "no multiple of %u lies between depths %u and %u", ring->depth_multiple, ring->depth_min,
                 ring->depth_max);
  else if (ring->depth_preferred < ring->depth_min || ring->depth_preferred > ring->depth_max)
    pl_json_fail(reader, &(pl_json_path){path, "depth_preferred", 0}, "must be %u to %u, is %u", ring->depth_min,
                 ring->depth_max, ring->depth_preferred);
  else if (ring->lookahead >= ring->depth_max)
    pl_json_fail(reader, &(pl_json_path){path, "lookahead", 0},
                 "a consumer that holds %u slots while it waits for another needs more than %u", ring->lookahead,
                 ring->depth_max);
}

static void read_slot(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_ring *ring) {
  ring->payload = read_payload(reader, path, node);
  ring->slot_align = pl_read_align(reader, path, node, "slot_align", 1, PL_ALIGN_MOST);
  ring->slot_bytes = pl_json_unsigned(reader, path, node, "slot_bytes", 1, PL_SIZE_MOST);
  if (reader->status)
    return;
  if (ring->slot_bytes < ring->payload->size || ring->slot_align < ring->payload->align)
    pl_json_fail(reader, path, "slots of %llu bytes aligned to %llu; '%s' has %llu aligned to %llu",
                 (unsigned long long)ring->slot_bytes, (unsigned long long)ring->slot_align, ring->payload->name,
                 (unsigned long long)ring->payload->size, (unsigned long long)ring->payload->align);
  else if (ring->slot_bytes % ring->slot_align)
    pl_json_fail(reader, &(pl_json_path){path, "slot_bytes", 0}, "%llu is not a multiple of slot_align %llu",
                 (unsigned long long)ring->slot_bytes, (unsigned long long)ring->slot_align);
}

/* How slots are handed over; what the PTX instructions cannot do is refused. */
static void read_protocol(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_ring *ring) {
  static const char *const protocols[] = {
      [PL_RING_TMA] = "tma", [PL_RING_THREAD] = "thread", [PL_RING_CP_ASYNC] = "cp_async", [PL_RING_NAMED] = "named"};
  static const char *const credits[] = {[PL_CREDIT_PARITY] = "parity", [PL_CREDIT_PRE_ARRIVE] = "pre_arrive"};
  static const char *const arrivals[] = {[PL_ARRIVE_THREAD] = "thread",
                                         [PL_ARRIVE_WARP] = "warp",
                                         [PL_ARRIVE_WARPGROUP] = "warpgroup",
                                         [PL_ARRIVE_ROLE] = "role"};
  ring->protocol = (pl_ring_protocol)pl_json_word(reader, path, node, "protocol", protocols, 4);
  ring->credit = (pl_ring_credit)pl_json_word(reader, path, node, "credit", credits, 2);
  ring->arrive = (pl_arrival)pl_json_word(reader, path, node, "arrive", arrivals, 4);
  bool is_tma = ring->protocol == PL_RING_TMA;
  ring->tx_bytes = pl_json_unsigned(reader, path, node, "tx_bytes", is_tma, is_tma ? PL_TX_MOST : 0);
  if (reader->status)
    return;
  if (ring->tx_bytes > ring->slot_bytes) /* what comes along belongs into the slot */
    pl_json_fail(reader, &(pl_json_path){path, "tx_bytes", 0}, "%llu bytes are more than the %llu of a slot",
                 (unsigned long long)ring->tx_bytes, (unsigned long long)ring->slot_bytes);
  pl_json_path arrive = {path, "arrive", 0};
  if (ring->protocol == PL_RING_NAMED && ring->credit == PL_CREDIT_PARITY)
    pl_json_fail(reader, &(pl_json_path){path, "credit", 0}, "named barriers have no parity; it must be 'pre_arrive'");
  else if (ring->protocol == PL_RING_NAMED && ring->arrive != PL_ARRIVE_THREAD)
    pl_json_fail(reader, &arrive, "at a named barrier every thread arrives");
  else if (ring->protocol == PL_RING_CP_ASYNC && ring->is_producer && ring->arrive != PL_ARRIVE_THREAD)
    pl_json_fail(reader, &arrive, "every thread that copies arrives when its copies have landed");
  else if (ring->protocol == PL_RING_TMA && ring->is_producer && ring->arrive != PL_ARRIVE_ROLE)
    pl_json_fail(reader, &arrive, "one thread of a role announces bulk copies; it must be 'role'");
}

void pl_read_ring(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_ring *ring) {
  static const char *const keys[] = {"kind",
                                     "loc",
                                     "symbol",
                                     "name",
                                     "direction",
                                     "payload",
                                     "slot_bytes",
                                     "slot_align",
                                     "depth_min",
                                     "depth_max",
                                     "depth_multiple",
                                     "depth_preferred",
                                     "priority",
                                     "lookahead",
                                     "protocol",
                                     "credit",
                                     "arrive",
                                     "tx_bytes",
                                     "role",
                                     "live_from",
                                     "live_to",
                                     "arrivals",
                                     NULL};
  static const char *const directions[] = {"consume", "produce"};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  ring->name = pl_json_name(reader, path, node, "name");
  ring->symbol = pl_read_symbol(reader, path, node);
  ring->location = pl_read_location(reader, path, node);
  ring->is_producer = pl_json_word(reader, path, node, "direction", directions, 2);
  ring->priority = (unsigned)pl_json_unsigned(reader, path, node, "priority", 0, PRIORITY_MOST);
  ring->role = read_reference(reader, path, node, "role");
  if (json_object_get(node, "arrivals"))
    ring->arrivals = (unsigned)pl_json_unsigned(reader, path, node, "arrivals", 0, PL_ARRIVALS_MOST);
  ring->live = read_live(reader, path, node);
  read_slot(reader, path, node, ring);
  read_depth(reader, path, node, ring);
  read_protocol(reader, path, node, ring);
}

/* ---- the others ---- */

void pl_read_barrier(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_barrier *barrier) {
  static const char *const keys[] = {"kind", "loc", "symbol", "name", "threads", "id", "shared", "role", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  barrier->name = pl_json_name(reader, path, node, "name");
  barrier->symbol = pl_read_symbol(reader, path, node);
  barrier->location = pl_read_location(reader, path, node);
  barrier->threads = (unsigned)pl_json_unsigned(reader, path, node, "threads", 0, CTA_THREADS_MOST);
  if (barrier->threads % WARP_THREADS)
    pl_json_fail(reader, &(pl_json_path){path, "threads", 0}, "%u is not a multiple of %d", barrier->threads,
                 WARP_THREADS);
  barrier->id = (unsigned)pl_json_unsigned(reader, path, node, "id", 0, PL_NAMED_BARRIER_MOST);
  barrier->is_shared = pl_json_bool(reader, path, node, "shared");
  barrier->role = read_reference(reader, path, node, "role");
}

void pl_read_smem_buffer(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_smem_buffer *buffer) {
  static const char *const keys[] = {"kind",  "loc",       "symbol",  "name",    "payload", "bytes",
                                     "align", "live_from", "live_to", "overlay", "guard",   NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  buffer->name = pl_json_name(reader, path, node, "name");
  buffer->symbol = pl_read_symbol(reader, path, node);
  buffer->location = pl_read_location(reader, path, node);
  buffer->payload = read_payload(reader, path, node);
  buffer->bytes = pl_json_unsigned(reader, path, node, "bytes", 1, PL_SIZE_MOST);
  buffer->align = pl_read_align(reader, path, node, "align", 1, PL_ALIGN_MOST);
  buffer->live = read_live(reader, path, node);
  buffer->overlay = read_reference(reader, path, node, "overlay");
  buffer->guard = read_reference(reader, path, node, "guard");
  if (reader->status)
    return;
  if (buffer->bytes < buffer->payload->size || buffer->align < buffer->payload->align)
    pl_json_fail(reader, path, "%llu bytes aligned to %llu; '%s' has %llu aligned to %llu",
                 (unsigned long long)buffer->bytes, (unsigned long long)buffer->align, buffer->payload->name,
                 (unsigned long long)buffer->payload->size, (unsigned long long)buffer->payload->align);
  else if (buffer->overlay && !buffer->guard)
    pl_json_fail(reader, path, "overlays ring '%s' without a guard: nothing would order the two uses", buffer->overlay);
  else if (buffer->guard && !buffer->overlay)
    pl_json_fail(reader, path, "has guard '%s' and overlays nothing", buffer->guard);
}

void pl_read_tmem(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_tmem *tmem) {
  static const char *const keys[] = {"kind", "loc", "symbol", "name", "columns", "align", "column", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  tmem->name = pl_json_name(reader, path, node, "name");
  tmem->symbol = pl_read_symbol(reader, path, node);
  tmem->location = pl_read_location(reader, path, node);
  tmem->columns = (unsigned)pl_json_unsigned(reader, path, node, "columns", 1, PL_TENSOR_MEMORY_COLUMNS);
  tmem->align = (unsigned)pl_read_align(reader, path, node, "align", 1, PL_TENSOR_MEMORY_COLUMNS);
  tmem->column = (int)pl_json_integer(reader, path, node, "column", -1, PL_TENSOR_MEMORY_COLUMNS - 1);
  if (reader->status || tmem->column < 0)
    return;
  if ((unsigned)tmem->column % tmem->align || (unsigned)tmem->column + tmem->columns > PL_TENSOR_MEMORY_COLUMNS)
    pl_json_fail(reader, &(pl_json_path){path, "column", 0},
                 "%u columns at column %d, aligned to %u, do not lie in the %d that there are", tmem->columns,
                 tmem->column, tmem->align, PL_TENSOR_MEMORY_COLUMNS);
}

/* ---- the contract as a whole ---- */

typedef struct resource {
  const char *kind; /* for the message */
  const char *name;
  unsigned line;
} resource;

/* A ring that stays within the stage has its two sides under one name; otherwise a name is one resource's, so that a
 * script and an overlay can say it. */
static bool may_share_name(const char *kind, const char *other) {
  return (!strcmp(kind, "produced ring") && !strcmp(other, "consumed ring")) ||
         (!strcmp(kind, "consumed ring") && !strcmp(other, "produced ring"));
}

static void check_names(pl_json_reader *reader, const pl_contract *contract) {
  size_t count = 0;
  resource *all = pl_arena_array(reader->arena,
                                 contract->shared_count + contract->ring_count + contract->barrier_count +
                                     contract->buffer_count + contract->tmem_count,
                                 sizeof *all);
  if (!all) {
    pl_json_out_of_memory(reader);
    return;
  }
  for (size_t i = 0; i < contract->shared_count; i++)
    all[count++] = (resource){"shared buffer", contract->shareds[i].name, contract->shareds[i].location.line};
  for (size_t i = 0; i < contract->ring_count; i++)
    all[count++] = (resource){contract->rings[i].is_producer ? "produced ring" : "consumed ring",
                              contract->rings[i].name, contract->rings[i].location.line};
  for (size_t i = 0; i < contract->barrier_count; i++)
    all[count++] = (resource){"barrier", contract->barriers[i].name, contract->barriers[i].location.line};
  for (size_t i = 0; i < contract->buffer_count; i++)
    all[count++] = (resource){"buffer", contract->buffers[i].name, contract->buffers[i].location.line};
  for (size_t i = 0; i < contract->tmem_count; i++)
    all[count++] = (resource){"tensor memory", contract->tmems[i].name, contract->tmems[i].location.line};

  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if (!strcmp(all[i].name, all[j].name) && !may_share_name(all[i].kind, all[j].kind))
        pl_json_fail(reader, NULL, "two resources '%s': %s at line %u, %s at line %u", all[i].name, all[j].kind,
                     all[j].line, all[i].kind, all[i].line);
}

static bool has_role(const pl_contract *contract, const char *name) {
  for (size_t i = 0; i < contract->role_count; i++)
    if (!strcmp(contract->roles[i].name, name))
      return true;
  return false;
}

static bool has_ring(const pl_contract *contract, const char *name) {
  for (size_t i = 0; i < contract->ring_count; i++)
    if (!strcmp(contract->rings[i].name, name))
      return true;
  return false;
}

static bool has_barrier(const pl_contract *contract, const char *name) {
  for (size_t i = 0; i < contract->barrier_count; i++)
    if (!strcmp(contract->barriers[i].name, name))
      return true;
  return false;
}

static void check_ring(pl_json_reader *reader, const pl_contract *contract, pl_ring *ring) {
  if (ring->role) {
    if (!has_role(contract, ring->role))
      pl_json_fail(reader, NULL, "ring '%s' is of role '%s', which the stage does not have", ring->name, ring->role);
  } else if (contract->role_count == 1) {
    ring->role = contract->roles[0].name;
  } else if (contract->role_count) {
    pl_json_fail(reader, NULL, "ring '%s' does not say which of the stage's %zu roles it is of", ring->name,
                 contract->role_count);
  }
}

static void check_buffer(pl_json_reader *reader, const pl_contract *contract, const pl_smem_buffer *buffer) {
  if (buffer->overlay && !has_ring(contract, buffer->overlay))
    pl_json_fail(reader, NULL, "buffer '%s' overlays ring '%s', which the stage does not have", buffer->name,
                 buffer->overlay);
  if (buffer->guard && !has_ring(contract, buffer->guard) && !has_barrier(contract, buffer->guard))
    pl_json_fail(reader, NULL, "buffer '%s' has guard '%s', which is no ring or barrier of the stage", buffer->name,
                 buffer->guard);
}

void pl_check_resources(pl_json_reader *reader, const pl_contract *contract, pl_ring *rings) {
  check_names(reader, contract);
  for (size_t i = 0; i < contract->ring_count; i++)
    check_ring(reader, contract, &rings[i]);
  for (size_t i = 0; i < contract->barrier_count; i++) {
    const pl_barrier *barrier = &contract->barriers[i];
    if (barrier->role && !has_role(contract, barrier->role))
      pl_json_fail(reader, NULL, "barrier '%s' is of role '%s', which the stage does not have", barrier->name,
                   barrier->role);
  }
  for (size_t i = 0; i < contract->buffer_count; i++)
    check_buffer(reader, contract, &contract->buffers[i]);
}
