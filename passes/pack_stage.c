/* pack_stage.c - see pack_stage.h. Used by `pipelink pack`; the linker reads what this leaves. */
#include "pack_stage.h"

#include "bitcode.h"
#include "body.h"
#include "llvm_ext.h"

#include <errno.h>
#include <string.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

static const char *text_of(const json_t *node, const char *key) {
  const char *text = json_string_value(json_object_get(node, key));
  return text ? text : "";
}

static bool is_kind(const json_t *node, const char *kind) {
  return !strcmp(text_of(node, "kind"), kind);
}

/* "caller.cu:9", for a message */
static const char *place_of(const json_t *node, pl_arena *arena) {
  const json_t *location = json_object_get(node, "loc");
  const char *file = pl_arena_printf(arena, "%s:%lld", text_of(location, "file"),
                                     (long long)json_integer_value(json_object_get(location, "line")));
  return file ? file : "(out of memory)";
}

pl_status pl_stage_module_identify(pl_stage_module *module, pl_arena *arena, pl_sink *sink) {
  json_t *nodes;
  pl_status status = pl_bitcode_contract(module->module, module->path, sink, &nodes);
  if (status)
    return status;
  for (size_t i = 0; i < json_array_size(nodes) && !module->stage && !status; i++) {
    const json_t *node = json_array_get(nodes, i);
    if (!is_kind(node, "stage"))
      continue;
    module->stage = pl_arena_strdup(arena, text_of(node, "name"));
    module->stage_line = (unsigned)json_integer_value(json_object_get(json_object_get(node, "loc"), "line"));
    if (!module->stage)
      status = -ENOMEM;
  }
  json_decref(nodes);
  return status;
}

/* ---- one module, one contract ---- */

/* Exactly one module has a stage; says which two, or that there is none. */
static pl_status check_one_stage(const pl_stage_module *modules, size_t count, pl_sink *sink) {
  const pl_stage_module *found = NULL;
  for (size_t i = 0; i < count; i++) {
    if (!modules[i].stage)
      continue;
    if (found) {
      pl_report(sink, PL_ERROR, "L-CONTRACT", "two stages for one package: '%s' and '%s'", found->stage,
                modules[i].stage);
      pl_detail(sink, "'%s' in %s:%u", found->stage, found->path, found->stage_line);
      pl_detail(sink, "'%s' in %s:%u", modules[i].stage, modules[i].path, modules[i].stage_line);
      pl_fix(sink, "pack them one by one, or with --out-dir= into a package each");
      return -EBADMSG;
    }
    found = &modules[i];
  }
  if (found)
    return 0;
  pl_report(sink, PL_ERROR, "L-CONTRACT", "%s: no contract in the module", modules[0].path);
  for (size_t i = 1; i < count; i++)
    pl_detail(sink, "nor in %s", modules[i].path);
  pl_fix(sink, "begin the source with PIPELINK_STAGE(\"package.name\", \"1.0.0\"); and compile it with `pipelink cc`");
  return -EBADMSG;
}

static pl_status link_modules(pl_stage_module *modules, size_t count, pl_sink *sink) {
  for (size_t i = 1; i < count; i++) {
    LLVMModuleRef source = modules[i].module;
    modules[i].module = NULL; /* taken, also on failure */
    size_t errors = sink->error_count;
    if (LLVMLinkModules2(modules[0].module, source) || sink->error_count != errors) {
      if (sink->error_count == errors)
        pl_report(sink, PL_ERROR, "L-LLVM", "%s: cannot be linked with the modules before it", modules[i].path);
      pl_detail(sink, "while %s joins %s", modules[i].path, modules[0].path);
      return -EBADMSG;
    }
  }
  return 0;
}

static bool is_equal_but_for_place(const json_t *a, const json_t *b) {
  json_t *left = json_copy((json_t *)a), *right = json_copy((json_t *)b);
  json_object_del(left, "loc");
  json_object_del(right, "loc");
  bool is_equal = left && right && json_equal(left, right);
  json_decref(left);
  json_decref(right);
  return is_equal;
}

