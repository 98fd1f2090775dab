/* json.c - see json.h. */
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* Control characters would let a package write to the reader's terminal: C0, DEL, and C1 in its UTF-8 form. */
static bool is_control(const char *text) {
  unsigned char c = (unsigned char)text[0];
  return c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0);
}

const char *pl_printable(pl_arena *arena, const char *text) {
  enum { SHOWN = 100 };
  size_t size = strnlen(text, SHOWN + 1);
  bool is_cut = size > SHOWN;
  if (is_cut)
    for (size = SHOWN; size && ((unsigned char)text[size] & 0xc0) == 0x80;) /* not inside a character */
      size--;
  char *copy = pl_arena_alloc(arena, size + 4);
  if (!copy)
    return "(out of memory)";
  for (size_t i = 0; i < size; i++)
    copy[i] = is_control(text + i) ? '?' : text[i];
  for (size_t i = 0; is_cut && i < 3; i++)
    copy[size + i] = '.';
  return copy;
}

static bool is_ascii_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
static bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

bool pl_name_is_valid(const char *name) {
  if (!is_ascii_letter(name[0]) && name[0] != '_')
    return false;
  for (const char *c = name + 1; *c; c++)
    if (!is_ascii_letter(*c) && !is_ascii_digit(*c) && !strchr("_.-", *c))
      return false;
  return strlen(name) <= PL_NAME_MAX;
}

bool pl_version_is_valid(const char *version) {
  const char *c = version;
  for (int part = 0; part < 3; part++) {
    if (part && *c++ != '.')
      return false;
    const char *digits = c;
    while (is_ascii_digit(*c))
      c++;
    if (c == digits || c - digits > 9)
      return false;
  }
  if (*c == '-') {
    if (!*++c)
      return false;
    while (is_ascii_letter(*c) || is_ascii_digit(*c) || (*c && strchr(".-+", *c)))
      c++;
  }
  return !*c && strlen(version) <= PL_NAME_MAX;
}

/* ---- errors ---- */

static void print_path(pl_buffer *text, const pl_json_path *path) {
  if (!path)
    return;
  print_path(text, path->parent);
  if (path->key)
    pl_buffer_printf(text, "%s%s", text->size ? "." : "", path->key);
  else
    pl_buffer_printf(text, "[%zu]", path->index);
}

void pl_json_out_of_memory(pl_json_reader *reader) {
  if (!reader->status)
    reader->status = -ENOMEM;
}

void *pl_json_alloc(pl_json_reader *reader, size_t count, size_t item_bytes) {
  if (reader->status)
    return NULL;
  void *items = pl_arena_array(reader->arena, count, item_bytes);
  if (!items)
    pl_json_out_of_memory(reader);
  return items;
}

void pl_json_fail(pl_json_reader *reader, const pl_json_path *path, const char *format, ...) {
  if (reader->status)
    return;
  pl_buffer place = {0};
  print_path(&place, path);
  va_list arguments;
  va_start(arguments, format);
  const char *message = pl_arena_vprintf(reader->arena, format, arguments);
  va_end(arguments);
  if (place.failed || !message) {
    reader->status = -ENOMEM;
  } else {
    pl_report(reader->sink, PL_ERROR, reader->code, "%s: %s%s%s", reader->where, place.size ? place.data : "",
              place.size ? ": " : "", message);
    reader->status = -EBADMSG;
  }
  pl_buffer_free(&place);
}

/* ---- fields ---- */

static const char *kind_of(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "an integer";
  case JSON_REAL:
    return "a number with a fraction";
  case JSON_TRUE:
  case JSON_FALSE:
    return "true or false";
  case JSON_NULL:
    return "null";
  }
  return "unknown";
}

bool pl_json_is_object(pl_json_reader *reader, const pl_json_path *path, const json_t *value,
                       const char *const *allowed) {
  if (reader->status)
    return false;
  if (!json_is_object(value)) {
    pl_json_fail(reader, path, "must be an object, is %s", kind_of(value));
    return false;
  }
  if (!allowed)
    return true;
  const char *key;
  json_t *item;
  json_object_foreach((json_t *)value, key, item) {
    const char *const *known = allowed;
    while (*known && strcmp(*known, key) != 0)
      known++;
    if (!*known) {
      pl_json_fail(reader, path, "unknown key '%s'", pl_printable(reader->arena, key));
      return false;
    }
  }
  return true;
}

/* The value behind a required key; NULL, with an error, when there is none. */
static const json_t *required(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key) {
  if (reader->status)
    return NULL;
  const json_t *value = json_object_get(object, key);
  if (!value)
    pl_json_fail(reader, path, "'%s' is missing", key);
  return value;
}

