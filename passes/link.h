/* link.h - one link, from packages to a described cubin: the data that the phases hand on.
 *
 * driver/link.c calls the phases in order. Each phase is one function in a file of its own, fills its own part of
 * pl_link, and has a printed form for --print-after. Everything but the LLVM module lives in the link's arena.
 *
 *   read -> bind -> check -> solve -> merge -> examine -> relocate -> generate -> emulate -> optimise -> verify ->
 * codegen -> describe
 */
#ifndef PIPELINK_PASSES_LINK_H
#define PIPELINK_PASSES_LINK_H

#include "codegen.h"
#include "evidence.h"
#include "package.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef enum pl_backend { PL_BACKEND_NVVM, PL_BACKEND_NVPTX } pl_backend;

/* What the user asked for. Borrowed strings; zero means "not given". */
typedef struct pl_link_options {
  const char *arch;          /* profile name; derived from the packages when NULL */
  const char *const *inputs; /* package paths */
  size_t input_count;
  const char *script;          /* path of a link script */
  const char *unit;            /* bitcode with a hand-written kernel instead of packages */
  const char *output;          /* path of the cubin */
  const char *map_json, *pins; /* the placement as JSON, and as a script that pins it */
  const char *header, *map;    /* paths of further outputs */
  const char *report;          /* path of the link report (evidence.h) */
  const char *entry;           /* kernel name; "pipelink_kernel" when NULL */
  const char *const *keep;     /* -u: device variables the host wants to see */
  size_t keep_count;
  const char *cuda_path;
  uint64_t shared_limit;           /* bytes of shared memory a CTA may take; 0: what the profile has */
  unsigned ctas_per_sm;            /* CTAs that must fit an SM together; 0: 1 */
  bool allow_non_portable_cluster; /* more CTAs than every GPU of the architecture takes */
  pl_backend backend;
  bool save_temps;
  bool watchdog; /* waits leave word of themselves (watchdog.h) */
} pl_link_options;

/* A stage instance: the same package may stand in a link several times, under different names. */
typedef struct pl_instance {
  const char *name; /* "caller"; unique in the link */
  const pl_package *package;
  const pl_code *code;         /* for the link's profile */
  const pl_contract *contract; /* &code->contract */
  LLVMModuleRef module;        /* owned until merge, NULL after */
} pl_instance;

/* An import and the export it is bound to. */
typedef struct pl_binding {
  size_t importer, exporter; /* indices into instances */
  const pl_seam *import, *export;
} pl_binding;

/* A role and its warps. */
typedef struct pl_placed_role {
  size_t instance;
  const pl_role *role;
  unsigned first_warp; /* of the CTA */
  unsigned warps;
  unsigned registers;      /* per thread, by setmaxnreg; 0: as launched */
  bool has_wgmma;          /* its code issues them; from relocate on */
  pl_location first_wgmma; /* where, if it was compiled with lines */
} pl_placed_role;

/* One side of a ring: a stage's declaration, and the role whose threads arrive. */
typedef struct pl_ring_side {
  size_t instance;
  const pl_ring *ring;
  const pl_role *role;
} pl_ring_side;

/* A ring with all its sides (bind), and its place (solve). */
typedef struct pl_joined_ring {
  const char *name; /* as the producer calls it */
  pl_ring_side producer;
  pl_ring_side *consumers;
  size_t consumer_count;
  unsigned depth;                         /* slots */
  uint64_t slots;                         /* byte offset in the arena of slot 0 */
  uint64_t full, empty;                   /* of the first mbarrier each; named-barrier rings: first ids */
  unsigned full_arrivals, empty_arrivals; /* that complete a phase */
  const char *bound;                      /* what keeps the depth from being more, in words */
} pl_joined_ring;

/* A named barrier: of one stage, or shared by its name between several. */
typedef struct pl_barrier_member {
  size_t instance;
  const pl_barrier *barrier;
} pl_barrier_member;
typedef struct pl_joined_barrier {
  const char *name;
  pl_barrier_member *members;
  size_t member_count;
  unsigned id, threads;
} pl_joined_barrier;

typedef struct pl_placed_buffer {
  size_t instance;
  const pl_smem_buffer *buffer;
  uint64_t offset; /* bytes from the start of the arena */
} pl_placed_buffer;

typedef struct pl_placed_tmem {
  size_t instance;
  const pl_tmem *tmem;
  unsigned column; /* from the start of the kernel's allocation */
} pl_placed_tmem;

/* A params struct in the kernel's parameter block. */
typedef struct pl_placed_params {
  size_t instance;
  const pl_params *params;
  uint64_t offset; /* bytes from the start of the block */
} pl_placed_params;

