/* prepare.c - the copy of a module that checks of code look at. */
#include "prepare.h"

#include "diagnostics.h"

#include <errno.h>

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Loads of resources fold (globalopt needs no pass for constants), variables become values, branches on constants
 * vanish, and what is computed twice is computed once, so that equal addresses are equal values. */
static const char PIPELINE[] =
    "globaldce,always-inline,globaldce,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),"
    "globaldce";

pl_status pl_verify_simplify(LLVMModuleRef module, pl_sink *sink) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, PIPELINE, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return pl_sink_status(sink);
  char *message = LLVMGetErrorMessage(error);
  pl_report(sink, PL_ERROR, "L-LLVM", "pass pipeline '%s': %s", PIPELINE, message);
  LLVMDisposeErrorMessage(message);
  return -EINVAL;
}

pl_status pl_verify_prepare(LLVMModuleRef module, pl_sink *sink, LLVMModuleRef *prepared) {
  *prepared = LLVMCloneModule(module);
  pl_status status = pl_verify_simplify(*prepared, sink);
  if (!status)
    return 0;
  LLVMDisposeModule(*prepared);
  *prepared = NULL;
  return status;
}
