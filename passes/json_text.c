/* json_text.c - from JSON text to jansson's values; pl_json_load of contract.h.
 *
 * jansson's own text reader must not see other people's files: when memory runs out while a string grows, 2.14 forgets
 * the closing quote and writes past its buffer. Its values, which the whole project works with, are sound. This reader
 * is RFC 8259 to the letter, and adds limits: size, depth, number of values, no key twice, no NUL, integers of 64 bits.
 */
#include "contract.h"
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pl_json_parser {
  const char *text;
  size_t size, at;
  size_t values;     /* begun so far */
  const char *where; /* begins every message */
  pl_sink *sink;
  pl_buffer string; /* the string being read, unescaped */
  bool failed;
} pl_json_parser;

static json_t *parse_value(pl_json_parser *parser, unsigned depth);

/* ---- errors ---- */

static json_t *out_of_memory(pl_json_parser *parser) {
  parser->failed = true;
  parser->sink->out_of_memory = true;
  return NULL;
}

/* Reports the first failure, at byte `at`; returns NULL so that a parse can end with it. */
static json_t *fail(pl_json_parser *parser, size_t at, const char *format, ...) PL_PRINTF(3, 4);
static json_t *fail(pl_json_parser *parser, size_t at, const char *format, ...) {
  if (parser->failed)
    return NULL;
  parser->failed = true;
  size_t line = 1, begin = 0;
  for (size_t i = 0; i < at; i++) {
    if (parser->text[i] == '\n') {
      line++;
      begin = i + 1;
    }
  }
  va_list arguments;
  va_start(arguments, format);
  const char *what = pl_arena_vprintf(parser->sink->arena, format, arguments);
  va_end(arguments);
  if (!what)
    return out_of_memory(parser);
  pl_report(parser->sink, PL_ERROR, "L-MANIFEST", "%s: line %zu, column %zu: not JSON: %s", parser->where, line,
            at - begin + 1, what);
  return NULL;
}

/* ---- characters ---- */

/* The next character, or NUL at the end; a NUL in the text is no token, so the two need no telling apart. */
static char peek(const pl_json_parser *parser) {
  return parser->at < parser->size ? parser->text[parser->at] : 0;
}

static bool take(pl_json_parser *parser, char c) {
  if (peek(parser) != c || parser->at == parser->size)
    return false;
  parser->at++;
  return true;
}

static void skip_space(pl_json_parser *parser) {
  while (take(parser, ' ') || take(parser, '\n') || take(parser, '\r') || take(parser, '\t'))
    ;
}

static bool take_word(pl_json_parser *parser, const char *word) {
  size_t length = strlen(word);
  if (parser->size - parser->at < length || memcmp(parser->text + parser->at, word, length) != 0)
    return false;
  parser->at += length;
  return true;
}

/* Length of the well-formed UTF-8 character at the cursor (Unicode 16, table 3-7); 0 when it is none. */
static size_t utf8_length(const pl_json_parser *parser) {
  const unsigned char *c = (const unsigned char *)parser->text + parser->at;
  size_t left = parser->size - parser->at;
  if (c[0] < 0x80)
    return 1;
  size_t length = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                  : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                  : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                 : 0;
  if (!length || length > left)
    return 0;
  unsigned low = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;  /* overlong forms */
  unsigned high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf; /* surrogates; above U+10FFFF */
  if (c[1] < low || c[1] > high)
    return 0;
  for (size_t i = 2; i < length; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

static void append_utf8(pl_buffer *buffer, unsigned code) {
  unsigned char bytes[4];
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = length; i-- > 1; code >>= 6)
    bytes[i] = (unsigned char)(0x80 | (code & 0x3f));
  bytes[0] = (unsigned char)(leads[length] | code);
  pl_buffer_append(buffer, bytes, length);
}

/* ---- strings ---- */

/* The four digits of \uXXXX, the cursor behind the 'u'. */
static bool take_code_unit(pl_json_parser *parser, unsigned *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++) {
    char c = peek(parser);
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                            : 16;
    if (digit == 16)
      return false;
    *unit = *unit << 4 | digit;
    parser->at++;
  }
  return true;
}

