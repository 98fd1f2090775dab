/* contract.c - the one reader of the contract schema (docs/contract.md): JSON nodes in, plain structs out.
 *
 * Nodes come from other people's packages. Every field is checked here, once, so that later passes need not: keys
 * and kinds known, names valid and unique, sizes bounded and consistent, references resolved. contract_types.c
 * reads type objects, contract_resources.c the nodes of resources.
 */
#include "contract_reader.h"

#include <errno.h>
#include <string.h>

enum {
  NODES_MOST = 1024,    /* declarations of one stage */
  ARGUMENTS_MOST = 255, /* of one function */
  WARPS_MOST = 32,      /* of a CTA */
  REGISTERS_LEAST = 24, /* of a thread, by setmaxnreg (PTX ISA): 24 to 256 in steps of 8 */
  REGISTERS_MOST = 256,
  REGISTERS_STEP = 8,
  CLUSTER_MOST = 16, /* CTAs of a cluster, with opt-in */
  LINE_MOST = 0x7fffffff,
};

/* ---- nodes ---- */

pl_location pl_read_location(pl_json_reader *reader, const pl_json_path *path, const json_t *node) {
  static const char *const keys[] = {"file", "line", "column", NULL};
  pl_json_path place = {path, "loc", 0};
  const json_t *json = pl_json_object(reader, path, node, "loc");
  if (!json || !pl_json_is_object(reader, &place, json, keys))
    return (pl_location){0};
  return (pl_location){.file = pl_json_text(reader, &place, json, "file", PL_TEXT_MAX),
                       .line = (unsigned)pl_json_unsigned(reader, &place, json, "line", 0, LINE_MOST),
                       .column = (unsigned)pl_json_unsigned(reader, &place, json, "column", 0, LINE_MOST)};
}

const char *pl_read_symbol(pl_json_reader *reader, const pl_json_path *path, const json_t *node) {
  const char *symbol = pl_json_text(reader, path, node, "symbol", PL_TEXT_MAX);
  if (!reader->status && !*symbol)
    pl_json_fail(reader, &(pl_json_path){path, "symbol", 0}, "is empty");
  return symbol;
}

