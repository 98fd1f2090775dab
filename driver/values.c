/* values.c - see values.h. */
#include "values.h"

#include "input.h"
#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Bytes of one buffer; more is a slip of the keyboard. */
#define BUFFER_MAX ((size_t)1 << 38)

static pipelink_code out_of_memory(const kernel_value *value, pipelink_error *error) {
  return pl_error_set(error, PIPELINK_ERROR_MEMORY, "--set %.*s: out of memory", (int)value->name_length, value->name);
}

/* A refusal of the option's text: "--set caller.count=x: ...". */
#define refuse(value, error, ...) (refuse_text(value, error, __VA_ARGS__), PIPELINK_ERROR_ARGUMENT)
static void refuse_text(const kernel_value *value, pipelink_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void refuse_text(const kernel_value *value, pipelink_error *error, const char *format, ...) {
  char problem[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem, sizeof problem, format, arguments);
  va_end(arguments);
  pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "%s %.*s=%s: %s", value->text ? "--set" : "--out",
                (int)value->name_length, value->name, value->text ? value->text : value->out, problem);
}

/* ---- collecting ---- */

static kernel_value *find_or_add(kernel_values *values, const char *name, size_t length) {
  for (size_t i = 0; i < values->count; i++)
    if (values->items[i].name_length == length && !memcmp(values->items[i].name, name, length))
      return &values->items[i];
  kernel_value *items = realloc(values->items, (values->count + 1) * sizeof *items);
  if (!items)
    return NULL;
  values->items = items;
  items[values->count] = (kernel_value){.name = name, .name_length = length};
  return &items[values->count++];
}

static pipelink_code add(kernel_values *values, const char *flag, const char *option, bool is_out,
                         pipelink_error *error) {
  const char *equals = strchr(option, '=');
  if (!equals || equals == option || !equals[1])
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "%s %s: expected NAME=%s", flag, option,
                        is_out ? "FILE" : "VALUE");
  kernel_value *value = find_or_add(values, option, (size_t)(equals - option));
  if (!value)
    return pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s %s: out of memory", flag, option);
  const char **text = is_out ? &value->out : &value->text;
  if (*text)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "%s %s: the parameter has %s=%s already", flag, option, flag,
                        *text);
  *text = equals + 1;
  return PIPELINK_OK;
}

pipelink_code values_add_set(kernel_values *values, const char *option, pipelink_error *error) {
  return add(values, "--set", option, false, error);
}

pipelink_code values_add_out(kernel_values *values, const char *option, pipelink_error *error) {
  return add(values, "--out", option, true, error);
}

/* ---- numbers ---- */

static bool parse_count(const char *text, size_t length, uint64_t *count) {
  char copy[32];
  if (!length || length >= sizeof copy || text[0] < '0' || text[0] > '9')
    return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  char *end;
  errno = 0;
  *count = strtoull(copy, &end, 0);
  return !*end && !errno;
}

bool grid_parse(const char *text, uint32_t grid[3]) {
  for (int i = 0; i < 3; i++)
    grid[i] = 1;
  for (int i = 0; i < 3; i++) {
    size_t length = strcspn(text, ",");
    uint64_t count;
    if (!parse_count(text, length, &count) || !count || count > UINT32_MAX)
      return false;
    grid[i] = (uint32_t)count;
    text += length;
    if (!*text)
      return true;
    text++;
  }
  return false;
}

static pipelink_code bind_integer(kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  char *end;
  errno = 0;
  if (value->text[0] == '-') {
    value->kind = VALUE_SIGNED;
    value->integer = strtoll(value->text, &end, 0);
  } else {
    value->kind = VALUE_UNSIGNED;
    value->natural = strtoull(value->text, &end, 0);
    if (field->value.kind == PIPELINK_PARAMETER_BOOL && (!strcmp(value->text, "true") || !strcmp(value->text, "false")))
      value->natural = value->text[0] == 't', end = "";
  }
  return *end || end == value->text || errno
             ? refuse(value, error, "is no integer, but %s has type %s", value->full_name, field->type)
             : PIPELINK_OK;
}