/* What follows a backslash. */
static void take_escape(pl_json_parser *parser) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  size_t begin = parser->at - 1;
  char c = peek(parser);
  const char *letter = c ? strchr(letters, c) : NULL;
  if (letter) {
    parser->at++;
    pl_buffer_append(&parser->string, &meanings[letter - letters], 1);
    return;
  }
  unsigned code, second;
  if (!take(parser, 'u') || !take_code_unit(parser, &code)) {
    fail(parser, begin, "unknown escape in a string");
    return;
  }
  if (code >= 0xd800 && code < 0xdc00) {
    if (!take_word(parser, "\\u") || !take_code_unit(parser, &second) || second < 0xdc00 || second > 0xdfff) {
      fail(parser, begin, "half of a surrogate pair");
      return;
    }
    code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    fail(parser, begin, "half of a surrogate pair");
    return;
  }
  if (!code)
    fail(parser, begin, "a NUL in a string");
  else
    append_utf8(&parser->string, code);
}

/* Reads a string into parser->string, the cursor on its opening quote. False after a failure. */
static bool take_string(pl_json_parser *parser) {
  size_t begin = parser->at;
  pl_buffer_clear(&parser->string);
  if (!take(parser, '"'))
    fail(parser, begin, "expected a string");
  while (!parser->failed && !take(parser, '"')) {
    size_t length = parser->at < parser->size ? utf8_length(parser) : 0;
    if (parser->at == parser->size)
      fail(parser, begin, "a string without an end");
    else if (!length)
      fail(parser, parser->at, "a byte that is not UTF-8");
    else if ((unsigned char)peek(parser) < 0x20)
      fail(parser, parser->at, "a control character in a string");
    else if (take(parser, '\\'))
      take_escape(parser);
    else {
      pl_buffer_append(&parser->string, parser->text + parser->at, length);
      parser->at += length;
    }
  }
  if (!parser->failed)
    pl_buffer_append(&parser->string, "", 0); /* an empty string has data too */
  if (parser->string.failed)
    out_of_memory(parser);
  return !parser->failed;
}

static json_t *parse_string(pl_json_parser *parser) {
  if (!take_string(parser))
    return NULL;
  json_t *value = json_stringn_nocheck(parser->string.data, parser->string.size);
  return value ? value : out_of_memory(parser);
}

/* ---- numbers ---- */

static size_t take_digits(pl_json_parser *parser) {
  size_t begin = parser->at;
  while (peek(parser) >= '0' && peek(parser) <= '9')
    parser->at++;
  return parser->at - begin;
}

static json_t *parse_number(pl_json_parser *parser) {
  size_t begin = parser->at;
  bool is_real = false;
  take(parser, '-');
  char first = peek(parser);
  size_t digits = take_digits(parser);
  bool good = digits && (digits == 1 || first != '0');
  if (take(parser, '.')) {
    is_real = true;
    good = take_digits(parser) && good;
  }
  if (take(parser, 'e') || take(parser, 'E')) {
    is_real = true;
    if (!take(parser, '+'))
      take(parser, '-');
    good = take_digits(parser) && good;
  }
  char copy[64];
  size_t length = parser->at - begin;
  if (!good || length >= sizeof copy)
    return fail(parser, begin, "%s", good ? "a number of more than 63 digits" : "no valid number");
  memcpy(copy, parser->text + begin, length);
  copy[length] = 0;
  errno = 0;
  double real = is_real ? strtod(copy, NULL) : 0;
  json_int_t integer = is_real ? 0 : strtoll(copy, NULL, 10);
  if ((errno == ERANGE && !is_real) || !isfinite(real))
    return fail(parser, begin, "a number out of range");
  json_t *value = is_real ? json_real(real) : json_integer(integer);
  return value ? value : out_of_memory(parser);
}

