/* merge.h - names after merging, and the parts of merging that the unit build shares. */
#ifndef PIPELINK_PASSES_MERGE_H
#define PIPELINK_PASSES_MERGE_H

#include "link.h"

/* Name in the merged module of what an instance's module calls `symbol` (arena; NULL when out of memory). */
const char *pl_merged_name(const pl_link *link, size_t instance, const char *symbol);

/* The function of a role in the merged module; NULL when out of memory, or when there is none. */
LLVMValueRef pl_merged_role(const pl_link *link, const pl_placed_role *placed);

/* Inline-asm barriers order memory, whether their author said so or not. */
void pl_module_fence_asm_barriers(LLVMModuleRef module);

/* What the module's sources were compiled with. */
void pl_module_read_floating_point(const pl_link *link, LLVMModuleRef module, bool *ftz, bool *prec_sqrt);

/* Removes the lists that keep symbols alive: the linker knows what is alive. */
void pl_module_drop_used_lists(LLVMModuleRef module);

/* relocate.c: every definition of the link's module but kept variables becomes internal. */
void pl_module_internalise(pl_link *link);

/* Links libdevice in when the link's module calls functions of it that are not there. */
pl_status pl_module_add_libdevice(pl_link *link);

#endif
