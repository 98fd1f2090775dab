/* launch_file.h - the launch file (K.launch.json) as plain data, fully checked: what comes after it trusts it.
 *
 * ld.pipelink writes the file beside the cubin. Version 1:
 *
 *   {"pipelink": 1, "kernel": "pipelink_kernel", "profile": "sm_90a",
 *    "cubin": {"file": "hello.cubin", "bytes": 5120, "sha256": "<64 lower-case hex digits>"},
 *    "block": [128, 1, 1], "cluster": [1, 1, 1], "shared": {"dynamic": 0, "align": 16},
 *    "max_ctas_per_sm": 0, "co_resident": ["role 'sum' of org.hello.sum 1.0.0 (sum.cu:9)"],
 *    "parameters": {"size": 24, "align": 8, "owners": [
 *      {"instance": "caller", "package": "org.hello.caller", "version": "1.0.0", "struct": "Params",
 *       "offset": 0, "size": 24, "align": 8, "opaque": false,
 *       "fields": [{"name": "output", "offset": 0, "size": 8, "type": "float *", "kind": "pointer",
 *                   "element": {"kind": "float", "bits": 32}},
 *                  {"name": "count", "offset": 16, "size": 8, "type": "size_t", "kind": "integer",
 *                   "bits": 64, "signed": false}]}]}}
 *
 * A tensor map is 128 "bytes", at a multiple of 64, with the declaration that its encoding needs besides the tensor:
 *
 *   {"name": "a", "offset": 64, "size": 128, "type": "pipelink::tensor_map<...>", "kind": "bytes", "tensor_map":
 *    {"element": {"kind": "float", "bits": 16, "bfloat": true}, "rank": 2, "box": [64, 128], "swizzle": 128}}
 *
 * Offsets count from the start of the parameter block, the kernel's one parameter. A kernel linked with
 * --watchdog has "watchdog" besides:
 *
 *   {"variable": "pipelink_watchdog",
 *    "waits": [{"role": "load", "kind": "mbarrier", "file": "load.cu", "line": 41}],
 *    "places": [{"resource": "ring", "name": "ab", "side": "empty", "named": false, "first": 196640, "count": 4}]}
 *
 * One whose errors were passed over with --force-unsafe lists their codes: "unsafe": ["L-PHASE"]. Other keys ("roles",
 * "packages", ...) tell people and tools more and are skipped here: whatever changes how a kernel is launched raises
 * the version.
 */
#ifndef PIPELINK_RUNTIME_LAUNCH_FILE_H
#define PIPELINK_RUNTIME_LAUNCH_FILE_H

#include "error.h"

#include <stdbool.h>

enum {
  PL_LAUNCH_FILE_VERSION = 1,
  PL_LAUNCH_FILE_MAX = 16 << 20,  /* bytes of the file; what json_text.c reads at most */
  PL_LAUNCH_FIELDS_MAX = 1 << 16, /* of all owners together */
  PL_PARAMETERS_MAX = 32764,      /* bytes; CUDA C++ programming guide 13.0, "__global__ function parameters" */
  PL_BLOCK_MAX = 1024,            /* threads; same guide, "technical specifications per compute capability" */
  PL_CLUSTER_MAX = 16,            /* CTAs, with the opt-in beyond the portable 8 */
  PL_TENSOR_MAP_BYTES = 128,      /* of a descriptor; CUDA driver API 13.0, "CUtensorMap" */
  PL_TENSOR_MAP_ALIGN = 64,       /* bytes; same source */
  PL_TENSOR_BOX_MAX = 256,        /* elements in a dimension; CUDA driver API 13.0, "cuTensorMapEncodeTiled" */
  PL_TENSOR_PIECE = 16            /* bytes: addresses, strides and rows of boxes are multiples; same source */
};

/* A number's type: of a field, or of what a pointer field points to. */
typedef struct pl_number {
  pipelink_parameter_kind kind;
  unsigned bits;  /* of integer and float, else 0 */
  bool is_signed; /* of integer */
  bool is_bfloat; /* of a 16-bit float */
} pl_number;

/* How a copy goes through a tensor; what its elements are is the field's `element`. */
typedef struct pl_tensor_map {
  unsigned rank;                          /* dimensions; 0: the field is no tensor map */
  uint32_t box[PIPELINK_TENSOR_RANK_MAX]; /* elements that one copy takes in each dimension, the contiguous one first */
  unsigned swizzle;                       /* bytes of its span: 0 (none), 32, 64 or 128 */
} pl_tensor_map;

typedef struct pl_launch_field {
  const char *instance; /* "caller" */
  const char *name;     /* "count"; NULL for the one field that stands for a whole opaque struct */
  const char *type;     /* as the source spells it */
  size_t offset, size;  /* bytes, in the parameter block */
  pl_number value;
  bool has_element; /* a pointer to integers or floats, or a tensor map */
  pl_number element;
  pl_tensor_map tensor_map;
} pl_launch_field;

typedef struct pl_launch_owner {
  const char *instance, *struct_name;
  size_t offset, size; /* bytes, in the parameter block */
} pl_launch_owner;

/* A place in the code where threads of a role wait. */
typedef struct pl_launch_wait {
  const char *role;
  bool is_mbarrier, is_cluster; /* neither: a named barrier */
  const char *file;             /* "" when not known */
  unsigned line;
} pl_launch_wait;

/* What is waited for: mbarriers, 8 bytes each, from a byte of the arena on, or ids of named barriers. */
typedef struct pl_launch_place {
  const char *resource, *name, *side; /* "ring", "ab", "full"; side is "" for barriers */
  bool is_named;
  uint32_t first, count;
} pl_launch_place;

/* Of a kernel linked with --watchdog; passes/watchdog.h says what its variable points to. */
typedef struct pl_launch_watchdog {
  const char *variable; /* NULL: linked without */
  pl_launch_wait *waits;
  size_t wait_count;
  pl_launch_place *places;
  size_t place_count;
} pl_launch_watchdog;

typedef struct pl_launch_file {
  const char *entry;   /* kernel in the cubin */
  const char *profile; /* "sm_90a" */
  unsigned capability; /* 90: ten times the major number plus the minor one */
  char profile_suffix; /* 'a', 'f', or 0 */
  uint64_t cubin_bytes;
  const char *cubin_sha256; /* 64 lower-case hex digits */
  uint32_t block[3], cluster[3];
  uint32_t shared_dynamic;              /* bytes */
  uint32_t ctas_per_multiprocessor_max; /* 0: as many as fit */
  const char *co_resident;              /* whose CTAs wait for CTAs of the whole grid; NULL: nobody's */
  size_t parameters_size;               /* bytes; 0 when the kernel takes no parameter */
  pl_launch_owner *owners;
  size_t owner_count;
  pl_launch_field *fields; /* ordered as in the file */
  size_t field_count;
  const char *unsafe; /* "L-PHASE, L-TX": what the linker was made to pass over; NULL: nothing */
  pl_launch_watchdog watchdog;
  struct pl_arena *arena; /* owns all of the above */
} pl_launch_file;

/* Parses `size` bytes at `text`, which need no final NUL and are not kept. `name` (a path) begins every message.
 * PIPELINK_ERROR_FORMAT or PIPELINK_ERROR_MEMORY; *file then needs no freeing. */
pipelink_code pl_launch_file_parse(const char *text, size_t size, const char *name, pl_launch_file *file,
                                   pipelink_error *error);
void pl_launch_file_free(pl_launch_file *file);

#endif
