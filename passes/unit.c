/* unit.c - the unit build: a module with a hand-written kernel goes through the same optimiser and back ends.
 *
 * It is what parity is measured against (docs/T1.md): the same sources in one file, the placement written by hand.
 * Takes the place of read ... generate; nothing is bound, placed or generated.
 */
#include "link.h"

#include "llvm_ext.h"
#include "merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *target_cpu(LLVMValueRef function) {
  static const char key[] = "target-cpu";
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key, sizeof key - 1);
  unsigned length;
  return attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
}

/* The kernel named by --entry, or the only one there is. */
static LLVMValueRef find_kernel(pl_link *link) {
  LLVMValueRef found = NULL;
  size_t count = 0, length;
  for (LLVMValueRef f = LLVMGetFirstFunction(link->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv)
      continue;
    if (link->options.entry && strcmp(LLVMGetValueName2(f, &length), link->options.entry))
      continue;
    found = f;
    count++;
  }
  if (count == 1)
    return found;
  pl_report(link->sink, PL_ERROR, "L-ROLE", count ? "%s has several kernels" : "%s has no kernel", link->options.unit);
  pl_fix(link->sink, "name it with --entry=, as it is called in the module");
  return NULL;
}

/* Inlines in the steps in which a link does it: clang inlines what is marked so, relocate what roles call, generate the
 * roles. Inlining merges blocks of what is already there, so another order would leave the code's blocks in another
 * order, and back ends would write other code. */
static pl_status inline_as_linked(pl_link *link, LLVMValueRef kernel) {
  pl_status status = pl_module_run(link, "always-inline");
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block && !status;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef call = LLVMGetFirstInstruction(block); call && !status; call = LLVMGetNextInstruction(call)) {
      LLVMValueRef role = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
      if (role && !LLVMIsDeclaration(role))
        status = pl_module_inline_all(link->module, role, link->sink);
    }
  }
  if (status || (status = pl_module_run(link, "always-inline,globaldce")) ||
      (status = pl_module_inline_all(link->module, kernel, link->sink)))
    return status;
  return pl_module_run(link, "always-inline,globaldce");
}

pl_status pl_phase_unit(pl_link *link) {
  char *data;
  size_t size, length;
  pl_status status = pl_toolkit_find(link->options.cuda_path, link->arena, link->sink, &link->toolkit);
  if (status)
    return status;
  if (!link->options.arch || !(link->profile = pl_profile_find(link->options.arch))) {
    pl_report(link->sink, PL_ERROR, "L-TARGET", "a unit build needs --arch= with the profile it was compiled for");
    return -EINVAL;
  }
  status = pl_file_read(link->options.unit, PL_PACKAGE_FILE_MAX, &data, &size);
  if (status) {
    pl_report(link->sink, PL_ERROR, "L-PACKAGE", "cannot read %s: %s", link->options.unit, strerror(-status));
    return status;
  }
  status = pl_module_parse(link, data, size, link->options.unit, &link->module);
  free(data);
  LLVMValueRef kernel = status ? NULL : find_kernel(link);
  if (!kernel)
    return status ? status : -EINVAL;
  if (strcmp(target_cpu(kernel), link->profile->name)) {
    pl_report(link->sink, PL_ERROR, "L-TARGET", "%s is compiled for %s, the link is for %s", link->options.unit,
              target_cpu(kernel), link->profile->name);
    return -EINVAL;
  }
  link->entry = pl_arena_strdup(link->arena, LLVMGetValueName2(kernel, &length));
  if (!link->entry)
    return pl_out_of_memory(link->sink);
  link->lineinfo = LLVMGetNamedMetadataNumOperands(link->module, "llvm.dbg.cu") > 0;
  pl_module_read_floating_point(link, link->module, &link->ftz, &link->prec_sqrt);
  pl_module_drop_used_lists(link->module);
  pl_module_fence_asm_barriers(link->module);
  if ((status = pl_module_add_libdevice(link)))
    return status;
  pl_llvm_debug_directives_only(link->module);
  pl_llvm_erase_named_metadata(link->module, "pipelink.contract");
  pl_module_internalise(link);
  LLVMSetLinkage(kernel, LLVMExternalLinkage);
  return inline_as_linked(link, kernel);
}
