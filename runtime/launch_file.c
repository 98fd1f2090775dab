/* launch_file.c - reads and checks a launch file; see launch_file.h for its form. */
#include "launch_file.h"

#include "contract.h"
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { UNSAFE_MAX = 256 /* codes that a launch file lists */ };

enum { OWNERS_MAX = 1024 }; /* a CTA has no more threads */

/* ---- types ---- */

static const char *const kind_names[] = {
    [PIPELINK_PARAMETER_INTEGER] = "integer", [PIPELINK_PARAMETER_FLOAT] = "float", [PIPELINK_PARAMETER_BOOL] = "bool",
    [PIPELINK_PARAMETER_POINTER] = "pointer", [PIPELINK_PARAMETER_BYTES] = "bytes",
};
enum { KIND_COUNT = sizeof kind_names / sizeof *kind_names };

static bool is_power_of_two(uint64_t value) {
  return value && !(value & (value - 1));
}

/* "kind" and, for an integer or a float, "bits" and "signed" or "bfloat". */
static pl_number read_number(pl_json_reader *reader, const pl_json_path *path, const json_t *object) {
  pl_number number = {.kind = PIPELINK_PARAMETER_BYTES};
  const char *kind = pl_json_text(reader, path, object, "kind", PL_NAME_MAX);
  unsigned index = 0;
  while (index < KIND_COUNT && strcmp(kind, kind_names[index]) != 0)
    index++;
  if (index == KIND_COUNT)
    pl_json_fail(reader, &(pl_json_path){path, "kind", 0}, "must be integer, float, bool, pointer or bytes, is '%s'",
                 pl_printable(reader->arena, kind));
  if (reader->status)
    return number;
  number.kind = (pipelink_parameter_kind)index;
  if (number.kind != PIPELINK_PARAMETER_INTEGER && number.kind != PIPELINK_PARAMETER_FLOAT)
    return number;
  number.bits = (unsigned)pl_json_unsigned(reader, path, object, "bits", 8, 128);
  if (!is_power_of_two(number.bits))
    pl_json_fail(reader, &(pl_json_path){path, "bits", 0}, "must be a power of two, is %u", number.bits);
  if (number.kind == PIPELINK_PARAMETER_INTEGER)
    number.is_signed = pl_json_bool(reader, path, object, "signed");
  else if (json_object_get(object, "bfloat"))
    number.is_bfloat = pl_json_bool(reader, path, object, "bfloat");
  return number;
}

/* What a pointer points to. A pointee that is no number (a struct, another pointer) tells nothing that is used here. */
static void read_element(pl_json_reader *reader, const pl_json_path *path, const json_t *object,
                         pl_launch_field *field) {
  const json_t *element = json_object_get(object, "element");
  if (!element || json_is_null(element) || reader->status)
    return;
  pl_json_path place = {path, "element", 0};
  if (!pl_json_is_object(reader, &place, element, NULL))
    return;
  const char *kind = json_string_value(json_object_get(element, "kind"));
  if (!kind || (strcmp(kind, "integer") != 0 && strcmp(kind, "float") != 0))
    return;
  field->has_element = true;
  field->element = read_number(reader, &place, element);
}

/* ---- tensor maps ---- */

/* "box": as many extents as there are dimensions, of which the first is whole pieces and no longer than the swizzle. */
static void read_box(pl_json_reader *reader, const pl_json_path *path, const json_t *object, pl_launch_field *field) {
  pl_tensor_map *map = &field->tensor_map;
  const json_t *array = pl_json_array(reader, path, object, "box", PIPELINK_TENSOR_RANK_MAX);
  const pl_json_path place = {path, "box", 0};
  if (!reader->status && json_array_size(array) != map->rank)
    pl_json_fail(reader, &place, "has %zu extents, but the rank is %u", json_array_size(array), map->rank);
  for (unsigned i = 0; i < map->rank && !reader->status; i++) {
    json_int_t extent = json_integer_value(json_array_get(array, i)); /* 0 for what is no integer */
    if (extent < 1 || extent > PL_TENSOR_BOX_MAX)
      pl_json_fail(reader, &(pl_json_path){&place, NULL, i}, "must be an integer from 1 to %d", PL_TENSOR_BOX_MAX);
    map->box[i] = (uint32_t)extent;
  }
  unsigned row = map->box[0] * (field->element.bits / 8);
  if (!reader->status && row % PL_TENSOR_PIECE)
    pl_json_fail(reader, &place, "has rows of %u bytes: a multiple of %d is needed", row, PL_TENSOR_PIECE);
  else if (!reader->status && map->swizzle && row > map->swizzle)
    pl_json_fail(reader, &place, "has rows of %u bytes, more than the swizzle's %u", row, map->swizzle);
}

