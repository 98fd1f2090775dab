/* describe.c - last phase: the cubin's companions, all from the same placement.
 *
 * KERNEL.launch.json (what the runtime reads), a C header with the same facts, and the link map.
 */
#include "link.h"

#include "solved_values.h"
#include "watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "gemm.cubin" -> "gemm" + suffix */
static const char *beside(pl_link *link, const char *suffix) {
  const char *path = link->options.output;
  size_t length = strlen(path);
  if (length > 6 && !strcmp(path + length - 6, ".cubin"))
    length -= 6;
  return pl_arena_printf(link->arena, "%.*s%s", (int)length, path, suffix);
}

static const char *backend_name(const pl_link *link) {
  return link->backend_used == PL_BACKEND_NVVM ? "nvvm" : "nvptx";
}

/* ---- launch.json ---- */

static json_t *number_json(const pl_type *type) {
  if (type->kind == PL_TYPE_INTEGER)
    return json_pack("{s:s, s:I, s:b}", "kind", "integer", "bits", (json_int_t)type->bits, "signed", type->is_signed);
  return type->is_bfloat ? json_pack("{s:s, s:I, s:b}", "kind", "float", "bits", (json_int_t)type->bits, "bfloat", 1)
                         : json_pack("{s:s, s:I}", "kind", "float", "bits", (json_int_t)type->bits);
}

/* A tensor's elements are numbers, since copies may add them up on the way; what else they are moves as bytes, that is,
 * as unsigned integers. CUDA's 16-bit floats are structs. */
static json_t *tensor_element_json(const pl_type *type) {
  bool is_bfloat = type->kind == PL_TYPE_STRUCT && type->size == 2 && !strcmp(type->name, "__nv_bfloat16");
  bool is_half = type->kind == PL_TYPE_STRUCT && type->size == 2 && !strcmp(type->name, "__half");
  if (type->kind == PL_TYPE_INTEGER || (type->kind == PL_TYPE_FLOAT && type->bits >= 16))
    return number_json(type);
  if (is_bfloat || is_half)
    return number_json(&(pl_type){.kind = PL_TYPE_FLOAT, .bits = 16, .is_bfloat = is_bfloat});
  return number_json(&(pl_type){.kind = PL_TYPE_INTEGER, .bits = (unsigned)type->size * 8});
}

/* To a reader that knows no tensor maps it is bytes, which the host can still encode by itself. */
static json_t *tensor_map_json(const pl_type *type) {
  json_t *box = json_array();
  for (unsigned i = 0; i < type->rank; i++)
    json_array_append_new(box, json_integer(type->box[i]));
  return json_pack("{s:s, s:{s:o, s:i, s:o, s:i}}", "kind", "bytes", "tensor_map", "element",
                   tensor_element_json(type->element), "rank", (int)type->rank, "box", box, "swizzle",
                   (int)type->swizzle);
}

static json_t *type_json(const pl_type *type) {
  switch (type->kind) {
  case PL_TYPE_BOOL:
    return json_pack("{s:s, s:I}", "kind", "bool", "bits", (json_int_t)8);
  case PL_TYPE_INTEGER:
  case PL_TYPE_FLOAT:
    return number_json(type);
  case PL_TYPE_TENSOR_MAP:
    return tensor_map_json(type);
  case PL_TYPE_POINTER: {
    json_t *pointer = json_pack("{s:s, s:b}", "kind", "pointer", "const", type->pointee_const);
    /* What it points to, one level deep: enough to make and read buffers. */
    if (pointer && type->element && type->element->kind <= PL_TYPE_FLOAT && type->element->kind != PL_TYPE_VOID)
      json_object_set_new(pointer, "element", type_json(type->element));
    return pointer;
  }
  default:
    return json_pack("{s:s}", "kind", "bytes");
  }
}

static json_t *field_json(const pl_field *field, uint64_t base) {
  json_t *object = json_pack("{s:s, s:I, s:I, s:s}", "name", field->name, "offset", (json_int_t)(base + field->offset),
                             "size", (json_int_t)field->type->size, "type", field->type->name);
  json_t *type = type_json(field->type);
  if (object && type)
    json_object_update_missing(object, type);
  json_decref(type);
  return object;
}

