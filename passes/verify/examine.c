/* examine.c - the phase between merge and relocate: what roles do, against what their stages declare.
 *
 * Works on a copy in which every role holds all that it reaches, imports are their exports, and resources are still
 * variables. `pipelink pack` does the same for one stage, where imports stay calls.
 */
#include "body.h"

#include "link.h"
#include "merge.h"
#include "prepare.h"

#include <errno.h>
#include <string.h>

/* ---- resources ---- */

typedef struct resource_list {
  pl_body_module *in;
  pl_resource *items;
  size_t count;
} resource_list;

static void add(resource_list *list, pl_resource_kind kind, size_t instance, const char *name, const char *symbol,
                const void *declaration) {
  const char *merged = list->in->link ? pl_merged_name(list->in->link, instance, symbol) : symbol;
  LLVMValueRef variable = merged && symbol ? LLVMGetNamedGlobal(list->in->module, merged) : NULL;
  list->in->sink->out_of_memory |= !merged && symbol;
  if (variable)
    list->items[list->count++] = (pl_resource){kind, instance, name, declaration, variable};
}

static void add_all(resource_list *list, size_t instance, const pl_contract *contract) {
  for (size_t i = 0; i < contract->ring_count; i++)
    add(list, PL_RESOURCE_RING, instance, contract->rings[i].name, contract->rings[i].symbol, &contract->rings[i]);
  for (size_t i = 0; i < contract->barrier_count; i++)
    add(list, PL_RESOURCE_BARRIER, instance, contract->barriers[i].name, contract->barriers[i].symbol,
        &contract->barriers[i]);
  for (size_t i = 0; i < contract->buffer_count; i++)
    add(list, PL_RESOURCE_BUFFER, instance, contract->buffers[i].name, contract->buffers[i].symbol,
        &contract->buffers[i]);
  for (size_t i = 0; i < contract->tmem_count; i++)
    add(list, PL_RESOURCE_TMEM, instance, contract->tmems[i].name, contract->tmems[i].symbol, &contract->tmems[i]);
  for (size_t i = 0; i < contract->shared_count; i++)
    add(list, PL_RESOURCE_SHARED, instance, contract->shareds[i].name, contract->shareds[i].symbol,
        &contract->shareds[i]);
}

static size_t resources_of(const pl_contract *contract) {
  return contract->ring_count + contract->barrier_count + contract->buffer_count + contract->tmem_count +
         contract->shared_count;
}

/* ---- the copy ---- */

static LLVMModuleRef copy(pl_body_module *in, LLVMModuleRef module) {
  in->module = LLVMCloneModule(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(in->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  return in->module;
}

/* What a role or an export reaches goes into it. */
static pl_status keep(pl_body_module *in, pl_body *body, const char *symbol) {
  body->function = symbol ? LLVMGetNamedFunction(in->module, symbol) : NULL;
  if (!body->function || LLVMIsDeclaration(body->function)) {
    body->function = NULL; /* an export that ships compiled */
    return symbol ? 0 : pl_out_of_memory(in->sink);
  }
  LLVMSetLinkage(body->function, LLVMExternalLinkage);
  return pl_module_inline_all(in->module, body->function, in->sink);
}

/* ---- checking ---- */

static void check_each(const pl_body *body) {
  static void (*const families[])(const pl_body *) = {
      pl_check_barriers, pl_check_registers,     pl_check_mbarriers, pl_check_warps, pl_check_threads,
      pl_check_clusters, pl_check_tensor_memory, pl_check_wgmma,     pl_check_exits, pl_check_params,
      pl_check_asm_text, pl_check_memory_order,  pl_check_globals,
  };
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    families[i](body);
}

static pl_status check(pl_body_module *in, pl_body *bodies, size_t count) {
  pl_status status = pl_verify_simplify(in->module, in->sink);
  size_t present = 0;
  for (size_t i = 0; i < count && !status; i++) {
    if (!bodies[i].function)
      continue;
    bodies[present] = bodies[i];
    if ((status = pl_body_read(&bodies[present])))
      return pl_out_of_memory(in->sink);
    check_each(&bodies[present++]);
  }
  if (!status) {
    pl_check_proxies(bodies, present);
    pl_check_spins(bodies, present);
    pl_check_cta_groups(bodies, present);
  }
  return status ? status : pl_sink_status(in->sink);
}

/* ---- at link ---- */

static pl_status connect(pl_link *link, LLVMModuleRef module) {
  for (size_t i = 0; i < link->binding_count; i++) {
    const pl_binding *binding = &link->bindings[i];
    const char *import_name = pl_merged_name(link, binding->importer, binding->import->symbol);
    const char *export_name = pl_merged_name(link, binding->exporter, binding->export->symbol);
    if (!import_name || !export_name)
      return pl_out_of_memory(link->sink);
    LLVMValueRef import = LLVMGetNamedFunction(module, import_name);
    LLVMValueRef export = LLVMGetNamedFunction(module, export_name);
    if (import && export && LLVMGlobalGetValueType(import) == LLVMGlobalGetValueType(export))
      LLVMReplaceAllUsesWith(import, export); /* where they differ, relocate refuses the link */
  }
  return 0;
}

static pl_body placed_body(const pl_link *link, const pl_body_module *in, size_t index) {
  const pl_placed_role *placed = &link->roles[index];
  const pl_package *package = link->instances[placed->instance].package;
  return (pl_body){.in = in,
                   .instance = placed->instance,
                   .contract = link->instances[placed->instance].contract,
                   .package = package->name,
                   .version = package->version,
                   .role = placed->role,
                   .subject = pl_arena_printf(link->arena, "role '%s' of %s", placed->role->name, package->name),
                   .first_warp = placed->first_warp,
                   .warps = placed->warps,
                   .has_company = link->role_count > 1};
}

static pl_status examine(pl_link *link, pl_body_module *in, pl_body *bodies) {
  pl_status status = connect(link, in->module);
  resource_list list = {.in = in};
  size_t most = 1;
  for (size_t i = 0; i < link->instance_count; i++)
    most += resources_of(link->instances[i].contract);
  if (!(list.items = pl_arena_array(link->arena, most, sizeof *list.items)))
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++)
    add_all(&list, i, link->instances[i].contract);
  in->resources = list.items;
  in->resource_count = list.count;
  for (size_t i = 0; i < link->role_count && !status; i++) {
    bodies[i] = placed_body(link, in, i);
    status = bodies[i].subject ? keep(in, &bodies[i], pl_merged_name(link, bodies[i].instance, bodies[i].role->symbol))
                               : pl_out_of_memory(link->sink);
  }
  return status ? status : check(in, bodies, link->role_count);
}

/* Whether the module holds this many instructions. */
static bool is_very_large(LLVMModuleRef module) {
  enum { INSTRUCTIONS_MANY = 200000 };
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        if (++count >= INSTRUCTIONS_MANY)
          return true;
  return false;
}

/* A stage that nothing is joined to is what it was when it was packed, and pack has looked at it. Where a library's
 * templates make it very large, looking again would take a third of the link (measured with a CUTLASS GEMM). */
static bool was_examined_at_pack(const pl_link *link) {
  const pl_contract *contract = link->instances[0].contract;
  return link->instance_count == 1 && link->role_count == 1 && resources_of(contract) == contract->shared_count &&
         is_very_large(link->module);
}

pl_status pl_phase_examine(pl_link *link) {
  if (was_examined_at_pack(link)) {
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-CONTEXT", placed_body(link, NULL, 0).subject,
                "the stage is very large and stands alone: its code was looked at by pack, and not again");
    return pl_sink_status(link->sink);
  }
  pl_body *bodies = pl_arena_array(link->arena, link->role_count + 1, sizeof *bodies);
  if (!bodies)
    return pl_out_of_memory(link->sink);
  pl_body_module in = {.link = link, .sink = link->sink, .arena = link->arena};
  copy(&in, link->module);
  pl_status status = examine(link, &in, bodies);
  LLVMDisposeModule(in.module);
  return status;
}