static void read_tensor_map(pl_json_reader *reader, const pl_json_path *path, const json_t *object,
                            pl_launch_field *field) {
  const pl_json_path place = {path, "tensor_map", 0}, element_place = {&place, "element", 0};
  const json_t *map = pl_json_object(reader, path, object, "tensor_map");
  if (!reader->status && (field->size != PL_TENSOR_MAP_BYTES || field->offset % PL_TENSOR_MAP_ALIGN))
    pl_json_fail(reader, &place, "is of %zu bytes at offset %zu: %d at a multiple of %d are needed", field->size,
                 field->offset, PL_TENSOR_MAP_BYTES, PL_TENSOR_MAP_ALIGN);
  const json_t *element = pl_json_object(reader, &place, map, "element");
  field->element = read_number(reader, &element_place, element);
  const pl_number *number = &field->element;
  bool is_integer = number->kind == PIPELINK_PARAMETER_INTEGER && number->bits <= 64;
  bool is_float = number->kind == PIPELINK_PARAMETER_FLOAT && number->bits >= 16 && number->bits <= 64;
  if (!reader->status && !is_integer && !is_float)
    pl_json_fail(reader, &element_place, "must be an integer of 8 to 64 bits or a float of 16 to 64");
  field->has_element = true;
  field->tensor_map.rank = (unsigned)pl_json_unsigned(reader, &place, map, "rank", 1, PIPELINK_TENSOR_RANK_MAX);
  field->tensor_map.swizzle = (unsigned)pl_json_unsigned(reader, &place, map, "swizzle", 0, 128);
  if (field->tensor_map.swizzle && (field->tensor_map.swizzle < 32 || !is_power_of_two(field->tensor_map.swizzle)))
    pl_json_fail(reader, &(pl_json_path){&place, "swizzle", 0}, "must be 0, 32, 64 or 128, is %u",
                 field->tensor_map.swizzle);
  if (!reader->status)
    read_box(reader, &place, map, field);
}

/* ---- the parameter block ---- */

/* "offset" and "size", of something that lies inside of `outer_size` bytes at `outer_offset`. */
static void read_extent(pl_json_reader *reader, const pl_json_path *path, const json_t *object, size_t outer_offset,
                        size_t outer_size, size_t *offset, size_t *size) {
  *size = (size_t)pl_json_unsigned(reader, path, object, "size", 1, outer_size);
  if (!reader->status)
    *offset = (size_t)pl_json_unsigned(reader, path, object, "offset", outer_offset, outer_offset + outer_size - *size);
}

static void check_size(pl_json_reader *reader, const pl_json_path *path, const pl_launch_field *field) {
  size_t expected = field->size;
  switch (field->value.kind) {
  case PIPELINK_PARAMETER_INTEGER:
  case PIPELINK_PARAMETER_FLOAT:
    expected = field->value.bits / 8;
    break;
  case PIPELINK_PARAMETER_BOOL:
    expected = 1;
    break;
  case PIPELINK_PARAMETER_POINTER:
    expected = sizeof(uint64_t);
    break;
  case PIPELINK_PARAMETER_BYTES:
    break;
  }
  if (field->size != expected)
    pl_json_fail(reader, &(pl_json_path){path, "size", 0}, "must be %zu for this kind, is %zu", expected, field->size);
}

