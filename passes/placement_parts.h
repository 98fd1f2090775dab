/* placement_parts.h - what the files of the placement solver share; placement.h is for everyone else.
 *
 *   placement.c        the parts in order, the solution
 *   placement_check.c  what one declaration, or two fixed values, may not say
 *   placement_roles.c  warps and registers: counts and budgets, over placement_layout.c (who sits where)
 *   placement_shared.c shared memory as items to pack, and how much of it there is
 *   placement_rings.c  ring depths, over placement_linear.c (Z3) and placement_pack.c
 *   placement_ids.c    named barriers and columns of tensor memory, over placement_pack.c
 *   placement_tell_*.c why nothing fits, as tables
 *   placement_raise.c  how numbers that want to be large share what there is
 */
#ifndef PIPELINK_PASSES_PLACEMENT_PARTS_H
#define PIPELINK_PASSES_PLACEMENT_PARTS_H

#include "placement.h"

enum {
  PL_WARP_THREADS = 32,
  PL_WARPGROUP_WARPS = 4,
  PL_WARPS_MAX = 32, /* of a CTA: 1024 threads */
  PL_WARPGROUPS_MAX = 8,
  PL_REGISTERS_STEP = 8, /* PTX ISA 9.0, setmaxnreg: 24 to 256, in steps of 8 */
  PL_REGISTERS_MIN = 24,
  PL_REGISTERS_MAX = 256,
  PL_BARRIER_IDS = 15,      /* PTX ISA 9.0, barrier: 16 per CTA; id 0 is the CTA's own */
  PL_MBARRIER_BYTES = 8,    /* PTX ISA 9.0, mbarrier: size and alignment */
  PL_TMEM_COLUMNS_MIN = 32, /* PTX ISA 9.0, tcgen05.alloc: a power of two of at least this */
};

/* ---- the common state of one solve ---- */

typedef struct pl_place {
  const pl_placement_problem *problem;
  unsigned ctas_per_sm; /* 1 at least */
  pl_arena *arena;      /* the caller's: owns what the solution points to */
  pl_arena *scratch;    /* freed when the solve ends */
  pl_sink *sink;
  pl_placement_solution *solution;
  /* Indices into the problem's arrays, in the order of names: that is what ties are broken by. */
  size_t *roles, *rings, *buffers, *barriers, *tmems;
} pl_place;

/* 232448 as "232,448"; owned by the scratch arena, never NULL. */
const char *pl_place_number(pl_place *place, uint64_t number);
/* "role 'load.producer' of org.demo.load 1.0.0 (load.cu:31)" */
const char *pl_place_who(pl_place *place, const char *kind, const char *name, const char *owner);

/* A list of things to do, told as "lower a, or drop b". */
typedef struct pl_place_advice {
  pl_place *place;
  const char *text; /* NULL while empty */
} pl_place_advice;
void pl_place_advise(pl_place_advice *advice, const char *format, ...) PL_PRINTF(2, 3);

pl_status pl_place_check(pl_place *place); /* -EINVAL with diagnostics */
pl_status pl_place_roles(pl_place *place); /* -ENOSPC with a diagnostic, like the ones below */
pl_status pl_place_rings(pl_place *place); /* depths, shared memory, named barriers */
pl_status pl_place_tmem(pl_place *place);

/* ---- numbers that want to be large ---- */

/* Grows from `level` in steps; what lies above `target` is worth nothing, above `limit` forbidden. */
typedef struct pl_wish {
  unsigned level, step, target, limit;
  unsigned saved; /* pl_raise's own */
  bool frozen;
} pl_wish;

/* Do all wishes fit at their levels? Must stay true when levels get smaller. */
typedef pl_status (*pl_wishes_fit)(void *context, bool *fit);

/* Raises the wishes with the given indices as far as they fit: always the lowest that can still grow, the first one of
 * several. The result is the lexicographic maximum of "level >= x", for x ascending and then in the members' order.
 * The levels must fit at the start. */
pl_status pl_raise(pl_wish *wishes, const size_t *members, size_t count, pl_wishes_fit fit, void *context);

/* ---- who sits where: warps of roles, and the registers of warpgroups ---- */

typedef struct pl_layout_role {
  unsigned warps, align;
  int first_warp;     /* pinned, or PL_PLACEMENT_ANY */
  unsigned low, high; /* registers / PL_REGISTERS_STEP; both 0: no wish, keeps what it has at launch */
} pl_layout_role;

typedef struct pl_layout_limits {
  unsigned warps_min, warps_max; /* of the CTA, idle ones too */
  unsigned registers_per_sm;
  unsigned ctas_per_sm;
  unsigned spare; /* warpgroups' registers / PL_REGISTERS_STEP on top, to find out how many are missing */
} pl_layout_limits;

typedef struct pl_layout {
  unsigned first_warp[PL_WARPS_MAX];  /* of each role */
  unsigned budget[PL_WARPGROUPS_MAX]; /* registers / PL_REGISTERS_STEP; 0: as at launch */
  unsigned warps;
} pl_layout;

typedef struct pl_layout_search pl_layout_search; /* memory that searches use again */
pl_layout_search *pl_layout_search_create(pl_arena *arena);
/* The first layout with the fewest warps, roles tried in the given order; false when there is none. 32 roles at most.
 */
bool pl_layout_find(pl_layout_search *search, const pl_layout_role *roles, size_t count, pl_layout_limits limits,
                    pl_layout *layout);
/* Registers per thread at launch / PL_REGISTERS_STEP: what the SM has for each of the CTAs' threads, 32 at most. */
unsigned pl_layout_launch_budget(pl_layout_limits limits, unsigned warps);

/* ---- intervals ---- */

enum { PL_PACK_ALONE = -1 };

