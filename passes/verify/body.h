/* body.h - the code of a stage as checks look at it: roles and exports as graphs of operations.
 *
 * examine.c makes them, at pack from a package's module and at link from the merged one, and calls the families of
 * checks one after the other. Resources are still variables here, not numbers, so that an address or a barrier's id
 * shows which handle it came from.
 */
#ifndef PIPELINK_PASSES_VERIFY_BODY_H
#define PIPELINK_PASSES_VERIFY_BODY_H

#include "contract.h"
#include "evidence.h"
#include "operation.h"

typedef enum pl_resource_kind {
  PL_RESOURCE_RING,
  PL_RESOURCE_BARRIER,
  PL_RESOURCE_BUFFER,
  PL_RESOURCE_TMEM,
  PL_RESOURCE_SHARED
} pl_resource_kind;

/* A resource's variable in the module that is looked at. */
typedef struct pl_resource {
  pl_resource_kind kind;
  size_t instance; /* 0 at pack */
  const char *name;
  const void *declaration; /* pl_ring, pl_barrier, pl_smem_buffer, pl_tmem, pl_shared */
  LLVMValueRef variable;
} pl_resource;

enum { PL_RESOURCE_MOST = 64 }; /* that a set can tell apart; of more, the later ones are not followed */

/* Byte offsets of the handles' fields (contract.h lists them). */
enum {
  PL_RING_SLOTS = 0,
  PL_RING_FULL = 4,
  PL_RING_EMPTY = 8,
  PL_RING_DEPTH = 12,
  PL_RING_THREADS = 16,
  PL_BARRIER_ID = 0,
  PL_BARRIER_THREADS = 4
};

/* What is looked at together: a package's module, or all of a link. */
typedef struct pl_body_module {
  struct pl_link *link; /* NULL at pack */
  pl_sink *sink;
  pl_arena *arena;
  LLVMModuleRef module;
  const pl_resource *resources;
  size_t resource_count;
} pl_body_module;

typedef struct pl_body_block {
  LLVMBasicBlockRef block;
  const pl_operation *operations; /* in order */
  size_t operation_count;
  const size_t *successors; /* indices of blocks */
  size_t successor_count;
  const size_t *predecessors;
  size_t predecessor_count;
} pl_body_block;

/* One role, or at pack one export. */
typedef struct pl_body {
  const pl_body_module *in;
  size_t instance;
  const pl_contract *contract;
  const char *package, *version;
  const pl_role *role;        /* NULL for an export */
  const pl_seam *seam;        /* NULL for a role */
  const char *subject;        /* "role 'mma' of org.x.mma", for rows of the report */
  unsigned first_warp, warps; /* at link; 0 at pack */
  /* Other roles run in the same CTA. At pack: the stage has several itself, or a ring whose other side is elsewhere. */
  bool has_company;
  LLVMValueRef function;
  const pl_body_block *blocks; /* the entry first */
  size_t block_count;
} pl_body;

/* ---- body.c ---- */

/* Fills function's blocks. -ENOMEM. */
pl_status pl_body_read(pl_body *body);

/* Where an operation stands, when the module carries lines. */
pl_location pl_body_location(const pl_operation *operation);

/* Reports about an operation (NULL: about the whole), with whose code it is and where. False when the same has been
 * reported for that line: then nothing may be added. */
bool pl_body_report(const pl_body *body, pl_severity severity, const char *diagnostic, const pl_operation *operation,
                    const char *format, ...) PL_PRINTF(5, 6);

/* A row of the link report; nothing at pack. */
void pl_body_evidence(const pl_body *body, pl_evidence_state state, const char *diagnostic, const char *format, ...)
    PL_PRINTF(4, 5);

/* ---- trace.c ---- */

/* The resource whose handle a value was computed from, and which field of it (*field, may be NULL); NULL when none is
 * found. */
const pl_resource *pl_body_trace(const pl_body_module *in, pl_operand operand, int64_t *field);

/* The bit of a resource in a set; 0 for NULL. */
uint64_t pl_body_bit(const pl_body_module *in, const pl_resource *resource);

/* The pointer without casts and constant offsets, which are added to *offset (-1: not constant). */
LLVMValueRef pl_body_base(LLVMValueRef pointer, int64_t *offset);

/* ---- flow.c ---- */

/* What an operation makes of the facts before it. */
typedef uint64_t pl_body_transfer(const pl_body *body, const pl_operation *operation, uint64_t facts, void *context);

/* For each block, the facts that hold at its beginning on some way there; NULL when out of memory. */
const uint64_t *pl_body_flow(const pl_body *body, uint64_t entry, pl_body_transfer *transfer, void *context);

/* The facts behind a block. */
uint64_t pl_body_pass(const pl_body *body, size_t block, uint64_t facts, pl_body_transfer *transfer, void *context);

/* ---- divergence.c ---- */

typedef enum pl_convergence {
  PL_CONVERGED, /* all lanes of a warp come here together, as far as can be seen */
  PL_UNDECIDED, /* depends on a value that is not known, or on when a loop ends for each lane */
  PL_DIVERGED   /* only some lanes of a warp come here */
} pl_convergence;

/* For each block, in the arena; *causes, as long, has the branch that is to blame (NULL when converged). NULL when out
 * of memory. */
const pl_convergence *pl_body_convergence(const pl_body *body, const LLVMValueRef **causes);

/* ---- spins.c ---- */

/* A branch asks for what was seen of a flag in global memory that others raise. */
bool pl_body_branch_polls(const pl_body *body, LLVMValueRef branch);

/* ---- the families, one file each ---- */
void pl_check_barriers(const pl_body *body);
void pl_check_registers(const pl_body *body);
void pl_check_mbarriers(const pl_body *body);
void pl_check_warps(const pl_body *body);
void pl_check_threads(const pl_body *body);
void pl_check_clusters(const pl_body *body);
void pl_check_tensor_memory(const pl_body *body);
void pl_check_wgmma(const pl_body *body);
void pl_check_exits(const pl_body *body);
void pl_check_params(const pl_body *body);
void pl_check_asm_text(const pl_body *body);
void pl_check_memory_order(const pl_body *body);
void pl_check_globals(const pl_body *body);
/* Of all roles together. */
void pl_check_proxies(const pl_body *bodies, size_t count);
void pl_check_spins(const pl_body *bodies, size_t count);
void pl_check_cta_groups(const pl_body *bodies, size_t count);

/* At pack, before the module is written: the same checks as far as one stage goes. `module` is not changed. */
pl_status pl_examine_stage(LLVMModuleRef module, const pl_contract *contract, pl_arena *arena, pl_sink *sink);

#endif
