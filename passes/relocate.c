/* relocate.c - sixth phase: seams and resources become code.
 *
 * Imports become their exports, shared arrays become places in the CTA's arena, everything a role reaches is inlined
 * into it, and its thread ids are made relative to the warps it was given. generate.c puts the kernel around the
 * roles next.
 */
#include "link.h"

#include "merge.h"
#include "watchdog.h"

#include <errno.h>
#include <string.h>

static pl_status connect(pl_link *link, const pl_binding *binding) {
  const char *import_name = pl_merged_name(link, binding->importer, binding->import->symbol);
  const char *export_name = binding->export->is_defined
                                ? pl_merged_name(link, binding->exporter, binding->export->symbol)
                                : binding->export->symbol;
  if (!import_name || !export_name)
    return pl_out_of_memory(link->sink);
  LLVMValueRef import = LLVMGetNamedFunction(link->module, import_name);
  if (!import)
    return 0; /* never called */
  LLVMTypeRef type = LLVMGlobalGetValueType(import);
  LLVMValueRef export = LLVMGetNamedFunction(link->module, export_name);
  if (!export) /* in a library, and not mentioned by the provider's own code */
    export = LLVMAddFunction(link->module, export_name, type);
  if (LLVMGlobalGetValueType(export) != type) {
    char *wanted = LLVMPrintTypeToString(type), *given = LLVMPrintTypeToString(LLVMGlobalGetValueType(export));
    pl_report(link->sink, PL_ERROR, "L-SIG", "call seam '%s': the two sides compile to different calls",
              binding->import->name);
    pl_link_side(link, "imported by", binding->importer, binding->import->location, "%s", wanted);
    pl_link_side(link, "exported by", binding->exporter, binding->export->location, "%s", given);
    pl_fix(link->sink, "compile both sides with the same declaration");
    LLVMDisposeMessage(wanted);
    LLVMDisposeMessage(given);
    return -EINVAL;
  }
  LLVMReplaceAllUsesWith(import, export);
  LLVMDeleteFunction(import);
  return 0;
}

/* ---- shared memory ---- */

static bool is_extern_shared(LLVMValueRef global) {
  return LLVMIsDeclaration(global) && LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3;
}

/* One external array for the whole CTA, and an address in it for every declared one: integer addresses would lose
 * what the optimiser knows about aliasing. */
static pl_status place_shared_arrays(pl_link *link) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(link->context), i64 = LLVMInt64TypeInContext(link->context);
  /* The handles' headers declare it under its name; stages that only have arrays of their own do not. */
  LLVMValueRef arena = LLVMGetNamedGlobal(link->module, "pipelink_shared");
  if (!arena && link->shared_size)
    arena = LLVMAddGlobalInAddressSpace(link->module, LLVMArrayType2(byte, 0), "pipelink_shared", 3);
  if (arena)
    LLVMSetAlignment(arena, (unsigned)link->shared_align);
  for (size_t i = 0; i < link->shared_count; i++) {
    const pl_placed_shared *placed = &link->shareds[i];
    const char *name = pl_merged_name(link, placed->instance, placed->shared->symbol);
    LLVMValueRef global = name ? LLVMGetNamedGlobal(link->module, name) : NULL;
    if (!name)
      return pl_out_of_memory(link->sink);
    if (!global)
      continue; /* declared and never used */
    LLVMValueRef offset = LLVMConstInt(i64, placed->offset, false);
    LLVMReplaceAllUsesWith(global, placed->offset ? LLVMConstInBoundsGEP2(byte, arena, &offset, 1) : arena);
    LLVMDeleteGlobal(global);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(link->module); g; g = LLVMGetNextGlobal(g)) {
    size_t length;
    if (g == arena || !is_extern_shared(g) || !LLVMGetFirstUse(g))
      continue;
    pl_report(link->sink, PL_ERROR, "L-DYN", "a stage uses dynamic shared memory that it does not declare: '%s'",
              LLVMGetValueName2(g, &length));
    pl_consequence(link->sink, "every owner's dynamic shared memory would start at the same address");
    pl_fix(link->sink, "declare it: [[pipelink::shared(\"name\", bytes)]] extern __shared__ ...");
    return -EINVAL;
  }
  return 0;
}

/* ---- roles ---- */

static bool is_call_of(LLVMValueRef instruction, const char *intrinsic) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
  size_t length;
  return callee && !strcmp(LLVMGetValueName2(callee, &length), intrinsic);
}

/* threadIdx.x and blockDim.x mean the role's own threads. */
static pl_status relocate_threads(pl_link *link, const pl_placed_role *placed, LLVMValueRef function) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(link->context);
  LLVMValueRef base = LLVMConstInt(i32, placed->first_warp * 32, false);
  LLVMValueRef threads = LLVMConstInt(i32, placed->warps * 32, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(link->context);
  pl_status status = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !status;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef next, call = LLVMGetFirstInstruction(block); call && !status; call = next) {
      next = LLVMGetNextInstruction(call);
      if (is_call_of(call, "llvm.nvvm.read.ptx.sreg.ntid.x")) {
        LLVMReplaceAllUsesWith(call, threads);
        LLVMInstructionEraseFromParent(call);
      } else if (placed->first_warp && is_call_of(call, "llvm.nvvm.read.ptx.sreg.tid.x")) {
        LLVMPositionBuilderBefore(builder, call);
        LLVMValueRef absolute = LLVMInstructionClone(call);
        LLVMInsertIntoBuilderWithName(builder, absolute, "");
        LLVMReplaceAllUsesWith(call, LLVMBuildNUWSub(builder, absolute, base, "thread"));
        LLVMInstructionEraseFromParent(call);
      }
    }
  }
  LLVMDisposeBuilder(builder);
  return status;
}

/* Everything but roles and kept variables belongs to this module alone. */
void pl_module_internalise(pl_link *link) {
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(link->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(link->module); g; g = LLVMGetNextGlobal(g)) {
    bool kept = LLVMIsDeclaration(g) || !strncmp(LLVMGetValueName2(g, &length), "llvm.", 5);
    for (size_t i = 0; i < link->options.keep_count; i++)
      kept |= !strcmp(LLVMGetValueName2(g, &length), link->options.keep[i]);
    if (!kept)
      LLVMSetLinkage(g, LLVMInternalLinkage);
  }
}

pl_status pl_phase_relocate(pl_link *link) {
  pl_status status = 0;
  for (size_t i = 0; i < link->binding_count && !status; i++)
    status = connect(link, &link->bindings[i]);
  if (status || (status = place_shared_arrays(link)) || (status = pl_relocate_resources(link)))
    return status;
  pl_module_internalise(link);
  for (size_t i = 0; i < link->role_count; i++) {
    LLVMValueRef function = pl_merged_role(link, &link->roles[i]);
    if (!function)
      return pl_out_of_memory(link->sink);
    LLVMSetLinkage(function, LLVMExternalLinkage); /* survives inlining; generate.c makes it internal */
    if ((status = pl_module_inline_all(link->module, function, link->sink)))
      return status;
  }
  if ((status = pl_module_run(link, "always-inline,globaldce")))
    return status;
  for (size_t i = 0; i < link->role_count && !status; i++) {
    LLVMValueRef function = pl_merged_role(link, &link->roles[i]);
    status = pl_note_wgmma(link, &link->roles[i], function);
    if (!status)
      status = relocate_threads(link, &link->roles[i], function);
  }
  if (!status && link->options.watchdog)
    status = pl_watchdog_add(link);
  return status;
}