/* Several files of a stage include the same header: what each of them says about it is said once. */
static void drop_repeated_nodes(json_t *nodes) {
  for (size_t i = 0; i < json_array_size(nodes); i++)
    for (size_t j = i + 1; j < json_array_size(nodes);)
      if (is_equal_but_for_place(json_array_get(nodes, i), json_array_get(nodes, j)))
        json_array_remove(nodes, j);
      else
        j++;
}

static bool exports_symbol(const json_t *nodes, const char *symbol) {
  for (size_t i = 0; i < json_array_size(nodes); i++) {
    const json_t *node = json_array_get(nodes, i);
    if (is_kind(node, "export") && !strcmp(text_of(node, "symbol"), symbol))
      return true;
  }
  return false;
}

static LLVMValueRef function_of(LLVMModuleRef module, const json_t *node) {
  const char *symbol = text_of(node, "symbol");
  LLVMValueRef function = *symbol ? LLVMGetNamedFunction(module, symbol) : NULL;
  return function && !LLVMIsDeclaration(function) ? function : NULL;
}

static bool is_used(LLVMModuleRef module, const json_t *node) {
  const char *symbol = text_of(node, "symbol");
  LLVMValueRef function = *symbol ? LLVMGetNamedFunction(module, symbol) : NULL;
  return function && LLVMGetFirstUse(function);
}

/* An import is another package's to provide. Within a stage of several files it may be met by an export of the stage
 * itself, and is then no seam; an import that nothing calls (of a header that declares several, say) needs nobody. */
static pl_status settle_imports(LLVMModuleRef module, json_t *nodes, pl_arena *arena, pl_sink *sink) {
  for (size_t i = 0; i < json_array_size(nodes);) {
    const json_t *node = json_array_get(nodes, i);
    bool is_settled = false;
    if (is_kind(node, "import") && !is_used(module, node)) {
      pl_report(sink, PL_REMARK, "L-CONTRACT", "import '%s' is declared but never called; left out",
                text_of(node, "name"));
      pl_detail(sink, "declared at %s", place_of(node, arena));
      is_settled = true;
    } else if (is_kind(node, "import") && function_of(module, node)) {
      if (!exports_symbol(nodes, text_of(node, "symbol"))) {
        pl_report(sink, PL_ERROR, "L-CONTRACT", "import '%s' is defined in the stage itself", text_of(node, "name"));
        pl_detail(sink, "declared at %s", place_of(node, arena));
        pl_fix(sink, "declare it without [[pipelink::import]], or leave the definition to another package");
        return -EBADMSG;
      }
      is_settled = true;
    }
    if (is_settled)
      json_array_remove(nodes, i);
    else
      i++;
  }
  return 0;
}

/* ---- contract against code ---- */

static pl_status refuse_missing(const json_t *node, const char *where, pl_arena *arena, pl_sink *sink) {
  bool is_export = is_kind(node, "export"), is_function = is_export || is_kind(node, "role");
  pl_report(sink, PL_ERROR, "L-CONTRACT",
            "%s: contract %s%s '%s' but module %s no such %s (dropped before extraction?)", where,
            is_export ? "exports" : "has ", is_export ? "" : text_of(node, "kind"), text_of(node, "name"),
            is_function ? "defines" : "uses", is_function ? "function" : "variable");
  pl_detail(sink, "declared at %s", place_of(node, arena));
  if (is_function)
    pl_fix(sink, "give the function a body in this stage%s",
           is_export ? ", or pack the library that has it with --lib=" : "");
  else
    pl_fix(sink, "use the variable, or take the declaration away");
  return -EBADMSG;
}