/* Dynamic shared memory of a stage in the CTA's arena. */
typedef struct pl_placed_shared {
  size_t instance;
  const pl_shared *shared;
  uint64_t offset; /* bytes from the start of the arena */
} pl_placed_shared;

/* "pin": {"caller.call.first_warp": 4} */
typedef struct pl_pin {
  const char *name;
  uint64_t value;
  bool used;
} pl_pin;

/* The link script (script.c). */
typedef struct pl_script_instance {
  const char *name, *package;
} pl_script_instance;
typedef struct pl_script_binding {
  const char *import, *export;
  bool used;
} pl_script_binding;
typedef struct pl_script {
  const char *path;
  const char *entry;
  pl_script_instance *instances;
  size_t instance_count;
  pl_script_binding *bindings;
  size_t binding_count;
  pl_pin *pins;
  size_t pin_count;
} pl_script;

/* A library of a package that takes part in the link, with what library.c found out about it. */
typedef struct pl_link_library {
  pl_codegen_library input;
  size_t instance;
} pl_link_library;

/* A place in a role where threads wait, for the watchdog. */
typedef struct pl_wait {
  size_t role;                  /* index into roles */
  bool is_mbarrier, is_cluster; /* neither: a named barrier */
  pl_location location;
} pl_wait;

typedef struct pl_link {
  pl_link_options options;
  pl_arena *arena;
  pl_sink *sink;

  /* read */
  pl_script script;
  pl_toolkit toolkit;
  const pl_profile *profile;
  pl_package *packages;
  size_t package_count;

  /* bind */
  pl_instance *instances;
  size_t instance_count;
  pl_binding *bindings;
  size_t binding_count;
  pl_link_library *libraries;
  size_t library_count;
  pl_joined_ring *rings;
  size_t ring_count;
  pl_joined_barrier *barriers;
  size_t barrier_count;
  pl_placed_buffer *buffers;
  size_t buffer_count;
  pl_placed_tmem *tmems;
  size_t tmem_count;

  /* check */
  bool ftz, prec_sqrt; /* what the sources were compiled with; equal for all */
  bool lineinfo;       /* some module carries lines */

  /* solve */
  pl_placed_role *roles; /* by first warp */
  size_t role_count;
  size_t *by_warp; /* all instances in the order of their first warps, those without a role last: the code's order */
  pl_placed_params *params; /* by offset */
  size_t params_count;
  pl_placed_shared *statics; /* static __shared__ arrays, found before solving */
  size_t static_count;
  pl_placed_shared *shareds; /* arrays that stages address themselves, then the static ones */
  size_t shared_count;
  unsigned threads; /* per CTA */
  unsigned cluster[3];
  uint64_t params_size, params_align;
  uint64_t shared_size, shared_align;
  unsigned launch_registers;       /* per thread at entry; 0 when no role has a budget */
  unsigned warpgroup_registers[8]; /* of each warpgroup; 0: as at launch */
  unsigned tmem_columns;           /* to allocate */
  uint64_t tmem_base;              /* byte offset in the arena of the word that holds the allocation's address */

  /* check and verify */
  pl_evidence_list evidence;

  /* merge and on */
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef target_machine; /* the profile's; made by merge */
  pl_wait *waits;                      /* numbered from 1; only with options.watchdog */
  size_t wait_count;
  const char *entry;
  pl_codegen_result code;
  pl_backend backend_used;
} pl_link;

pl_status pl_phase_read(pl_link *link);
pl_status pl_phase_bind(pl_link *link);
pl_status pl_phase_check(pl_link *link);
pl_status pl_phase_solve(pl_link *link);
pl_status pl_phase_merge(pl_link *link);
pl_status pl_phase_examine(pl_link *link);
pl_status pl_phase_relocate(pl_link *link);
pl_status pl_phase_generate(pl_link *link);
pl_status pl_phase_emulate(pl_link *link); /* verify/emulate.c */
pl_status pl_phase_optimise(pl_link *link);
pl_status pl_phase_verify(pl_link *link);
pl_status pl_phase_codegen(pl_link *link);
pl_status pl_phase_describe(pl_link *link, pl_outputs *outputs);