/* ---- at pack ---- */

/* Another role must exist somewhere: the stage has several, or a ring of this one has its other side elsewhere. */
static bool has_company(const pl_contract *contract, const pl_role *role) {
  bool is_lonely = contract->role_count == 1;
  for (size_t i = 0; i < contract->ring_count && is_lonely; i++) {
    bool is_whole = false;
    for (size_t k = 0; k < contract->ring_count; k++)
      is_whole |= !strcmp(contract->rings[i].name, contract->rings[k].name) &&
                  contract->rings[i].is_producer != contract->rings[k].is_producer;
    is_lonely = is_whole || (contract->rings[i].role && strcmp(contract->rings[i].role, role->name) != 0);
  }
  return !is_lonely;
}

static pl_status examine_contract(pl_body_module *in, const pl_contract *contract, pl_body *bodies, size_t *count) {
  pl_body start = {.in = in, .contract = contract, .package = contract->stage, .version = contract->version};
  pl_status status = 0;
  resource_list list = {.in = in, .items = pl_arena_array(in->arena, resources_of(contract) + 1, sizeof *list.items)};
  if (!list.items)
    return pl_out_of_memory(in->sink);
  add_all(&list, 0, contract);
  in->resources = list.items;
  in->resource_count = list.count;
  for (size_t i = 0; i < contract->role_count && !status; i++) {
    pl_body *body = &bodies[(*count)++];
    *body = start;
    body->role = &contract->roles[i];
    body->has_company = has_company(contract, body->role);
    body->subject = body->role->name;
    status = keep(in, body, body->role->symbol);
  }
  for (size_t i = 0; i < contract->seam_count && !status; i++) {
    if (!contract->seams[i].is_export || !contract->seams[i].symbol)
      continue;
    pl_body *body = &bodies[(*count)++];
    *body = start;
    body->seam = &contract->seams[i];
    body->subject = body->seam->name;
    status = keep(in, body, body->seam->symbol);
  }
  return status;
}

pl_status pl_examine_stage(LLVMModuleRef module, const pl_contract *contract, pl_arena *arena, pl_sink *sink) {
  size_t count = 0;
  pl_body *bodies = pl_arena_array(arena, contract->role_count + contract->seam_count + 1, sizeof *bodies);
  if (!bodies)
    return pl_out_of_memory(sink);
  pl_body_module in = {.sink = sink, .arena = arena};
  copy(&in, module);
  pl_status status = examine_contract(&in, contract, bodies, &count);
  if (!status)
    status = check(&in, bodies, count);
  LLVMDisposeModule(in.module);
  return status;
}
