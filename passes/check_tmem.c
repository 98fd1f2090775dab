/* check_tmem.c - a part of relocate: tensor memory that code uses must have been declared.
 *
 * The kernel allocates what is declared. An address that comes from nowhere is somebody else's columns, of this CTA or
 * of another one on the SM. A stage may be handed an address by another one, through a call or a ring; without either,
 * and without a declaration, it has none.
 */
#include "link.h"

#include "llvm_ext.h"

#include <errno.h>
#include <string.h>

/* Instructions that read or write tensor memory; the skeleton has the others (PTX ISA 9.0, "tcgen05"). */
static const char *access_in(const char *text, size_t size) {
  static const char *const accesses[] = {"tcgen05.mma", "tcgen05.ld", "tcgen05.st", "tcgen05.cp", "tcgen05.shift"};
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    if (memmem(text, size, accesses[i], strlen(accesses[i])))
      return accesses[i];
  return NULL;
}

static const char *access_of(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return NULL;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t size;
  if (LLVMIsAInlineAsm(callee)) {
    const char *text = LLVMGetInlineAsmAsmString(callee, &size);
    return access_in(text, size);
  }
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &size) : NULL;
  return name ? access_in(name, size) : NULL;
}

static LLVMValueRef find_access(LLVMValueRef function, const char **access) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if ((*access = access_of(at)))
        return at;
  return NULL;
}

pl_status pl_check_tensor_memory(pl_link *link, const pl_placed_role *placed, LLVMValueRef function) {
  const pl_contract *contract = link->instances[placed->instance].contract;
  bool is_given = contract->tmem_count || (link->tmem_count && (contract->seam_count || contract->ring_count));
  const char *access, *file;
  unsigned line;
  LLVMValueRef at = is_given ? NULL : find_access(function, &access);
  if (!at)
    return 0;
  pl_report(link->sink, PL_ERROR, "L-TMEM", "role '%s' uses tensor memory (%s) and %s", placed->role->name, access,
            link->tmem_count ? "is given none" : "no stage declares any");
  pl_link_role_alone(link, placed->instance, placed->role);
  for (size_t i = 0; i < link->tmem_count; i++)
    pl_link_side(link, "declared by", link->tmems[i].instance, link->tmems[i].tmem->location, "'%s', %u columns",
                 link->tmems[i].tmem->name, link->tmems[i].tmem->columns);
  if (pl_llvm_source_line(at, &file, &line))
    pl_detail(link->sink, "used at %s:%u", file, line);
  pl_consequence(link->sink, "it would use columns that nobody has allocated, or those of another CTA on the SM");
  pl_fix(link->sink,
         "declare what it needs: PIPELINK_RESOURCE(\"name\") extern __device__ const pipelink::tmem<options> name");
  return -EINVAL;
}
