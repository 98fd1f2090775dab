/* module.c - what several phases do with an LLVM module: parse it, check that it is ours, run passes, inline. */
#include "bitcode.h"
#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

static const char TRIPLE[] = "nvptx64-nvidia-cuda";

/* The NVPTX target for the link's profile, and a context that reports into the sink. */
static pl_status open_llvm(pl_link *link) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(TRIPLE, &target, &message)) {
    pl_report(link->sink, PL_ERROR, "L-LLVM", "%s", message);
    LLVMDisposeMessage(message);
    return -ENOSYS;
  }
  /* PTX 9.0 is the newest version LLVM 22 writes, and what CUDA 13.0 reads. */
  link->target_machine = LLVMCreateTargetMachine(target, TRIPLE, link->profile->name, "+ptx90",
                                                 LLVMCodeGenLevelAggressive, LLVMRelocDefault, LLVMCodeModelDefault);
  link->context = pl_bitcode_context(link->sink); /* parse, merge and code generation errors go there */
  return 0;
}

pl_status pl_module_parse(pl_link *link, const void *bitcode, size_t size, const char *where, LLVMModuleRef *module) {
  pl_status status = link->context ? 0 : open_llvm(link);
  if (!status)
    status = pl_bitcode_parse(link->context, bitcode, size, where, link->sink, module);
  if (status)
    return status;
  /* Older LLVM and libdevice spell the same triple and layout in other words. */
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(link->target_machine);
  LLVMSetModuleDataLayout(*module, data);
  LLVMSetTarget(*module, TRIPLE);
  LLVMDisposeTargetData(data);
  return 0;
}

pl_status pl_instance_parse(pl_link *link, size_t instance) {
  pl_instance *stage = &link->instances[instance];
  if (stage->module)
    return 0;
  const pl_member *member = pl_package_member(stage->package, stage->code->member);
  const char *where = pl_arena_printf(link->arena, "%s(%s)", stage->package->path, stage->code->member);
  if (!member || !where)
    return pl_out_of_memory(link->sink);
  return pl_module_parse(link, member->data, member->size, where, &stage->module);
}

pl_status pl_module_run(pl_link *link, const char *pipeline) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  /* As clang sets them at -O3. */
  LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
  LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
  LLVMErrorRef error = LLVMRunPasses(link->module, pipeline, link->target_machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return pl_sink_has_errors(link->sink) ? -EINVAL : 0;
  char *message = LLVMGetErrorMessage(error);
  pl_report(link->sink, PL_ERROR, "L-LLVM", "pass pipeline '%s': %s", pipeline, message);
  LLVMDisposeErrorMessage(message);
  return -EINVAL;
}

static void set_attribute(LLVMContextRef context, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

static void clear_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* Only what roles reach is forced inline: forcing every function of a file with many kernels would cost gigabytes.
 * A function is on the list once, since it is marked when it is put there. */
pl_status pl_module_inline_all(LLVMModuleRef module, LLVMValueRef root, pl_sink *sink) {
  static const char reached[] = "pipelink-reached";
  LLVMContextRef context = LLVMGetModuleContext(module);
  size_t functions = 1, count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    functions++;
  LLVMValueRef *list = malloc(functions * sizeof *list);
  if (!list)
    return pl_out_of_memory(sink);
  list[count++] = root;
  for (size_t i = 0; i < count; i++) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(list[i]); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call)) {
        LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
        if (!callee || LLVMIsDeclaration(callee) || callee == root ||
            LLVMGetStringAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, reached,
                                          sizeof reached - 1))
          continue;
        LLVMAddAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(context, reached, sizeof reached - 1, "", 0));
        if (has_attribute(callee, "optnone"))
          clear_attribute(callee, "optnone");
        clear_attribute(callee, "noinline");
        set_attribute(context, callee, "alwaysinline");
        list[count++] = callee;
      }
    }
  }
  free(list);
  return 0;
}
