/* launch_file.c - reads and checks a launch file; see launch_file.h for its form. The only place that knows JSON. */
#include "launch_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where in the document a value stands, for messages: "parameters.owners[0].fields[2]". */
typedef struct place {
  const struct place *parent; /* NULL at the top */
  const char *key;            /* NULL for an item of an array */
  size_t index;
} place;

struct reader {
  const char *name; /* of the file */
  pipelink_error *error;
};

/* Writes the place as text; returns its length, cut to fit. */
static size_t place_print(const place *at, char *text, size_t size) {
  size_t used = at->parent ? place_print(at->parent, text, size) : 0;
  int added = at->key ? snprintf(text + used, size - used, "%s%s", used ? "." : "", at->key)
                      : snprintf(text + used, size - used, "[%zu]", at->index);
  return used + (size_t)added < size ? used + (size_t)added : size - 1;
}

static pipelink_code refuse(const struct reader *reader, const place *parent, const char *key, const char *problem) {
  place at = {parent, key, 0};
  char where[160] = "";
  if (key)
    place_print(&at, where, sizeof where);
  else if (parent)
    place_print(parent, where, sizeof where);
  return pl_error_set(reader->error, PIPELINK_ERROR_FORMAT, "%s: %s%s%s", reader->name, where, *where ? ": " : "",
                      problem);
}

/* ---- single values: each refuses a missing key, a wrong type and a value out of range ---- */

static pipelink_code read_string(const struct reader *reader, const place *parent, const json_t *object,
                                 const char *key, const char **value) {
  const json_t *item = json_object_get(object, key);
  if (!json_is_string(item) || !json_string_length(item))
    return refuse(reader, parent, key, item ? "is not a non-empty string" : "is missing");
  *value = json_string_value(item);
  for (const char *byte = *value; *byte; byte++)
    if ((unsigned char)*byte < ' ' || *byte == 0x7f)
      return refuse(reader, parent, key, "contains control characters");
  return PIPELINK_OK;
}

static pipelink_code read_unsigned(const struct reader *reader, const place *parent, const json_t *object,
                                   const char *key, uint64_t lowest, uint64_t highest, uint64_t *value) {
  const json_t *item = json_object_get(object, key);
  if (!json_is_integer(item))
    return refuse(reader, parent, key, item ? "is not an integer" : "is missing");
  json_int_t number = json_integer_value(item);
  if (number < 0 || (uint64_t)number < lowest || (uint64_t)number > highest) {
    char problem[96];
    snprintf(problem, sizeof problem, "is %lld, not between %llu and %llu", (long long)number,
             (unsigned long long)lowest, (unsigned long long)highest);
    return refuse(reader, parent, key, problem);
  }
  *value = (uint64_t)number;
  return PIPELINK_OK;
}

static pipelink_code read_bool(const struct reader *reader, const place *parent, const json_t *object, const char *key,
                               bool *value) {
  const json_t *item = json_object_get(object, key);
  if (!json_is_boolean(item))
    return refuse(reader, parent, key, item ? "is neither true nor false" : "is missing");
  *value = json_is_true(item);
  return PIPELINK_OK;
}

/* Three numbers of at least 1 whose product is at most `most`. */
static pipelink_code read_shape(const struct reader *reader, const json_t *object, const char *key, uint64_t most,
                                uint32_t shape[3]) {
  const json_t *array = json_object_get(object, key);
  if (!json_is_array(array) || json_array_size(array) != 3)
    return refuse(reader, NULL, key, array ? "is not an array of three integers" : "is missing");
  uint64_t product = 1;
  for (size_t i = 0; i < 3; i++) {
    const json_t *item = json_array_get(array, i);
    json_int_t number = json_integer_value(item);
    if (!json_is_integer(item) || number < 1 || (uint64_t)number > most)
      product = most + 1;
    else
      product *= (uint64_t)number;
    if (product > most) {
      char problem[80];
      snprintf(problem, sizeof problem, "is not three integers of at least 1 with a product of at most %llu",
               (unsigned long long)most);
      return refuse(reader, NULL, key, problem);
    }
    shape[i] = (uint32_t)number;
  }
  return PIPELINK_OK;
}

