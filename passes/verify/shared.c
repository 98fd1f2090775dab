/* shared.c - the kernel's shared memory, static and dynamic, fits a CTA. Only the optimised kernel tells which static
 * variables are used. */
#include "optimised.h"

#include <errno.h>

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

pl_status pl_verify_shared_memory(pl_link *link) {
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(link->target_machine);
  uint64_t total = link->shared_size;
  for (LLVMValueRef g = LLVMGetFirstGlobal(link->module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3)
      total += LLVMABISizeOfType(data, LLVMGlobalGetValueType(g));
  LLVMDisposeTargetData(data);
  if (total <= link->profile->shared_per_cta)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-SMEM", "the kernel needs %llu bytes of shared memory, a CTA on %s has %llu",
            (unsigned long long)total, link->profile->name, (unsigned long long)link->profile->shared_per_cta);
  pl_detail(link->sink, "%llu bytes declared dynamic, %llu bytes in static __shared__ variables",
            (unsigned long long)link->shared_size, (unsigned long long)(total - link->shared_size));
  pl_consequence(link->sink, "the launch would fail");
  return -EINVAL;
}
