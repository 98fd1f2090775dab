/* calls.c - no call is left in the optimised kernel.
 *
 * One that is costs its seam (arguments through the ABI, wgmma serialised, setmaxnreg dropped), so it is an error,
 * unless the callee ships compiled. Functions of the CUDA device runtime cannot be inlined and are warned of.
 */
#include "optimised.h"

#include "merge.h"
#include "operation.h"

#include "llvm_ext.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool ships_compiled(const pl_link *link, const char *symbol) {
  for (size_t i = 0; i < link->library_count; i++)
    if (pl_library_defines(&link->libraries[i].input, symbol))
      return true;
  return false;
}

/* The export that a compiled function implements. */
static const pl_binding *binding_of(const pl_link *link, const char *symbol) {
  for (size_t i = 0; i < link->binding_count; i++)
    if (!link->bindings[i].export->is_defined && !strcmp(link->bindings[i].export->symbol, symbol))
      return &link->bindings[i];
  return NULL;
}

static void add_call_site(pl_link *link, LLVMValueRef call) {
  const char *file;
  unsigned line;
  if (pl_llvm_source_line(call, &file, &line))
    pl_detail_of(link->sink, &(pl_party){.location = {file, line, 0}}, "called at %s:%u", file, line);
}

/* "caller_0$_Z5scalef" -> "scale(float)" for messages. */
static const char *source_name(pl_link *link, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length), *dollar = strchr(name, '$');
  char *demangled = pl_llvm_demangle(dollar ? dollar + 1 : name);
  const char *text = pl_arena_strdup(link->arena, demangled);
  free(demangled);
  return text ? text : name;
}

/* ---- cycles through seams ---- */

/* Of the seam that is exported by this instance and called in a circle; bindings that are not of the circle are
 * ignored. Fills `circle`, from the export's importer round to the instance; 0: no circle. */
static size_t find_circle(const pl_link *link, size_t instance, size_t at, bool *seen, const pl_binding **circle) {
  for (size_t i = 0; i < link->binding_count; i++) {
    const pl_binding *binding = &link->bindings[i];
    if (binding->importer != at || binding->exporter == at || seen[binding->exporter])
      continue;
    circle[0] = binding;
    if (binding->exporter == instance)
      return 1;
    seen[binding->exporter] = true;
    size_t rest = find_circle(link, instance, binding->exporter, seen, circle + 1);
    if (rest)
      return rest + 1;
  }
  return 0;
}

/* The function that is left is an export, and its stage needs one that needs it: false when not. */
static bool tell_circle(pl_link *link, LLVMValueRef callee, LLVMValueRef call) {
  size_t length, count = 0;
  const char *name = LLVMGetValueName2(callee, &length);
  bool *seen = pl_arena_array(link->arena, link->instance_count + 1, sizeof *seen);
  const pl_binding **circle = pl_arena_array(link->arena, link->instance_count + 1, sizeof *circle);
  for (size_t i = 0; seen && circle && i < link->binding_count && !count; i++) {
    const pl_binding *binding = &link->bindings[i];
    const char *symbol = pl_merged_name(link, binding->exporter, binding->export->symbol);
    if (symbol && !strcmp(symbol, name))
      count = find_circle(link, binding->exporter, binding->exporter, seen, circle);
  }
  if (!count)
    return false;
  pl_report(link->sink, PL_ERROR, "L-CALLCYCLE", "stages call each other in a circle, and '%s' cannot be inlined",
            source_name(link, callee));
  add_call_site(link, call);
  for (size_t i = 0; i < count; i++)
    pl_link_side(link, "imported by", circle[i]->importer, circle[i]->import->location, "'%s', of %s",
                 circle[i]->import->name, link->instances[circle[i]->exporter].package->name);
  pl_consequence(link->sink, "a real call with a stack: wgmma would be serialised and setmaxnreg ignored around it");
  pl_fix(link->sink, "break the circle: one of the functions must do without the other");
  return true;
}

static pl_status left_over(pl_link *link, LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  if (!callee) {
    pl_report(link->sink, PL_ERROR, "L-INLINE", "an indirect call is left in the kernel");
    add_call_site(link, call);
    pl_consequence(link->sink, "wgmma would be serialised and setmaxnreg ignored around it");
    pl_fix(link->sink, "call through an import, or make the function pointer a compile-time constant");
  } else if (LLVMIsDeclaration(callee)) {
    pl_report(link->sink, PL_ERROR, "L-SYM", "undefined device function '%s'", source_name(link, callee));
    add_call_site(link, call);
    pl_fix(link->sink, "define it in the stage, declare it [[pipelink::import(...)]], or pack its library with --lib=");
  } else if (!tell_circle(link, callee, call)) {
    pl_report(link->sink, PL_ERROR, "L-INLINE", "'%s' calls itself and cannot be inlined", source_name(link, callee));
    add_call_site(link, call);
    pl_consequence(link->sink, "a real call with a stack: wgmma would be serialised and setmaxnreg ignored around it");
    pl_fix(link->sink, "turn the recursion into a loop");
  }
  return -EINVAL;
}

static void warn_of_system_call(pl_link *link, LLVMValueRef call, const char *name) {
  const char *file;
  unsigned line;
  if (link->options.unit)
    return; /* compared with as it is */
  pl_report(link->sink, PL_WARNING, "L-IRCALL", "the kernel calls '%s' of the device runtime", name);
  if (pl_llvm_source_line(call, &file, &line))
    pl_detail_of(link->sink, &(pl_party){.location = {.file = file, .line = line}}, "called at %s:%u", file, line);
  pl_consequence(link->sink, "registers are saved around the call, and ptxas may ignore setmaxnreg");
  pl_fix(link->sink, "take it out, or compile with -DNDEBUG; results and traces can go into a buffer of the params");
}

static pl_status check_call(pl_link *link, LLVMValueRef call) {
  LLVMValueRef target = LLVMGetCalledValue(call), callee = LLVMIsAFunction(target);
  if (LLVMIsAInlineAsm(target))
    return 0;
  size_t length;
  const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
  if (!strncmp(name, "llvm.", 5))
    return 0;
  if (callee && LLVMIsDeclaration(callee) && pl_is_system_call(name)) {
    warn_of_system_call(link, call, name);
    return 0;
  }
  if (!callee || !LLVMIsDeclaration(callee) || !ships_compiled(link, name))
    return left_over(link, call);
  const pl_binding *binding = binding_of(link, name);
  for (size_t i = 0; i < link->library_count; i++) {
    const pl_codegen_library *library = &link->libraries[i].input;
    if (!binding || library->kind == PL_LIBRARY_LTOIR || !pl_library_defines(library, name))
      continue;
    pl_report(link->sink, PL_REMARK, "L-INLINE", "call seam '%s' is not inlined: its export ships compiled",
              binding->import->name);
    pl_detail(link->sink, "compiled in %s", library->name);
    add_call_site(link, call);
    pl_fix(link->sink, "ship the export as bitcode or LTO-IR");
    break;
  }
  return 0;
}

pl_status pl_verify_calls(pl_link *link) {
  for (LLVMValueRef f = LLVMGetFirstFunction(link->module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call)) {
        pl_status status = LLVMIsACallInst(call) ? check_call(link, call) : 0;
        if (status)
          return status; /* one leftover call tells the story; others follow from it */
      }
    }
  }
  return 0;
}
