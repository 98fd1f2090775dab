/* codegen.h - from the optimised module to a cubin: one interface, two back ends.
 *
 *   codegen_nvvm.c   NVVM writer (nvvm_writer.c) -> libNVVM -gen-lto -> nvJitLink -lto   (default)
 *   codegen_nvptx.c  LLVM's NVPTX -> PTX -> whole-program ptxas
 *
 * The module is only read. Both return -ENOTSUP only from the NVVM writer, when it meets a construct it does not
 * know: `unknown` then names it and the driver hands the module to NVPTX with a remark.
 */
#ifndef PIPELINK_PASSES_CODEGEN_H
#define PIPELINK_PASSES_CODEGEN_H

#include "profiles.h"
#include "toolkit.h"

#include <llvm-c/Types.h>

/* A library shipped in a package that takes part in the device link. */
typedef struct pl_codegen_library {
  const char *name; /* for messages: package and member */
  const void *data;
  size_t size;
  enum { PL_LIBRARY_PTX, PL_LIBRARY_CUBIN, PL_LIBRARY_LTOIR, PL_LIBRARY_FATBIN, PL_LIBRARY_OBJECT } kind;
} pl_codegen_library;

typedef struct pl_codegen_options {
  const pl_profile *profile;
  const pl_toolkit *toolkit;
  const char *entry; /* name of the kernel */
  bool ftz, fma;     /* flush denormals; contract mul+add (clang's defaults: no ftz, fma) */
  bool prec_div, prec_sqrt;
  bool lineinfo;
  const char *const *variables; /* device variables that stay under their names */
  size_t variable_count;
  const pl_codegen_library *libraries;
  size_t library_count;
} pl_codegen_options;

/* The first construct that the NVVM writer does not know. */
typedef struct pl_nvvm_unknown {
  const char *construct; /* e.g. "intrinsic llvm.nvvm.foo"; NULL when there was none */
  const char *function;
  pl_location location; /* of the instruction, when the module has line information */
} pl_nvvm_unknown;

typedef struct pl_codegen_result {
  pl_buffer cubin;
  pl_buffer intermediate; /* NVVM IR text or PTX, for --save-temps */
  pl_buffer ltoir;        /* nvvm only */
  pl_buffer log;          /* what the vendor tools said, verbatim */
  pl_nvvm_unknown unknown;
  double own_ms, libnvvm_ms, nvjitlink_ms, ptxas_ms;
} pl_codegen_result;

pl_status pl_codegen_nvvm(LLVMModuleRef module, const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                          pl_codegen_result *result);
pl_status pl_codegen_nvptx(LLVMModuleRef module, const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                           pl_codegen_result *result);
void pl_codegen_result_free(pl_codegen_result *result);

typedef struct pl_nvvm_options {
  const pl_profile *profile;
  bool lineinfo;
  bool fma; /* operations that allow it (`contract`) may be fused; all others are fenced off in any case */
} pl_nvvm_options;

/* nvvm_writer.c: the module as NVVM IR text in the LLVM 7 dialect, which libNVVM takes for every profile.
 * -ENOTSUP with `unknown` filled when a construct has no sure translation; never a guess. */
pl_status pl_nvvm_write(LLVMModuleRef module, const pl_nvvm_options *options, pl_arena *arena, pl_buffer *text,
                        pl_nvvm_unknown *unknown);

#endif
