/* asm_text.c - inline asm that cannot be inlined twice or cannot be understood. */
#include "body.h"

#include "ptx_asm.h"

#include <string.h>

static void explain(const pl_body *body, const char *consequence, const char *fix) {
  pl_consequence(body->in->sink, "%s", consequence);
  pl_fix(body->in->sink, "%s", fix);
}

static void check_statement(const pl_body *body, const pl_ptx_statement *statement, const pl_operation *operation) {
  bool is_register = statement->kind == PL_PTX_DIRECTIVE && !strcmp(statement->name, ".reg");
  if (statement->depth)
    return;
  if (statement->kind == PL_PTX_LABEL || is_register) {
    if (pl_body_report(body, PL_WARNING, "L-IRASM", operation, "asm declares '%s' outside of braces",
                       is_register && statement->operand_count ? statement->operands[0].name : statement->name))
      explain(body, "inlined twice, it is declared twice: the back end refuses it",
              "put the block's text between { and }");
  }
}

static void check_block(const pl_body *body, const pl_operation *operation) {
  size_t size;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(operation->instruction), &size);
  pl_ptx_asm read;
  if (!memchr(text, ':', size) && !memmem(text, size, ".reg", 4))
    return;
  if (pl_ptx_asm_read(text, size, body->in->arena, &read)) {
    body->in->sink->out_of_memory = true;
    return;
  }
  for (size_t i = 0; i < read.count; i++)
    check_statement(body, &read.statements[i], operation);
}

static void check_unknown(const pl_body *body, const pl_operation *operation) {
  if (operation->text[0] == '.') {
    if (pl_body_report(body, PL_WARNING, "L-IRASM", operation, "asm declares memory or more by '%s'", operation->text))
      explain(body, "the linker does not see it, and gives its place to others",
              "declare a pipelink::buffer<> or [[pipelink::shared(...)]]");
  } else if (pl_body_report(body, PL_WARNING, "L-IRASM", operation, "asm that is not understood: '%s'",
                            operation->text)) {
    explain(body, "what it does cannot be checked", "write it as PTX ISA 9.0 has it, or leave it out");
  }
}

void pl_check_asm_text(const pl_body *body) {
  for (size_t b = 0; b < body->block_count; b++) {
    LLVMValueRef last = NULL;
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (!LLVMIsACallInst(operation->instruction) || !LLVMIsAInlineAsm(LLVMGetCalledValue(operation->instruction)))
        continue;
      if (operation->kind == PL_OP_UNKNOWN)
        check_unknown(body, operation);
      if (operation->instruction != last)
        check_block(body, operation);
      last = operation->instruction;
    }
  }
}