static json_t *owner_json(const pl_link *link, const pl_placed_params *placed) {
  const pl_package *package = link->instances[placed->instance].package;
  const pl_params *params = placed->params;
  json_t *fields = json_array();
  for (size_t i = 0; i < params->field_count; i++)
    json_array_append_new(fields, field_json(&params->fields[i], placed->offset));
  return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:b, s:o}", "instance", link->instances[placed->instance].name,
                   "package", package->name, "version", package->version, "struct", params->struct_name, "offset",
                   (json_int_t)placed->offset, "size", (json_int_t)params->size, "align", (json_int_t)params->align,
                   "opaque", params->is_opaque, "fields", fields);
}

static json_t *roles_json(const pl_link *link) {
  json_t *roles = json_array();
  for (size_t i = 0; i < link->role_count; i++)
    json_array_append_new(roles, json_pack("{s:s, s:s, s:I, s:I}", "name", link->roles[i].role->name, "stage",
                                           link->instances[link->roles[i].instance].name, "warps",
                                           (json_int_t)link->roles[i].warps, "first_warp",
                                           (json_int_t)link->roles[i].first_warp));
  return roles;
}

/* The roles whose CTAs wait for CTAs of the whole grid, for the runtime's message. */
static json_t *co_resident_json(const pl_link *link) {
  json_t *owners = json_array();
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].role->is_co_resident)
      json_array_append_new(owners,
                            json_sprintf("role '%s' of %s", link->roles[i].role->name,
                                         pl_where(link, link->roles[i].instance, link->roles[i].role->location)));
  return owners;
}

static json_t *packages_json(const pl_link *link) {
  json_t *packages = json_array();
  for (size_t i = 0; i < link->package_count; i++) {
    const pl_package *package = &link->packages[i];
    const pl_code *code = pl_package_code(package, link->profile->name);
    const pl_member *member = pl_package_member(package, code->member);
    char hex[65];
    pl_sha256(member->data, member->size, hex);
    json_array_append_new(packages, json_pack("{s:s, s:s, s:s, s:s}", "name", package->name, "version",
                                              package->version, "code", code->member, "sha256", hex));
  }
  return packages;
}

/* Codes of errors that were forced, each once: who launches the kernel may want to know. NULL when there are none. */
static json_t *unsafe_json(const pl_sink *sink) {
  json_t *codes = NULL;
  for (size_t i = 0; i < sink->count; i++) {
    const pl_diagnostic *diagnostic = sink->diagnostics[i];
    size_t k = 0;
    while (k < i && !(sink->diagnostics[k]->is_forced && !strcmp(sink->diagnostics[k]->code, diagnostic->code)))
      k++;
    if (!diagnostic->is_forced || k < i)
      continue;
    codes = codes ? codes : json_array();
    json_array_append_new(codes, json_string(diagnostic->code));
  }
  return codes;
}

/* CTAs that an SM may hold; 0: as many as fit. Tensor memory is nothing that the driver counts: a CTA too many would
 * wait in tcgen05.alloc for another one to end. */
static unsigned most_ctas(const pl_link *link) {
  return link->tmem_columns ? link->profile->tmem_columns / link->tmem_columns : 0;
}

static pl_status write_launch(pl_link *link, const char *path, pl_outputs *outputs) {
  char hex[65];
  pl_sha256(link->code.cubin.data, link->code.cubin.size, hex);
  json_t *owners = json_array(), *symbols = json_array();
  for (size_t i = 0; i < link->params_count; i++)
    json_array_append_new(owners, owner_json(link, &link->params[i]));
  for (size_t i = 0; i < link->options.keep_count; i++)
    json_array_append_new(symbols, json_string(link->options.keep[i]));
  json_t *root =
      json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:I, s:s}, s:[I,i,i], s:[I,I,I], s:{s:I, s:I}, s:I, s:I, s:o, s:o, "
                "s:{s:I, s:I, s:o}, s:o, s:o, s:o*}",
                "pipelink", PL_SCHEMA_VERSION, "kernel", link->entry, "profile", link->profile->name, "codegen",
                backend_name(link), "cubin", "file", pl_path_base(link->options.output), "bytes",
                (json_int_t)link->code.cubin.size, "sha256", hex, "block", (json_int_t)link->threads, 1, 1, "cluster",
                (json_int_t)link->cluster[0], (json_int_t)link->cluster[1], (json_int_t)link->cluster[2], "shared",
                "dynamic", (json_int_t)link->shared_size, "align", (json_int_t)link->shared_align, "min_ctas_per_sm",
                (json_int_t)link->options.ctas_per_sm, "max_ctas_per_sm", (json_int_t)most_ctas(link), "co_resident",
                co_resident_json(link), "roles", roles_json(link), "parameters", "size", (json_int_t)link->params_size,
                "align", (json_int_t)link->params_align, "owners", owners, "symbols", symbols, "packages",
                packages_json(link), "unsafe", unsafe_json(link->sink));
  if (root && link->options.watchdog)
    json_object_set_new(root, "watchdog", pl_watchdog_json(link));
  char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(root);
  pl_status status = text ? pl_outputs_add(outputs, path, text, strlen(text)) : -ENOMEM;
  free(text);
  return status ? pl_out_of_memory(link->sink) : 0;
}

