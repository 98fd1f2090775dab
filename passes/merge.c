/* merge.c - fifth phase: one module out of every instance's bitcode.
 *
 * Each instance is parsed on its own (a second instance of a package is parsed again), every name it defines and
 * every name its contract speaks of gets the instance's prefix, and only then the modules are linked. So two owners'
 * private symbols, helpers of one name with two bodies, and device variables never meet; seams are the only way in.
 * relocate.c connects them next.
 */
#include "link.h"

#include "llvm_ext.h"
#include "merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>

const char *pl_merged_name(const pl_link *link, size_t instance, const char *symbol) {
  char *name = pl_arena_printf(link->arena, "%s_%zu$%s", link->instances[instance].name, instance, symbol);
  /* PTX identifiers have no dots and dashes; the index keeps the prefix unique. */
  for (char *c = name; c && *c && *c != '$'; c++)
    if (*c == '.' || *c == '-')
      *c = '_';
  return name;
}

LLVMValueRef pl_merged_role(const pl_link *link, const pl_placed_role *placed) {
  const char *name = pl_merged_name(link, placed->instance, placed->role->symbol);
  return name ? LLVMGetNamedFunction(link->module, name) : NULL;
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

/* ---- what the sources were compiled for ---- */

static const char *function_attribute(LLVMValueRef function, const char *key) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                             key, (unsigned)strlen(key));
  unsigned length;
  return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}

static pl_status check_target(pl_link *link, size_t instance, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *cpu = LLVMIsDeclaration(f) ? NULL : function_attribute(f, "target-cpu");
    if (!cpu || !strcmp(cpu, link->profile->name))
      continue;
    const pl_instance *stage = &link->instances[instance];
    pl_report(link->sink, PL_ERROR, "L-TARGET", "stage '%s' holds code for %s in a link for %s", stage->contract->stage,
              cpu, link->profile->name);
    pl_detail(link->sink, "function %s in %s of %s", name_of(f), stage->code->member, stage->package->path);
    pl_fix(link->sink, "compile and pack the stage for %s", link->profile->name);
    return -EINVAL;
  }
  return 0;
}

/* The value of an integer module flag, or `otherwise`. */
static unsigned long long module_flag(LLVMContextRef context, LLVMModuleRef module, const char *key,
                                      unsigned long long otherwise) {
  LLVMMetadataRef flag = LLVMGetModuleFlag(module, key, strlen(key));
  if (!flag)
    return otherwise;
  LLVMValueRef value;
  LLVMGetMDNodeOperands(LLVMMetadataAsValue(context, flag), &value);
  return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : otherwise;
}

void pl_module_read_floating_point(const pl_link *link, LLVMModuleRef module, bool *ftz, bool *prec_sqrt) {
  *ftz = module_flag(link->context, module, "nvvm-reflect-ftz", 0);
  *prec_sqrt = module_flag(link->context, module, "nvvm-reflect-prec-sqrt", 1);
}

/* Denormals and square roots are settings of the whole kernel in the back ends, so the stages must agree. */
static pl_status check_floating_point(pl_link *link, size_t instance, LLVMModuleRef module) {
  bool ftz, prec_sqrt;
  pl_module_read_floating_point(link, module, &ftz, &prec_sqrt);
  if (instance == 0) {
    link->ftz = ftz;
    link->prec_sqrt = prec_sqrt;
    return 0;
  }
  if (ftz == link->ftz && prec_sqrt == link->prec_sqrt)
    return 0;
  bool is_ftz = ftz != link->ftz;
  bool first_is_fast = is_ftz ? link->ftz : !link->prec_sqrt;
  pl_report(link->sink, PL_ERROR, "L-FPMODE", "stages were compiled with different floating-point modes: %s",
            is_ftz ? "denormals" : "square root");
  pl_link_side(link, NULL, 0, link->instances[0].contract->location, "%s", first_is_fast ? "fast" : "IEEE");
  pl_link_side(link, NULL, instance, link->instances[instance].contract->location, "%s",
               first_is_fast ? "IEEE" : "fast");
  pl_consequence(link->sink, "one kernel has one mode: a stage would compute other results than its owner tested");
  pl_fix(link->sink, "compile both with the same %s",
         is_ftz ? "-fgpu-flush-denormals-to-zero setting" : "-fcuda-prec-sqrt setting");
  return -EINVAL;
}

/* ---- what must be in the code ---- */

static pl_status missing(pl_link *link, size_t instance, const char *kind, const char *name, const char *symbol,
                         pl_location location) {
  pl_report(link->sink, PL_ERROR, "L-SYM", "the contract %s '%s' but the module defines no such function", kind, name);
  pl_link_side(link, NULL, instance, location, "%s", symbol);
  pl_fix(link->sink,
         "it was dropped before extraction, or the package was changed after packing: pack the stage again");
  return -EINVAL;
}

