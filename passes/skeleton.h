/* skeleton.h - what the linker owns in the kernel, around the dispatch to the roles (skeleton.c). */
#ifndef PIPELINK_PASSES_SKELETON_H
#define PIPELINK_PASSES_SKELETON_H

#include "link.h"

/* PTX as the linker's own inline asm, with side effects and convergent; at most 4 arguments. */
void pl_skeleton_asm(pl_link *link, LLVMBuilderRef builder, const char *text, const char *constraints,
                     LLVMValueRef *arguments, unsigned count);

/* True when something is to be set up before the roles: mbarriers, tensor memory, tensor maps. */
bool pl_skeleton_is_needed(const pl_link *link);

/* Set-up and the one barrier of the whole CTA (or cluster). `thread` is the thread's index in the CTA; the builder goes
 * on in the block behind. Nothing when nothing is needed. */
void pl_skeleton_begin(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef thread);

/* setmaxnreg from what a thread has at launch to what its warpgroup is given; nothing where the two are equal or one is
 * 0. */
void pl_skeleton_set_registers(pl_link *link, LLVMBuilderRef builder, unsigned launch, unsigned wanted);

/* The credits that a role gives before it runs: on each slot of the named-barrier rings that it empties. */
void pl_skeleton_prime(pl_link *link, LLVMBuilderRef builder, const pl_placed_role *role);

/* What follows the roles: tensor memory back, and no CTA of a cluster leaves while another may arrive on its barriers.
 */
void pl_skeleton_end(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef thread);

#endif
