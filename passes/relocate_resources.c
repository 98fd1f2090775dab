/* relocate_resources.c - the resources' part of relocate: every resource variable becomes the solver's constant.
 *
 * A variable is a struct of u32 (contract.h lists them with each kind). As an internal constant with an initialiser all
 * its loads fold, also into the "n" operands of inline asm.
 */
#include "link.h"

#include "merge.h"

#include <errno.h>
#include <string.h>

/* A constant of `type` whose u32 leaves are the values, in order; NULL when the type holds anything else. */
static LLVMValueRef constant_of(pl_link *link, LLVMTypeRef type, const uint32_t *values, size_t count, size_t *next) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) == 32 && *next < count ? LLVMConstInt(type, values[(*next)++], false) : NULL;
  case LLVMStructTypeKind: {
    unsigned members = LLVMCountStructElementTypes(type);
    LLVMValueRef constants[8];
    if (members > sizeof constants / sizeof *constants)
      return NULL;
    for (unsigned i = 0; i < members; i++)
      if (!(constants[i] = constant_of(link, LLVMStructGetTypeAtIndex(type, i), values, count, next)))
        return NULL;
    return LLVMGetStructName(type)
               ? LLVMConstNamedStruct(type, constants, members)
               : LLVMConstStructInContext(link->context, constants, members, LLVMIsPackedStruct(type));
  }
  default:
    return NULL;
  }
}

static pl_status define(pl_link *link, size_t instance, const char *symbol, const char *name, pl_location location,
                        const uint32_t *values, size_t count) {
  const char *merged = pl_merged_name(link, instance, symbol);
  if (!merged)
    return pl_out_of_memory(link->sink);
  LLVMValueRef variable = LLVMGetNamedGlobal(link->module, merged);
  if (!variable)
    return 0; /* declared and never used */
  size_t used = 0;
  LLVMValueRef value = constant_of(link, LLVMGlobalGetValueType(variable), values, count, &used);
  if (!value || used != count) {
    pl_report(link->sink, PL_ERROR, "L-VERSION", "resource '%s' has another layout than this linker fills in", name);
    pl_link_side_alone(link, "declared by", instance, location);
    pl_fix(link->sink, "compile the stage with the headers of this PipeLink");
    return -EINVAL;
  }
  LLVMSetInitializer(variable, value);
  LLVMSetGlobalConstant(variable, true);
  LLVMSetExternallyInitialized(variable, false);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  return 0;
}

unsigned pl_ring_threads(const pl_link *link, const pl_joined_ring *joined) {
  unsigned threads = 0;
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *role = &link->roles[i];
    bool takes_part = role->role == joined->producer.role && role->instance == joined->producer.instance;
    for (size_t k = 0; k < joined->consumer_count; k++)
      takes_part |= role->role == joined->consumers[k].role && role->instance == joined->consumers[k].instance;
    threads += takes_part ? role->warps * 32 : 0;
  }
  return threads;
}

static pl_status define_ring(pl_link *link, const pl_joined_ring *joined, const pl_ring_side *side) {
  const uint32_t values[] = {(uint32_t)joined->slots, (uint32_t)joined->full, (uint32_t)joined->empty, joined->depth,
                             joined->producer.ring->protocol == PL_RING_NAMED ? pl_ring_threads(link, joined) : 0};
  return define(link, side->instance, side->ring->symbol, joined->name, side->ring->location, values, 5);
}

pl_status pl_relocate_resources(pl_link *link) {
  pl_status status = 0;
  for (size_t i = 0; i < link->ring_count && !status; i++) {
    status = define_ring(link, &link->rings[i], &link->rings[i].producer);
    for (size_t k = 0; k < link->rings[i].consumer_count && !status; k++)
      status = define_ring(link, &link->rings[i], &link->rings[i].consumers[k]);
  }
  for (size_t i = 0; i < link->barrier_count && !status; i++) {
    const pl_joined_barrier *joined = &link->barriers[i];
    const uint32_t values[] = {joined->id, joined->threads};
    for (size_t k = 0; k < joined->member_count && !status; k++)
      status = define(link, joined->members[k].instance, joined->members[k].barrier->symbol, joined->name,
                      joined->members[k].barrier->location, values, 2);
  }
  for (size_t i = 0; i < link->buffer_count && !status; i++) {
    const pl_placed_buffer *placed = &link->buffers[i];
    const uint32_t value = (uint32_t)placed->offset;
    status = define(link, placed->instance, placed->buffer->symbol, placed->buffer->name, placed->buffer->location,
                    &value, 1);
  }
  for (size_t i = 0; i < link->tmem_count && !status; i++) {
    const pl_placed_tmem *placed = &link->tmems[i];
    const uint32_t values[] = {placed->column, (uint32_t)link->tmem_base};
    status =
        define(link, placed->instance, placed->tmem->symbol, placed->tmem->name, placed->tmem->location, values, 2);
  }
  return status;
}