static pl_status check_contract_symbols(pl_link *link, size_t instance, LLVMModuleRef module) {
  const pl_contract *contract = link->instances[instance].contract;
  for (size_t i = 0; i < contract->role_count; i++) {
    const pl_role *role = &contract->roles[i];
    LLVMValueRef function = LLVMGetNamedFunction(module, role->symbol);
    if (!function || LLVMIsDeclaration(function))
      return missing(link, instance, "has role", role->name, role->symbol, role->location);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned parameters = LLVMCountParamTypes(type);
    LLVMTypeRef parameter = NULL;
    if (parameters == 1)
      LLVMGetParamTypes(type, &parameter);
    bool fits = LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind &&
                parameters == (role->params ? 1u : 0u) &&
                (!parameter || LLVMGetTypeKind(parameter) == LLVMPointerTypeKind);
    if (!fits) {
      pl_report(link->sink, PL_ERROR, "L-SIG", "role '%s' is not 'void (const Params &)' in the code", role->name);
      pl_link_side(link, NULL, instance, role->location, "%s", role->symbol);
      return -EINVAL;
    }
  }
  for (size_t i = 0; i < contract->seam_count; i++) {
    const pl_seam *seam = &contract->seams[i];
    LLVMValueRef function = LLVMGetNamedFunction(module, seam->symbol);
    if (seam->is_export && seam->is_defined && (!function || LLVMIsDeclaration(function)))
      return missing(link, instance, "exports", seam->name, seam->symbol, seam->location);
  }
  LLVMValueRef constructors = LLVMGetNamedGlobal(module, "llvm.global_ctors");
  if (constructors && LLVMGetInitializer(constructors) && LLVMGetNumOperands(LLVMGetInitializer(constructors))) {
    pl_report(link->sink, PL_ERROR, "L-IRGLOBAL", "stage '%s' has device variables with constructors", contract->stage);
    pl_link_side_alone(link, NULL, instance, contract->location);
    pl_consequence(link->sink, "nothing on the device would run them");
    pl_fix(link->sink, "initialise them with constants, or pass the values as params");
    return -EINVAL;
  }
  return 0;
}

/* ---- barriers in inline asm ---- */

/* A barrier written without a memory clobber is harmless in its own function and wrong once inlined: loads and
 * stores of the other side of a seam may cross it. */
static void add_memory_clobber(LLVMValueRef call, LLVMValueRef text) {
  static const char *const barriers[] = {"bar.sync", "bar.arrive", "bar.red", "barrier.", "bar.cta", "bar.warp"};
  size_t asm_size, constraint_size;
  const char *instructions = LLVMGetInlineAsmAsmString(text, &asm_size);
  const char *constraints = LLVMGetInlineAsmConstraintString(text, &constraint_size);
  bool is_barrier = false;
  for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
    is_barrier |= memmem(instructions, asm_size, barriers[i], strlen(barriers[i])) != NULL;
  if (!is_barrier || memmem(constraints, constraint_size, "~{memory}", 9))
    return;
  char *more = malloc(constraint_size + 16);
  if (!more)
    return;
  memcpy(more, constraints, constraint_size);
  strcpy(more + constraint_size, constraint_size ? ",~{memory}" : "~{memory}");
  LLVMValueRef fixed = LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(text), instructions, asm_size, more, strlen(more),
                                        true, LLVMGetInlineAsmNeedsAlignedStack(text), LLVMGetInlineAsmDialect(text),
                                        LLVMGetInlineAsmCanUnwind(text));
  free(more);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, fixed);
  static const char memory[] = "memory";
  LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                  LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1));
}

void pl_module_fence_asm_barriers(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call))
        if (LLVMIsACallInst(call) && LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
          add_memory_clobber(call, LLVMGetCalledValue(call));
}

/* ---- names ---- */

static bool is_kept(const pl_link *link, const char *name) {
  for (size_t i = 0; i < link->options.keep_count; i++)
    if (!strcmp(link->options.keep[i], name))
      return true;
  return false;
}