static bool is_power_of_two(uint64_t value) {
  return value && !(value & (value - 1));
}

/* "offset", "size", and that both lie inside what surrounds them. */
static pipelink_code read_extent(const struct reader *reader, const place *parent, const json_t *object,
                                 size_t outer_offset, size_t outer_size, size_t *offset, size_t *size) {
  uint64_t first, bytes;
  pipelink_code code = read_unsigned(reader, parent, object, "size", 1, outer_size, &bytes);
  if (!code)
    code = read_unsigned(reader, parent, object, "offset", outer_offset, outer_offset + outer_size - bytes, &first);
  if (code)
    return code;
  *offset = (size_t)first;
  *size = (size_t)bytes;
  return PIPELINK_OK;
}

/* ---- types ---- */

static const char *const kind_names[] = {
    [PIPELINK_PARAMETER_INTEGER] = "integer", [PIPELINK_PARAMETER_FLOAT] = "float", [PIPELINK_PARAMETER_BOOL] = "bool",
    [PIPELINK_PARAMETER_POINTER] = "pointer", [PIPELINK_PARAMETER_BYTES] = "bytes",
};
enum { KIND_COUNT = sizeof kind_names / sizeof *kind_names };

static pipelink_code read_number(const struct reader *reader, const place *at, const json_t *object,
                                 pl_number *number) {
  *number = (pl_number){.kind = PIPELINK_PARAMETER_BYTES};
  const char *kind;
  pipelink_code code = read_string(reader, at, object, "kind", &kind);
  if (code)
    return code;
  unsigned index = 0;
  while (index < KIND_COUNT && strcmp(kind, kind_names[index]))
    index++;
  if (index == KIND_COUNT)
    return refuse(reader, at, "kind", "is none of integer, float, bool, pointer, bytes");
  number->kind = (pipelink_parameter_kind)index;
  if (number->kind != PIPELINK_PARAMETER_INTEGER && number->kind != PIPELINK_PARAMETER_FLOAT)
    return PIPELINK_OK;

  uint64_t bits;
  if ((code = read_unsigned(reader, at, object, "bits", 8, 128, &bits)))
    return code;
  if (!is_power_of_two(bits))
    return refuse(reader, at, "bits", "is not a power of two");
  number->bits = (unsigned)bits;
  if (number->kind == PIPELINK_PARAMETER_INTEGER)
    return read_bool(reader, at, object, "signed", &number->is_signed);
  return json_object_get(object, "bfloat") ? read_bool(reader, at, object, "bfloat", &number->is_bfloat) : PIPELINK_OK;
}

/* A pointee that is described but is no number (a struct, another pointer) has no "bits": has_element stays false. */
static pipelink_code read_element(const struct reader *reader, const place *parent, const json_t *object,
                                  pl_launch_field *field) {
  const json_t *element = json_object_get(object, "element");
  if (!element || json_is_null(element))
    return PIPELINK_OK;
  place at = {parent, "element", 0};
  if (!json_is_object(element))
    return refuse(reader, &at, NULL, "is not an object");
  const char *kind = json_string_value(json_object_get(element, "kind"));
  if (!kind || (strcmp(kind, "integer") && strcmp(kind, "float")))
    return PIPELINK_OK;
  field->has_element = true;
  return read_number(reader, &at, element, &field->element);
}

/* ---- the parameter block ---- */

static pipelink_code read_field(const struct reader *reader, const place *at, const json_t *object,
                                const pl_launch_owner *owner, pl_launch_field *field) {
  *field = (pl_launch_field){.instance = owner->instance};
  if (!json_is_object(object))
    return refuse(reader, at, NULL, "is not an object");
  pipelink_code code = read_string(reader, at, object, "name", &field->name);
  if (!code)
    code = read_string(reader, at, object, "type", &field->type);
  if (!code)
    code = read_extent(reader, at, object, owner->offset, owner->size, &field->offset, &field->size);
  if (!code)
    code = read_number(reader, at, object, &field->value);
  if (code)
    return code;

  switch (field->value.kind) {
  case PIPELINK_PARAMETER_INTEGER:
  case PIPELINK_PARAMETER_FLOAT:
    return field->size * 8 == field->value.bits ? PIPELINK_OK : refuse(reader, at, "bits", "contradicts \"size\"");
  case PIPELINK_PARAMETER_BOOL:
    return field->size == 1 ? PIPELINK_OK : refuse(reader, at, "size", "is not 1, a bool's size");
  case PIPELINK_PARAMETER_POINTER:
    if (field->size != sizeof(uint64_t))
      return refuse(reader, at, "size", "is not 8, a pointer's size");
    return read_element(reader, at, object, field);
  case PIPELINK_PARAMETER_BYTES:
    break;
  }
  return PIPELINK_OK;
}