/* ---- arrays and objects ---- */

/* After an item: true when there is another one, false at the end or after a failure. */
static bool take_comma(pl_json_parser *parser, char end, const char *expected) {
  skip_space(parser);
  if (take(parser, end))
    return false;
  if (!take(parser, ','))
    fail(parser, parser->at, "%s", expected);
  skip_space(parser);
  return !parser->failed;
}

static json_t *parse_array(pl_json_parser *parser, unsigned depth) {
  json_t *array = json_array();
  if (!array)
    return out_of_memory(parser);
  parser->at++;
  skip_space(parser);
  bool more = !take(parser, ']');
  while (more) {
    json_t *item = parse_value(parser, depth);
    if (item && json_array_append_new(array, item))
      out_of_memory(parser);
    more = !parser->failed && take_comma(parser, ']', "expected ',' or ']'");
  }
  if (!parser->failed)
    return array;
  json_decref(array);
  return NULL;
}

/* "key": value */
static void parse_member(pl_json_parser *parser, json_t *object, unsigned depth) {
  size_t begin = parser->at;
  if (!take_string(parser))
    return;
  if (json_object_get(object, parser->string.data)) {
    fail(parser, begin, "a key for the second time in one object");
    return;
  }
  pl_buffer key = parser->string; /* the value may be a string, too */
  parser->string = (pl_buffer){0};
  skip_space(parser);
  if (!take(parser, ':'))
    fail(parser, parser->at, "expected ':' after a key");
  skip_space(parser);
  json_t *value = parser->failed ? NULL : parse_value(parser, depth);
  if (value && json_object_set_new_nocheck(object, key.data, value))
    out_of_memory(parser);
  pl_buffer_free(&key);
}

static json_t *parse_object(pl_json_parser *parser, unsigned depth) {
  json_t *object = json_object();
  if (!object)
    return out_of_memory(parser);
  parser->at++;
  skip_space(parser);
  bool more = !take(parser, '}');
  while (more) {
    parse_member(parser, object, depth);
    more = !parser->failed && take_comma(parser, '}', "expected ',' or '}'");
  }
  if (!parser->failed)
    return object;
  json_decref(object);
  return NULL;
}

/* Skips no space around the value. */
static json_t *parse_value(pl_json_parser *parser, unsigned depth) {
  char c = peek(parser);
  if ((c == '{' || c == '[') && ++depth > PL_JSON_DEPTH_MAX)
    return fail(parser, parser->at, "nested deeper than %d levels", PL_JSON_DEPTH_MAX);
  if (++parser->values > PL_JSON_VALUES_MAX)
    return fail(parser, parser->at, "more than %d values", PL_JSON_VALUES_MAX);
  if (c == '{')
    return parse_object(parser, depth);
  if (c == '[')
    return parse_array(parser, depth);
  if (c == '"')
    return parse_string(parser);
  if (c == '-' || (c >= '0' && c <= '9'))
    return parse_number(parser);
  if (take_word(parser, "true"))
    return json_true();
  if (take_word(parser, "false"))
    return json_false();
  if (take_word(parser, "null"))
    return json_null();
  return fail(parser, parser->at, "%s", parser->at == parser->size ? "it ends too early" : "expected a value");
}

json_t *pl_json_load(const char *text, size_t size, const char *where, pl_sink *sink) {
  if (size > PL_JSON_TEXT_MAX) {
    pl_report(sink, PL_ERROR, "L-MANIFEST", "%s: %zu bytes of JSON, at most %zu are read", where, size,
              PL_JSON_TEXT_MAX);
    return NULL;
  }
  pl_json_parser parser = {.text = text, .size = size, .where = where, .sink = sink};
  skip_space(&parser);
  json_t *root = parse_value(&parser, 0);
  skip_space(&parser);
  if (root && parser.at != size)
    fail(&parser, parser.at, "more text behind the value");
  pl_buffer_free(&parser.string);
  if (!parser.failed)
    return root;
  json_decref(root);
  return NULL;
}