static bool in_contract(const pl_contract *contract, const char *name, bool *is_library_export) {
  for (size_t i = 0; i < contract->role_count; i++)
    if (!strcmp(contract->roles[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->shared_count; i++)
    if (!strcmp(contract->shareds[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->ring_count; i++)
    if (!strcmp(contract->rings[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->barrier_count; i++)
    if (!strcmp(contract->barriers[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->buffer_count; i++)
    if (!strcmp(contract->buffers[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->tmem_count; i++)
    if (!strcmp(contract->tmems[i].symbol, name))
      return true;
  for (size_t i = 0; i < contract->seam_count; i++) {
    const pl_seam *seam = &contract->seams[i];
    if (!strcmp(seam->symbol, name)) {
      *is_library_export = seam->is_export && !seam->is_defined;
      return true;
    }
  }
  return false;
}

/* Gives a global its merged name. Contract symbols and kept variables become external, so that linking takes them. */
static pl_status rename_global(pl_link *link, size_t instance, LLVMValueRef global) {
  const char *name = name_of(global);
  bool is_library_export = false,
       contracted = in_contract(link->instances[instance].contract, name, &is_library_export);
  bool declared = LLVMIsDeclaration(global);
  if (!strncmp(name, "llvm.", 5) || is_library_export || (declared && !contracted))
    return 0;
  bool kept = !declared && is_kept(link, name);
  if (!declared) {
    LLVMSetComdat(global, NULL);
    if (contracted || kept)
      LLVMSetLinkage(global, LLVMExternalLinkage);
    LLVMSetVisibility(global, LLVMDefaultVisibility);
  }
  if (kept)
    return 0;
  const char *merged = pl_merged_name(link, instance, name);
  if (!merged)
    return pl_out_of_memory(link->sink);
  LLVMSetValueName2(global, merged, strlen(merged));
  return 0;
}

static pl_status rename_all(pl_link *link, size_t instance, LLVMModuleRef module) {
  pl_status status = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !status; f = LLVMGetNextFunction(f))
    status = rename_global(link, instance, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && !status; g = LLVMGetNextGlobal(g))
    status = rename_global(link, instance, g);
  return status;
}

/* Lists that keep symbols alive: the linker knows what is alive. */
void pl_module_drop_used_lists(LLVMModuleRef module) {
  static const char *const lists[] = {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, lists[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

/* ---- merging ---- */

static pl_status load_instance(pl_link *link, size_t instance) {
  pl_instance *stage = &link->instances[instance];
  pl_status status = pl_instance_parse(link, instance);
  if (status || (status = check_target(link, instance, stage->module)) ||
      (status = check_floating_point(link, instance, stage->module)) ||
      (status = check_contract_symbols(link, instance, stage->module)))
    return status;
  link->lineinfo |= LLVMGetNamedMetadataNumOperands(stage->module, "llvm.dbg.cu") > 0;
  pl_module_drop_used_lists(stage->module);
  pl_module_fence_asm_barriers(stage->module);
  return rename_all(link, instance, stage->module);
}

static pl_status link_in(pl_link *link, LLVMModuleRef *source) {
  LLVMModuleRef module = *source;
  *source = NULL; /* consumed, whatever happens */
  if (LLVMLinkModules2(link->module, module) || pl_sink_has_errors(link->sink)) {
    if (!pl_sink_has_errors(link->sink))
      pl_report(link->sink, PL_ERROR, "L-LLVM", "LLVM could not merge the modules");
    return -EINVAL;
  }
  return 0;
}

/* Math functions left open by a stage that was compiled without libdevice. */
pl_status pl_module_add_libdevice(pl_link *link) {
  bool needed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(link->module); f; f = LLVMGetNextFunction(f))
    needed |= LLVMIsDeclaration(f) && !strncmp(name_of(f), "__nv_", 5) && LLVMGetFirstUse(f);
  if (!needed)
    return 0;
  char *data;
  size_t size;
  const char *path = link->toolkit.libdevice;
  pl_status status = path ? pl_file_read(path, 64u << 20, &data, &size) : -ENOENT;
  if (status) {
    pl_report(link->sink, PL_ERROR, "L-TOOLKIT", "a stage calls CUDA math functions and libdevice is missing under %s",
              link->toolkit.root);
    return status;
  }
  LLVMModuleRef libdevice = NULL;
  status = pl_module_parse(link, data, size, path, &libdevice);
  free(data);
  return status ? status : link_in(link, &libdevice);
}

static pl_status check_kept(pl_link *link) {
  pl_status status = 0;
  for (size_t i = 0; i < link->options.keep_count; i++) {
    LLVMValueRef global = LLVMGetNamedGlobal(link->module, link->options.keep[i]);
    if (global && !LLVMIsDeclaration(global))
      continue;
    pl_report(link->sink, PL_ERROR, "L-SYM", "-u %s: no stage defines a device variable of that name",
              link->options.keep[i]);
    status = -EINVAL;
  }
  return status;
}

pl_status pl_phase_merge(pl_link *link) {
  for (size_t i = 0; i < link->instance_count; i++) {
    pl_status status = load_instance(link, i);
    if (status)
      return status;
    pl_llvm_erase_named_metadata(link->instances[i].module, "pipelink.contract");
  }
  link->module = LLVMModuleCreateWithNameInContext("pipelink", link->context);
  LLVMSetTarget(link->module, LLVMGetTarget(link->instances[0].module));
  LLVMSetDataLayout(link->module, LLVMGetDataLayoutStr(link->instances[0].module));
  for (size_t i = 0; i < link->instance_count; i++) {
    pl_status status = link_in(link, &link->instances[link->by_warp[i]].module);
    if (status)
      return status;
  }
  pl_status status = pl_module_add_libdevice(link);
  if (status)
    return status;
  pl_llvm_debug_directives_only(link->module);
  return check_kept(link);
}

void pl_print_module(const pl_link *link, pl_buffer *text) {
  char *ir = LLVMPrintModuleToString(link->module);
  pl_buffer_puts(text, ir);
  LLVMDisposeMessage(ir);
}