const json_t *pl_json_object(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key) {
  const json_t *value = required(reader, path, object, key);
  if (value && !json_is_object(value)) {
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "must be an object, is %s", kind_of(value));
    return NULL;
  }
  return value;
}

const json_t *pl_json_array(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                            size_t most) {
  const json_t *value = required(reader, path, object, key);
  if (!value)
    return NULL;
  pl_json_path place = {path, key, 0};
  if (!json_is_array(value))
    pl_json_fail(reader, &place, "must be an array, is %s", kind_of(value));
  else if (json_array_size(value) > most)
    pl_json_fail(reader, &place, "%zu items, at most %zu are accepted", json_array_size(value), most);
  return reader->status ? NULL : value;
}

const char *pl_json_item_text(pl_json_reader *reader, const pl_json_path *path, const json_t *value, size_t most) {
  if (reader->status)
    return "";
  if (!json_is_string(value)) {
    pl_json_fail(reader, path, "must be a string, is %s", kind_of(value));
    return "";
  }
  const char *text = json_string_value(value);
  size_t size = json_string_length(value);
  if (size > most) {
    pl_json_fail(reader, path, "%zu bytes long, at most %zu are accepted", size, most);
    return "";
  }
  for (const char *c = text; *c; c++) {
    if (is_control(c)) {
      pl_json_fail(reader, path, "contains a control character");
      return "";
    }
  }
  const char *copy = pl_arena_copy(reader->arena, text, size);
  if (!copy)
    pl_json_out_of_memory(reader);
  return copy ? copy : "";
}

const char *pl_json_text(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                         size_t most) {
  const json_t *value = required(reader, path, object, key);
  return value ? pl_json_item_text(reader, &(pl_json_path){path, key, 0}, value, most) : "";
}

const char *pl_json_name(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key) {
  const char *name = pl_json_text(reader, path, object, key, PL_NAME_MAX);
  if (!reader->status && !pl_name_is_valid(name))
    pl_json_fail(reader, &(pl_json_path){path, key, 0},
                 "'%s' is not a name: a letter or '_', then letters, digits, '_', '.', '-'",
                 pl_printable(reader->arena, name));
  return name;
}

const char *pl_json_version(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key) {
  const char *version = pl_json_text(reader, path, object, key, PL_NAME_MAX);
  if (!reader->status && !pl_version_is_valid(version))
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "'%s' is not MAJOR.MINOR.PATCH",
                 pl_printable(reader->arena, version));
  return version;
}

int64_t pl_json_integer(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                        int64_t least, int64_t most) {
  const json_t *value = required(reader, path, object, key);
  if (!value)
    return 0;
  pl_json_path place = {path, key, 0};
  if (!json_is_integer(value)) {
    pl_json_fail(reader, &place, "must be an integer, is %s", kind_of(value));
    return 0;
  }
  json_int_t number = json_integer_value(value);
  if (number < least || number > most) {
    pl_json_fail(reader, &place, "must be %lld to %lld, is %lld", (long long)least, (long long)most, (long long)number);
    return 0;
  }
  return number;
}

uint64_t pl_json_unsigned(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                          uint64_t least, uint64_t most) {
  return (uint64_t)pl_json_integer(reader, path, object, key, (int64_t)least, (int64_t)most);
}

size_t pl_json_word(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                    const char *const *words, size_t count) {
  const char *text = pl_json_text(reader, path, object, key, PL_NAME_MAX);
  for (size_t i = 0; i < count && !reader->status; i++)
    if (!strcmp(words[i], text))
      return i;
  pl_buffer all = {0};
  for (size_t i = 0; i < count && !reader->status; i++)
    pl_buffer_printf(&all, "%s'%s'", i ? ", " : "", words[i]);
  if (all.failed)
    pl_json_out_of_memory(reader);
  else
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "'%s' is none of %s", pl_printable(reader->arena, text),
                 all.size ? all.data : "");
  pl_buffer_free(&all);
  return 0;
}

bool pl_json_bool(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key) {
  const json_t *value = required(reader, path, object, key);
  if (value && !json_is_boolean(value))
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "must be true or false, is %s", kind_of(value));
  return json_is_true(value);
}

pl_status pl_json_print(json_t *value, size_t flags, pl_buffer *text) {
  char *dump = value ? json_dumps(value, flags) : NULL;
  json_decref(value);
  if (dump) {
    pl_buffer_puts(text, dump);
    pl_buffer_puts(text, "\n");
  }
  bool failed = !dump || text->failed;
  free(dump);
  return failed ? -ENOMEM : 0;
}
