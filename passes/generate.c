/* generate.c - seventh phase: the kernel around the roles.
 *
 * One kernel with one byval grid-constant parameter block, launch bounds always set (without them ptxas ignores
 * setmaxnreg), a branch on the warp id where there is more than one role, and every role called with the address of
 * its own params inside the block.
 */
#include "link.h"

#include "llvm_ext.h"
#include "merge.h"
#include "skeleton.h"

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
  snprintf(text, sizeof text, "%u", link->options.ctas_per_sm);
  add_text(context, kernel, function, "nvvm.minctasm", text);
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

/* ---- dispatch ---- */

/* A run of warps with one register budget: one role of whole warpgroups, or one warpgroup that several roles share.
 * Without budgets every role is a segment of its own. */
typedef struct segment {
  unsigned first_warp, warps;
  size_t first_role, role_count; /* of link->roles */
} segment;

static segment segment_at(const pl_link *link, size_t role) {
  const pl_placed_role *placed = &link->roles[role];
  segment part = {placed->first_warp, placed->warps, role, 1};
  if (!link->launch_registers || (placed->first_warp % 4 == 0 && placed->warps % 4 == 0))
    return part;
  unsigned end = placed->first_warp + placed->warps;
  part.first_warp = placed->first_warp / 4 * 4;
  while (role + part.role_count < link->role_count &&
         link->roles[role + part.role_count].first_warp < (end + 3) / 4 * 4) {
    placed = &link->roles[role + part.role_count++];
    end = placed->first_warp + placed->warps;
  }
  part.warps = (end + 3) / 4 * 4 - part.first_warp;
  return part;
}

/* What building the dispatch needs at hand. */
typedef struct dispatch {
  pl_link *link;
  LLVMBuilderRef builder;
  LLVMValueRef kernel, warp;
  LLVMBasicBlockRef done;
} dispatch;

/* Into `name` when the warp lies in the range, past it otherwise. The builder stands in the body; returns the block
 * that goes on for the others. */
static LLVMBasicBlockRef enter(const dispatch *to, unsigned first_warp, unsigned warps, const char *name) {
  LLVMContextRef context = to->link->context;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(context, to->kernel, name);
  LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(context, to->kernel, "next");
  LLVMValueRef relative = LLVMBuildSub(to->builder, to->warp, LLVMConstInt(i32, first_warp, false), "");
  LLVMValueRef is_mine = LLVMBuildICmp(to->builder, LLVMIntULT, relative, LLVMConstInt(i32, warps, false), "");
  LLVMBuildCondBr(to->builder, is_mine, body, next);
  LLVMPositionBuilderAtEnd(to->builder, body);
  return next;
}

static pl_status run_role(const dispatch *to, size_t role) {
  LLVMValueRef function = pl_merged_role(to->link, &to->link->roles[role]);
  if (!function)
    return pl_out_of_memory(to->link->sink);
  pl_skeleton_prime(to->link, to->builder, &to->link->roles[role]);
  call_role(to->link, to->builder, to->kernel, &to->link->roles[role], function);
  return 0;
}

static pl_status run_segment(const dispatch *to, segment part) {
  const pl_link *link = to->link;
  unsigned registers = link->warpgroup_registers[part.first_warp / 4];
  pl_skeleton_set_registers(to->link, to->builder, link->launch_registers, registers);
  if (part.role_count == 1 && link->roles[part.first_role].warps == part.warps) {
    pl_status status = run_role(to, part.first_role);
    LLVMBuildBr(to->builder, to->done);
    return status;
  }
  for (size_t i = 0; i < part.role_count; i++) {
    const pl_placed_role *placed = &link->roles[part.first_role + i];
    LLVMBasicBlockRef next = enter(to, placed->first_warp, placed->warps, placed->role->name);
    pl_status status = run_role(to, part.first_role + i);
    if (status)
      return status;
    LLVMBuildBr(to->builder, to->done);
    LLVMPositionBuilderAtEnd(to->builder, next);
  }
  LLVMBuildBr(to->builder, to->done); /* warps of the warpgroup that no role wants */
  return 0;
}

/* Roles are ordered by first warp. Warps in a gap between two roles fail all tests and go to the end. */
static pl_status run_roles(const dispatch *to) {
  pl_link *link = to->link;
  for (size_t role = 0; role < link->role_count;) {
    segment part = segment_at(link, role);
    LLVMBasicBlockRef next = enter(to, part.first_warp, part.warps, link->roles[part.first_role].role->name);
    pl_status status = run_segment(to, part);
    if (status)
      return status;
    LLVMPositionBuilderAtEnd(to->builder, next);
    role += part.role_count;
  }
  LLVMBuildBr(to->builder, to->done);
  LLVMMoveBasicBlockAfter(to->done, LLVMGetInsertBlock(to->builder));
  LLVMPositionBuilderAtEnd(to->builder, to->done);
  return 0;
}

static LLVMValueRef read_thread(pl_link *link, LLVMBuilderRef builder) {
  static const char name[] = "llvm.nvvm.read.ptx.sreg.tid.x";
  LLVMValueRef read = LLVMGetIntrinsicDeclaration(link->module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(read), read, NULL, 0, "thread");
}

static pl_status build_kernel(pl_link *link, LLVMValueRef kernel, LLVMBuilderRef builder) {
  const pl_placed_role *first = &link->roles[0];
  bool is_alone = link->role_count == 1 && first->warps * 32 == link->threads;
  dispatch to = {.link = link, .builder = builder, .kernel = kernel};
  LLVMValueRef thread = NULL;
  if (!is_alone || pl_skeleton_is_needed(link))
    thread = read_thread(link, builder);
  pl_skeleton_begin(link, builder, kernel, thread);
  pl_status status = 0;
  if (is_alone) {
    pl_skeleton_set_registers(link, builder, link->launch_registers, link->warpgroup_registers[0]);
    status = run_role(&to, 0);
  } else {
    to.warp = LLVMBuildLShr(builder, thread, LLVMConstInt(LLVMInt32TypeInContext(link->context), 5, false), "warp");
    to.done = LLVMAppendBasicBlockInContext(link->context, kernel, "done");
    status = run_roles(&to);
  }
  if (status)
    return status;
  pl_skeleton_end(link, builder, kernel, thread);
  LLVMBuildRetVoid(builder);
  return 0;
}

pl_status pl_phase_generate(pl_link *link) {
  LLVMValueRef kernel = declare_kernel(link), first = pl_merged_role(link, &link->roles[0]);
  if (!first)
    return pl_out_of_memory(link->sink);
  copy_code_attributes(link->context, first, kernel);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(link->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(link->context, kernel, "entry"));
  pl_status status = build_kernel(link, kernel, builder);
  LLVMDisposeBuilder(builder);
  if (status)
    return status;
  if (link->lineinfo)
    pl_llvm_give_entry_a_line(link->module, kernel, "pipelink");
  return pl_module_run(link, "always-inline,globaldce");
}
