/* contract_types.c - reads the type objects of a contract; the part of contract.c that knows layouts. */
#include "contract_reader.h"

#include <string.h>

enum {
  TYPE_DEPTH_MOST = 64, /* types within types */
  RANK_MOST = 5,        /* dimensions of a tensor map */
  BOX_MOST = 256,       /* elements of a tensor map's box in each dimension (CUDA driver API, cuTensorMapEncodeTiled) */
  BOX_STEP = 16,        /* bytes: a box's contiguous rows are multiples of it */
};

static pl_type_kind type_kind(pl_json_reader *reader, const pl_json_path *path, const json_t *json) {
  static const char *const kinds[] = {
      [PL_TYPE_VOID] = "void",
      [PL_TYPE_BOOL] = "bool",
      [PL_TYPE_INTEGER] = "integer",
      [PL_TYPE_FLOAT] = "float",
      [PL_TYPE_POINTER] = "pointer",
      [PL_TYPE_ARRAY] = "array",
      [PL_TYPE_VECTOR] = "vector",
      [PL_TYPE_STRUCT] = "struct",
      [PL_TYPE_FUNCTION] = "function",
      [PL_TYPE_OPAQUE] = "opaque",
      [PL_TYPE_TENSOR_MAP] = "tensor_map",
  };
  const char *text = pl_json_text(reader, path, json, "kind", PL_NAME_MAX);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i], text))
      return (pl_type_kind)i;
  pl_json_fail(reader, &(pl_json_path){path, "kind", 0}, "unknown kind of type '%s'",
               pl_printable(reader->arena, text));
  return PL_TYPE_OPAQUE;
}

static const char *const *type_keys(pl_type_kind kind) {
#define COMMON "kind", "name", "size", "align"
  static const char *const plain[] = {COMMON, NULL};
  static const char *const integer[] = {COMMON, "bits", "signed", NULL};
  static const char *const floating[] = {COMMON, "bits", "bfloat", NULL};
  static const char *const pointer[] = {COMMON, "element", "const", NULL};
  static const char *const sequence[] = {COMMON, "element", "count", NULL};
  static const char *const record[] = {COMMON, "fields", "recursive", NULL};
  static const char *const tensor_map[] = {COMMON, "element", "rank", "box", "swizzle", NULL};
#undef COMMON
  switch (kind) {
  case PL_TYPE_INTEGER:
    return integer;
  case PL_TYPE_FLOAT:
    return floating;
  case PL_TYPE_POINTER:
    return pointer;
  case PL_TYPE_ARRAY:
  case PL_TYPE_VECTOR:
    return sequence;
  case PL_TYPE_STRUCT:
    return record;
  case PL_TYPE_TENSOR_MAP:
    return tensor_map;
  case PL_TYPE_VOID:
  case PL_TYPE_BOOL:
  case PL_TYPE_FUNCTION:
  case PL_TYPE_OPAQUE:
    break;
  }
  return plain;
}

uint64_t pl_read_align(pl_json_reader *reader, const pl_json_path *path, const json_t *json, const char *key,
                       uint64_t least, uint64_t most) {
  uint64_t align = pl_json_unsigned(reader, path, json, key, least, most);
  if (align & (align - 1) && align)
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "%llu is not a power of two", (unsigned long long)align);
  return align;
}

bool pl_type_has_values(const pl_type *type) {
  return type->kind != PL_TYPE_VOID && type->kind != PL_TYPE_FUNCTION;
}

static void read_sequence(pl_json_reader *reader, const pl_json_path *path, const json_t *json, pl_type *type,
                          unsigned depth) {
  type->element = pl_read_type(reader, path, json, "element", depth + 1);
  type->count = pl_json_unsigned(reader, path, json, "count", 0, PL_SIZE_MOST);
  if (reader->status)
    return;
  if (!pl_type_has_values(type->element)) {
    pl_json_fail(reader, &(pl_json_path){path, "element", 0}, "'%s' has no values", type->element->name);
    return;
  }
  if (type->kind == PL_TYPE_ARRAY) {
    uint64_t size;
    if (__builtin_mul_overflow(type->element->size, type->count, &size) || size != type->size)
      pl_json_fail(reader, path, "size %llu is not count %llu times element size %llu", (unsigned long long)type->size,
                   (unsigned long long)type->count, (unsigned long long)type->element->size);
    return;
  }
  /* A vector may be padded (float3), a vector of bool is packed: its bits must fit, that is all. */
  uint64_t bits, element_bits = type->element->kind == PL_TYPE_BOOL ? 1 : type->element->size * 8;
  if (!type->count || __builtin_mul_overflow(element_bits, type->count, &bits) || bits > type->size * 8)
    pl_json_fail(reader, path, "%llu elements do not fit into size %llu", (unsigned long long)type->count,
                 (unsigned long long)type->size);
}