/* The owner's number of fields; an opaque struct is one field that stands for the whole. */
static pipelink_code count_fields(const struct reader *reader, const place *at, const json_t *object, bool *opaque,
                                  size_t *count) {
  pipelink_code code = read_bool(reader, at, object, "opaque", opaque);
  if (code)
    return code;
  const json_t *fields = json_object_get(object, "fields");
  if (!json_is_array(fields) && !(*opaque && !fields))
    return refuse(reader, at, "fields", fields ? "is not an array" : "is missing");
  if (*opaque && json_array_size(fields))
    return refuse(reader, at, "fields", "is not empty although the struct is opaque");
  *count = *opaque ? 1 : json_array_size(fields);
  return PIPELINK_OK;
}

static pipelink_code read_owner(const struct reader *reader, const place *at, const json_t *object,
                                pl_launch_file *file, pl_launch_owner *owner) {
  if (!json_is_object(object))
    return refuse(reader, at, NULL, "is not an object");
  bool opaque = false;
  size_t count = 0;
  pipelink_code code = read_string(reader, at, object, "instance", &owner->instance);
  if (!code)
    code = read_string(reader, at, object, "struct", &owner->struct_name);
  if (!code)
    code = read_extent(reader, at, object, 0, file->parameters_size, &owner->offset, &owner->size);
  if (!code)
    code = count_fields(reader, at, object, &opaque, &count);
  if (code)
    return code;
  if (count > PL_LAUNCH_FIELDS_MAX - file->field_count)
    return refuse(reader, at, "fields", "has too many items");
  if (!count)
    return PIPELINK_OK;

  pl_launch_field *fields = realloc(file->fields, (file->field_count + count) * sizeof *fields);
  if (!fields)
    return pl_error_set(reader->error, PIPELINK_ERROR_MEMORY, "%s: out of memory", reader->name);
  file->fields = fields;
  if (opaque) {
    fields[file->field_count++] = (pl_launch_field){.instance = owner->instance,
                                                    .type = owner->struct_name,
                                                    .offset = owner->offset,
                                                    .size = owner->size,
                                                    .value.kind = PIPELINK_PARAMETER_BYTES};
    return PIPELINK_OK;
  }
  const place list = {at, "fields", 0};
  const json_t *array = json_object_get(object, "fields");
  for (size_t i = 0; i < count && !code; i++) {
    place item = {&list, NULL, i};
    code = read_field(reader, &item, json_array_get(array, i), owner, &fields[file->field_count]);
    if (!code)
      file->field_count++;
  }
  return code;
}

/* Compares "INSTANCE.FIELD" with "INSTANCE.FIELD" without building either: an instance's name may have dots itself. */
static int compare_full_names(const void *left, const void *right) {
  const pl_launch_field *const *a = left, *const *b = right;
  const char *parts[2][3] = {{(*a)->instance, (*a)->name ? "." : "", (*a)->name ? (*a)->name : ""},
                             {(*b)->instance, (*b)->name ? "." : "", (*b)->name ? (*b)->name : ""}};
  size_t part[2] = {0, 0};
  const char *at[2] = {parts[0][0], parts[1][0]};
  for (;;) {
    for (int side = 0; side < 2; side++)
      while (!*at[side] && part[side] < 2)
        at[side] = parts[side][++part[side]];
    if (*at[0] != *at[1])
      return (unsigned char)*at[0] < (unsigned char)*at[1] ? -1 : 1;
    if (!*at[0])
      return 0;
    at[0]++, at[1]++;
  }
}