/* ---- C header ---- */

/* "caller.tile.m" as a C identifier; nothing that is not one gets through. */
static const char *identifier(pl_link *link, const char *name) {
  char *text = pl_arena_strdup(link->arena, name);
  for (char *c = text; c && *c; c++)
    if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
      *c = '_';
  return text ? text : "unnamed";
}

static const char *upper(pl_link *link, const char *name) {
  char *text = pl_arena_strdup(link->arena, name);
  for (char *c = text; c && *c; c++)
    if (*c >= 'a' && *c <= 'z')
      *c = (char)(*c - 'a' + 'A');
  return text ? text : "UNNAMED";
}

/* A C type of the same size and alignment; NULL when it is handed over as bytes. */
static const char *c_type(const pl_type *type) {
  static const char *const integers[2][4] = {{"uint8_t", "uint16_t", "uint32_t", "uint64_t"},
                                             {"int8_t", "int16_t", "int32_t", "int64_t"}};
  switch (type->kind) {
  case PL_TYPE_BOOL:
    return "uint8_t";
  case PL_TYPE_POINTER:
    return "uint64_t";
  case PL_TYPE_FLOAT:
    return type->bits == 32 ? "float" : type->bits == 64 ? "double" : NULL;
  case PL_TYPE_INTEGER: {
    unsigned index = type->bits == 8 ? 0 : type->bits == 16 ? 1 : type->bits == 32 ? 2 : 3;
    return type->bits == 8u << index && type->size == 1u << index ? integers[type->is_signed][index] : NULL;
  }
  default:
    return NULL;
  }
}

static void write_struct(pl_link *link, const pl_placed_params *placed, const char *name, pl_buffer *text) {
  const pl_params *params = placed->params;
  uint64_t at = 0;
  pl_buffer_printf(text, "\n/* %s of %s */\ntypedef struct %s {\n", params->struct_name,
                   pl_where(link, placed->instance, params->location), name);
  pl_buffer_printf(text, "  PIPELINK_ALIGNED(%llu) ", (unsigned long long)params->align);
  bool first = true;
  for (size_t i = 0; i < params->field_count; i++) {
    const pl_field *field = &params->fields[i];
    const char *indent = first ? "" : "  ";
    if (field->offset < at)
      continue; /* another member of a union: reach it through the first */
    if (field->offset > at) {
      pl_buffer_printf(text, "%sunsigned char padding_%llu[%llu];\n", indent, (unsigned long long)at,
                       (unsigned long long)(field->offset - at));
      indent = "  ";
    }
    const char *type = c_type(field->type), *member = identifier(link, field->name);
    if (type)
      pl_buffer_printf(text, "%s%s %s; /* %s */\n", indent, type, member, field->type->name);
    else
      pl_buffer_printf(text, "%sunsigned char %s[%llu]; /* %s */\n", indent, member,
                       (unsigned long long)field->type->size, field->type->name);
    at = field->offset + field->type->size;
    first = false;
  }
  if (at < params->size)
    pl_buffer_printf(text, "%sunsigned char %s_%llu[%llu];\n", first ? "" : "  ", first ? "bytes" : "padding",
                     (unsigned long long)at, (unsigned long long)(params->size - at));
  pl_buffer_printf(text, "} %s;\nPIPELINK_ASSERT(sizeof(%s) == %llu);\n", name, name, (unsigned long long)params->size);
  at = 0;
  for (size_t i = 0; i < params->field_count; i++) {
    const pl_field *field = &params->fields[i];
    if (field->offset < at)
      continue;
    at = field->offset + field->type->size;
    pl_buffer_printf(text, "PIPELINK_ASSERT(offsetof(%s, %s) == %llu);\n", name, identifier(link, field->name),
                     (unsigned long long)field->offset);
  }
}