/* A field of a struct lies within it; a bit-field may lie within fewer bytes than its declared type has. */
static void read_struct_field(pl_json_reader *reader, const pl_json_path *path, const json_t *json,
                              const pl_type *owner, pl_field *field, unsigned depth) {
  static const char *const keys[] = {"name", "offset", "type", "bit_offset", "bit_width", NULL};
  if (!pl_json_is_object(reader, path, json, keys))
    return;
  field->name = pl_json_text(reader, path, json, "name", PL_TEXT_MAX);
  field->offset = pl_json_unsigned(reader, path, json, "offset", 0, PL_SIZE_MOST);
  field->type = pl_read_type(reader, path, json, "type", depth + 1);
  if (reader->status)
    return;
  if (!pl_type_has_values(field->type)) {
    pl_json_fail(reader, &(pl_json_path){path, "type", 0}, "'%s' has no values", field->type->name);
  } else if (json_object_get(json, "bit_width") || json_object_get(json, "bit_offset")) {
    field->bit_offset = (unsigned)pl_json_unsigned(reader, path, json, "bit_offset", 0, 1024);
    field->bit_width = (unsigned)pl_json_unsigned(reader, path, json, "bit_width", 1, 1024);
    if (!reader->status && field->offset * 8 + field->bit_offset + field->bit_width > owner->size * 8)
      pl_json_fail(reader, path, "lies outside '%s' of %llu bytes", owner->name, (unsigned long long)owner->size);
  } else if (field->offset > owner->size || field->type->size > owner->size - field->offset) {
    pl_json_fail(reader, path, "offset %llu and size %llu lie outside '%s' of %llu bytes",
                 (unsigned long long)field->offset, (unsigned long long)field->type->size, owner->name,
                 (unsigned long long)owner->size);
  }
}

static void read_struct(pl_json_reader *reader, const pl_json_path *path, const json_t *json, pl_type *type,
                        unsigned depth) {
  if (type->size % type->align)
    pl_json_fail(reader, path, "size %llu is not a multiple of align %llu", (unsigned long long)type->size,
                 (unsigned long long)type->align);
  if (json_object_get(json, "recursive")) {
    type->is_recursive = pl_json_bool(reader, path, json, "recursive");
    if (type->is_recursive && json_object_get(json, "fields"))
      pl_json_fail(reader, path, "a recursive struct ends here and has no 'fields'");
  }
  if (type->is_recursive || reader->status)
    return;
  const json_t *items = pl_json_array(reader, path, json, "fields", PL_FIELDS_MOST);
  size_t count = json_array_size(items);
  pl_field *fields = pl_json_alloc(reader, count, sizeof *fields);
  if (!fields)
    return;
  pl_json_path list = {path, "fields", 0};
  for (size_t i = 0; i < count && !reader->status; i++)
    read_struct_field(reader, &(pl_json_path){&list, NULL, i}, json_array_get(items, i), type, &fields[i], depth);
  type->fields = fields;
  type->field_count = count;
}

/* What cuTensorMapEncodeTiled would refuse at run time is refused here. */
static void read_box(pl_json_reader *reader, const pl_json_path *path, const json_t *json, pl_type *type) {
  const json_t *items = pl_json_array(reader, path, json, "box", RANK_MOST);
  pl_json_path place = {path, "box", 0};
  if (!reader->status && json_array_size(items) != type->rank)
    pl_json_fail(reader, &place, "%zu extents for rank %u", json_array_size(items), type->rank);
  for (size_t i = 0; i < type->rank && !reader->status; i++) {
    json_int_t extent = json_integer_value(json_array_get(items, i)); /* 0 when it is no integer */
    if (extent < 1 || extent > BOX_MOST)
      pl_json_fail(reader, &(pl_json_path){&place, NULL, i}, "must be an integer from 1 to %d", BOX_MOST);
    else
      type->box[i] = (unsigned)extent;
  }
  uint64_t row = type->box[0] * type->element->size;
  if (!reader->status && row % BOX_STEP)
    pl_json_fail(reader, &place, "a row of %u elements has %llu bytes, not a multiple of %d", type->box[0],
                 (unsigned long long)row, BOX_STEP);
  else if (!reader->status && type->swizzle && row > type->swizzle)
    pl_json_fail(reader, &place, "a row of %u elements has %llu bytes, more than the %u that are swizzled",
                 type->box[0], (unsigned long long)row, type->swizzle);
}

