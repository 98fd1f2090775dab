/* placement.h - the placement problem of one CTA, and its solution: plain data, without packages or LLVM.
 *
 * solve.c makes the problem from the contracts; placement.c solves it (Z3 for the counts, an exact packer for the
 * offsets) or explains, per owner, why nothing fits. Names are for messages and for a stable order: the same problem
 * has the same solution, always. docs/placement.md tells the rules and what was measured.
 */
#ifndef PIPELINK_PASSES_PLACEMENT_H
#define PIPELINK_PASSES_PLACEMENT_H

#include "diagnostics.h"
#include "profiles.h"

enum { PL_PLACEMENT_ANY = -1 }; /* a value that is the solver's to choose */

/* Warps that run one function. */
typedef struct pl_placement_role {
  const char *name, *owner;      /* "load.producer"; "org.demo.load 1.0.0 (load.cu:31)" */
  const pl_party *party;         /* the owner as data, for diagnostics; NULL: unknown. So in all declarations */
  unsigned warps_min, warps_max; /* 1..32 */
  unsigned warps_multiple;       /* 1, 2, 4 ...: how many warps come at a time */
  unsigned warps_align;          /* first warp is a multiple of this: 1, or 4 for a warpgroup */
  unsigned registers_min, registers_preferred, registers_max; /* per thread, 24..256; all 0: as at launch */
  int first_warp;                                             /* pinned, or PL_PLACEMENT_ANY */
} pl_placement_role;

/* A ring of slots in shared memory, each with its mbarriers. */
typedef struct pl_placement_ring {
  const char *name, *owner;
  const pl_party *party;
  uint64_t slot_bytes, slot_align;
  unsigned depth_min, depth_max; /* 1..64 */
  unsigned depth_multiple;       /* 1: any depth */
  unsigned depth_preferred;      /* more is worth nothing */
  unsigned priority;             /* higher ones get their depth first */
  unsigned lookahead;            /* slots that a consumer holds at once: depth > lookahead */
  unsigned mbarriers_per_slot;   /* 8 bytes each; 0 for named-barrier rings */
  unsigned barriers_per_slot;    /* named barriers each slot takes; 0 for mbarrier rings */
  unsigned live_from, live_to;   /* phases, as for buffers */
  int depth;                     /* pinned, or PL_PLACEMENT_ANY */
} pl_placement_ring;

/* Shared memory that is live from phase live_from to live_to, both included. Buffers whose phases do not meet may
 * lie on each other. */
typedef struct pl_placement_buffer {
  const char *name, *owner;
  const pl_party *party;
  uint64_t bytes, align;
  unsigned live_from, live_to;
  int overlays_ring; /* index of a ring whose slots it may lie on (a guard orders them), or -1 */
  int64_t offset;    /* pinned, or PL_PLACEMENT_ANY */
} pl_placement_buffer;

/* A named barrier of the CTA, ids 1..15 (0 is the CTA's own). */
typedef struct pl_placement_barrier {
  const char *name, *owner;
  const pl_party *party;
  int id; /* fixed by its owner or pinned, or PL_PLACEMENT_ANY */
} pl_placement_barrier;

/* Columns of tensor memory. */
typedef struct pl_placement_tmem {
  const char *name, *owner;
  const pl_party *party;
  unsigned columns, align;
  int column; /* fixed first column, or PL_PLACEMENT_ANY */
} pl_placement_tmem;

typedef struct pl_placement_problem {
  const pl_profile *profile;
  uint64_t shared_limit;  /* bytes for this CTA; 0: what the profile has */
  uint64_t static_shared; /* bytes of static __shared__ variables */
  unsigned ctas_per_sm;   /* residency asked for; 1 at least */
  unsigned cluster[3];    /* CTAs */
  bool allow_non_portable_cluster;
  const char *cluster_owner;
  const pl_placement_role *roles;
  size_t role_count;
  const pl_placement_ring *rings;
  size_t ring_count;
  const pl_placement_buffer *buffers;
  size_t buffer_count;
  const pl_placement_barrier *barriers;
  size_t barrier_count;
  const pl_placement_tmem *tmems;
  size_t tmem_count;
} pl_placement_problem;

/* Arrays are in the problem's order. */
typedef struct pl_placement_solution {
  unsigned *first_warp, *warps;    /* of each role */
  unsigned *registers;             /* of each role; 0: no setmaxnreg */
  unsigned warpgroup_registers[8]; /* of each warpgroup, idle ones too; 0: as at launch, no setmaxnreg */
  unsigned *depth;                 /* of each ring */
  uint64_t *slot_offset;           /* of each ring's slot 0; slots are slot_stride apart */
  uint64_t *slot_stride;
  uint64_t *mbarrier_offset; /* of each ring's first mbarrier: depth x mbarriers_per_slot of them */
  uint64_t *buffer_offset;
  unsigned *barrier_id;      /* of each named barrier */
  unsigned *ring_barrier_id; /* first id of each ring's named barriers; 0 for none */
  unsigned *tmem_column;
  unsigned tmem_columns;               /* to allocate: a power of two >= 32, or 0 */
  unsigned threads;                    /* per CTA, a whole number of warpgroups when some role has registers */
  unsigned launch_registers;           /* per thread at entry */
  uint64_t shared_bytes, shared_align; /* the arena */
  const char **ring_bound;             /* of each ring, in words: what keeps its depth from being one more */
  double milliseconds;                 /* spent solving */
} pl_placement_solution;

/* Solves. -ENOSPC with diagnostics that name every owner involved, in a table of who needs what and what would make it
 * fit; -ENOMEM; -EINVAL for a problem that contradicts itself (also with diagnostics). */
pl_status pl_placement_solve(const pl_placement_problem *problem, pl_arena *arena, pl_sink *sink,
                             pl_placement_solution *solution);

#endif
