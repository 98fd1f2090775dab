/* generate.c - seventh phase: the kernel around the roles.
 *
 * One kernel with one byval grid-constant parameter block, launch bounds always set (without them ptxas ignores
 * setmaxnreg), a branch on the warp id where there is more than one role, and every role called with the address of
 * its own params inside the block.
 */
#include "link.h"

#include "llvm_ext.h"
#include "merge.h"

#include <stdio.h>
#include <string.h>

static void add_enum(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index, const char *name,
                     uint64_t value) {
  LLVMAddAttributeAtIndex(function, index,
                          LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), value));
}

static void add_text(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index, const char *key,
                     const char *value) {
  LLVMAddAttributeAtIndex(
      function, index, LLVMCreateStringAttribute(context, key, (unsigned)strlen(key), value, (unsigned)strlen(value)));
}

/* The kernel is compiled as the roles were: target features and floating-point settings of the first one. */
static void copy_code_attributes(LLVMContextRef context, LLVMValueRef from, LLVMValueRef to) {
  static const char *const keys[] = {"target-cpu",           "target-features",         "denormal-fp-math",
                                     "denormal-fp-math-f32", "no-trapping-math",        "no-infs-fp-math",
                                     "no-nans-fp-math",      "no-signed-zeros-fp-math", "unsafe-fp-math"};
  const LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(from, index, keys[i], (unsigned)strlen(keys[i]));
    unsigned length;
    if (attribute)
      add_text(context, to, index, keys[i], LLVMGetStringAttributeValue(attribute, &length));
  }
}

static LLVMValueRef declare_kernel(pl_link *link) {
  LLVMContextRef context = link->context;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, link->params_size ? 1 : 0, false);
  LLVMValueRef kernel = LLVMAddFunction(link->module, link->entry, type);
  const LLVMAttributeIndex function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMSetFunctionCallConv(kernel, LLVMPTXKernelCallConv);
  if (link->params_size) {
    static const char byval[] = "byval";
    LLVMTypeRef block = LLVMArrayType2(LLVMInt8TypeInContext(context), link->params_size);
    LLVMAddAttributeAtIndex(
        kernel, 1, LLVMCreateTypeAttribute(context, LLVMGetEnumAttributeKindForName(byval, sizeof byval - 1), block));
    add_enum(context, kernel, 1, "align", link->params_align);
    add_enum(context, kernel, 1, "noundef", 0);
    add_text(context, kernel, 1, "nvvm.grid_constant", "");
  }
  static const char *const flags[] = {"convergent", "mustprogress", "norecurse", "nounwind"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    add_enum(context, kernel, function, flags[i], 0);
  char text[64];
  snprintf(text, sizeof text, "%u", link->threads);
  add_text(context, kernel, function, "nvvm.maxntid", text);
  add_text(context, kernel, function, "nvvm.minctasm", "1");
  if (link->cluster[0] * link->cluster[1] * link->cluster[2] > 1) {
    snprintf(text, sizeof text, "%u,%u,%u", link->cluster[0], link->cluster[1], link->cluster[2]);
    add_text(context, kernel, function, "nvvm.cluster_dim", text);
  }
  return kernel;
}

static const pl_placed_params *params_of(const pl_link *link, const pl_placed_role *placed) {
  for (size_t i = 0; i < link->params_count; i++)
    if (placed->role->params && link->params[i].instance == placed->instance &&
        !strcmp(link->params[i].params->struct_name, placed->role->params))
      return &link->params[i];
  return NULL;
}

static void call_role(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, const pl_placed_role *placed,
                      LLVMValueRef function) {
  const pl_placed_params *params = params_of(link, placed);
  LLVMValueRef argument = params ? LLVMGetParam(kernel, 0) : NULL;
  if (params && params->offset) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(link->context), params->offset, false);
    argument = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(link->context), argument, &offset, 1, "params");
  }
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &argument, params ? 1 : 0, "");
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName("noinline", 8));
  add_enum(link->context, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline", 0);
}

pl_status pl_phase_generate(pl_link *link) {
  LLVMContextRef context = link->context;
  LLVMValueRef kernel = declare_kernel(link);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel, "entry"));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef warp = NULL;
  LLVMBasicBlockRef done = NULL;
  bool dispatches = link->role_count > 1 || link->roles[0].first_warp;
  if (dispatches) {
    static const char name[] = "llvm.nvvm.read.ptx.sreg.tid.x";
    LLVMValueRef read =
        LLVMGetIntrinsicDeclaration(link->module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    LLVMValueRef thread = LLVMBuildCall2(builder, LLVMGlobalGetValueType(read), read, NULL, 0, "thread");
    warp = LLVMBuildLShr(builder, thread, LLVMConstInt(i32, 5, false), "warp");
    done = LLVMAppendBasicBlockInContext(context, kernel, "done");
  }
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    const char *name = pl_merged_name(link, placed->instance, placed->role->symbol);
    LLVMValueRef function = name ? LLVMGetNamedFunction(link->module, name) : NULL;
    if (!function) {
      LLVMDisposeBuilder(builder);
      return pl_out_of_memory(link->sink);
    }
    if (i == 0)
      copy_code_attributes(context, function, kernel);
    if (!dispatches) {
      call_role(link, builder, kernel, placed, function);
      break;
    }
    /* Roles are ordered by first warp. Warps in a gap between two roles fail both tests and leave. */
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(context, kernel, placed->role->name);
    LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(context, kernel, "next");
    LLVMValueRef relative = LLVMBuildSub(builder, warp, LLVMConstInt(i32, placed->first_warp, false), "");
    LLVMValueRef is_mine =
        LLVMBuildICmp(builder, LLVMIntULT, relative, LLVMConstInt(i32, placed->role->warps, false), "");
    LLVMBuildCondBr(builder, is_mine, body, next);
    LLVMPositionBuilderAtEnd(builder, body);
    call_role(link, builder, kernel, placed, function);
    LLVMBuildBr(builder, done);
    LLVMPositionBuilderAtEnd(builder, next);
  }
  if (dispatches) {
    LLVMBuildBr(builder, done);
    LLVMMoveBasicBlockAfter(done, LLVMGetInsertBlock(builder));
    LLVMPositionBuilderAtEnd(builder, done);
  }
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  if (link->lineinfo)
    pl_llvm_give_entry_a_line(link->module, kernel, "pipelink");
  return pl_module_run(link, "always-inline,globaldce");
}
