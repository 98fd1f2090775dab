/* codegen_nvvm.c - until the NVVM writer lands: everything is unknown to it, so NVPTX takes every kernel. */
#include "../codegen.h"

#include <errno.h>

pl_status pl_codegen_nvvm(LLVMModuleRef module, const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                          pl_codegen_result *result) {
  (void)module, (void)options, (void)arena, (void)sink;
  result->unknown = (pl_nvvm_unknown){.construct = "any IR yet", .function = "the kernel"};
  return -ENOTSUP;
}
