/* params.c - loads of parameters stay within the struct that is declared, and within its fields. */
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

/* A field of which only a part lies within the bytes, when they go beyond it; or none at all, when *is_padding is set.
 * Bytes of several whole fields are a copy of them. */
static const pl_field *cut_field(const pl_params *params, uint64_t begin, uint64_t end, bool *is_padding) {
  *is_padding = params->field_count > 0;
  for (size_t i = 0; i < params->field_count; i++) {
    const pl_field *field = &params->fields[i];
    uint64_t field_end = field->offset + field->type->size;
    if (field->offset >= end || field_end <= begin)
      continue;
    *is_padding = false;
    bool is_whole = begin <= field->offset && field_end <= end, is_within = field->offset <= begin && end <= field_end;
    if (!is_whole && !is_within)
      return field;
  }
  return NULL;
}

static void check_fields(const pl_body *body, const pl_params *params, const pl_operation *place, uint64_t begin,
                         uint64_t end) {
  bool is_padding;
  const pl_field *cut = cut_field(params, begin, end, &is_padding);
  if (!cut && !is_padding)
    return;
  bool is_new =
      cut ? pl_body_report(body, PL_WARNING, "L-PARAM", place, "role '%s' reads a part of %s.%s and more",
                           body->role->name, params->struct_name, cut->name)
          : pl_body_report(body, PL_WARNING, "L-PARAM", place, "role '%s' reads bytes of %s that no field has",
                           body->role->name, params->struct_name);
  if (!is_new)
    return;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = params->location};
  if (cut)
    pl_side(body->in->sink, &party, "%s has bytes %llu to %llu; bytes %llu to %llu are read", cut->name,
            (unsigned long long)cut->offset, (unsigned long long)(cut->offset + cut->type->size - 1),
            (unsigned long long)begin, (unsigned long long)end - 1);
  else
    pl_side(body->in->sink, &party, "bytes %llu to %llu are read", (unsigned long long)begin,
            (unsigned long long)end - 1);
  pl_consequence(body->in->sink, "the value would be made of %s",
                 cut ? "pieces of several fields" : "what the host left there");
  pl_fix(body->in->sink, "read the fields by their names, without casts of the struct");
}

/* False when where it reads is not a constant. */
static bool check_load(const pl_body *body, const pl_params *params, LLVMTargetDataRef data, LLVMValueRef load) {
  int64_t offset = 0;
  LLVMValueRef base = pl_body_base(LLVMGetOperand(load, 0), &offset);
  if (base != LLVMGetParam(body->function, 0))
    return true;
  if (offset < 0)
    return false;
  uint64_t size = LLVMABISizeOfType(data, LLVMTypeOf(load)), end = (uint64_t)offset + size;
  pl_operation place = {.instruction = load, .text = "this load"};
  if (end <= params->size)
    check_fields(body, params, &place, (uint64_t)offset, end);
  if (end <= params->size || !pl_body_report(body, PL_ERROR, "L-PARAM", &place, "role '%s' reads %s beyond its end",
                                             body->role->name, params->struct_name))
    return true;
  pl_party party = {
      .relation = "declared by", .package = body->package, .version = body->version, .location = params->location};
  pl_side(body->in->sink, &party, "%llu bytes; bytes %lld to %llu are read", (unsigned long long)params->size,
          (long long)offset, (unsigned long long)end - 1);
  pl_consequence(body->in->sink, "it would read another stage's parameters");
  pl_fix(body->in->sink, "declare the field, and pack the stage again");
  return true;
}

void pl_check_params(const pl_body *body) {
  const pl_params *params = params_of(body);
  if (!params || LLVMCountParams(body->function) != 1)
    return;
  LLVMTargetDataRef data = LLVMGetModuleDataLayout(body->in->module);
  bool knows_all = true;
  for (size_t b = 0; b < body->block_count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(body->blocks[b].block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsALoadInst(at))
        knows_all &= check_load(body, params, data, at);
  if (knows_all)
    pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-PARAM", "every load lies within %s", params->struct_name);
  else
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-PARAM", "an array of %s is read at an index that is not known",
                     params->struct_name);
}
