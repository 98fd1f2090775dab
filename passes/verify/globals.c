/* globals.c - variables of the module that a role changes or that the host could: state that no contract speaks of. */
#include "body.h"

#include "link.h"
#include "llvm_ext.h"

#include <stdlib.h>
#include <string.h>

static bool is_kept(const pl_link *link, const char *name) {
  for (size_t i = 0; i < link->options.keep_count; i++)
    if (!strcmp(link->options.keep[i], name))
      return true;
  return false;
}

static bool is_hidden_state(const pl_body *body, LLVMValueRef variable) {
  size_t length;
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
  return !LLVMIsGlobalConstant(variable) && space != 3 && !LLVMIsDeclaration(variable) &&
         !is_kept(body->in->link, LLVMGetValueName2(variable, &length));
}

void pl_check_globals(const pl_body *body) {
  for (size_t b = 0; b < body->block_count && body->in->link; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      bool is_load = operation->kind == PL_OP_LOAD;
      const pl_operand *pointer = is_load ? &operation->source : &operation->address;
      if ((!is_load && operation->kind != PL_OP_STORE && operation->kind != PL_OP_ATOMIC) ||
          pointer->kind != PL_OPERAND_VALUE)
        continue;
      int64_t offset = 0;
      LLVMValueRef variable = pl_body_base(pointer->value, &offset);
      if (!LLVMIsAGlobalVariable(variable) || !is_hidden_state(body, variable))
        continue;
      size_t length;
      const char *name = LLVMGetValueName2(variable, &length), *dollar = strchr(name, '$');
      char *demangled = pl_llvm_demangle(dollar ? dollar + 1 : name);
      if (pl_body_report(body, PL_WARNING, "L-IRGLOBAL", operation, "role '%s' uses the variable '%s' of its module",
                         body->role->name, demangled ? demangled : name)) {
        pl_consequence(body->in->sink, "it keeps its value from launch to launch, and only this cubin has it: the host "
                                       "cannot set it by its contract");
        pl_fix(body->in->sink, "pass it in the role's params; or keep it visible to the host with -u %s", name);
      }
      free(demangled);
    }
}
