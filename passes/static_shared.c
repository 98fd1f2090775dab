/* static_shared.c - before solve: the static __shared__ arrays that roles reach become part of the CTA's one arena.
 *
 * A kernel has 48 KB of static shared memory, all stages together, while the arena may have all that the SM offers; and
 * only what lies in the arena is placed together with everything else. Each array becomes a request for its bytes, as
 * if it had been declared with [[pipelink::shared]]; relocate.c puts the address in its place.
 */
#include "link.h"

#include "llvm_ext.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

/* Functions of one module that roles and exports reach; each is on the list once. */
typedef struct reached {
  LLVMValueRef *functions;
  size_t count;
} reached;

static bool is_reached(const reached *list, LLVMValueRef function) {
  for (size_t i = 0; i < list->count; i++)
    if (list->functions[i] == function)
      return true;
  return false;
}

static void reach(reached *list, LLVMValueRef function) {
  if (function && !LLVMIsDeclaration(function) && !is_reached(list, function))
    list->functions[list->count++] = function;
}

static void follow(reached *list, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++)
        reach(list, LLVMIsAFunction(LLVMGetOperand(at, i)));
}

static pl_status find_reached(pl_link *link, const pl_instance *stage, reached *list) {
  size_t functions = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(stage->module); f; f = LLVMGetNextFunction(f))
    functions++;
  *list = (reached){.functions = calloc(functions + 1, sizeof(LLVMValueRef))};
  if (!list->functions)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < stage->contract->role_count; i++)
    reach(list, LLVMGetNamedFunction(stage->module, stage->contract->roles[i].symbol));
  for (size_t i = 0; i < stage->contract->seam_count; i++)
    if (stage->contract->seams[i].is_export)
      reach(list, LLVMGetNamedFunction(stage->module, stage->contract->seams[i].symbol));
  for (size_t i = 0; i < list->count; i++)
    follow(list, list->functions[i]);
  return 0;
}

/* By an instruction of a reached function, or through constants by one. */
static bool is_used(const reached *list, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) ? is_reached(list, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))
                                 : is_used(list, user))
      return true;
  }
  return false;
}

static bool is_static_shared(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3;
}

static pl_status add(pl_link *link, size_t instance, LLVMValueRef global, LLVMTargetDataRef layout) {
  size_t length;
  char *symbol = pl_arena_strdup(link->arena, LLVMGetValueName2(global, &length));
  char *demangled = symbol ? pl_llvm_demangle(symbol) : NULL;
  char *name = pl_arena_strdup(link->arena, demangled);
  pl_shared *shared = pl_arena_alloc(link->arena, sizeof *shared);
  free(demangled);
  if (!symbol || !name || !shared)
    return pl_out_of_memory(link->sink);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  unsigned align = LLVMGetAlignment(global);
  *shared = (pl_shared){.name = name,
                        .symbol = symbol,
                        .bytes = LLVMABISizeOfType(layout, type),
                        .align = align ? align : LLVMABIAlignmentOfType(layout, type),
                        .location = link->instances[instance].contract->location};
  link->statics[link->static_count++] = (pl_placed_shared){instance, shared, 0};
  return 0;
}

static pl_status find_in(pl_link *link, size_t instance, LLVMTargetDataRef layout) {
  reached list;
  LLVMModuleRef module = link->instances[instance].module;
  pl_status status = find_reached(link, &link->instances[instance], &list);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && !status; g = LLVMGetNextGlobal(g))
    if (is_static_shared(g) && is_used(&list, g))
      status = add(link, instance, g, layout);
  free(list.functions);
  return status;
}

pl_status pl_find_static_shared(pl_link *link) {
  size_t count = 0;
  pl_status status = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    if ((status = pl_instance_parse(link, i)))
      return status;
    for (LLVMValueRef g = LLVMGetFirstGlobal(link->instances[i].module); g; g = LLVMGetNextGlobal(g))
      count += is_static_shared(g);
  }
  if (!count)
    return 0;
  if (!(link->statics = pl_arena_array(link->arena, count, sizeof *link->statics)))
    return pl_out_of_memory(link->sink);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(link->target_machine);
  for (size_t i = 0; i < link->instance_count && !status; i++)
    status = find_in(link, i, layout);
  LLVMDisposeTargetData(layout);
  return status;
}
