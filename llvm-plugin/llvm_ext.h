/* llvm_ext.h - the few things that LLVM's C interface cannot do, as C functions (llvm_ext.cpp). */
#ifndef PIPELINK_LLVM_EXT_H
#define PIPELINK_LLVM_EXT_H

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Removes a named metadata node; nothing when there is none. */
void pl_llvm_erase_named_metadata(LLVMModuleRef module, const char *name);

/* Compile units keep line tables only as directives: ptxas optimises as without them. */
void pl_llvm_debug_directives_only(LLVMModuleRef module);

/* Gives a generated function a subprogram (DebugDirectivesOnly) and its instructions line 1 of `file_name`.
 * Without one, inlining into it would drop every line of the bodies it calls. */
void pl_llvm_give_entry_a_line(LLVMModuleRef module, LLVMValueRef function, const char *file_name);

/* "scale(float)" for a mangled name; the name itself when it is not mangled. free() it; NULL when out of memory. */
char *pl_llvm_demangle(const char *symbol);

/* Where an instruction came from: the innermost line of its inlining chain that is not in the handles' own headers
 * (pipelink/NAME.h). False without debug information. `file` is owned by the context. */
bool pl_llvm_source_line(LLVMValueRef instruction, const char **file, unsigned *line);

/* Takes `contract` from every operation: LLVMSetFastMathFlags only adds flags. */
void pl_llvm_forbid_contraction(LLVMModuleRef module);

/* Name of a DISubprogram (linkage name where it has one), with its length; not NUL-terminated. */
const char *pl_llvm_subprogram_name(LLVMMetadataRef subprogram, size_t *length);

/* The DISubprogram that a local scope lies in; NULL when it is no local scope. */
LLVMMetadataRef pl_llvm_scope_subprogram(LLVMMetadataRef scope);

#ifdef __cplusplus
}
#endif
#endif