static void read_tensor_map(pl_json_reader *reader, const pl_json_path *path, const json_t *json, pl_type *type,
                            unsigned depth) {
  static const char *const swizzles[] = {"none", "32B", "64B", "128B"};
  static const unsigned spans[] = {0, 32, 64, 128};
  type->element = pl_read_type(reader, path, json, "element", depth + 1);
  type->rank = (unsigned)pl_json_unsigned(reader, path, json, "rank", 1, RANK_MOST);
  type->swizzle = spans[pl_json_word(reader, path, json, "swizzle", swizzles, sizeof swizzles / sizeof *swizzles)];
  if (reader->status)
    return;
  uint64_t size = type->element->size;
  if (type->size != 128 || type->align < 64)
    pl_json_fail(reader, path, "a tensor map has 128 bytes aligned to 64, not %llu aligned to %llu",
                 (unsigned long long)type->size, (unsigned long long)type->align);
  else if (size != 1 && size != 2 && size != 4 && size != 8)
    pl_json_fail(reader, &(pl_json_path){path, "element", 0}, "'%s' has %llu bytes; 1, 2, 4 or 8 can be copied",
                 type->element->name, (unsigned long long)size);
  else
    read_box(reader, path, json, type);
}

const pl_type *pl_read_type_at(pl_json_reader *reader, const pl_json_path *path, const json_t *json, unsigned depth) {
  if (!json || reader->status)
    return NULL;
  if (depth > TYPE_DEPTH_MOST) {
    pl_json_fail(reader, path, "types nested deeper than %d", TYPE_DEPTH_MOST);
    return NULL;
  }
  if (!json_is_object(json)) {
    pl_json_fail(reader, path, "must be a type object");
    return NULL;
  }
  pl_type_kind kind = type_kind(reader, path, json);
  pl_type *type = pl_json_alloc(reader, 1, sizeof *type);
  if (!type || !pl_json_is_object(reader, path, json, type_keys(kind)))
    return NULL;
  type->kind = kind;
  type->name = pl_json_text(reader, path, json, "name", PL_TEXT_MAX);
  bool is_sized = kind != PL_TYPE_VOID && kind != PL_TYPE_FUNCTION && kind != PL_TYPE_OPAQUE;
  uint64_t most = kind == PL_TYPE_VOID || kind == PL_TYPE_FUNCTION ? 0 : PL_SIZE_MOST;
  type->size = pl_json_unsigned(reader, path, json, "size", 0, most);
  type->align = pl_read_align(reader, path, json, "align", is_sized ? 1 : 0, PL_ALIGN_MOST);
  if (reader->status)
    return NULL;
  switch (kind) {
  case PL_TYPE_INTEGER:
    type->bits = (unsigned)pl_json_unsigned(reader, path, json, "bits", 1, 1 << 23);
    type->is_signed = pl_json_bool(reader, path, json, "signed");
    break;
  case PL_TYPE_FLOAT:
    type->bits = (unsigned)pl_json_unsigned(reader, path, json, "bits", 16, 128);
    if (json_object_get(json, "bfloat"))
      type->is_bfloat = pl_json_bool(reader, path, json, "bfloat");
    if (!reader->status && (type->bits & (type->bits - 1) || (type->is_bfloat && type->bits != 16)))
      pl_json_fail(reader, &(pl_json_path){path, "bits", 0}, "no %sfloat has %u bits", type->is_bfloat ? "b" : "",
                   type->bits);
    break;
  case PL_TYPE_POINTER:
    type->element = pl_read_type(reader, path, json, "element", depth + 1);
    type->pointee_const = pl_json_bool(reader, path, json, "const");
    if (!reader->status && type->size != 8 && type->size != 4) /* 4: nvptx-short-ptr, shared and local */
      pl_json_fail(reader, &(pl_json_path){path, "size", 0}, "a pointer has 8 or 4 bytes, not %llu",
                   (unsigned long long)type->size);
    break;
  case PL_TYPE_ARRAY:
  case PL_TYPE_VECTOR:
    read_sequence(reader, path, json, type, depth);
    break;
  case PL_TYPE_STRUCT:
    read_struct(reader, path, json, type, depth);
    break;
  case PL_TYPE_TENSOR_MAP:
    read_tensor_map(reader, path, json, type, depth);
    break;
  case PL_TYPE_BOOL:
    if (!type->size)
      pl_json_fail(reader, &(pl_json_path){path, "size", 0}, "must not be 0");
    break;
  case PL_TYPE_VOID:
  case PL_TYPE_FUNCTION:
  case PL_TYPE_OPAQUE:
    break;
  }
  if (!reader->status && type->bits > type->size * 8)
    pl_json_fail(reader, path, "%u bits do not fit into size %llu", type->bits, (unsigned long long)type->size);
  return reader->status ? NULL : type;
}

const pl_type *pl_read_type(pl_json_reader *reader, const pl_json_path *parent, const json_t *object, const char *key,
                            unsigned depth) {
  const json_t *json = pl_json_object(reader, parent, object, key);
  return pl_read_type_at(reader, &(pl_json_path){parent, key, 0}, json, depth);
}
