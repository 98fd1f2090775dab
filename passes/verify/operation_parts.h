/* operation_parts.h - what the decoders of operations share: operation.c, operation_asm.c, operation_ptx.c and
 * operation_intrinsics.c. */
#ifndef PIPELINK_PASSES_VERIFY_OPERATION_PARTS_H
#define PIPELINK_PASSES_VERIFY_OPERATION_PARTS_H

#include "operation.h"
#include "ptx_asm.h"

/* operation_asm.c: an inline-asm call. */
pl_status pl_operations_of_asm(LLVMValueRef call, pl_arena *arena, const pl_operation **operations, size_t *count);

/* operation_ptx.c: which operation a PTX instruction is, and where its operands go: one letter for each, in order.
 *
 *   r result   a address   s source   t source_b   b barrier   i id   c count   p parity   n bytes   m mask   _ nothing
 *
 * Fills kind, text, space, scope and what the modifiers say. */
const char *pl_ptx_classify(const pl_ptx_statement *statement, pl_operation *operation);

/* operation_intrinsics.c: the same for a call of an intrinsic; NULL for one without meaning here. */
const char *pl_intrinsic_classify(const char *name, LLVMValueRef call, pl_arena *arena, pl_operation *operation);

/* operation.c: puts an operand where the letter says; nothing for 'r' and '_'. */
void pl_operation_set(pl_operation *operation, char letter, pl_operand operand);
/* An LLVM value as an operand; ConstantInts are integers. */
pl_operand pl_operand_of(LLVMValueRef value);
/* Scope, space and order from the parts of a name: "scope.cluster", "shared::cta", "acq_rel". */
void pl_operation_read_word(pl_operation *operation, const char *word, size_t length);

#endif
