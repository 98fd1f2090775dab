/* json.h - reading JSON that may be hostile: limits at the door, then fields by name, with errors that say where.
 *
 * A reader carries one sticky status: after the first failure every call returns an empty value, so that a parser
 * reads as the list of its fields and asks once, at the end. json.c; used by contract.c and manifest.c. The text itself
 * is read by json_text.c.
 */
#ifndef PIPELINK_PASSES_JSON_H
#define PIPELINK_PASSES_JSON_H

#include "diagnostics.h"

#include <jansson.h>

#define PL_JSON_TEXT_MAX ((size_t)16 << 20) /* bytes of one JSON text */

enum {
  PL_JSON_DEPTH_MAX = 256,      /* nested arrays and objects */
  PL_JSON_VALUES_MAX = 1 << 20, /* of one text; each takes up to 150 bytes of memory */
  PL_NAME_MAX = 255,            /* bytes of a stage, role, seam or shared buffer name */
  PL_TEXT_MAX = 65535,          /* bytes of a symbol, a type's spelling, a file name */
};

typedef struct pl_json_reader {
  const char *where; /* file and member, begins every message */
  const char *code;  /* of the diagnostics, "L-MANIFEST" */
  pl_arena *arena;   /* owns the texts handed out */
  pl_sink *sink;
  pl_status status; /* 0, or the first failure: -EBADMSG with a diagnostic, -ENOMEM */
} pl_json_reader;

/* Place inside a document, kept on the stack and printed only in an error: "code.sm_90a.contract[2].warps". */
typedef struct pl_json_path {
  const struct pl_json_path *parent; /* NULL at the root */
  const char *key;                   /* NULL for an array's item */
  size_t index;                      /* of the array's item */
} pl_json_path;

/* Reports unless an earlier failure was reported already. `path` may be NULL for the whole document. */
void pl_json_fail(pl_json_reader *reader, const pl_json_path *path, const char *format, ...) PL_PRINTF(3, 4);
void pl_json_out_of_memory(pl_json_reader *reader);

/* An array in the reader's arena, zeroed; NULL after any failure. */
void *pl_json_alloc(pl_json_reader *reader, size_t count, size_t item_bytes);

/* True when `value` is an object whose keys are all among `allowed` (NULL-terminated; NULL: any keys). */
bool pl_json_is_object(pl_json_reader *reader, const pl_json_path *path, const json_t *value,
                       const char *const *allowed);

/* Required fields of an object. `path` is the object's. Texts are copies without control characters. */
const json_t *pl_json_object(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key);
const json_t *pl_json_array(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                            size_t most);
const char *pl_json_text(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                         size_t most);
/* [A-Za-z_][A-Za-z0-9_.-]*, at most PL_NAME_MAX bytes */
const char *pl_json_name(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key);
/* MAJOR.MINOR.PATCH[-suffix] */
const char *pl_json_version(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key);
/* least <= most <= INT64_MAX */
uint64_t pl_json_unsigned(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                          uint64_t least, uint64_t most);
int64_t pl_json_integer(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                        int64_t least, int64_t most);
bool pl_json_bool(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key);
/* The index of the text among `words` (at most PL_NAME_MAX bytes each); 0, with an error, when it is none of them. */
size_t pl_json_word(pl_json_reader *reader, const pl_json_path *path, const json_t *object, const char *key,
                    const char *const *words, size_t count);

/* One item of an array as text. */
const char *pl_json_item_text(pl_json_reader *reader, const pl_json_path *path, const json_t *value, size_t most);

/* Appends the value and a newline, and releases it; `flags` are json_dumps'. -ENOMEM, also when `value` is NULL. */
pl_status pl_json_print(json_t *value, size_t flags, pl_buffer *text);

bool pl_name_is_valid(const char *name);
bool pl_version_is_valid(const char *version);

/* Untrusted text for a message: control characters and what follows 100 bytes replaced. Never NULL. */
const char *pl_printable(pl_arena *arena, const char *text);

#endif