static void read_field(pl_json_reader *reader, const pl_json_path *path, const json_t *object,
                       const pl_launch_owner *owner, pl_launch_field *field) {
  *field = (pl_launch_field){.instance = owner->instance};
  if (!pl_json_is_object(reader, path, object, NULL))
    return;
  field->name = pl_json_text(reader, path, object, "name", PL_TEXT_MAX);
  if (!*field->name)
    pl_json_fail(reader, &(pl_json_path){path, "name", 0}, "is empty");
  field->type = pl_json_text(reader, path, object, "type", PL_TEXT_MAX);
  read_extent(reader, path, object, owner->offset, owner->size, &field->offset, &field->size);
  field->value = read_number(reader, path, object);
  check_size(reader, path, field);
  if (field->value.kind == PIPELINK_PARAMETER_POINTER)
    read_element(reader, path, object, field);
  else if (field->value.kind == PIPELINK_PARAMETER_BYTES && json_object_get(object, "tensor_map"))
    read_tensor_map(reader, path, object, field);
}

static void read_fields(pl_json_reader *reader, const pl_json_path *path, const json_t *object,
                        const pl_launch_owner *owner, pl_launch_file *file) {
  const pl_json_path list = {path, "fields", 0};
  const json_t *array = pl_json_array(reader, path, object, "fields", PL_LAUNCH_FIELDS_MAX);
  for (size_t i = 0; i < json_array_size(array) && !reader->status; i++)
    read_field(reader, &(pl_json_path){&list, NULL, i}, json_array_get(array, i), owner,
               &file->fields[file->field_count++]);
}

/* An opaque struct is one field that stands for the whole. */
static void read_opaque(pl_json_reader *reader, const pl_json_path *path, const json_t *object,
                        const pl_launch_owner *owner, pl_launch_file *file) {
  if (json_object_get(object, "fields"))
    pl_json_array(reader, path, object, "fields", 0);
  file->fields[file->field_count++] = (pl_launch_field){.instance = owner->instance,
                                                        .type = owner->struct_name,
                                                        .offset = owner->offset,
                                                        .size = owner->size,
                                                        .value.kind = PIPELINK_PARAMETER_BYTES};
}

static void read_owner(pl_json_reader *reader, const pl_json_path *path, const json_t *object, pl_launch_file *file,
                       pl_launch_owner *owner) {
  if (!pl_json_is_object(reader, path, object, NULL))
    return;
  owner->instance = pl_json_name(reader, path, object, "instance");
  owner->struct_name = pl_json_text(reader, path, object, "struct", PL_TEXT_MAX);
  read_extent(reader, path, object, 0, file->parameters_size, &owner->offset, &owner->size);
  bool is_opaque = pl_json_bool(reader, path, object, "opaque");
  if (reader->status)
    return;
  if (is_opaque)
    read_opaque(reader, path, object, owner, file);
  else
    read_fields(reader, path, object, owner, file);
}

/* Each owner has a name and bytes of its own. */
static void check_owners(pl_json_reader *reader, const pl_json_path *path, const pl_launch_file *file) {
  for (size_t i = 0; i < file->owner_count; i++)
    for (size_t j = 0; j < i; j++) {
      const pl_launch_owner *a = &file->owners[j], *b = &file->owners[i];
      if (!strcmp(a->instance, b->instance))
        pl_json_fail(reader, path, "[%zu] and [%zu] are both called '%s'", j, i, a->instance);
      else if (a->offset < b->offset + b->size && b->offset < a->offset + a->size)
        pl_json_fail(reader, path, "[%zu] and [%zu] overlap", j, i);
    }
}