static pipelink_code bind_float(kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  char *end;
  value->kind = VALUE_FLOAT;
  value->real = strtod(value->text, &end);
  return *end || end == value->text
             ? refuse(value, error, "is no number, but %s has type %s", value->full_name, field->type)
             : PIPELINK_OK;
}

/* ---- files ---- */

static const char *file_path(const char *text) {
  return strncmp(text, "file:", 5) ? NULL : text + 5;
}

static pipelink_code bind_bytes(kernel_value *value, pipelink_error *error) {
  const char *path = file_path(value->text);
  if (!path)
    return refuse(value, error, "%s is set as bytes: file:PATH", value->full_name);
  value->kind = VALUE_BYTES;
  return pl_input_read(path, PL_PARAMETERS_MAX, &value->bytes, &value->byte_count, error);
}

/* ---- buffers ---- */

/* What the pointer points to, when the launch file says so and `type` is something else. */
static pipelink_code check_element(const kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  const pl_number *given = &value->buffer.type->number, *declared = &field->element;
  if (!field->has_element ||
      (given->kind == declared->kind && given->bits == declared->bits && given->is_bfloat == declared->is_bfloat))
    return PIPELINK_OK;
  const element_type *type = element_type_of(declared);
  return refuse(value, error, "%s has type %s: its elements are %s, not %s", value->full_name, field->type,
                type ? type->name : "of another type", value->buffer.type->name);
}

static pipelink_code allocate_buffer(kernel_value *value, uint64_t count, pipelink_error *error) {
  value_buffer *buffer = &value->buffer;
  size_t bytes = element_bytes(buffer->type);
  if (!count || count > BUFFER_MAX / bytes)
    return refuse(value, error, "%llu elements: 1 to %zu are possible", (unsigned long long)count, BUFFER_MAX / bytes);
  buffer->count = (size_t)count;
  buffer->bytes = buffer->count * bytes;
  buffer->initial = malloc(buffer->bytes);
  return buffer->initial ? PIPELINK_OK : out_of_memory(value, error);
}

/* TYPE; *rest is what follows it and its colon. */
static pipelink_code parse_type(kernel_value *value, const char *text, const char **rest, pipelink_error *error) {
  size_t type_length = strcspn(text, ":");
  value->buffer.type = element_type_find(text, type_length);
  *rest = text[type_length] ? text + type_length + 1 : text + type_length;
  return value->buffer.type
             ? PIPELINK_OK
             : refuse(value, error, "'%.*s' is no element type; there are " ELEMENT_TYPE_NAMES, (int)type_length, text);
}

/* TYPE:COUNT[:SEED]; *rest is what follows the count, "" or ":SEED". */
static pipelink_code parse_elements(kernel_value *value, const char *text, const pl_launch_field *field,
                                    uint64_t *count, const char **rest, pipelink_error *error) {
  const char *number;
  pipelink_code code = parse_type(value, text, &number, error);
  if (code)
    return code;
  size_t number_length = strcspn(number, ":");
  if (!parse_count(number, number_length, count))
    return refuse(value, error, "'%.*s' is no number of elements", (int)number_length, number);
  *rest = number + number_length;
  return check_element(value, field, error);
}

