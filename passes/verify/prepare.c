/* prepare.c - the copy of a module that checks of code look at. */
#include "prepare.h"

#include "diagnostics.h"

#include <errno.h>

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Loads of resources fold (globalopt needs no pass for constants), variables become values, branches on constants
 * vanish, and what is computed twice is computed once, so that equal addresses are equal values. */
static const char PIPELINE[] = "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
                               "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),globaldce";

pl_status pl_verify_prepare(LLVMModuleRef module, pl_sink *sink, LLVMModuleRef *prepared) {
  *prepared = LLVMCloneModule(module);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(*prepared, PIPELINE, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return 0;
  char *message = LLVMGetErrorMessage(error);
  pl_report(sink, PL_ERROR, "L-LLVM", "pass pipeline '%s': %s", PIPELINE, message);
  LLVMDisposeErrorMessage(message);
  LLVMDisposeModule(*prepared);
  *prepared = NULL;
  return -EINVAL;
}
