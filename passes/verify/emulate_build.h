/* emulate_build.h - what the files that translate IR into steps share (emulate_program.c,
 * emulate_translate.c, emulate_constants.c). */
#ifndef PIPELINK_PASSES_EMULATE_BUILD_H
#define PIPELINK_PASSES_EMULATE_BUILD_H

#include "emulate_program.h"

typedef struct pl_emulate_block {
  LLVMBasicBlockRef block;
  uint32_t index; /* in the kernel's order */
} pl_emulate_block;

typedef struct pl_emulate_builder {
  pl_emulate_program *program;
  pl_emulate_slice *slice;
  pl_arena *arena;
  LLVMTargetDataRef layout;
  pl_emulate_block *blocks; /* by address */
  size_t step_capacity, constant_capacity;
  pl_emulate_step spare; /* takes what is written after a failed allocation */
  bool failed;
} pl_emulate_builder;

/* Appends a step without operands. */
pl_emulate_step *pl_emulate_add(pl_emulate_builder *builder, pl_emulate_code code, LLVMValueRef instruction);

/* emulate_constants.c: the register or constant of a value; a new constant; the bits of a number or pointer, 0 for
 * other types. */
uint32_t pl_emulate_reference(pl_emulate_builder *builder, LLVMValueRef value);
uint32_t pl_emulate_constant(pl_emulate_builder *builder, bool is_known, uint64_t bits);
unsigned pl_emulate_width(LLVMTypeRef type);

/* emulate_translate.c: the steps of an instruction. */
void pl_emulate_translate_instruction(pl_emulate_builder *builder, LLVMValueRef instruction);

#endif
