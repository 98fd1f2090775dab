/* kernel_parameters.c - from a parameter's name and a value to bytes of the parameter block. */
#include "kernel.h"
#include "number.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

const char *pl_field_full_name(const pl_launch_field *field, char *text, size_t size) {
  snprintf(text, size, "%s%s%s", field->instance, field->name ? "." : "", field->name ? field->name : "");
  return text;
}

bool pl_field_is_set(const pipelink_kernel *kernel, const pl_launch_field *field) {
  return !memchr(kernel->is_set + field->offset, 0, field->size);
}

size_t pl_kernel_list_fields(const pipelink_kernel *kernel,
                             bool (*wanted)(const pipelink_kernel *, const pl_launch_field *, const void *),
                             const void *context, char *text, size_t size) {
  enum { AND_MORE = sizeof " and 65536 more" };
  size_t used = 0, count = 0, printed = 0;
  *text = 0;
  for (size_t i = 0; i < kernel->file.field_count; i++) {
    const pl_launch_field *field = &kernel->file.fields[i];
    if (!wanted(kernel, field, context))
      continue;
    count++;
    char name[256];
    int length = snprintf(name, sizeof name, "%s%s%s%s", used ? ", " : "", field->instance, field->name ? "." : "",
                          field->name ? field->name : "");
    if (printed + 1 == count && (size_t)length < sizeof name && used + (size_t)length + AND_MORE < size) {
      memcpy(text + used, name, (size_t)length + 1);
      used += (size_t)length;
      printed++;
    }
  }
  if (printed < count)
    snprintf(text + used, size - used, " and %zu more", count - printed);
  return count;
}

static bool any_field(const pipelink_kernel *kernel, const pl_launch_field *field, const void *context) {
  (void)kernel, (void)field, (void)context;
  return true;
}

static bool has_short_name(const pipelink_kernel *kernel, const pl_launch_field *field, const void *name) {
  (void)kernel;
  return field->name && !strcmp(field->name, name);
}

/* "INSTANCE.FIELD", or "INSTANCE" for an opaque struct. */
static bool has_full_name(const pl_launch_field *field, const char *name) {
  size_t length = strlen(field->instance);
  if (strncmp(name, field->instance, length))
    return false;
  return field->name ? name[length] == '.' && !strcmp(name + length + 1, field->name) : !name[length];
}

const pl_launch_field *pl_kernel_find_field(const pipelink_kernel *kernel, const char *name, pipelink_error *error) {
  const pl_launch_field *fields = kernel->file.fields, *found = NULL;
  size_t count = kernel->file.field_count, matches = 0;
  for (size_t i = 0; i < count; i++)
    if (has_full_name(&fields[i], name))
      return &fields[i];
  for (size_t i = 0; i < count; i++)
    if (has_short_name(kernel, &fields[i], name)) {
      found = &fields[i];
      matches++;
    }
  if (matches == 1)
    return found;

  char list[512];
  if (matches) {
    pl_kernel_list_fields(kernel, has_short_name, name, list, sizeof list);
    pl_error_fill(error, PIPELINK_ERROR_NAME, "%s: parameter '%.128s' could be %s: name its instance too", kernel->name,
                  name, list);
  } else if (pl_kernel_list_fields(kernel, any_field, NULL, list, sizeof list)) {
    pl_error_fill(error, PIPELINK_ERROR_NAME, "%s: no parameter is called '%.128s'; there are %s", kernel->name, name,
                  list);
  } else {
    pl_error_fill(error, PIPELINK_ERROR_NAME, "%s: no parameter is called '%.128s': the kernel takes none",
                  kernel->name, name);
  }
  return NULL;
}

/* ---- values ---- */

void pl_kernel_store(pipelink_kernel *kernel, size_t offset, const void *bytes, size_t size) {
  memcpy(kernel->values + offset, bytes, size);
  memset(kernel->is_set + offset, 1, size);
}

pipelink_code pl_kernel_find_parameter(const pipelink_kernel *kernel, const char *name, const pl_launch_field **field,
                                       pipelink_error *error) {
  if (!kernel || !name)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "parameter set with %s NULL", kernel ? "its name" : "kernel");
  *field = pl_kernel_find_field(kernel, name, error);
  return *field ? PIPELINK_OK : PIPELINK_ERROR_NAME;
}

pipelink_code pl_kernel_refuse_kind(const pipelink_kernel *kernel, const pl_launch_field *field, const char *value,
                                    pipelink_error *error) {
  char name[256];
  return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: %s has type %s and cannot be set as %s", kernel->name,
                      pl_field_full_name(field, name, sizeof name), field->type, value);
}

static bool is_integer(const pl_launch_field *field) {
  return field->value.kind == PIPELINK_PARAMETER_INTEGER || field->value.kind == PIPELINK_PARAMETER_BOOL;
}

pipelink_code pipelink_kernel_set_integer(pipelink_kernel *kernel, const char *name, int64_t value,
                                          pipelink_error *error) {
  const pl_launch_field *field = NULL;
  pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
  if (code)
    return code;
  if (!is_integer(field))
    return pl_kernel_refuse_kind(kernel, field, "an integer", error);
  unsigned char bytes[PL_NUMBER_BYTES_MAX];
  if (!pl_number_encode_signed(&field->value, value, bytes)) {
    char full_name[256];
    return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: %lld is out of the range of %s, which has type %s",
                        kernel->name, (long long)value, pl_field_full_name(field, full_name, sizeof full_name),
                        field->type);
  }
  pl_kernel_store(kernel, field->offset, bytes, field->size);
  return PIPELINK_OK;
}

