/* locals.c - local memory that the optimiser has left: arrays that are indexed by variables, and copies of params.
 *
 * A tensor map in such a copy is an error: TMA takes descriptors from parameters, constant or global memory only.
 */
#include "body.h"
#include "optimised.h"

#include "llvm_ext.h"

#include <string.h>

#include <llvm-c/Target.h>

/* A line that uses the variable, or one that uses an address in it; variables themselves have none. */
static bool place_of(LLVMValueRef variable, unsigned deep, pl_location *place) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && (pl_llvm_source_line(user, &place->file, &place->line) ||
                                     (deep && LLVMIsAGetElementPtrInst(user) && place_of(user, deep - 1, place))))
      return true;
  }
  return false;
}

static void add_place(pl_link *link, const pl_location *place) {
  if (place->file)
    pl_detail_of(link->sink, &(pl_party){.location = *place}, "used at %s:%u", place->file, place->line);
}

static void warn_of_local(pl_link *link, LLVMTargetDataRef data, LLVMValueRef variable) {
  pl_location place = {0};
  uint64_t bytes = LLVMABISizeOfType(data, LLVMGetAllocatedType(variable));
  pl_report(link->sink, PL_WARNING, "L-IRLOCAL", "%llu bytes of local memory are left in the kernel",
            (unsigned long long)bytes);
  if (place_of(variable, 2, &place))
    add_place(link, &place);
  pl_consequence(link->sink, "every access goes through the memory hierarchy: several times slower than registers");
  pl_fix(link->sink, "unroll the loops over the array, so that every index is a constant; take params by reference");
}

static bool takes_a_tensor_map(const pl_operation *operation) {
  return strstr(operation->text, "tensor") &&
         (operation->kind == PL_OP_BULK_LOAD || operation->kind == PL_OP_BULK_STORE ||
          operation->kind == PL_OP_PREFETCH);
}

static void check_descriptor(pl_link *link, const pl_operation *operation) {
  const pl_operand *map = operation->kind == PL_OP_BULK_STORE ? &operation->address : &operation->source;
  int64_t offset = 0;
  if (!takes_a_tensor_map(operation) || map->kind != PL_OPERAND_VALUE ||
      !LLVMIsAAllocaInst(pl_body_base(map->value, &offset)))
    return;
  pl_location place = pl_body_location(operation);
  pl_report(link->sink, PL_ERROR, "L-GCONST", "'%s' is given a tensor map in local memory", operation->text);
  add_place(link, &place);
  pl_consequence(link->sink, "TMA cannot read a descriptor there: the launch would end with an illegal instruction");
  pl_fix(link->sink, "take it from the role's params by reference, without copying them");
}

pl_status pl_verify_locals(pl_link *link) {
  LLVMTargetDataRef data = LLVMGetModuleDataLayout(link->module);
  LLVMValueRef kernel = LLVMGetNamedFunction(link->module, link->entry);
  for (LLVMBasicBlockRef block = kernel ? LLVMGetFirstBasicBlock(kernel) : NULL; block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const pl_operation *operations;
      size_t count;
      if (LLVMIsAAllocaInst(at))
        warn_of_local(link, data, at);
      if (!LLVMIsACallInst(at))
        continue;
      if (pl_operations_decode(at, link->arena, &operations, &count))
        return pl_out_of_memory(link->sink);
      for (size_t i = 0; i < count; i++)
        check_descriptor(link, &operations[i]);
    }
  return pl_sink_status(link->sink);
}
