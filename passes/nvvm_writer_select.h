/* nvvm_writer_select.h - between the two files that take an instruction from LLVM's own instruction selection:
 * nvvm_writer_probe.c finds out how it is written in PTX, nvvm_writer_select.c puts that into the text.
 *
 * Operands and results travel as pieces: registers of 16, 32 or 64 bits.
 */
#ifndef PIPELINK_PASSES_NVVM_WRITER_SELECT_H
#define PIPELINK_PASSES_NVVM_WRITER_SELECT_H

#include "nvvm_writer.h"

enum { NVVM_PIECES_MOST = 256 };

typedef struct nvvm_selection {
  const char *text; /* inline asm; `$` numbers results first, then operands */
  unsigned result_bits[NVVM_PIECES_MOST], result_count;
  unsigned operand_bits[NVVM_PIECES_MOST], operand_count;
} nvvm_selection;

/* NULL when the instruction's PTX cannot stand alone (or memory is out). In the scratch arena. */
const nvvm_selection *nvvm_probe(nvvm_writer *writer, LLVMValueRef instruction);

/* How many operands there are, and which stay constants in the text: immediates, flags that choose the instruction. */
unsigned nvvm_selected_operands(LLVMValueRef instruction);
bool nvvm_stays_constant(LLVMValueRef instruction, unsigned operand);

/* How a type falls into pieces: an aggregate into its parts; a scalar into one piece of at least its bits, 128 bits
 * into two. A vector that fills one 32-bit register (half2 and its like) counts as a scalar. */
bool nvvm_has_parts(LLVMTypeRef type);
unsigned nvvm_part_count(LLVMTypeRef type);
LLVMTypeRef nvvm_part_type(LLVMTypeRef type, unsigned index);
unsigned nvvm_scalar_bits(LLVMTypeRef type); /* 0 when it has none */
unsigned nvvm_piece_bits(unsigned bits);     /* rounded up to a register */
const char *nvvm_piece_constraint(unsigned bits);

#endif