static void read_stage(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_contract *contract) {
  static const char *const keys[] = {"kind", "loc", "name", "version", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  if (contract->stage) {
    pl_json_fail(reader, path, "a second stage '%s'; a contract has exactly one, and '%s' came first",
                 pl_json_name(reader, path, node, "name"), contract->stage);
    return;
  }
  contract->stage = pl_json_name(reader, path, node, "name");
  contract->version = pl_json_version(reader, path, node, "version");
  contract->location = pl_read_location(reader, path, node);
}

/* [[pipelink::warps(min, max, multiple)]]: all three fields or none. */
static void read_warps(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_role *role) {
  role->warps_min = role->warps_max = role->warps;
  role->warps_multiple = 1;
  if (!json_object_get(node, "warps_min") && !json_object_get(node, "warps_max") &&
      !json_object_get(node, "warps_multiple"))
    return;
  role->warps_min = (unsigned)pl_json_unsigned(reader, path, node, "warps_min", 1, role->warps);
  role->warps_max = (unsigned)pl_json_unsigned(reader, path, node, "warps_max", role->warps, WARPS_MOST);
  role->warps_multiple = (unsigned)pl_json_unsigned(reader, path, node, "warps_multiple", 1, WARPS_MOST);
  if (!reader->status && (role->warps % role->warps_multiple || role->warps_min % role->warps_multiple ||
                          role->warps_max % role->warps_multiple))
    pl_json_fail(reader, path, "warps %u to %u, at first %u, are not multiples of %u", role->warps_min, role->warps_max,
                 role->warps, role->warps_multiple);
}

/* [[pipelink::registers(min, preferred, max)]] */
static void read_registers(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_role *role) {
  if (!json_object_get(node, "registers"))
    return;
  const json_t *items = pl_json_array(reader, path, node, "registers", 3);
  json_int_t previous = REGISTERS_LEAST;
  for (size_t i = 0; i < 3 && !reader->status; i++) {
    json_int_t count = json_integer_value(json_array_get(items, i)); /* 0 when it is no integer */
    if (count < previous || count > REGISTERS_MOST || count % REGISTERS_STEP)
      pl_json_fail(reader, &(pl_json_path){path, "registers", 0},
                   "must be three multiples of %d from %d to %d, none less than the one before", REGISTERS_STEP,
                   REGISTERS_LEAST, REGISTERS_MOST);
    role->registers[i] = (unsigned)count;
    previous = count;
  }
}

static void read_role(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_role *role) {
  static const char *const keys[] = {"kind",      "loc",     "symbol",    "name",      "warps",
                                     "params",    "cluster", "warps_min", "warps_max", "warps_multiple",
                                     "registers", "grid",    NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  role->name = pl_json_name(reader, path, node, "name");
  role->symbol = pl_read_symbol(reader, path, node);
  role->warps = (unsigned)pl_json_unsigned(reader, path, node, "warps", 1, WARPS_MOST);
  read_warps(reader, path, node, role);
  read_registers(reader, path, node, role);
  if (json_object_get(node, "grid")) {
    static const char *const words[] = {"co_resident"};
    pl_json_word(reader, path, node, "grid", words, 1);
    role->is_co_resident = true;
  }
  if (!json_is_null(json_object_get(node, "params")))
    role->params = pl_json_text(reader, path, node, "params", PL_TEXT_MAX);
  if (json_object_get(node, "cluster")) {
    pl_json_path place = {path, "cluster", 0};
    const json_t *sizes = pl_json_array(reader, path, node, "cluster", 3);
    json_int_t product = 1;
    for (size_t i = 0; i < 3 && !reader->status; i++) {
      const json_t *item = json_array_get(sizes, i);
      json_int_t size = json_is_integer(item) ? json_integer_value(item) : 0;
      if (size < 1 || size > CLUSTER_MOST || (product *= size) > CLUSTER_MOST)
        pl_json_fail(reader, &place, "must be three numbers from 1 with a product of at most %d", CLUSTER_MOST);
      else
        role->cluster[i] = (unsigned)size;
    }
  }
  role->location = pl_read_location(reader, path, node);
}

/* "tile.m", "tile.count[3]": what a C header can spell and a user can type. */
static bool is_field_name(const char *name) {
  const char *c = name;
  for (;;) {
    const char *start = c;
    while ((*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '_' || (c > start && *c >= '0' && *c <= '9'))
      c++;
    if (c == start)
      return false;
    while (*c == '[') {
      size_t digits = strspn(c + 1, "0123456789");
      if (!digits || c[1 + digits] != ']')
        return false;
      c += digits + 2;
    }
    if (*c != '.')
      return !*c;
    c++;
  }
}

static void read_params_field(pl_json_reader *reader, const pl_json_path *path, const json_t *json,
                              const pl_params *params, pl_field *field) {
  static const char *const keys[] = {"name", "offset", "size", "type", NULL};
  if (!pl_json_is_object(reader, path, json, keys))
    return;
  field->name = pl_json_text(reader, path, json, "name", PL_TEXT_MAX);
  field->offset = pl_json_unsigned(reader, path, json, "offset", 0, PL_SIZE_MOST);
  uint64_t size = pl_json_unsigned(reader, path, json, "size", 0, PL_SIZE_MOST);
  field->type = pl_read_type(reader, path, json, "type", 0);
  if (reader->status)
    return;
  if (!is_field_name(field->name))
    pl_json_fail(reader, &(pl_json_path){path, "name", 0}, "'%s' is not a field's name",
                 pl_printable(reader->arena, field->name));
  else if (!pl_type_has_values(field->type) || size != field->type->size)
    pl_json_fail(reader, path, "size %llu, but its type '%s' has %llu", (unsigned long long)size, field->type->name,
                 (unsigned long long)field->type->size);
  else if (field->offset > params->size || size > params->size - field->offset)
    pl_json_fail(reader, path, "offset %llu and size %llu lie outside '%s' of %llu bytes",
                 (unsigned long long)field->offset, (unsigned long long)size, params->struct_name,
                 (unsigned long long)params->size);
}

static void read_params(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_params *params) {
  static const char *const keys[] = {"kind", "loc", "struct", "size", "align", "opaque", "fields", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  params->struct_name = pl_json_text(reader, path, node, "struct", PL_TEXT_MAX);
  params->size = pl_json_unsigned(reader, path, node, "size", 1, PL_SIZE_MOST);
  params->align = pl_read_align(reader, path, node, "align", 1, PL_ALIGN_MOST);
  params->is_opaque = pl_json_bool(reader, path, node, "opaque");
  params->location = pl_read_location(reader, path, node);
  const json_t *items = pl_json_array(reader, path, node, "fields", PL_FIELDS_MOST);
  if (reader->status)
    return;
  if (params->size % params->align) {
    pl_json_fail(reader, path, "size %llu is not a multiple of align %llu", (unsigned long long)params->size,
                 (unsigned long long)params->align);
    return;
  }
  size_t count = json_array_size(items);
  pl_json_path list = {path, "fields", 0};
  if (params->is_opaque && count) {
    pl_json_fail(reader, &list, "an opaque struct has none");
    return;
  }
  pl_field *fields = pl_json_alloc(reader, count, sizeof *fields);
  if (!fields)
    return;
  for (size_t i = 0; i < count && !reader->status; i++) {
    read_params_field(reader, &(pl_json_path){&list, NULL, i}, json_array_get(items, i), params, &fields[i]);
    for (size_t j = 0; j < i && !reader->status; j++)
      if (!strcmp(fields[i].name, fields[j].name))
        pl_json_fail(reader, &(pl_json_path){&list, NULL, i}, "a second field '%s'", fields[i].name);
  }
  params->fields = fields;
  params->field_count = count;
}

static void read_seam(pl_json_reader *reader, const pl_json_path *path, const json_t *node, bool is_export,
                      pl_seam *seam) {
  static const char *const keys[] = {"kind",    "loc",    "symbol",    "name", "function",
                                     "defined", "result", "arguments", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  seam->is_export = is_export;
  seam->name = pl_json_name(reader, path, node, "name");
  seam->symbol = pl_read_symbol(reader, path, node);
  seam->function = pl_json_text(reader, path, node, "function", PL_TEXT_MAX);
  seam->is_defined = pl_json_bool(reader, path, node, "defined");
  seam->location = pl_read_location(reader, path, node);
  seam->result = pl_read_type(reader, path, node, "result", 0);
  const json_t *items = pl_json_array(reader, path, node, "arguments", ARGUMENTS_MOST);
  size_t count = json_array_size(items);
  const pl_type **arguments = pl_json_alloc(reader, count, sizeof *arguments);
  if (!arguments)
    return;
  pl_json_path list = {path, "arguments", 0};
  for (size_t i = 0; i < count && !reader->status; i++) {
    pl_json_path place = {&list, NULL, i};
    arguments[i] = pl_read_type_at(reader, &place, json_array_get(items, i), 0);
    if (!reader->status && !pl_type_has_values(arguments[i]))
      pl_json_fail(reader, &place, "'%s' has no values", arguments[i]->name);
  }
  seam->arguments = arguments;
  seam->argument_count = count;
}

static void read_shared(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_shared *shared) {
  static const char *const keys[] = {"kind", "loc", "symbol", "name", "bytes", "align", NULL};
  if (!pl_json_is_object(reader, path, node, keys))
    return;
  shared->name = pl_json_name(reader, path, node, "name");
  shared->symbol = pl_read_symbol(reader, path, node);
  shared->bytes = pl_json_unsigned(reader, path, node, "bytes", 1, PL_SIZE_MOST);
  shared->align = pl_read_align(reader, path, node, "align", 1, PL_ALIGN_MOST);
  shared->location = pl_read_location(reader, path, node);
}

/* ---- the contract as a whole ---- */

typedef enum node_kind {
  STAGE,
  ROLE,
  PARAMS,
  IMPORT,
  EXPORT,
  SHARED,
  RING,
  BARRIER,
  BUFFER,
  TMEM,
  NODE_KINDS
} node_kind;

static node_kind read_node_kind(pl_json_reader *reader, const pl_json_path *path, const json_t *node) {
  static const char *const kinds[NODE_KINDS] = {"stage",  "role", "params",  "import", "export",
                                                "shared", "ring", "barrier", "buffer", "tmem"};
  if (!json_is_object(node)) {
    pl_json_fail(reader, path, "must be an object");
    return NODE_KINDS;
  }
  const char *text = pl_json_text(reader, path, node, "kind", PL_NAME_MAX);
  for (int i = 0; i < NODE_KINDS; i++)
    if (!strcmp(kinds[i], text))
      return (node_kind)i;
  pl_json_fail(reader, &(pl_json_path){path, "kind", 0}, "unknown kind of node '%s'",
               pl_printable(reader->arena, text));
  return NODE_KINDS;
}

/* The arrays that the nodes go into; a contract has at most NODES_MOST of each, so each is made that long. */
typedef struct node_lists {
  pl_role *roles;
  pl_params *params;
  pl_seam *seams;
  pl_shared *shareds;
  pl_ring *rings;
  pl_barrier *barriers;
  pl_smem_buffer *buffers;
  pl_tmem *tmems;
} node_lists;

/* What a name stands for, to find two of a kind. */
typedef struct named {
  const char *kinds; /* plural, for the message */
  const char *name;
  unsigned line;
} named;

/* Names of one kind are unique. An import may be called like an export: a stage may wrap what it imports. */
static void check_names(pl_json_reader *reader, const pl_contract *contract) {
  size_t count = 0;
  named *all = pl_json_alloc(
      reader, contract->role_count + contract->params_count + contract->seam_count + contract->shared_count,
      sizeof *all);
  if (!all)
    return;
  for (size_t i = 0; i < contract->role_count; i++)
    all[count++] = (named){"roles", contract->roles[i].name, contract->roles[i].location.line};
  for (size_t i = 0; i < contract->params_count; i++)
    all[count++] = (named){"params structs", contract->params[i].struct_name, contract->params[i].location.line};
  for (size_t i = 0; i < contract->seam_count; i++)
    all[count++] = (named){contract->seams[i].is_export ? "exports" : "imports", contract->seams[i].name,
                           contract->seams[i].location.line};
  for (size_t i = 0; i < contract->shared_count; i++)
    all[count++] = (named){"shared buffers", contract->shareds[i].name, contract->shareds[i].location.line};

  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if (!strcmp(all[i].kinds, all[j].kinds) && !strcmp(all[i].name, all[j].name))
        pl_json_fail(reader, NULL, "two %s '%s', at lines %u and %u", all[i].kinds, all[i].name, all[j].line,
                     all[i].line);
}

static void check_references(pl_json_reader *reader, const pl_contract *contract) {
  for (size_t i = 0; i < contract->role_count; i++) {
    const pl_role *role = &contract->roles[i];
    bool is_found = !role->params;
    for (size_t j = 0; j < contract->params_count && !is_found; j++)
      is_found = !strcmp(role->params, contract->params[j].struct_name);
    if (!is_found)
      pl_json_fail(reader, NULL, "role '%s' takes '%s', which is not among the params structs", role->name,
                   pl_printable(reader->arena, role->params));
  }
}

pl_status pl_contract_parse(const json_t *nodes, const char *where, pl_arena *arena, pl_sink *sink,
                            pl_contract *contract) {
  pl_json_reader reader = {.where = where, .code = "L-MANIFEST", .arena = arena, .sink = sink};
  *contract = (pl_contract){0};
  if (!json_is_array(nodes))
    pl_json_fail(&reader, NULL, "a contract must be an array of nodes");
  size_t count = json_array_size(nodes);
  if (count > NODES_MOST)
    pl_json_fail(&reader, NULL, "%zu nodes, at most %d are accepted", count, NODES_MOST);
  if (reader.status)
    return reader.status;

  node_lists lists = {.roles = pl_arena_array(arena, count, sizeof *lists.roles),
                      .params = pl_arena_array(arena, count, sizeof *lists.params),
                      .seams = pl_arena_array(arena, count, sizeof *lists.seams),
                      .shareds = pl_arena_array(arena, count, sizeof *lists.shareds),
                      .rings = pl_arena_array(arena, count, sizeof *lists.rings),
                      .barriers = pl_arena_array(arena, count, sizeof *lists.barriers),
                      .buffers = pl_arena_array(arena, count, sizeof *lists.buffers),
                      .tmems = pl_arena_array(arena, count, sizeof *lists.tmems)};
  if (!lists.roles || !lists.params || !lists.seams || !lists.shareds || !lists.rings || !lists.barriers ||
      !lists.buffers || !lists.tmems)
    return -ENOMEM;
  contract->roles = lists.roles;
  contract->params = lists.params;
  contract->seams = lists.seams;
  contract->shareds = lists.shareds;
  contract->rings = lists.rings;
  contract->barriers = lists.barriers;
  contract->buffers = lists.buffers;
  contract->tmems = lists.tmems;

  for (size_t i = 0; i < count && !reader.status; i++) {
    const json_t *node = json_array_get(nodes, i);
    pl_json_path path = {NULL, NULL, i};
    node_kind kind = read_node_kind(&reader, &path, node);
    switch (kind) {
    case STAGE:
      read_stage(&reader, &path, node, contract);
      break;
    case ROLE:
      read_role(&reader, &path, node, &lists.roles[contract->role_count++]);
      break;
    case PARAMS:
      read_params(&reader, &path, node, &lists.params[contract->params_count++]);
      break;
    case IMPORT:
    case EXPORT:
      read_seam(&reader, &path, node, kind == EXPORT, &lists.seams[contract->seam_count++]);
      break;
    case SHARED:
      read_shared(&reader, &path, node, &lists.shareds[contract->shared_count++]);
      break;
    case RING:
      pl_read_ring(&reader, &path, node, &lists.rings[contract->ring_count++]);
      break;
    case BARRIER:
      pl_read_barrier(&reader, &path, node, &lists.barriers[contract->barrier_count++]);
      break;
    case BUFFER:
      pl_read_smem_buffer(&reader, &path, node, &lists.buffers[contract->buffer_count++]);
      break;
    case TMEM:
      pl_read_tmem(&reader, &path, node, &lists.tmems[contract->tmem_count++]);
      break;
    case NODE_KINDS:
      break;
    }
  }
  if (!reader.status && !contract->stage)
    pl_json_fail(&reader, NULL, "no stage; a contract has exactly one (PIPELINK_STAGE in the source)");
  if (!reader.status)
    check_names(&reader, contract);
  if (!reader.status)
    check_references(&reader, contract);
  if (!reader.status)
    pl_check_resources(&reader, contract, lists.rings);
  return reader.status;
}