pipelink_code pipelink_kernel_set_unsigned(pipelink_kernel *kernel, const char *name, uint64_t value,
                                           pipelink_error *error) {
  const pl_launch_field *field = NULL;
  pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
  if (code)
    return code;
  if (!is_integer(field))
    return pl_kernel_refuse_kind(kernel, field, "an integer", error);
  unsigned char bytes[PL_NUMBER_BYTES_MAX];
  if (!pl_number_encode_unsigned(&field->value, value, bytes)) {
    char full_name[256];
    return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: %llu is out of the range of %s, which has type %s",
                        kernel->name, (unsigned long long)value, pl_field_full_name(field, full_name, sizeof full_name),
                        field->type);
  }
  pl_kernel_store(kernel, field->offset, bytes, field->size);
  return PIPELINK_OK;
}

pipelink_code pipelink_kernel_set_float(pipelink_kernel *kernel, const char *name, double value,
                                        pipelink_error *error) {
  const pl_launch_field *field = NULL;
  pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
  if (code)
    return code;
  const pl_number *type = &field->value;
  if (type->kind != PIPELINK_PARAMETER_FLOAT || (type->bits != 16 && type->bits != 32 && type->bits != 64))
    return pl_kernel_refuse_kind(kernel, field, "a float", error);
  unsigned char bytes[PL_NUMBER_BYTES_MAX];
  if (!pl_number_encode_float(type, value, bytes)) {
    char full_name[256];
    return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: %g is out of the range of %s, which has type %s", kernel->name,
                        value, pl_field_full_name(field, full_name, sizeof full_name), field->type);
  }
  pl_kernel_store(kernel, field->offset, bytes, field->size);
  return PIPELINK_OK;
}

pipelink_code pipelink_kernel_set_pointer(pipelink_kernel *kernel, const char *name, uint64_t address,
                                          pipelink_error *error) {
  const pl_launch_field *field = NULL;
  pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
  if (code)
    return code;
  if (field->value.kind != PIPELINK_PARAMETER_POINTER)
    return pl_kernel_refuse_kind(kernel, field, "a pointer", error);
  const pl_number as_integer = {.kind = PIPELINK_PARAMETER_INTEGER, .bits = 64};
  unsigned char bytes[PL_NUMBER_BYTES_MAX];
  pl_number_encode_unsigned(&as_integer, address, bytes);
  pl_kernel_store(kernel, field->offset, bytes, field->size);
  return PIPELINK_OK;
}

pipelink_code pipelink_kernel_set_bytes(pipelink_kernel *kernel, const char *name, const void *bytes, size_t size,
                                        pipelink_error *error) {
  if (!bytes)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_set_bytes: bytes is NULL");
  size_t offset = 0, expected = 0;
  bool whole = false;
  if (kernel && name)
    for (size_t i = 0; i < kernel->file.owner_count && !whole; i++) {
      const pl_launch_owner *owner = &kernel->file.owners[i];
      whole = !strcmp(owner->instance, name);
      if (whole)
        offset = owner->offset, expected = owner->size;
    }
  if (!whole) {
    const pl_launch_field *field = NULL;
    pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
    if (code)
      return code;
    offset = field->offset, expected = field->size;
  }
  if (size != expected)
    return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: '%.128s' has %zu bytes, it was given %zu", kernel->name, name,
                        expected, size);
  pl_kernel_store(kernel, offset, bytes, size);
  return PIPELINK_OK;
}

/* ---- what there is to set ---- */

pipelink_code pipelink_kernel_get_parameter(const pipelink_kernel *kernel, size_t index, pipelink_parameter *parameter,
                                            pipelink_error *error) {
  if (!kernel || index >= kernel->file.field_count)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_get_parameter: %s",
                        kernel ? "index is not below the number of parameters" : "kernel is NULL");
  const pl_launch_field *field = &kernel->file.fields[index];
  pipelink_parameter filled = {.size = sizeof filled,
                               .instance = field->instance,
                               .field = field->name,
                               .type = field->type,
                               .offset = field->offset,
                               .bytes = field->size,
                               .kind = field->value.kind,
                               .bits = field->value.bits,
                               .is_signed = field->value.is_signed,
                               .is_bfloat = field->value.is_bfloat,
                               .is_set = pl_field_is_set(kernel, field),
                               .points_to_numbers =
                                   field->has_element && field->value.kind == PIPELINK_PARAMETER_POINTER,
                               .element_kind = field->element.kind,
                               .element_bits = field->element.bits,
                               .element_is_signed = field->element.is_signed,
                               .element_is_bfloat = field->element.is_bfloat,
                               .tensor_rank = field->tensor_map.rank,
                               .tensor_swizzle = field->tensor_map.swizzle};
  memcpy(filled.tensor_box, field->tensor_map.box, sizeof filled.tensor_box);
  return pl_options_write(parameter, offsetof(pipelink_parameter, tensor_rank), &filled, sizeof filled,
                          "pipelink_parameter", error);
}