typedef struct pl_pack_item {
  uint64_t size, align; /* size 0 takes nothing */
  uint64_t offset;      /* given when pinned, else found */
  bool pinned;
  unsigned from, to; /* live in these phases, both included; items that never live together may overlap */
  int partner;       /* index of the one item it may overlap all the same, or PL_PACK_ALONE */
  bool has_guests;   /* somebody's partner */
} pl_pack_item;

typedef enum pl_pack_goal {
  PL_PACK_FIT,      /* any arrangement that ends at or below the limit */
  PL_PACK_SMALLEST, /* the one that ends lowest */
} pl_pack_goal;

typedef struct pl_packer pl_packer; /* memory that packings use again */
pl_packer *pl_packer_create(pl_arena *arena, size_t items_max);
/* Gives every item its offset. False when nothing fits; pinned items must already be free of each other. */
bool pl_pack(pl_packer *packer, pl_pack_item *items, size_t count, uint64_t limit, pl_pack_goal goal, uint64_t *end);
/* What the items live in `phase` take together, each pair of partners counted once, without gaps. */
uint64_t pl_pack_live(const pl_pack_item *items, size_t count, unsigned phase);
/* The phase in which the most is live; `total` receives how much. */
unsigned pl_pack_peak(const pl_pack_item *items, size_t count, uint64_t *total);

/* ---- linear facts: Z3 ---- */

typedef struct pl_linear pl_linear;
typedef struct pl_linear_term {
  size_t variable;
  int64_t coefficient;
} pl_linear_term;

enum { PL_LINEAR_DEFINITION = -1 }; /* a constraint that is no fact of its own: never in a core */

/* Integer variables 0 to variable_count - 1, facts 0 to fact_count - 1. */
pl_status pl_linear_create(size_t variable_count, size_t fact_count, pl_linear **linear);
void pl_linear_free(pl_linear *linear); /* accepts NULL */
/* Fact: the sum of the terms is at most the bound. */
pl_status pl_linear_at_most(pl_linear *linear, int fact, const pl_linear_term *terms, size_t count, int64_t bound);
/* Can the first `count` variables be at least so large, all facts being true? If not, the core (unless NULL): which
 * facts contradict the values; both arrays are written whole. */
pl_status pl_linear_check(pl_linear *linear, const unsigned *at_least, size_t count, bool *possible, bool *fact_in_core,
                          bool *variable_in_core);

/* From now on, the first `count` variables are not at least so large all at once. In a core, nobody's fact. */
pl_status pl_linear_exclude(pl_linear *linear, const unsigned *at_least, size_t count);

/* ---- shared memory ---- */

typedef struct pl_place_shared {
  pl_pack_item *items; /* slots of each ring, mbarriers of each ring, buffers: each kind in the order of names */
  size_t count, rings, buffers;
  uint64_t limit;    /* bytes of the CTA */
  uint64_t occupied; /* of these by static variables, up to where the arena can begin */
  uint64_t align;    /* of the arena */
  unsigned *phases;  /* in which something begins to live: the live bytes are largest in one of them */
  size_t phase_count;
} pl_place_shared;

pl_status pl_place_shared_create(pl_place *place, pl_place_shared *shared);
/* Sizes of a ring's two items at a depth. */
void pl_place_shared_depth(const pl_place *place, pl_place_shared *shared, size_t ring, unsigned depth);
uint64_t pl_place_slot_stride(const pl_placement_ring *ring);
/* What a CTA may have: the profile's, what the script allows, or an SM's share when several CTAs live on it. */
uint64_t pl_place_shared_limit(const pl_place *place, unsigned ctas_per_sm);

/* ---- ring depths ---- */

typedef enum pl_place_obstacle {
  PL_PLACE_FREE,        /* everything fits */
  PL_PLACE_FACTS,       /* a limit is passed: the core says which */
  PL_PLACE_PACKING,     /* the bytes are there, but nothing keeps all pins and alignments */
  PL_PLACE_CONSECUTIVE, /* the barrier ids are there, but not in rows as long as rings need */
} pl_place_obstacle;

/* Depths at which bytes or ids fit in number, but not in place. */
typedef struct pl_place_cut {
  struct pl_place_cut *next;
  pl_place_obstacle obstacle;
  unsigned levels[];
} pl_place_cut;

typedef struct pl_place_depths {
  pl_place *place;
  pl_wish *wishes; /* depth of each ring, in the order of names */
  unsigned *levels;
  pl_place_shared shared;
  pl_pack_item *ids; /* named barriers of each ring, then each barrier, in the order of names; offset = id - 1 */
  size_t id_count;
  pl_packer *packer;
  pl_linear *linear;                 /* facts: bytes in each phase, then barrier ids */
  pl_place_obstacle obstacle;        /* of the latest question */
  bool *fact_in_core, *ring_in_core; /* `ring`: of each variable, the rings' depths first */
  bool is_learning;                  /* what cannot be arranged becomes a cut: as long as nothing else is changed */
  pl_place_cut *cuts;
} pl_place_depths;

/* Do all rings fit at their wishes' levels? Says what is in the way if not. A pl_wishes_fit. */
pl_status pl_place_depths_fit(void *depths, bool *fit);
/* Named barriers that the rings, at their levels, and everyone else need. */
unsigned pl_place_ids_needed(const pl_place_depths *depths);

/* ---- why nothing fits ---- */

/* Finds what in the roles cannot be satisfied together, and reports it. -ENOSPC. */
pl_status pl_place_tell_roles(pl_place *place, pl_layout_search *search, pl_layout_role *roles, const size_t *order,
                              pl_layout_limits limits);
/* Reports what keeps the rings from their least depths. -ENOSPC. */
pl_status pl_place_tell_rings(pl_place_depths *depths);

#endif