static int compare_texts(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* No two parameters have the same full name, which dots in an instance's name could bring about: a value could go to
 * the wrong one. */
static void check_names(pl_json_reader *reader, const pl_json_path *path, const pl_launch_file *file) {
  char **names = file->field_count > 1 ? pl_arena_array(reader->arena, file->field_count, sizeof *names) : NULL;
  if (file->field_count > 1 && !names)
    pl_json_out_of_memory(reader);
  for (size_t i = 0; names && i < file->field_count && !reader->status; i++) {
    const pl_launch_field *field = &file->fields[i];
    names[i] = pl_arena_printf(reader->arena, "%s%s%s", field->instance, field->name ? "." : "",
                               field->name ? field->name : "");
    if (!names[i])
      pl_json_out_of_memory(reader);
  }
  if (!names || reader->status)
    return;
  qsort(names, file->field_count, sizeof *names, compare_texts);
  for (size_t i = 1; i < file->field_count; i++)
    if (!strcmp(names[i - 1], names[i]))
      pl_json_fail(reader, path, "two parameters are called '%s'", pl_printable(reader->arena, names[i]));
}

/* Room for all owners and for at least as many fields as will be read. */
static void allocate(pl_json_reader *reader, const pl_json_path *path, const json_t *owners, pl_launch_file *file) {
  size_t owner_count = json_array_size(owners), field_count = owner_count; /* opaque ones have one each */
  for (size_t i = 0; i < owner_count; i++)
    field_count += json_array_size(json_object_get(json_array_get(owners, i), "fields"));
  if (field_count > PL_LAUNCH_FIELDS_MAX)
    pl_json_fail(reader, path, "%zu fields, at most %d are accepted", field_count, PL_LAUNCH_FIELDS_MAX);
  if (reader->status)
    return;
  file->owners = pl_arena_array(file->arena, owner_count, sizeof *file->owners);
  file->fields = pl_arena_array(file->arena, field_count, sizeof *file->fields);
  if (!file->owners || !file->fields)
    pl_json_out_of_memory(reader);
}

static void read_parameters(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  const pl_json_path path = {NULL, "parameters", 0}, list = {&path, "owners", 0};
  const json_t *parameters = pl_json_object(reader, NULL, document, "parameters");
  file->parameters_size = (size_t)pl_json_unsigned(reader, &path, parameters, "size", 0, PL_PARAMETERS_MAX);
  const json_t *array = pl_json_array(reader, &path, parameters, "owners", OWNERS_MAX);
  size_t count = json_array_size(array);
  allocate(reader, &list, array, file);
  for (size_t i = 0; i < count && !reader->status; i++)
    read_owner(reader, &(pl_json_path){&list, NULL, i}, json_array_get(array, i), file,
               &file->owners[file->owner_count++]);
  if (!reader->status)
    check_owners(reader, &list, file);
  if (!reader->status)
    check_names(reader, &list, file);
}

/* ---- what the linker was made to pass over ---- */

static void read_unsafe(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  const pl_json_path path = {NULL, "unsafe", 0};
  if (!json_object_get(document, "unsafe"))
    return;
  const json_t *codes = pl_json_array(reader, NULL, document, "unsafe", UNSAFE_MAX);
  for (size_t i = 0; i < json_array_size(codes); i++) {
    const char *code = pl_json_item_text(reader, &path, json_array_get(codes, i), PL_NAME_MAX);
    const char *before = file->unsafe;
    file->unsafe = pl_arena_printf(file->arena, "%s%s%s", before ? before : "", before ? ", " : "",
                                   pl_printable(file->arena, code));
    if (!file->unsafe)
      reader->status = -ENOMEM;
  }
}

/* ---- the watchdog ---- */

static void read_wait(pl_json_reader *reader, const pl_json_path *path, const json_t *object, pl_launch_wait *wait) {
  static const char *const kinds[] = {"barrier", "mbarrier", "cluster"};
  if (!pl_json_is_object(reader, path, object, NULL))
    return;
  wait->role = pl_json_name(reader, path, object, "role");
  size_t kind = pl_json_word(reader, path, object, "kind", kinds, sizeof kinds / sizeof *kinds);
  wait->is_mbarrier = kind == 1;
  wait->is_cluster = kind == 2;
  wait->file = pl_json_text(reader, path, object, "file", PL_TEXT_MAX);
  wait->line = (unsigned)pl_json_unsigned(reader, path, object, "line", 0, INT32_MAX);
}

static void read_place(pl_json_reader *reader, const pl_json_path *path, const json_t *object, pl_launch_place *place) {
  if (!pl_json_is_object(reader, path, object, NULL))
    return;
  place->resource = pl_json_name(reader, path, object, "resource");
  place->name = pl_json_name(reader, path, object, "name");
  place->side = pl_json_text(reader, path, object, "side", PL_NAME_MAX);
  place->is_named = pl_json_bool(reader, path, object, "named");
  place->first = (uint32_t)pl_json_unsigned(reader, path, object, "first", 0, INT32_MAX);
  place->count = (uint32_t)pl_json_unsigned(reader, path, object, "count", 1, PL_DEPTH_MOST);
}

static void read_watchdog(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  pl_launch_watchdog *watchdog = &file->watchdog;
  const pl_json_path path = {NULL, "watchdog", 0}, waits_path = {&path, "waits", 0}, places_path = {&path, "places", 0};
  if (!json_object_get(document, "watchdog"))
    return;
  const json_t *object = pl_json_object(reader, NULL, document, "watchdog");
  const json_t *waits = pl_json_array(reader, &path, object, "waits", PL_LAUNCH_FIELDS_MAX);
  const json_t *places = pl_json_array(reader, &path, object, "places", PL_LAUNCH_FIELDS_MAX);
  watchdog->variable = pl_json_name(reader, &path, object, "variable");
  watchdog->wait_count = json_array_size(waits);
  watchdog->place_count = json_array_size(places);
  watchdog->waits = pl_json_alloc(reader, watchdog->wait_count + 1, sizeof *watchdog->waits);
  watchdog->places = pl_json_alloc(reader, watchdog->place_count + 1, sizeof *watchdog->places);
  for (size_t i = 0; i < watchdog->wait_count && !reader->status; i++)
    read_wait(reader, &(pl_json_path){&waits_path, NULL, i}, json_array_get(waits, i), &watchdog->waits[i]);
  for (size_t i = 0; i < watchdog->place_count && !reader->status; i++)
    read_place(reader, &(pl_json_path){&places_path, NULL, i}, json_array_get(places, i), &watchdog->places[i]);
}

/* ---- the top ---- */

/* "sm_" DIGITS [af], e.g. sm_90a, sm_103a, sm_120. */
static void read_profile(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  file->profile = pl_json_name(reader, NULL, document, "profile");
  unsigned digits = 0;
  const char *text = file->profile;
  if (!strncmp(text, "sm_", 3))
    for (text += 3; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
      file->capability = file->capability * 10 + (unsigned)(*text - '0');
  if (*text == 'a' || *text == 'f')
    file->profile_suffix = *text++;
  if (digits < 2 || *text)
    pl_json_fail(reader, &(pl_json_path){NULL, "profile", 0}, "must name a GPU, such as sm_90a, is '%s'",
                 file->profile);
}

/* Three numbers of at least 1 whose product is at most `most`. */
static void read_shape(pl_json_reader *reader, const json_t *document, const char *key, uint64_t most,
                       uint32_t shape[3]) {
  const json_t *array = pl_json_array(reader, NULL, document, key, 3);
  uint64_t product = json_array_size(array) == 3;
  for (size_t i = 0; i < 3 && product; i++) {
    const json_t *item = json_array_get(array, i);
    json_int_t number = json_integer_value(item); /* 0 for what is no integer */
    product = number < 1 || (uint64_t)number > most / product ? 0 : product * (uint64_t)number;
    shape[i] = (uint32_t)number;
  }
  if (!product)
    pl_json_fail(reader, &(pl_json_path){NULL, key, 0},
                 "must be three integers of at least 1 with a product of at most %llu", (unsigned long long)most);
}

static void read_cubin(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  const pl_json_path path = {NULL, "cubin", 0};
  const json_t *cubin = pl_json_object(reader, NULL, document, "cubin");
  file->cubin_bytes = pl_json_unsigned(reader, &path, cubin, "bytes", 1, INT64_MAX);
  file->cubin_sha256 = pl_json_text(reader, &path, cubin, "sha256", PL_TEXT_MAX);
  if (strlen(file->cubin_sha256) != 64 || strspn(file->cubin_sha256, "0123456789abcdef") != 64)
    pl_json_fail(reader, &(pl_json_path){&path, "sha256", 0}, "must be 64 lower-case hexadecimal digits");
}

/* Both keys may be missing. */
static void read_residency(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  if (json_object_get(document, "max_ctas_per_sm"))
    file->ctas_per_multiprocessor_max =
        (uint32_t)pl_json_unsigned(reader, NULL, document, "max_ctas_per_sm", 0, INT32_MAX);
  if (!json_object_get(document, "co_resident"))
    return;
  const json_t *owners = pl_json_array(reader, NULL, document, "co_resident", OWNERS_MAX);
  const json_t *first = json_array_get(owners, 0);
  if (!first)
    return;
  if (!json_is_string(first))
    pl_json_fail(reader, &(pl_json_path){NULL, "co_resident", 0}, "must be texts");
  else if (!(file->co_resident = pl_printable(reader->arena, json_string_value(first))))
    pl_json_out_of_memory(reader);
}

static void read_document(pl_json_reader *reader, const json_t *document, pl_launch_file *file) {
  if (!pl_json_is_object(reader, NULL, document, NULL))
    return;
  const json_t *version = json_object_get(document, "pipelink");
  if (!json_is_integer(version))
    pl_json_fail(reader, NULL, "is no launch file: it has no version number 'pipelink'");
  else if (json_integer_value(version) != PL_LAUNCH_FILE_VERSION)
    pl_json_fail(reader, NULL, "is a launch file of version %lld; this library (%s) reads version %d",
                 (long long)json_integer_value(version), pipelink_version(), PL_LAUNCH_FILE_VERSION);
  file->entry = pl_json_text(reader, NULL, document, "kernel", PL_TEXT_MAX);
  if (!*file->entry)
    pl_json_fail(reader, &(pl_json_path){NULL, "kernel", 0}, "is empty");
  read_profile(reader, document, file);
  read_cubin(reader, document, file);
  read_shape(reader, document, "block", PL_BLOCK_MAX, file->block);
  read_shape(reader, document, "cluster", PL_CLUSTER_MAX, file->cluster);
  const pl_json_path shared_path = {NULL, "shared", 0};
  const json_t *shared = pl_json_object(reader, NULL, document, "shared");
  file->shared_dynamic = (uint32_t)pl_json_unsigned(reader, &shared_path, shared, "dynamic", 0, INT32_MAX);
  read_residency(reader, document, file);
  if (!reader->status)
    read_parameters(reader, document, file);
  if (!reader->status)
    read_watchdog(reader, document, file);
  read_unsafe(reader, document, file);
}

/* With `sink` ready for what is wrong and file->arena for what is read. */
static void parse(const char *text, size_t size, const char *name, pl_sink *sink, pl_launch_file *file) {
  json_t *document = pl_json_load(text, size, name, sink);
  if (!document)
    return;
  pl_json_reader reader = {.where = name, .code = "launch", .arena = file->arena, .sink = sink};
  read_document(&reader, document, file);
  if (reader.status == -ENOMEM)
    sink->out_of_memory = true;
  json_decref(document);
}

pipelink_code pl_launch_file_parse(const char *text, size_t size, const char *name, pl_launch_file *file,
                                   pipelink_error *error) {
  *file = (pl_launch_file){.arena = pl_arena_create()};
  pl_sink sink;
  pl_status status = pl_sink_init(&sink);
  if (!status && file->arena)
    parse(text, size, name, &sink, file);
  pipelink_code code = PIPELINK_OK;
  if (status || !file->arena || sink.out_of_memory)
    code = pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s: out of memory", name);
  else if (sink.error_count)
    code = pl_error_set(error, PIPELINK_ERROR_FORMAT, "%s", sink.diagnostics[0]->summary);
  pl_sink_free(&sink);
  if (code)
    pl_launch_file_free(file);
  return code;
}

void pl_launch_file_free(pl_launch_file *file) {
  pl_arena_free(file->arena);
  *file = (pl_launch_file){0};
}
