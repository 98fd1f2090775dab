/* contract.h - the contract of one stage: what it provides and what it needs.
 *
 * Clang's AST is the source (clang-attrs/), `!pipelink.contract` carries it inside a module, manifest.json is
 * canonical from there on, and this model is what the linker works with. docs/contract.md is the schema;
 * contract.c is the only reader. All memory belongs to the arena the contract was parsed into.
 */
#ifndef PIPELINK_PASSES_CONTRACT_H
#define PIPELINK_PASSES_CONTRACT_H

#include "diagnostics.h"

#include <jansson.h>

/* Version of the contract's and manifest's schema; a reader refuses every other one. */
#define PL_SCHEMA_VERSION 1

/* A C/C++ type as laid out on the device. Names are for messages; compatibility is decided by layout. */
typedef enum pl_type_kind {
  PL_TYPE_VOID,
  PL_TYPE_BOOL,
  PL_TYPE_INTEGER, /* bits, is_signed */
  PL_TYPE_FLOAT,   /* bits; is_bfloat tells bfloat16 from half */
  PL_TYPE_POINTER, /* element = pointee, pointee_const; references are pointers too */
  PL_TYPE_ARRAY,   /* element, count */
  PL_TYPE_VECTOR,  /* element, count */
  PL_TYPE_STRUCT,  /* fields; unions have every field at offset 0 */
  PL_TYPE_FUNCTION,
  PL_TYPE_OPAQUE /* incomplete or not describable: equal only by name */
} pl_type_kind;

typedef struct pl_type pl_type;
typedef struct pl_field {
  const char *name; /* "" for an unnamed field; base classes are fields named after the base */
  const pl_type *type;
  uint64_t offset;     /* bytes from the start of the struct */
  unsigned bit_offset; /* bits from `offset`, for bit-fields */
  unsigned bit_width;  /* 0 when not a bit-field */
} pl_field;

struct pl_type {
  pl_type_kind kind;
  const char *name; /* as the source spells it, e.g. "const float *"; never NULL */
  uint64_t size;    /* bytes; 0 for void, function, opaque */
  uint64_t align;   /* bytes */
  unsigned bits;
  bool is_signed, is_bfloat, pointee_const;
  bool is_recursive; /* a struct that contains itself through a pointer, cut here: compared by size and name */
  const pl_type *element;
  uint64_t count; /* elements of an array or vector */
  const pl_field *fields;
  size_t field_count;
};

typedef struct pl_params {
  const char *struct_name; /* qualified, e.g. "acme::Params" */
  uint64_t size, align;    /* bytes */
  const pl_field *fields;  /* flattened to leaves, dotted names ("tile.m"); empty for an opaque struct */
  size_t field_count;
  bool is_opaque; /* [[pipelink::params("opaque")]]: set as bytes by host code */
  pl_location location;
} pl_params;

typedef struct pl_role {
  const char *name;
  const char *symbol;  /* mangled function name in the module */
  unsigned warps;      /* 1..32 */
  const char *params;  /* struct_name of its one parameter, NULL when it takes none */
  unsigned cluster[3]; /* [[pipelink::cluster(x,y,z)]]; 0,0,0 when not declared */
  pl_location location;
} pl_role;

typedef struct pl_seam {
  const char *name;
  const char *symbol;   /* mangled function name in the module */
  const char *function; /* as the source spells it, e.g. "float scale(float)" */
  bool is_export;       /* export, else import */
  bool is_defined;      /* has a body in this module (a library may provide it otherwise) */
  const pl_type *result;
  const pl_type *const *arguments;
  size_t argument_count;
  pl_location location;
} pl_seam;

/* Dynamic shared memory that the stage addresses by itself: [[pipelink::shared(name, bytes, align)]] on an
 * `extern __shared__` array. */
typedef struct pl_shared {
  const char *name;
  const char *symbol;
  uint64_t bytes, align;
  pl_location location;
} pl_shared;

typedef struct pl_contract {
  const char *stage;   /* e.g. "org.hello.caller" */
  const char *version; /* semantic version, e.g. "1.0.0" */
  pl_location location;
  const pl_role *roles;
  size_t role_count;
  const pl_params *params;
  size_t params_count;
  const pl_seam *seams;
  size_t seam_count;
  const pl_shared *shareds;
  size_t shared_count;
} pl_contract;

/* Parses the "contract" array of one profile. `where` (file and member) begins every message.
 * Everything is bounds-checked here, once: names, counts, offsets within sizes, powers of two.
 * -EBADMSG with a diagnostic, or -ENOMEM. */
pl_status pl_contract_parse(const json_t *nodes, const char *where, pl_arena *arena, pl_sink *sink,
                            pl_contract *contract);

/* True when `provided` can stand where `wanted` is used; else *why (arena) says what differs, in words. */
bool pl_type_accepts(const pl_type *wanted, const pl_type *provided, pl_arena *arena, const char **why);

/* JSON text of at most `size` bytes, nesting limited, duplicate keys refused; NULL with a diagnostic. */
json_t *pl_json_load(const char *text, size_t size, const char *where, pl_sink *sink);

#endif