/* `rest` is what follows a fill and its count: "", or ":SEED" for random numbers. */
static pipelink_code fill_buffer(kernel_value *value, int fill, uint64_t count, const char *rest,
                                 pipelink_error *error) {
  uint64_t seed = 0;
  pipelink_code code;
  value_buffer *buffer = &value->buffer;
  snprintf(buffer->source, sizeof buffer->source, "%s", element_fill_name((element_fill)fill));
  if (fill == FILL_RANDOM) {
    if (*rest && !parse_count(rest + 1, strlen(rest + 1), &seed))
      return refuse(value, error, "'%s' is no seed", rest + 1);
    if (!*rest && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
      return refuse(value, error, "no random seed to be had: %s", strerror(errno));
    if (!*rest)
      seed >>= 32; /* short enough to be typed again */
    snprintf(buffer->source, sizeof buffer->source, "random, seed %llu", (unsigned long long)seed);
  } else if (*rest) {
    return refuse(value, error, "'%s' follows the %s", rest,
                  value->kind == VALUE_TENSOR ? "fill" : "number of elements");
  }
  if ((code = allocate_buffer(value, count, error)))
    return code;
  return element_fill_buffer(buffer->type, (element_fill)fill, seed, buffer->initial, buffer->count)
             ? PIPELINK_OK
             : refuse(value, error, "numbers up to %llu do not fit into %s", (unsigned long long)count - 1,
                      buffer->type->name);
}

static pipelink_code bind_filled_buffer(kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  size_t fill_length = strcspn(value->text, ":");
  int fill = element_fill_find(value->text, fill_length);
  if (fill < 0 || !value->text[fill_length])
    return refuse(value, error,
                  "%s is a pointer (%s): random:TYPE:COUNT[:SEED], zeros:TYPE:COUNT, nan:TYPE:COUNT, "
                  "iota:TYPE:COUNT, file:PATH or null",
                  value->full_name, field->type);
  uint64_t count;
  const char *rest;
  pipelink_code code = parse_elements(value, value->text + fill_length + 1, field, &count, &rest, error);
  return code ? code : fill_buffer(value, fill, count, rest, error);
}

static pipelink_code bind_file_buffer(kernel_value *value, const char *path, const pl_launch_field *field,
                                      pipelink_error *error) {
  value_buffer *buffer = &value->buffer;
  const element_type *declared = field->has_element ? element_type_of(&field->element) : NULL;
  buffer->type = declared ? declared : element_type_find("u8", 2);
  snprintf(buffer->source, sizeof buffer->source, "from a file");
  pipelink_code code = pl_input_read(path, BUFFER_MAX, &buffer->initial, &buffer->bytes, error);
  if (code)
    return code;
  size_t bytes = element_bytes(buffer->type);
  if (!buffer->bytes || buffer->bytes % bytes)
    return refuse(value, error, "the file has %zu bytes, not a whole number of %s", buffer->bytes, buffer->type->name);
  buffer->count = buffer->bytes / bytes;
  return PIPELINK_OK;
}

/* A pointer that only --out names: --out NAME=PATH:TYPE:COUNT. The memory starts out as NaN. */
static pipelink_code bind_output_buffer(kernel_value *value, const char *elements, const pl_launch_field *field,
                                        pipelink_error *error) {
  if (!elements)
    return refuse(value, error, "say how much: --out %s=FILE:TYPE:COUNT, or --set %s=nan:TYPE:COUNT beside it",
                  value->full_name, value->full_name);
  uint64_t count;
  const char *rest;
  pipelink_code code = parse_elements(value, elements, field, &count, &rest, error);
  if (!code)
    code = allocate_buffer(value, count, error);
  if (code)
    return code;
  snprintf(value->buffer.source, sizeof value->buffer.source, "nan");
  element_fill_buffer(value->buffer.type, FILL_NAN, 0, value->buffer.initial, value->buffer.count);
  return PIPELINK_OK;
}

/* The TYPE:COUNT at the end of PATH[:TYPE:COUNT], or NULL. A path may have colons of its own. */
static const char *output_elements(const char *out) {
  const char *count = strrchr(out, ':');
  if (!count || count == out)
    return NULL;
  const char *type = count - 1;
  while (type > out && *type != ':')
    type--;
  uint64_t number;
  bool complete = type > out && element_type_find(type + 1, (size_t)(count - type - 1)) &&
                  parse_count(count + 1, strlen(count + 1), &number);
  return complete ? type + 1 : NULL;
}

static pipelink_code bind_output(kernel_value *value, const char *elements, pipelink_error *error) {
  value->out_count = value->buffer.count;
  size_t length = elements ? (size_t)(elements - 1 - value->out) : strlen(value->out);
  value->out_path = strndup(value->out, length);
  if (!value->out_path)
    return out_of_memory(value, error);
  if (!value->buffer.count)
    return refuse(value, error, "--out of a null pointer");
  if (!elements)
    return PIPELINK_OK;
  const char *number = strrchr(elements, ':');
  uint64_t count = 0;
  if (element_type_find(elements, (size_t)(number - elements)) != value->buffer.type ||
      !parse_count(number + 1, strlen(number + 1), &count) || count > value->buffer.count)
    return refuse(value, error, "--out %s is not within the buffer's %s:%zu", value->out, value->buffer.type->name,
                  value->buffer.count);
  value->out_count = (size_t)count;
  return PIPELINK_OK;
}

static pipelink_code bind_buffer(kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  value->kind = VALUE_BUFFER;
  const char *elements = value->out ? output_elements(value->out) : NULL;
  pipelink_code code;
  if (!value->text)
    code = bind_output_buffer(value, elements, field, error);
  else if (!strcmp(value->text, "null"))
    code = PIPELINK_OK;
  else if (file_path(value->text))
    code = bind_file_buffer(value, file_path(value->text), field, error);
  else
    code = bind_filled_buffer(value, field, error);
  return !code && value->out ? bind_output(value, elements, error) : code;
}

/* ---- tensors ---- */

/* "8192x4096", the contiguous dimension last as in a shape; the tensor's extents have it first. */
static pipelink_code parse_shape(kernel_value *value, const char *text, unsigned rank, uint64_t *count,
                                 const char **rest, pipelink_error *error) {
  size_t shape_length = strcspn(text, ":");
  const char *end = text + shape_length, *at = text;
  pipelink_tensor *tensor = &value->tensor;
  *tensor = (pipelink_tensor){.size = sizeof *tensor};
  *count = 1;
  for (; tensor->rank < rank; tensor->rank++) {
    size_t length = strcspn(at, "x:");
    uint64_t *extent = &tensor->extents[rank - 1 - tensor->rank];
    if (!parse_count(at, length, extent))
      break;
    if (*extent > BUFFER_MAX / *count)
      return refuse(value, error, "a tensor of %.*s elements: %zu are possible", (int)shape_length, text, BUFFER_MAX);
    *count = *extent ? *count * *extent : 0;
    if (!*count)
      return refuse(value, error, "a tensor of %.*s elements is empty", (int)shape_length, text);
    at += length;
    if (tensor->rank + 1 < rank && *at == 'x')
      at++;
  }
  *rest = end;
  return at == end && tensor->rank == rank ? PIPELINK_OK
                                           : refuse(value, error, "'%.*s' is no shape of %u dimensions, such as %.*s",
                                                    (int)shape_length, text, rank, (int)rank * 3 - 1, "64x64x64x64x64");
}

/* What a tensor is filled with: "" (random), ":FILL[:SEED]" or ":file:PATH". */
static pipelink_code fill_tensor(kernel_value *value, const pl_launch_field *field, uint64_t count, const char *text,
                                 pipelink_error *error) {
  if (!*text)
    return fill_buffer(value, FILL_RANDOM, count, "", error);
  const char *path = file_path(++text);
  if (path) {
    pipelink_code code = bind_file_buffer(value, path, field, error);
    return code || value->buffer.count == count ? code
                                                : refuse(value, error, "the file has %zu elements, the tensor %llu",
                                                         value->buffer.count, (unsigned long long)count);
  }
  size_t length = strcspn(text, ":");
  int fill = element_fill_find(text, length);
  return fill < 0 ? refuse(value, error, "'%.*s' is no fill: random[:SEED], zeros, nan, iota or file:PATH", (int)length,
                           text)
                  : fill_buffer(value, fill, count, text + length, error);
}

/* tensor:TYPE:SHAPE[:FILL] */
static pipelink_code bind_tensor(kernel_value *value, const pl_launch_field *field, pipelink_error *error) {
  static const char prefix[] = "tensor:";
  if (!value->text || strncmp(value->text, prefix, sizeof prefix - 1) != 0)
    return refuse(value, error, "%s is a tensor map: --set %s=tensor:TYPE:SHAPE[:FILL]", value->full_name,
                  value->full_name);
  value->kind = VALUE_TENSOR;
  const char *rest;
  uint64_t count;
  pipelink_code code = parse_type(value, value->text + sizeof prefix - 1, &rest, error);
  if (!code)
    code = check_element(value, field, error);
  if (!code)
    code = parse_shape(value, rest, field->tensor_map.rank, &count, &rest, error);
  if (!code)
    code = fill_tensor(value, field, count, rest, error);
  if (code || !value->out)
    return code;
  return bind_output(value, output_elements(value->out), error);
}

/* ---- binding ---- */

static bool is_instance(const pipelink_kernel *kernel, const char *name) {
  for (size_t i = 0; i < kernel->file.owner_count; i++)
    if (!strcmp(kernel->file.owners[i].instance, name))
      return true;
  return false;
}

static pipelink_code bind_value(kernel_value *value, const pipelink_kernel *kernel, pipelink_error *error) {
  char *name = strndup(value->name, value->name_length);
  if (!name)
    return out_of_memory(value, error);
  value->full_name = name;
  if (value->text && file_path(value->text) && is_instance(kernel, name))
    return bind_bytes(value, error); /* a whole params struct */
  const pl_launch_field *field = pl_kernel_find_field(kernel, name, error);
  if (!field)
    return PIPELINK_ERROR_NAME;
  size_t size = strlen(field->instance) + (field->name ? strlen(field->name) : 0) + sizeof ".";
  value->full_name = malloc(size);
  free(name);
  if (!value->full_name)
    return out_of_memory(value, error);
  pl_field_full_name(field, value->full_name, size);
  if (field->tensor_map.rank && !(value->text && file_path(value->text)))
    return bind_tensor(value, field, error);
  if ((value->out || !value->text) && field->value.kind != PIPELINK_PARAMETER_POINTER)
    return refuse(value, error, "--out: %s has type %s and is no pointer", value->full_name, field->type);
  switch (field->value.kind) {
  case PIPELINK_PARAMETER_INTEGER:
  case PIPELINK_PARAMETER_BOOL:
    return bind_integer(value, field, error);
  case PIPELINK_PARAMETER_FLOAT:
    return bind_float(value, field, error);
  case PIPELINK_PARAMETER_POINTER:
    return bind_buffer(value, field, error);
  case PIPELINK_PARAMETER_BYTES:
    break;
  }
  return bind_bytes(value, error);
}

pipelink_code values_bind(kernel_values *values, const pipelink_kernel *kernel, pipelink_error *error) {
  for (size_t i = 0; i < values->count; i++) {
    kernel_value *value = &values->items[i];
    pipelink_code code = bind_value(value, kernel, error);
    if (code)
      return code;
    for (size_t j = 0; j < i; j++)
      if (!strcmp(values->items[j].full_name, value->full_name))
        return refuse(value, error, "%s is given twice, also as '%.*s'", value->full_name,
                      (int)values->items[j].name_length, values->items[j].name);
  }
  return PIPELINK_OK;
}

/* ---- the device ---- */

pipelink_code values_allocate(kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error) {
  for (size_t i = 0; i < values->count; i++) {
    kernel_value *value = &values->items[i];
    if (!value->buffer.bytes)
      continue;
    pipelink_code code = pl_cuda_check(driver, driver->memory_allocate(&value->buffer.device, value->buffer.bytes),
                                       error, "%zu bytes of GPU memory for %s", value->buffer.bytes, value->full_name);
    if (code) {
      value->buffer.device = 0;
      return code;
    }
  }
  return PIPELINK_OK;
}

pipelink_code values_upload(const kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error) {
  pipelink_code code = PIPELINK_OK;
  for (size_t i = 0; i < values->count && !code; i++) {
    const value_buffer *buffer = &values->items[i].buffer;
    if (buffer->bytes)
      code = pl_cuda_check(driver, driver->memory_upload(buffer->device, buffer->initial, buffer->bytes), error,
                           "copy of %s to the GPU", values->items[i].full_name);
  }
  /* A copy from pageable memory may return before it has arrived, and other streams do not wait for it. */
  return code ? code : pl_cuda_check(driver, driver->stream_synchronize(NULL), error, "copies to the GPU");
}

pipelink_code values_download(kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error) {
  pipelink_code code = PIPELINK_OK;
  for (size_t i = 0; i < values->count && !code; i++) {
    value_buffer *buffer = &values->items[i].buffer;
    if (!buffer->bytes)
      continue;
    if (!buffer->result && !(buffer->result = malloc(buffer->bytes)))
      return out_of_memory(&values->items[i], error);
    code = pl_cuda_check(driver, driver->memory_download(buffer->result, buffer->device, buffer->bytes), error,
                         "copy of %s from the GPU", values->items[i].full_name);
  }
  return code;
}

pipelink_code values_apply(const kernel_values *values, pipelink_kernel *kernel, pipelink_error *error) {
  pipelink_code code = PIPELINK_OK;
  for (size_t i = 0; i < values->count && !code; i++) {
    const kernel_value *value = &values->items[i];
    switch (value->kind) {
    case VALUE_SIGNED:
      code = pipelink_kernel_set_integer(kernel, value->full_name, value->integer, error);
      break;
    case VALUE_UNSIGNED:
      code = pipelink_kernel_set_unsigned(kernel, value->full_name, value->natural, error);
      break;
    case VALUE_FLOAT:
      code = pipelink_kernel_set_float(kernel, value->full_name, value->real, error);
      break;
    case VALUE_BYTES:
      code = pipelink_kernel_set_bytes(kernel, value->full_name, value->bytes, value->byte_count, error);
      break;
    case VALUE_BUFFER:
      code = pipelink_kernel_set_pointer(kernel, value->full_name, value->buffer.device, error);
      break;
    case VALUE_TENSOR: {
      pipelink_tensor tensor = value->tensor;
      tensor.address = value->buffer.device;
      code = pipelink_kernel_set_tensor(kernel, value->full_name, &tensor, error);
      break;
    }
    }
  }
  return code;
}

pipelink_code values_write(const kernel_values *values, pipelink_error *error) {
  pl_outputs *outputs = pl_outputs_create();
  pl_status status = outputs ? 0 : -ENOMEM;
  for (size_t i = 0; i < values->count && !status; i++) {
    const kernel_value *value = &values->items[i];
    if (value->out_path)
      status = pl_outputs_add(outputs, value->out_path, value->buffer.result,
                              value->out_count * element_bytes(value->buffer.type));
  }
  const char *failed = NULL;
  if (!status)
    status = pl_outputs_commit(outputs, &failed);
  pipelink_code code = PIPELINK_OK;
  if (status)
    code = pl_error_set(error, PIPELINK_ERROR_FILE, "%s: %s", failed ? failed : "--out", strerror(-status));
  pl_outputs_free(outputs);
  return code;
}

void values_free(kernel_values *values, const pl_cuda_driver *driver) {
  for (size_t i = 0; i < values->count; i++) {
    kernel_value *value = &values->items[i];
    if (driver && value->buffer.device)
      driver->memory_free(value->buffer.device);
    free(value->buffer.initial);
    free(value->buffer.result);
    free(value->full_name);
    free(value->bytes);
    free(value->out_path);
  }
  free(values->items);
  *values = (kernel_values){0};
}
