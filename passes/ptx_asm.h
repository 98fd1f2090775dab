/* ptx_asm.h - inline-asm text as statements: labels, directives, instructions with their operands.
 *
 * What is read is the text that an LLVM inline-asm value holds: PTX with LLVM's escapes ("$0", "${0:x}", "$$"). Nothing
 * is judged here, and nothing is refused: what cannot be read is a statement of the kind PL_PTX_UNREADABLE, and reading
 * goes on behind the next semicolon. verify/operation.h gives the instructions a meaning.
 *
 * Source: PTX ISA 9.0, "Syntax"; LLVM Language Reference, "Inline Assembler Expressions".
 */
#ifndef PIPELINK_PASSES_PTX_ASM_H
#define PIPELINK_PASSES_PTX_ASM_H

#include "support.h"

typedef enum pl_ptx_operand_kind {
  PL_PTX_PLACEHOLDER, /* $0: `integer` is the operand's number */
  PL_PTX_INTEGER,
  PL_PTX_FLOAT,  /* `name` is its text */
  PL_PTX_NAME,   /* a register, variable, label or special register; "_" for none */
  PL_PTX_MEMORY, /* [base + offset] or [base, {coordinates}]: items */
  PL_PTX_VECTOR, /* {a, b}: items */
  PL_PTX_LIST,   /* (a, b) of a call: items */
  PL_PTX_PAIR    /* a|b: two items */
} pl_ptx_operand_kind;

typedef struct pl_ptx_operand {
  pl_ptx_operand_kind kind;
  bool is_inverted; /* !p, or -r for a register */
  int64_t integer;
  int64_t offset; /* what is added to a placeholder or a name: "$0+8", "[$0+8]" (on the item) */
  const char *name;
  const struct pl_ptx_operand *items;
  size_t item_count;
} pl_ptx_operand;

typedef enum pl_ptx_statement_kind {
  PL_PTX_INSTRUCTION,
  PL_PTX_LABEL,     /* name */
  PL_PTX_DIRECTIVE, /* name (".reg"); operands: the names it declares, with `integer` 4 for "a<4>": a0 to a3 */
  PL_PTX_OPEN,      /* { */
  PL_PTX_CLOSE,     /* } */
  PL_PTX_UNREADABLE
} pl_ptx_statement_kind;

typedef struct pl_ptx_statement {
  pl_ptx_statement_kind kind;
  unsigned depth;               /* blocks { } around it */
  const char *name;             /* label; directive; opcode with all modifiers ("mbarrier.init.shared::cta.b64") */
  const char *text;             /* the whole statement on one line, for messages */
  const char *const *modifiers; /* "init", "shared::cta", "b64" */
  size_t modifier_count;
  const pl_ptx_operand *guard; /* the predicate of @p and @!p (is_inverted); NULL without */
  const pl_ptx_operand *operands;
  size_t operand_count;
} pl_ptx_statement;

typedef struct pl_ptx_asm {
  const pl_ptx_statement *statements;
  size_t count;
  bool is_balanced; /* every { has its } */
} pl_ptx_asm;

/* Everything that is read belongs to the arena. -ENOMEM. */
pl_status pl_ptx_asm_read(const char *text, size_t size, pl_arena *arena, pl_ptx_asm *result);

/* Does the instruction have the modifier ("aligned")? */
bool pl_ptx_has_modifier(const pl_ptx_statement *statement, const char *modifier);

/* ptx_escapes.c: the text with LLVM's escapes resolved. Placeholders become \1N\1, "$$" becomes "$", of alternatives
 * the first is taken; other control characters become blanks but for line ends. NUL-terminated; NULL when out of
 * memory. */
char *pl_ptx_resolve_escapes(const char *text, size_t size, pl_arena *arena);

#endif