/* Each owner has a name and bytes of its own. */
static pipelink_code check_owners(const struct reader *reader, const pl_launch_file *file) {
  for (size_t i = 0; i < file->owner_count; i++)
    for (size_t j = 0; j < i; j++) {
      const pl_launch_owner *a = &file->owners[j], *b = &file->owners[i];
      bool same_name = !strcmp(a->instance, b->instance);
      if (same_name || (a->offset < b->offset + b->size && b->offset < a->offset + a->size))
        return pl_error_set(reader->error, PIPELINK_ERROR_FORMAT, "%s: parameters.owners[%zu] and [%zu] %s",
                            reader->name, j, i, same_name ? "have the same instance name" : "overlap");
    }
  return PIPELINK_OK;
}

/* No two parameters have the same full name: a value could go to the wrong one. */
static pipelink_code check_names(const struct reader *reader, const pl_launch_file *file) {
  if (file->field_count < 2)
    return PIPELINK_OK;
  const pl_launch_field **sorted = malloc(file->field_count * sizeof *sorted);
  if (!sorted)
    return pl_error_set(reader->error, PIPELINK_ERROR_MEMORY, "%s: out of memory", reader->name);
  for (size_t i = 0; i < file->field_count; i++)
    sorted[i] = &file->fields[i];
  qsort(sorted, file->field_count, sizeof *sorted, compare_full_names);
  pipelink_code code = PIPELINK_OK;
  for (size_t i = 1; i < file->field_count && !code; i++)
    if (!compare_full_names(&sorted[i - 1], &sorted[i]))
      code = pl_error_set(reader->error, PIPELINK_ERROR_FORMAT, "%s: two parameters are called '%s%s%s'", reader->name,
                          sorted[i]->instance, sorted[i]->name ? "." : "", sorted[i]->name ? sorted[i]->name : "");
  free(sorted);
  return code;
}

static pipelink_code read_parameters(const struct reader *reader, const json_t *document, pl_launch_file *file) {
  static const place at = {NULL, "parameters", 0};
  const json_t *parameters = json_object_get(document, "parameters");
  if (!json_is_object(parameters))
    return refuse(reader, &at, NULL, parameters ? "is not an object" : "is missing");
  uint64_t size;
  pipelink_code code = read_unsigned(reader, &at, parameters, "size", 0, PL_PARAMETERS_MAX, &size);
  if (code)
    return code;
  file->parameters_size = (size_t)size;

  const json_t *owners = json_object_get(parameters, "owners");
  const place list = {&at, "owners", 0};
  if (!json_is_array(owners))
    return refuse(reader, &list, NULL, owners ? "is not an array" : "is missing");
  size_t count = json_array_size(owners);
  if (count > file->parameters_size)
    return refuse(reader, &list, NULL, "has more items than the parameter block has bytes");
  if (!count)
    return PIPELINK_OK;
  if (count > PL_BLOCK_MAX)
    return refuse(reader, &list, NULL, "has more items than a CTA has threads");
  file->owners = calloc(count, sizeof *file->owners);
  if (!file->owners)
    return pl_error_set(reader->error, PIPELINK_ERROR_MEMORY, "%s: out of memory", reader->name);
  for (size_t i = 0; i < count && !code; i++) {
    place item = {&list, NULL, i};
    code = read_owner(reader, &item, json_array_get(owners, i), file, &file->owners[i]);
    if (!code)
      file->owner_count++;
  }
  if (!code)
    code = check_owners(reader, file);
  return code ? code : check_names(reader, file);
}

/* ---- the top ---- */

