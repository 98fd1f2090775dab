/* module.c - what several phases do with an LLVM module: parse it, check that it is ours, run passes, inline. */
#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

static const char TRIPLE[] = "nvptx64-nvidia-cuda";

/* LLVM tells parse, merge and code generation errors here. */
static void take_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  pl_sink *sink = context;
  char *text = LLVMGetDiagInfoDescription(info);
  switch (LLVMGetDiagInfoSeverity(info)) {
  case LLVMDSError:
    pl_report(sink, PL_ERROR, "L-LLVM", "%s", text);
    break;
  case LLVMDSWarning:
    pl_report(sink, PL_WARNING, "L-LLVM", "%s", text);
    break;
  default: /* remarks and notes of the optimiser are not the user's concern */
    break;
  }
  LLVMDisposeMessage(text);
}

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
  link->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(link->context, take_diagnostic, link->sink);
  return 0;
}

/* Sizes and alignments that stages and linker must agree on. Older LLVM and libdevice spell the same layout in other
 * words, so it is the meaning that is compared. */
static bool same_layout(const char *layout) {
  LLVMTargetDataRef data = LLVMCreateTargetData(layout);
  LLVMContextRef context = LLVMContextCreate();
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context), f32 = LLVMFloatTypeInContext(context);
  LLVMTypeRef f64 = LLVMDoubleTypeInContext(context), f32x4 = LLVMVectorType(f32, 4);
  bool same = LLVMByteOrder(data) == LLVMLittleEndian && LLVMPointerSize(data) == 8 &&
              LLVMPointerSizeForAS(data, 3) == 8 && LLVMABIAlignmentOfType(data, i64) == 8 &&
              LLVMABIAlignmentOfType(data, f64) == 8 && LLVMABIAlignmentOfType(data, f32x4) == 16;
  LLVMContextDispose(context);
  LLVMDisposeTargetData(data);
  return same;
}

static pl_status check_abi(pl_link *link, LLVMModuleRef module, const char *where) {
  const char *triple = LLVMGetTarget(module), *layout = LLVMGetDataLayoutStr(module);
  if (strncmp(triple, "nvptx64-nvidia-", 15)) {
    pl_report(link->sink, PL_ERROR, "L-IRABI", "%s is for '%s', not for %s", where, triple, TRIPLE);
    pl_fix(link->sink, "compile the stage with 'pipelink cc'");
    return -EINVAL;
  }
  if (!same_layout(layout)) {
    pl_report(link->sink, PL_ERROR, "L-IRABI", "%s has another data layout: '%s'", where, layout);
    pl_consequence(link->sink, "structs would be read at other offsets than they were written");
    pl_fix(link->sink, "compile the stage with 'pipelink cc'");
    return -EINVAL;
  }
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(link->target_machine);
  LLVMSetModuleDataLayout(module, data);
  LLVMSetTarget(module, TRIPLE);
  LLVMDisposeTargetData(data);
  return 0;
}

pl_status pl_module_parse(pl_link *link, const void *bitcode, size_t size, const char *where, LLVMModuleRef *module) {
  pl_status status = link->context ? 0 : open_llvm(link);
  if (status)
    return status;
  static const unsigned char raw_magic[] = {'B', 'C', 0xC0, 0xDE}, wrapper_magic[] = {0xDE, 0xC0, 0x17, 0x0B};
  if (size < 4 || (memcmp(bitcode, raw_magic, 4) && memcmp(bitcode, wrapper_magic, 4))) {
    pl_report(link->sink, PL_ERROR, "L-IRABI", "%s is not LLVM bitcode", where);
    return -EBADMSG;
  }
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, where);
  size_t errors = link->sink->error_count;
  bool failed = LLVMParseBitcodeInContext2(link->context, buffer, module);
  LLVMDisposeMemoryBuffer(buffer);
  if (failed || link->sink->error_count != errors) {
    pl_report(link->sink, PL_ERROR, "L-IRABI", "%s cannot be read as bitcode", where);
    if (!failed)
      LLVMDisposeModule(*module);
    *module = NULL;
    return -EBADMSG;
  }
  char *message = NULL;
  if ((status = check_abi(link, *module, where))) {
    /* told */
  } else if (LLVMVerifyModule(*module, LLVMReturnStatusAction, &message)) {
    pl_report(link->sink, PL_ERROR, "L-IRABI", "%s is not valid IR: %.*s", where, (int)strcspn(message, "\n"), message);
    status = -EBADMSG;
  }
  LLVMDisposeMessage(message);
  if (status) {
    LLVMDisposeModule(*module);
    *module = NULL;
  }
  return status;
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
pl_status pl_module_inline_all(pl_link *link, LLVMValueRef root) {
  static const char reached[] = "pipelink-reached";
  size_t functions = 1, count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(link->module); f; f = LLVMGetNextFunction(f))
    functions++;
  LLVMValueRef *list = malloc(functions * sizeof *list);
  if (!list)
    return pl_out_of_memory(link->sink);
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
                                LLVMCreateStringAttribute(link->context, reached, sizeof reached - 1, "", 0));
        if (has_attribute(callee, "optnone"))
          clear_attribute(callee, "optnone");
        clear_attribute(callee, "noinline");
        set_attribute(link->context, callee, "alwaysinline");
        list[count++] = callee;
      }
    }
  }
  free(list);
  return 0;
}