static pl_status write_header(pl_link *link, pl_outputs *outputs) {
  const char *base = pl_path_base(link->options.output);
  const char *stem = identifier(link, pl_arena_copy(link->arena, base, strcspn(base, ".")));
  if (*stem >= '0' && *stem <= '9')
    stem = pl_arena_printf(link->arena, "k%s", stem);
  if (!stem)
    return pl_out_of_memory(link->sink);
  const char *big = upper(link, stem);
  pl_buffer text = {0};
  pl_buffer_printf(&text, "/* Launch description of %s, for %s. Generated by ld.pipelink. */\n", base,
                   link->profile->name);
  pl_buffer_printf(&text, "#ifndef %s_LAUNCH_H\n#define %s_LAUNCH_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
                   big, big);
  pl_buffer_puts(&text, "#ifndef PIPELINK_ALIGNED\n#ifdef __cplusplus\n#define PIPELINK_ALIGNED(bytes) alignas(bytes)\n"
                        "#define PIPELINK_ASSERT(fact) static_assert(fact, #fact)\n#else\n"
                        "#define PIPELINK_ALIGNED(bytes) _Alignas(bytes)\n"
                        "#define PIPELINK_ASSERT(fact) _Static_assert(fact, #fact)\n#endif\n#endif\n\n");
  pl_buffer_printf(&text, "#define %s_ENTRY \"%s\"\n", big, link->entry);
  pl_buffer_printf(&text, "#define %s_BLOCK_X %u\n#define %s_BLOCK_Y 1\n#define %s_BLOCK_Z 1\n", big, link->threads,
                   big, big);
  pl_buffer_printf(&text, "#define %s_CLUSTER_X %u\n#define %s_CLUSTER_Y %u\n#define %s_CLUSTER_Z %u\n", big,
                   link->cluster[0], big, link->cluster[1], big, link->cluster[2]);
  pl_buffer_printf(&text, "#define %s_SHARED_BYTES %llu /* dynamic, to be set on the function before launch */\n", big,
                   (unsigned long long)link->shared_size);
  for (size_t i = 0; i < link->params_count; i++) {
    const pl_placed_params *placed = &link->params[i];
    const char *name = pl_arena_printf(link->arena, "%s_%s_%s", stem, link->instances[placed->instance].name,
                                       placed->params->struct_name);
    write_struct(link, placed, identifier(link, name ? name : ""), &text);
  }
  pl_buffer_printf(&text, "\n/* The kernel's one parameter, by value. */\ntypedef struct %s_parameters {\n", stem);
  uint64_t at = 0;
  for (size_t i = 0; i < link->params_count; i++) {
    const pl_placed_params *placed = &link->params[i];
    const char *instance = link->instances[placed->instance].name;
    const char *name = pl_arena_printf(link->arena, "%s_%s_%s", stem, instance, placed->params->struct_name);
    const char *member = i + 1 < link->params_count || i
                             ? pl_arena_printf(link->arena, "%s_%s", instance, placed->params->struct_name)
                             : instance;
    if (placed->offset > at)
      pl_buffer_printf(&text, "  unsigned char padding_%llu[%llu];\n", (unsigned long long)at,
                       (unsigned long long)(placed->offset - at));
    pl_buffer_printf(&text, "  %s %s; /* at byte %llu */\n", identifier(link, name ? name : ""),
                     identifier(link, member ? member : ""), (unsigned long long)placed->offset);
    at = placed->offset + placed->params->size;
  }
  if (!link->params_count)
    pl_buffer_puts(&text, "  unsigned char none; /* the kernel takes no parameter */\n");
  pl_buffer_printf(&text, "} %s_parameters;\n\n#endif\n", stem);
  pl_status status = text.failed ? -ENOMEM : pl_outputs_add(outputs, link->options.header, text.data, text.size);
  pl_buffer_free(&text);
  return status ? pl_out_of_memory(link->sink) : 0;
}

