/* params.c - loads of parameters stay within the struct that is declared. */
#include "body.h"

#include "link.h"

#include <string.h>

#include <llvm-c/Target.h>

static const pl_params *params_of(const pl_body *body) {
  for (size_t i = 0; body->role && body->role->params && i < body->contract->params_count; i++)
    if (!strcmp(body->contract->params[i].struct_name, body->role->params))
      return &body->contract->params[i];
  return NULL;
}

static void check_load(const pl_body *body, const pl_params *params, LLVMTargetDataRef data, LLVMValueRef load) {
  int64_t offset = 0;
  LLVMValueRef base = pl_body_base(LLVMGetOperand(load, 0), &offset);
  if (base != LLVMGetParam(body->function, 0) || offset < 0)
    return;
  uint64_t size = LLVMABISizeOfType(data, LLVMTypeOf(load)), end = (uint64_t)offset + size;
  pl_operation place = {.instruction = load, .text = "this load"};
  if (end <= params->size || !pl_body_report(body, PL_ERROR, "L-PARAM", &place, "role '%s' reads %s beyond its end",
                                             body->role->name, params->struct_name))
    return;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = params->location};
  pl_side(body->in->sink, &party, "%llu bytes; bytes %lld to %llu are read", (unsigned long long)params->size,
          (long long)offset, (unsigned long long)end - 1);
  pl_consequence(body->in->sink, "it would read another stage's parameters");
  pl_fix(body->in->sink, "declare the field, and pack the stage again");
}

void pl_check_params(const pl_body *body) {
  const pl_params *params = params_of(body);
  if (!params || LLVMCountParams(body->function) != 1)
    return;
  LLVMTargetDataRef data = LLVMGetModuleDataLayout(body->in->module);
  for (size_t b = 0; b < body->block_count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(body->blocks[b].block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsALoadInst(at))
        check_load(body, params, data, at);
  pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-PARAM", "every load lies within %s", params->struct_name);
}
