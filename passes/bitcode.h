/* bitcode.h - a stage's module as clang left it: parsed, checked to be for our target, and its contract lifted out. */
#ifndef PIPELINK_PASSES_BITCODE_H
#define PIPELINK_PASSES_BITCODE_H

#include "diagnostics.h"

#include <jansson.h>
#include <llvm-c/Types.h>

/* A context whose diagnostics go to the sink instead of stderr; NULL when out of memory. Dispose with
 * LLVMContextDispose, after its modules. */
LLVMContextRef pl_bitcode_context(pl_sink *sink);

/* Parses and verifies. Refused: what is no bitcode, a triple that is not nvptx64-nvidia-*, a data layout that means
 * something else than NVPTX's. `where` names it in messages; the bytes are copied. */
pl_status pl_bitcode_parse(LLVMContextRef context, const void *data, size_t size, const char *where, pl_sink *sink,
                           LLVMModuleRef *module);

/* The profile that the module's functions were compiled for ("sm_90a", their target-cpu), copied into the arena; NULL
 * when no function says one. Refused: several. */
pl_status pl_bitcode_profile(LLVMModuleRef module, const char *where, pl_arena *arena, pl_sink *sink,
                             const char **profile);

/* The nodes of !pipelink.contract as a JSON array, "symbol" filled in with what the node's operand is called now; the
 * array is empty when there is no contract. A node whose function or global is gone has no "symbol". The caller owns
 * the array. */
pl_status pl_bitcode_contract(LLVMModuleRef module, const char *where, pl_sink *sink, json_t **nodes);

/* CUDA version that clang noted in the module ("12.9": clang 22 knows none newer); false when it noted none. */
bool pl_bitcode_sdk_version(LLVMModuleRef module, unsigned *major, unsigned *minor);

/* True when the function cannot return and has no effect but a trap: what is left of a body that a compiler or
 * architecture guard disabled. Conservative, on unoptimised IR: straight-line code, through calls (trap.c). */
bool pl_function_only_traps(LLVMValueRef function);

#endif