/* bind_resources.c, check_rings.c, relocate_resources.c: the resources' part of the phase of that name. */
pl_status pl_bind_resources(pl_link *link);
void pl_check_rings(pl_link *link);
pl_status pl_relocate_resources(pl_link *link);
/* check_guards.c: part of check. Diagnostics go to the sink. */
void pl_check_guards(pl_link *link);
/* static_shared.c, check_counts.c: before and after the solver's work. */
pl_status pl_find_static_shared(pl_link *link);
pl_status pl_check_counts(pl_link *link);
/* role_code.c: of a role whose body holds all that it reaches. */
pl_status pl_note_wgmma(pl_link *link, pl_placed_role *placed, LLVMValueRef function);
/* codegen_log.c: what the vendor's tools could not do as asked. */
pl_status pl_check_vendor_log(pl_link *link);
/* The joined ring that a stage calls `name` on either side, or -1; a NULL name is nobody's. */
int pl_ring_index(const pl_link *link, size_t instance, const char *name);
/* Threads of all roles on both sides of a ring, once the warps are solved. */
unsigned pl_ring_threads(const pl_link *link, const pl_joined_ring *ring);

/* unit.c: takes the place of read ... generate for --unit. */
pl_status pl_phase_unit(pl_link *link);

/* What a phase left behind, as text for --print-after. */
void pl_print_read(const pl_link *link, pl_buffer *text);
void pl_print_bind(const pl_link *link, pl_buffer *text);
void pl_print_placement(const pl_link *link, pl_buffer *text);
void pl_print_module(const pl_link *link, pl_buffer *text);
void pl_print_emulate(const pl_link *link, pl_buffer *text);
/* describe_map.c: the placement as JSON. */
pl_status pl_print_map_json(const pl_link *link, pl_buffer *text);

void pl_link_init(pl_link *link, const pl_link_options *options, pl_arena *arena, pl_sink *sink);
void pl_link_free(pl_link *link); /* LLVM objects and codegen buffers; not arena and sink */

/* ---- shared between phases ---- */

/* script.c. An absent script (path NULL) leaves everything empty. */
pl_status pl_script_read(const char *path, pl_arena *arena, pl_sink *sink, pl_script *script);

/* module.c: parses bitcode into the link's context; triple and data layout are checked and made equal.
 * `where` names it in messages. */
pl_status pl_module_parse(pl_link *link, const void *bitcode, size_t size, const char *where, LLVMModuleRef *module);
/* module.c: an instance's module, as its package has it; nothing when it is there already. */
pl_status pl_instance_parse(pl_link *link, size_t instance);
/* module.c: marks everything that `root` can reach for inlining into it. */
pl_status pl_module_inline_all(LLVMModuleRef module, LLVMValueRef root, pl_sink *sink);
/* module.c: passes by LLVM's textual pipeline; errors go to the sink. */
pl_status pl_module_run(pl_link *link, const char *pipeline);

/* "org.hello.caller 1.0.0 (caller.cu:9)" for a declaration of an instance, for texts that are no side. */
const char *pl_where(const pl_link *link, size_t instance, pl_location location);

/* A declaration of an instance as one side of the latest diagnostic (diagnostics.h):
 * ">>> imported by org.hello.caller 1.0.0 (caller.cu:9): VALUE". */
pl_party pl_link_party(const pl_link *link, const char *relation, size_t instance, pl_location location);
void pl_link_side(pl_link *link, const char *relation, size_t instance, pl_location location, const char *format, ...)
    PL_PRINTF(5, 6);
void pl_link_side_alone(pl_link *link, const char *relation, size_t instance, pl_location location);
/* ">>> produced by org.x.load 1.2.0 (load.cu:41), role load: VALUE" */
void pl_link_ring_side(pl_link *link, const pl_ring_side *side, const char *format, ...) PL_PRINTF(3, 4);
void pl_link_ring_side_alone(pl_link *link, const pl_ring_side *side);
/* What rows of evidence about a ring call it, so that a later row finds an earlier one (evidence.h): "ring 'ab'"
 * without a side, else "ring 'ab', consumer epilogue.store". */
const char *pl_link_ring_subject(pl_link *link, const pl_joined_ring *ring, const pl_ring_side *side);
/* ">>> role 'mma' of org.x.mma 2.0.1 (mma.cu:88): VALUE" */
void pl_link_role(pl_link *link, size_t instance, const pl_role *role, const char *format, ...) PL_PRINTF(4, 5);
void pl_link_role_alone(pl_link *link, size_t instance, const pl_role *role);

/* Reports a failed allocation once, and returns -ENOMEM. */
pl_status pl_out_of_memory(pl_sink *sink);

/* library.c: what kind of library these bytes are, and whether a cubin defines `symbol` with more registers than
 * `limit`. -EBADMSG with a diagnostic for something that cannot take part in a device link. */
pl_status pl_library_classify(const char *name, const void *data, size_t size, pl_sink *sink,
                              pl_codegen_library *library);
bool pl_library_defines(const pl_codegen_library *library, const char *symbol);
/* Registers per thread of a function in a cubin; 0 when not known. */
unsigned pl_library_registers(const pl_codegen_library *library, const char *symbol);

#endif
