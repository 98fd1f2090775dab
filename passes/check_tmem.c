/* check_tmem.c - a part of relocate: tensor memory that code uses must have been declared.
 *
 * The kernel allocates what is declared. An address that comes from nowhere is somebody else's columns, of this CTA or
 * of another one on the SM. A stage may be handed an address by another one, through a call or a ring; without either,
 * and without a declaration, it has none.
 */
#include "link.h"

#include "llvm_ext.h"
#include "verify/operation.h"

static bool accesses(const pl_operation *operation) {
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

/* The first access in the instructions' order; NULL when there is none. */
static pl_status find_access(pl_link *link, LLVMValueRef function, const pl_operation **access) {
  *access = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const pl_operation *operations;
      size_t count;
      pl_status status =
          LLVMIsACallInst(at) ? pl_operations_decode(at, link->arena, &operations, &count) : (count = 0, 0);
      if (status)
        return status;
      for (size_t i = 0; i < count; i++) {
        if (!accesses(&operations[i]))
          continue;
        *access = &operations[i];
        return 0;
      }
    }
  }
  return 0;
}

pl_status pl_check_tensor_memory(pl_link *link, const pl_placed_role *placed, LLVMValueRef function) {
  const pl_contract *contract = link->instances[placed->instance].contract;
  bool is_given = contract->tmem_count || (link->tmem_count && (contract->seam_count || contract->ring_count));
  const pl_operation *access = NULL;
  const char *file;
  unsigned line;
  pl_status status = is_given ? 0 : find_access(link, function, &access);
  if (status || !access)
    return status ? pl_out_of_memory(link->sink) : 0;
  pl_report(link->sink, PL_ERROR, "L-TMEM", "role '%s' uses tensor memory (%s) and %s", placed->role->name,
            access->text, link->tmem_count ? "is given none" : "no stage declares any");
  pl_link_role_alone(link, placed->instance, placed->role);
  for (size_t i = 0; i < link->tmem_count; i++)
    pl_link_side(link, "declared by", link->tmems[i].instance, link->tmems[i].tmem->location, "'%s', %u columns",
                 link->tmems[i].tmem->name, link->tmems[i].tmem->columns);
  if (pl_llvm_source_line(access->instruction, &file, &line))
    pl_detail(link->sink, "used at %s:%u", file, line);
  pl_consequence(link->sink, "it would use columns that nobody has allocated, or those of another CTA on the SM");
  pl_fix(link->sink,
         "declare what it needs: PIPELINK_RESOURCE(\"name\") extern __device__ const pipelink::tmem<options> name");
  return pl_sink_status(link->sink);
}