/* ---- map ---- */

/* One line of the map: fixed columns, so that scripts can cut them; what has no value there is "-". */
typedef struct map_row {
  const char *kind, *owner, *resource;
  uint64_t size, align; /* in the kind's own unit; 0: none */
  const char *unit;     /* of place: "byte", "id", "column", "warps" */
  uint64_t first, last; /* place; last == first for a single one */
  const pl_live *live;  /* NULL: always */
} map_row;

static void print_row(const pl_link *link, pl_buffer *text, map_row row) {
  char size[32] = "-", align[32] = "-", place[64], live[32] = "always";
  if (row.size)
    snprintf(size, sizeof size, "%llu", (unsigned long long)row.size);
  if (row.align)
    snprintf(align, sizeof align, "%llu", (unsigned long long)row.align);
  if (!strcmp(row.unit, "warps") || row.last != row.first)
    snprintf(place, sizeof place, "%s %llu-%llu", row.unit, (unsigned long long)row.first,
             (unsigned long long)row.last);
  else
    snprintf(place, sizeof place, "%s %llu", row.unit, (unsigned long long)row.first);
  if (row.live && (row.live->from != 0 || row.live->to != PL_PHASE_MOST))
    snprintf(live, sizeof live, "%u-%u", row.live->from, row.live->to);
  pl_buffer_printf(text, "%-8s %-20s %-24s %8s %6s  %-16s %-8s %s\n", row.kind, row.owner, row.resource, size, align,
                   place, live, link->profile->name);
}

static void print_rings(const pl_link *link, pl_buffer *text) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    const pl_ring *produced = ring->producer.ring;
    const char *owner = link->instances[ring->producer.instance].name;
    bool named = produced->protocol == PL_RING_NAMED;
    print_row(link, text,
              (map_row){"ring", owner, ring->name, produced->slot_bytes * ring->depth, produced->slot_align, "byte",
                        ring->slots, ring->slots, &produced->live});
    print_row(link, text,
              (map_row){"full", owner, ring->name, named ? 0 : 8 * ring->depth, named ? 0 : 8, named ? "id" : "byte",
                        ring->full, named ? ring->full + ring->depth - 1 : ring->full, NULL});
    print_row(link, text,
              (map_row){"empty", owner, ring->name, named ? 0 : 8 * ring->depth, named ? 0 : 8, named ? "id" : "byte",
                        ring->empty, named ? ring->empty + ring->depth - 1 : ring->empty, NULL});
  }
}

static void print_memory(const pl_link *link, pl_buffer *text) {
  for (size_t i = 0; i < link->shared_count; i++) {
    const pl_placed_shared *placed = &link->shareds[i];
    print_row(link, text,
              (map_row){"shared", link->instances[placed->instance].name, placed->shared->name, placed->shared->bytes,
                        placed->shared->align, "byte", placed->offset, placed->offset, NULL});
  }
  for (size_t i = 0; i < link->buffer_count; i++) {
    const pl_placed_buffer *placed = &link->buffers[i];
    print_row(link, text,
              (map_row){"buffer", link->instances[placed->instance].name, placed->buffer->name, placed->buffer->bytes,
                        placed->buffer->align, "byte", placed->offset, placed->offset, &placed->buffer->live});
  }
  for (size_t i = 0; i < link->barrier_count; i++) {
    const pl_joined_barrier *barrier = &link->barriers[i];
    print_row(link, text,
              (map_row){"barrier", link->instances[barrier->members[0].instance].name, barrier->name, barrier->threads,
                        0, "id", barrier->id, barrier->id, NULL});
  }
  for (size_t i = 0; i < link->tmem_count; i++) {
    const pl_placed_tmem *placed = &link->tmems[i];
    print_row(link, text,
              (map_row){"tmem", link->instances[placed->instance].name, placed->tmem->name, placed->tmem->columns,
                        placed->tmem->align, "column", placed->column, placed->column + placed->tmem->columns - 1,
                        NULL});
  }
}

