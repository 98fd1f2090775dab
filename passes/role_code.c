/* role_code.c - a part of relocate: which roles issue wgmma, and where, once everything they reach is inlined.
 *
 * ptxas speaks of the kernel when it serialises them; codegen_log.c names the role and the line.
 */
#include "link.h"

#include "llvm_ext.h"
#include "verify/operation.h"

static pl_status find_wgmma(pl_link *link, LLVMValueRef instruction, bool *found) {
  const pl_operation *operations;
  size_t count;
  pl_status status = pl_operations_decode(instruction, link->arena, &operations, &count);
  for (size_t i = 0; i < count && !status; i++)
    *found |= operations[i].kind == PL_OP_WGMMA;
  return status;
}

pl_status pl_note_wgmma(pl_link *link, pl_placed_role *placed, LLVMValueRef function) {
  const char *file;
  unsigned line;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      if (LLVMIsACallInst(at) && find_wgmma(link, at, &placed->has_wgmma))
        return pl_out_of_memory(link->sink);
      if (!placed->has_wgmma)
        continue;
      if (pl_llvm_source_line(at, &file, &line))
        placed->first_wgmma = (pl_location){.file = pl_arena_strdup(link->arena, file), .line = line};
      return 0;
    }
  }
  return 0;
}