/* "sm_" DIGITS [af], e.g. sm_90a, sm_103a, sm_120. */
static pipelink_code read_profile(const struct reader *reader, const json_t *document, pl_launch_file *file) {
  pipelink_code code = read_string(reader, NULL, document, "profile", &file->profile);
  if (code)
    return code;
  unsigned capability = 0, digits = 0;
  const char *text = file->profile;
  if (!strncmp(text, "sm_", 3))
    for (text += 3; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
      capability = capability * 10 + (unsigned)(*text - '0');
  if (*text == 'a' || *text == 'f')
    file->profile_suffix = *text++;
  if (digits < 2 || *text)
    return refuse(reader, NULL, "profile", "is not a GPU's name such as \"sm_90a\"");
  file->capability = capability;
  return PIPELINK_OK;
}

static pipelink_code read_cubin(const struct reader *reader, const json_t *document, pl_launch_file *file) {
  static const place at = {NULL, "cubin", 0};
  const json_t *cubin = json_object_get(document, "cubin");
  if (!json_is_object(cubin))
    return refuse(reader, &at, NULL, cubin ? "is not an object" : "is missing");
  pipelink_code code = read_unsigned(reader, &at, cubin, "bytes", 1, INT64_MAX, &file->cubin_bytes);
  if (!code)
    code = read_string(reader, &at, cubin, "sha256", &file->cubin_sha256);
  if (code)
    return code;
  return strlen(file->cubin_sha256) == 64 && strspn(file->cubin_sha256, "0123456789abcdef") == 64
             ? PIPELINK_OK
             : refuse(reader, &at, "sha256", "is not 64 lower-case hexadecimal digits");
}

static pipelink_code read_shared(const struct reader *reader, const json_t *document, pl_launch_file *file) {
  static const place at = {NULL, "shared", 0};
  const json_t *shared = json_object_get(document, "shared");
  if (!json_is_object(shared))
    return refuse(reader, &at, NULL, shared ? "is not an object" : "is missing");
  uint64_t bytes;
  pipelink_code code = read_unsigned(reader, &at, shared, "dynamic", 0, INT32_MAX, &bytes);
  if (!code)
    file->shared_dynamic = (uint32_t)bytes;
  return code;
}

static pipelink_code read_document(const struct reader *reader, const json_t *document, pl_launch_file *file) {
  if (!json_is_object(document))
    return refuse(reader, NULL, NULL, "is not a JSON object");
  const json_t *version = json_object_get(document, "pipelink");
  if (!json_is_integer(version))
    return refuse(reader, NULL, NULL, "is not a launch file: it has no version number \"pipelink\"");
  if (json_integer_value(version) != PL_LAUNCH_FILE_VERSION)
    return pl_error_set(reader->error, PIPELINK_ERROR_FORMAT,
                        "%s: is a launch file of version %lld; this library (%s) reads version %d", reader->name,
                        (long long)json_integer_value(version), pipelink_version(), PL_LAUNCH_FILE_VERSION);
  pipelink_code code = read_string(reader, NULL, document, "kernel", &file->entry);
  if (!code)
    code = read_profile(reader, document, file);
  if (!code)
    code = read_cubin(reader, document, file);
  if (!code)
    code = read_shape(reader, document, "block", PL_BLOCK_MAX, file->block);
  if (!code)
    code = read_shape(reader, document, "cluster", PL_CLUSTER_MAX, file->cluster);
  if (!code)
    code = read_shared(reader, document, file);
  if (!code)
    code = read_parameters(reader, document, file);
  return code;
}

pipelink_code pl_launch_file_parse(const char *text, size_t size, const char *name, pl_launch_file *file,
                                   pipelink_error *error) {
  *file = (pl_launch_file){0};
  if (size > PL_LAUNCH_FILE_MAX)
    return pl_error_set(error, PIPELINK_ERROR_FORMAT, "%s: is larger than %d bytes, no launch file", name,
                        PL_LAUNCH_FILE_MAX);
  json_error_t problem;
  file->document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
  if (!file->document) {
    /* Where jansson itself ran out of memory it mostly leaves the error empty. */
    if (json_error_code(&problem) == json_error_out_of_memory || !*problem.text)
      return pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s: out of memory", name);
    return pl_error_set(error, PIPELINK_ERROR_FORMAT, "%s:%d:%d: is not JSON: %s", name, problem.line, problem.column,
                        problem.text);
  }
  const struct reader reader = {name, error};
  pipelink_code code = read_document(&reader, file->document, file);
  if (code)
    pl_launch_file_free(file);
  return code;
}

void pl_launch_file_free(pl_launch_file *file) {
  free(file->owners);
  free(file->fields);
  json_decref(file->document);
  *file = (pl_launch_file){0};
}