/* Rings whose depth somebody could wish to change, with what bounds it. */
static void print_depths(const pl_link *link, pl_buffer *text) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    pl_buffer_printf(text, "depth    %-20s %-24s %8u         %s\n", link->instances[ring->producer.instance].name,
                     ring->name, ring->depth, ring->bound ? ring->bound : "");
  }
}

void pl_print_placement(const pl_link *link, pl_buffer *text) {
  pl_buffer_printf(text, "%-8s %-20s %-24s %8s %6s  %-16s %-8s %s\n", "kind", "owner", "resource", "size", "align",
                   "place", "live", "profile");
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    const char *owner = link->instances[placed->instance].name;
    print_row(link, text,
              (map_row){"role", owner, placed->role->name, placed->warps, placed->warps % 4 ? 1 : 4, "warps",
                        placed->first_warp, placed->first_warp + placed->warps - 1, NULL});
    if (placed->registers)
      print_row(link, text,
                (map_row){"register", owner, placed->role->name, placed->registers, 8, "warps", placed->first_warp,
                          placed->first_warp + placed->warps - 1, NULL});
  }
  for (size_t i = 0; i < link->params_count; i++) {
    const pl_placed_params *placed = &link->params[i];
    const char *owner = link->instances[placed->instance].name;
    print_row(link, text,
              (map_row){"params", owner, placed->params->struct_name, placed->params->size, placed->params->align,
                        "byte", placed->offset, placed->offset, NULL});
    for (size_t k = 0; k < placed->params->field_count; k++) {
      const pl_field *field = &placed->params->fields[k];
      uint64_t at = placed->offset + field->offset;
      print_row(link, text,
                (map_row){"field", owner, field->name, field->type->size, field->type->align, "byte", at, at, NULL});
    }
  }
  print_rings(link, text);
  print_memory(link, text);
  print_depths(link, text);
  for (size_t i = 0; i < link->binding_count; i++) {
    const pl_binding *binding = &link->bindings[i];
    pl_buffer_printf(text, "%-8s %-20s %-24s %8s %6s  %s.%s\n", "call", link->instances[binding->importer].name,
                     binding->import->name, "-", "-", link->instances[binding->exporter].name, binding->export->name);
  }
}

static pl_status write_map(pl_link *link, pl_outputs *outputs) {
  pl_buffer text = {0};
  pl_buffer_printf(
      &text, "# %s: kernel %s for %s by %s, block %u, cluster %ux%ux%u, shared %llu bytes, parameters %llu bytes\n",
      pl_path_base(link->options.output), link->entry, link->profile->name, backend_name(link), link->threads,
      link->cluster[0], link->cluster[1], link->cluster[2], (unsigned long long)link->shared_size,
      (unsigned long long)link->params_size);
  pl_print_placement(link, &text);
  pl_status status = text.failed ? -ENOMEM : pl_outputs_add(outputs, link->options.map, text.data, text.size);
  pl_buffer_free(&text);
  return status ? pl_out_of_memory(link->sink) : 0;
}

static pl_status write_text(pl_link *link, pl_outputs *outputs, const char *path,
                            pl_status (*print)(const pl_link *link, pl_buffer *text)) {
  pl_buffer text = {0};
  pl_status status = print(link, &text);
  if (!status && pl_outputs_add(outputs, path, text.data, text.size))
    status = pl_out_of_memory(link->sink);
  pl_buffer_free(&text);
  return status;
}

pl_status pl_phase_describe(pl_link *link, pl_outputs *outputs) {
  const char *launch = beside(link, ".launch.json");
  if (!launch || pl_outputs_add(outputs, link->options.output, link->code.cubin.data, link->code.cubin.size))
    return pl_out_of_memory(link->sink);
  if (link->options.unit)
    return 0; /* the hand-written kernel describes itself */
  pl_status status = write_launch(link, launch, outputs);
  if (!status && link->options.header)
    status = write_header(link, outputs);
  if (!status && link->options.map)
    status = write_map(link, outputs);
  if (!status && link->options.map_json)
    status = write_text(link, outputs, link->options.map_json, pl_print_map_json);
  if (!status && link->options.report)
    status = write_text(link, outputs, link->options.report, pl_evidence_print);
  if (!status && link->options.pins)
    status = write_text(link, outputs, link->options.pins, pl_print_pins);
  return status;
}
