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
  PL_TYPE_TENSOR_MAP, /* element, rank, box, swizzle: a TMA descriptor, 128 bytes aligned to 64 */
  PL_TYPE_OPAQUE      /* incomplete or not describable: equal only by name */
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
  unsigned rank;    /* dimensions of a tensor map, 1..5 */
  unsigned box[5];  /* elements that one copy takes in each dimension, the contiguous one first; 1..256 */
  unsigned swizzle; /* bytes of its swizzle span: 0 (none), 32, 64 or 128 */
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
  const char *symbol;            /* mangled function name in the module */
  unsigned warps;                /* 1..32 */
  unsigned warps_min, warps_max; /* [[pipelink::warps(min,max,multiple)]]; both `warps` when not declared */
  unsigned warps_multiple;       /* warps come so many at a time; 1 when not declared */
  unsigned registers[3];         /* per thread: min, preferred, max; 0,0,0 when not declared */
  const char *params;            /* struct_name of its one parameter, NULL when it takes none */
  unsigned cluster[3];           /* [[pipelink::cluster(x,y,z)]]; 0,0,0 when not declared */
  bool is_co_resident;           /* [[pipelink::grid("co_resident")]]: its CTAs wait for CTAs of the whole grid */
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

/* ---- resources: variables of the types in runtime/include/pipelink/ ----
 *
 * [[pipelink::resource("name")]] extern __device__ const TYPE variable; the type's options say what is needed, the
 * linker gives the variable its value. The values are structs of u32, listed with each kind. */

enum {
  PL_DEPTH_MOST = 64,               /* slots of a ring */
  PL_PHASE_MOST = 255,              /* phases of a kernel's life: 0..255 is all of it */
  PL_ARRIVALS_MOST = (1 << 20) - 1, /* that complete a phase (PTX ISA, "mbarrier", count) */
  PL_TX_MOST = (1 << 20) - 1,       /* bytes that one mbarrier phase can expect (PTX ISA, "mbarrier", tx-count) */
  PL_NAMED_BARRIER_MOST = 15,       /* ids 1..15 are for roles, 0 is the CTA's */
  PL_TENSOR_MEMORY_COLUMNS = 512,   /* of an SM */
};

typedef enum pl_ring_protocol {
  PL_RING_TMA,      /* one producer thread announces tx_bytes, bulk copies complete them */
  PL_RING_THREAD,   /* producer threads write and arrive */
  PL_RING_CP_ASYNC, /* each producer thread's cp.async copies arrive when they have landed */
  PL_RING_NAMED     /* named barriers instead of mbarriers */
} pl_ring_protocol;

/* How the producer's first wait on a slot that nobody has used passes. */
typedef enum pl_ring_credit {
  PL_CREDIT_PARITY,    /* it waits for the phase before the first, which counts as complete */
  PL_CREDIT_PRE_ARRIVE /* the kernel's skeleton arrives on every empty barrier beforehand */
} pl_ring_credit;

/* How many of a role's threads arrive: all, one per warp, one per warpgroup, one. */
typedef enum pl_arrival { PL_ARRIVE_THREAD, PL_ARRIVE_WARP, PL_ARRIVE_WARPGROUP, PL_ARRIVE_ROLE } pl_arrival;

/* Phases in which shared memory is in use, both included; what never lives at once may share bytes. */
typedef struct pl_live {
  unsigned from, to; /* 0..PL_PHASE_MOST */
} pl_live;

/* One side of a ring. Its variable: {slots, full, empty, depth, threads}: byte offsets in the arena of slot 0 and of
 * the first full and empty mbarrier (8 bytes each, one per slot), slots, 0. For PL_RING_NAMED full and empty are the
 * first of `depth` barrier ids each, and threads counts both sides' together. Slots are slot_bytes apart. */
typedef struct pl_ring {
  const char *name;
  const char *symbol;                            /* mangled name of the variable */
  bool is_producer;                              /* fills slots, else empties them */
  const pl_type *payload;                        /* what one slot holds */
  uint64_t slot_bytes;                           /* a multiple of slot_align, at least the payload's size */
  uint64_t slot_align;                           /* a power of two, at least the payload's */
  unsigned depth_min, depth_max, depth_multiple; /* slots: 1..PL_DEPTH_MOST, a multiple lies between them */
  unsigned depth_preferred;                      /* more is worth nothing; between the two */
  unsigned priority;                             /* higher ones get their depth first; 0..1000 */
  unsigned lookahead;                            /* slots a consumer still holds while it waits: below depth_max */
  pl_ring_protocol protocol;
  pl_ring_credit credit;
  pl_arrival arrive; /* of this side: producer on full, consumer on empty */
  unsigned arrivals; /* that this side counts on from the other one; 0: as many as it makes */
  uint64_t tx_bytes; /* per slot, 1..PL_TX_MOST for PL_RING_TMA, else 0 */
  const char *role;  /* whose threads arrive; NULL when the stage has no role of its own */
  pl_live live;
  pl_location location;
} pl_ring;

/* A named barrier. Its variable: {id, threads}. */
typedef struct pl_barrier {
  const char *name;
  const char *symbol;
  unsigned threads; /* that take part; 0: all of `role`, or of all roles when that is NULL */
  unsigned id;      /* 1..PL_NAMED_BARRIER_MOST; 0: the linker chooses */
  bool is_shared;   /* one with the barriers of this name in other stages */
  const char *role; /* NULL: all roles of the stage */
  pl_location location;
} pl_barrier;

/* Shared memory for one object. Its variable: {offset}, bytes from the arena's start. */
typedef struct pl_smem_buffer {
  const char *name;
  const char *symbol;
  const pl_type *payload;
  uint64_t bytes, align; /* at least the payload's */
  pl_live live;
  const char *overlay; /* ring of this stage on whose slots it may lie, or NULL */
  const char *guard;   /* ring or barrier of this stage that orders the two uses; not NULL when overlay is not */
  pl_location location;
} pl_smem_buffer;

/* Columns of tensor memory. Its variable: {column, base}: the first column, relative to the kernel's allocation, and
 * where in the arena the allocation's address (one u32, from tcgen05.alloc) lies. */
typedef struct pl_tmem {
  const char *name;
  const char *symbol;
  unsigned columns; /* 1..PL_TENSOR_MEMORY_COLUMNS */
  unsigned align;   /* columns, a power of two */
  int column;       /* fixed first column, or -1 */
  pl_location location;
} pl_tmem;

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
  const pl_ring *rings; /* the same name may stand twice: a ring that stays within the stage */
  size_t ring_count;
  const pl_barrier *barriers;
  size_t barrier_count;
  const pl_smem_buffer *buffers;
  size_t buffer_count;
  const pl_tmem *tmems;
  size_t tmem_count;
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
