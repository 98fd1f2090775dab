/* pack_stage.h - from the modules of one stage, compiled for one profile, to what a package holds for that profile. */
#ifndef PIPELINK_PASSES_PACK_STAGE_H
#define PIPELINK_PASSES_PACK_STAGE_H

#include "package.h"

#include <llvm-c/Types.h>

/* One module of a stage, and the file it came from. */
typedef struct pl_stage_module {
  const char *path;
  LLVMModuleRef module; /* owned until pl_pack_stage takes it */
  const char *stage;    /* name in its PIPELINK_STAGE; NULL when the file declares none */
  unsigned stage_line;
} pl_stage_module;

/* Fills `stage` and `stage_line` from the module's contract. */
pl_status pl_stage_module_identify(pl_stage_module *module, pl_arena *arena, pl_sink *sink);

typedef struct pl_packed_stage {
  const char *name, *version; /* of the stage; in the arena */
  pl_pack_code code;          /* contract owned by the caller, bitcode by the arena */
} pl_packed_stage;

/* Links the modules (all of one context) into the first one, lifts the contract out and compares it with the code.
 * Exactly one of the modules declares the stage. `has_libraries`: an export may be defined by one of them. Takes the
 * modules, also on failure. */
pl_status pl_pack_stage(pl_stage_module *modules, size_t count, const char *profile, bool has_libraries,
                        pl_arena *arena, pl_sink *sink, pl_packed_stage *packed);

#endif
