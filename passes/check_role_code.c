/* check_role_code.c - a part of relocate: what a role's code uses, once everything it reaches is inlined into it.
 *
 * Tensor memory must have been declared: the kernel allocates what is. An address that comes from nowhere is somebody
 * else's columns, of this CTA or of another one on the SM. A stage may be handed an address by another one, through a
 * call or a ring; without either, and without a declaration, it has none. Which roles issue wgmma is noted for
 * messages.
 */
#include "link.h"

#include "llvm_ext.h"
#include "verify/operation.h"

static bool uses_tensor_memory(const pl_operation *operation) {
  switch (operation->kind) {
  case PL_OP_TCGEN05_MMA:
  case PL_OP_TCGEN05_LOAD:
  case PL_OP_TCGEN05_STORE:
  case PL_OP_TCGEN05_COPY:
    return true;
  default:
    return false;
  }
}

/* What is wanted of a role's operations. */
typedef struct uses {
  const pl_operation *wgmma;
  const pl_operation *tensor_memory; /* the first ones, or NULL */
} uses;

static pl_status look_at(pl_link *link, LLVMValueRef instruction, uses *found) {
  const pl_operation *operations;
  size_t count;
  pl_status status = pl_operations_decode(instruction, link->arena, &operations, &count);
  for (size_t i = 0; i < count && !status; i++) {
    if (!found->wgmma && operations[i].kind == PL_OP_WGMMA)
      found->wgmma = &operations[i];
    if (!found->tensor_memory && uses_tensor_memory(&operations[i]))
      found->tensor_memory = &operations[i];
  }
  return status;
}

static pl_status look_through(pl_link *link, LLVMValueRef function, uses *found) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsACallInst(at) && look_at(link, at, found))
        return pl_out_of_memory(link->sink);
  return 0;
}

pl_status pl_check_role_code(pl_link *link, pl_placed_role *placed, LLVMValueRef function) {
  const pl_contract *contract = link->instances[placed->instance].contract;
  bool is_given = contract->tmem_count || (link->tmem_count && (contract->seam_count || contract->ring_count));
  const char *file;
  unsigned line;
  uses found = {0};
  pl_status status = look_through(link, function, &found);
  placed->has_wgmma = found.wgmma != NULL;
  if (found.wgmma && pl_llvm_source_line(found.wgmma->instruction, &file, &line))
    placed->first_wgmma = (pl_location){.file = pl_arena_strdup(link->arena, file), .line = line};
  if (status || is_given || !found.tensor_memory)
    return status;
  pl_report(link->sink, PL_ERROR, "L-TMEM", "role '%s' uses tensor memory (%s) and %s", placed->role->name,
            found.tensor_memory->text, link->tmem_count ? "is given none" : "no stage declares any");
  pl_link_role_alone(link, placed->instance, placed->role);
  for (size_t i = 0; i < link->tmem_count; i++)
    pl_link_side(link, "declared by", link->tmems[i].instance, link->tmems[i].tmem->location, "'%s', %u columns",
                 link->tmems[i].tmem->name, link->tmems[i].tmem->columns);
  if (pl_llvm_source_line(found.tensor_memory->instruction, &file, &line))
    pl_detail(link->sink, "used at %s:%u", file, line);
  pl_consequence(link->sink, "it would use columns that nobody has allocated, or those of another CTA on the SM");
  pl_fix(link->sink,
         "declare what it needs: PIPELINK_RESOURCE(\"name\") extern __device__ const pipelink::tmem<options> name");
  return pl_sink_status(link->sink);
}