static pl_status refuse_trap(const json_t *node, const char *where, pl_arena *arena, pl_sink *sink) {
  pl_report(sink, PL_ERROR, "L-TRAP", "%s: %s '%s' reduces to a trap: a compiler or arch guard disabled it", where,
            text_of(node, "kind"), text_of(node, "name"));
  pl_detail(sink, "declared at %s", place_of(node, arena));
  pl_consequence(sink, "the kernel would stop at its first instruction");
  pl_fix(sink, "find the #if around its body: __CUDA_ARCH__, __CUDACC_VER_MAJOR__ or a feature macro that is not as "
               "it expects");
  return -EBADMSG;
}

static pl_status check_node(LLVMModuleRef module, json_t *node, bool has_libraries, const char *where, pl_arena *arena,
                            pl_sink *sink) {
  bool is_export = is_kind(node, "export");
  if (is_kind(node, "stage") || is_kind(node, "params"))
    return 0;
  if (!is_export && !is_kind(node, "role")) /* imports, shared memory and resources are declarations */
    return json_object_get(node, "symbol") ? 0 : refuse_missing(node, where, arena, sink);
  LLVMValueRef function = function_of(module, node);
  /* After linking, a body may have come from another file of the stage. */
  if (is_export && json_object_set_new(node, "defined", json_boolean(function != NULL)))
    return -ENOMEM;
  if (!function && is_export && has_libraries && json_object_get(node, "symbol"))
    return 0;
  if (!function)
    return refuse_missing(node, where, arena, sink);
  return pl_function_only_traps(function) ? refuse_trap(node, where, arena, sink) : 0;
}

static pl_status check_contract(LLVMModuleRef module, json_t *nodes, bool has_libraries, const char *where,
                                pl_arena *arena, pl_sink *sink, pl_packed_stage *packed) {
  pl_status status = settle_imports(module, nodes, arena, sink);
  for (size_t i = 0; i < json_array_size(nodes) && !status; i++)
    status = check_node(module, json_array_get(nodes, i), has_libraries, where, arena, sink);
  if (status)
    return status;
  pl_contract contract;
  const char *place = pl_arena_printf(arena, "%s: !pipelink.contract", where);
  status = place ? pl_contract_parse(nodes, place, arena, sink, &contract) : -ENOMEM;
  if (!status)
    status = pl_examine_stage(module, &contract, arena, sink);
  if (!status) {
    packed->name = contract.stage;
    packed->version = contract.version;
  }
  return status;
}

static pl_status write_bitcode(LLVMModuleRef module, pl_arena *arena, pl_pack_code *code) {
  LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
  code->bitcode_size = LLVMGetBufferSize(buffer);
  code->bitcode = pl_arena_copy(arena, LLVMGetBufferStart(buffer), code->bitcode_size);
  LLVMDisposeMemoryBuffer(buffer);
  return code->bitcode ? 0 : -ENOMEM;
}

pl_status pl_pack_stage(pl_stage_module *modules, size_t count, const char *profile, bool has_libraries,
                        pl_arena *arena, pl_sink *sink, pl_packed_stage *packed) {
  json_t *nodes = NULL;
  const char *where = modules[0].path;
  *packed = (pl_packed_stage){.code.profile = profile};
  pl_status status = check_one_stage(modules, count, sink);
  if (!status)
    status = link_modules(modules, count, sink);
  LLVMModuleRef module = modules[0].module;
  if (!status)
    status = pl_bitcode_contract(module, where, sink, &nodes);
  if (!status) {
    drop_repeated_nodes(nodes);
    status = check_contract(module, nodes, has_libraries, where, arena, sink, packed);
  }
  if (!status) {
    pl_llvm_erase_named_metadata(module, "pipelink.contract");
    status = write_bitcode(module, arena, &packed->code);
  }
  if (status)
    json_decref(nodes);
  else
    packed->code.contract = nodes;
  for (size_t i = 0; i < count; i++)
    if (modules[i].module)
      LLVMDisposeModule(modules[i].module);
  for (size_t i = 0; i < count; i++)
    modules[i].module = NULL;
  return status;
}
