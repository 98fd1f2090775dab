/* prepare.h - the module as checks of code want it: a copy, simplified until ids, counts and addresses are constants.
 */
#ifndef PIPELINK_PASSES_VERIFY_PREPARE_H
#define PIPELINK_PASSES_VERIFY_PREPARE_H

#include "support.h"

#include <llvm-c/Core.h>

#include "diagnostics.h"

/* A simplified copy of `module`, in its context; the module itself stays as it is. Loops, calls and the order of
 * operations are those of the source: nothing is unrolled, vectorised or inlined. After relocate each role is a
 * function of its own (pl_merged_name() has its name), after generate everything is in the kernel (link->entry). The
 * caller disposes of it. -EINVAL with a diagnostic. */
pl_status pl_verify_prepare(LLVMModuleRef module, pl_sink *sink, LLVMModuleRef *prepared);

/* The same passes over a module that is a copy already; functions that are marked for it are inlined first. */
pl_status pl_verify_simplify(LLVMModuleRef module, pl_sink *sink);

#endif
