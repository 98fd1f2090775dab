/* operation_asm.c - an inline-asm block as operations.
 *
 * Placeholders become the call's arguments; registers of the block are followed where they are written once, by moves,
 * conversions of addresses, additions of constants and comparisons with constants. A look at an mbarrier with a branch
 * back to before it is a wait.
 */
#include "operation_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A register of the block, and what it holds. */
typedef struct local {
  const char *name;
  unsigned writes;
  pl_operand value; /* PL_OPERAND_LOCAL when not known */
  pl_operand cta;   /* of a mapped address */
  bool is_inverted; /* a predicate: true where `value` is 0 */
} local;

typedef struct block {
  LLVMValueRef call;
  pl_arena *arena;
  pl_ptx_asm ptx;
  unsigned outputs, placeholders;
  int *arguments; /* of the call, by placeholder; -1: an output, and none was tied to it */
  local *locals;
  size_t local_count;
} block;

/* ---- placeholders ---- */

/* Constraints, in the order of placeholders: outputs ("=r"), inputs ("r", "n", or the output's number they are tied
 * to), and then clobbers. LLVM Language Reference, "Constraint String". */
static pl_status read_constraints(block *in, const char *text, size_t size) {
  size_t most = 1;
  for (size_t i = 0; i < size; i++)
    most += text[i] == ',';
  in->arguments = pl_arena_array(in->arena, most, sizeof *in->arguments);
  if (!in->arguments)
    return -ENOMEM;
  int argument = 0;
  for (const char *at = text, *end = text + size; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    if (*at == '~')
      break;
    bool is_output = *at == '=' && !(at + 1 < end && at[1] == '*');
    in->arguments[in->placeholders++] = is_output ? -1 : argument++;
    in->outputs += is_output;
    if (*at >= '0' && *at <= '9') {
      unsigned long tied = strtoul(at, NULL, 10);
      if (tied < in->outputs)
        in->arguments[tied] = argument - 1;
    }
    at = comma ? comma + 1 : end;
  }
  return 0;
}

static pl_operand unknown(const char *name) {
  return (pl_operand){.kind = PL_OPERAND_LOCAL, .symbol = name};
}

static pl_operand placeholder(const block *in, int64_t number) {
  if (number < 0 || number >= in->placeholders || in->arguments[number] < 0 ||
      (unsigned)in->arguments[number] >= LLVMGetNumArgOperands(in->call))
    return unknown("");
  return pl_operand_of(LLVMGetOperand(in->call, (unsigned)in->arguments[number]));
}

/* ---- registers of the block ---- */

static local *find(const block *in, const char *name) {
  for (size_t i = 0; i < in->local_count; i++)
    if (!strcmp(in->locals[i].name, name))
      return &in->locals[i];
  return NULL;
}

static pl_operand offset_by(pl_operand operand, int64_t offset) {
  if (operand.kind == PL_OPERAND_INTEGER || operand.kind == PL_OPERAND_VALUE)
    operand.integer = (int64_t)((uint64_t)operand.integer + (uint64_t)offset);
  return operand;
}

/* What an operand holds; `known`, when not NULL, gets what else is known about it. */
static pl_operand evaluate(const block *in, const pl_ptx_operand *operand, local *known) {
  local *from = NULL;
  pl_operand value = unknown(operand->name ? operand->name : "");
  switch (operand->kind) {
  case PL_PTX_INTEGER:
    value = (pl_operand){.kind = PL_OPERAND_INTEGER, .integer = operand->integer};
    break;
  case PL_PTX_PLACEHOLDER:
    value = placeholder(in, operand->integer);
    break;
  case PL_PTX_NAME:
    from = find(in, operand->name);
    if (from && from->writes == 1)
      value = from->value;
    else if (!from && operand->name[0] != '%')
      value = (pl_operand){.kind = PL_OPERAND_SYMBOL, .symbol = operand->name};
    break;
  case PL_PTX_MEMORY:
    return operand->item_count ? evaluate(in, &operand->items[0], known) : value;
  case PL_PTX_FLOAT:
  case PL_PTX_VECTOR:
  case PL_PTX_LIST:
  case PL_PTX_PAIR:
    break;
  }
  if (known)
    *known = from && from->writes == 1 ? *from : (local){0};
  return offset_by(value, operand->offset);
}

static bool begins_with(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

/* setp with a comparison that says what is the case: of two constants, or of a value with 0 or 1. */
static void compare(const block *in, const pl_ptx_statement *statement, local *to) {
  if (statement->operand_count < 3 || !statement->modifier_count)
    return;
  bool is_equal = !strcmp(statement->modifiers[0], "eq");
  if (!is_equal && strcmp(statement->modifiers[0], "ne") != 0)
    return;
  pl_operand a = evaluate(in, &statement->operands[1], NULL), b = evaluate(in, &statement->operands[2], NULL);
  if (b.kind != PL_OPERAND_INTEGER)
    return;
  if (a.kind == PL_OPERAND_INTEGER) {
    to->value = (pl_operand){.kind = PL_OPERAND_INTEGER, .integer = (a.integer == b.integer) == is_equal};
  } else if (a.kind == PL_OPERAND_VALUE && !a.integer && (b.integer == 0 || b.integer == 1)) {
    to->value = a;
    to->is_inverted = is_equal == (b.integer == 0);
  }
}

/* The instruction writes `to`: what it holds from here on. */
static void follow(const block *in, const pl_ptx_statement *statement, local *to) {
  const pl_ptx_operand *operands = statement->operands;
  const char *name = statement->name;
  to->value = unknown(to->name);
  if (statement->operand_count < 2)
    return; /* a guard does not matter: without the write there would be no value at all */
  bool moves = begins_with(name, "mov.") || begins_with(name, "cvta.") || begins_with(name, "cvt.u64.u32") ||
               begins_with(name, "cvt.u32.u64");
  local source;
  if (begins_with(name, "setp.")) {
    compare(in, statement, to);
  } else if (moves && operands[1].kind != PL_PTX_VECTOR) {
    to->value = evaluate(in, &operands[1], &source);
    to->cta = source.cta;
    to->is_inverted = source.is_inverted;
  } else if (begins_with(name, "mapa.") && statement->operand_count == 3) {
    to->value = evaluate(in, &operands[1], NULL);
    to->cta = evaluate(in, &operands[2], NULL);
  } else if (begins_with(name, "add.") && statement->operand_count == 3) {
    pl_operand added = evaluate(in, &operands[2], NULL);
    if (added.kind == PL_OPERAND_INTEGER && !added.value)
      to->value = offset_by(evaluate(in, &operands[1], &source), added.integer);
  }
}

/* ---- what an instruction writes ---- */

/* Counts a write of each register in a destination: "d", "r|p", "{a, b}". */
static void add_writes(block *in, const pl_ptx_operand *operand) {
  for (size_t i = 0; i < operand->item_count && operand->kind != PL_PTX_MEMORY; i++)
    add_writes(in, &operand->items[i]);
  if (operand->kind != PL_PTX_NAME || !strcmp(operand->name, "_"))
    return;
  local *to = find(in, operand->name);
  if (to)
    to->writes++;
}

/* "a<4>" declares a0 to a3; who declares more than a few hundred means none of them in particular. */
static size_t declared_by(const pl_ptx_operand *operand) {
  enum { NUMBERED_MOST = 256 };
  return !operand->integer ? 1 : operand->integer <= NUMBERED_MOST ? (size_t)operand->integer : 0;
}

static pl_status declare(block *in, const pl_ptx_operand *operand) {
  for (size_t i = 0; i < declared_by(operand); i++) {
    const char *name = operand->integer ? pl_arena_printf(in->arena, "%s%zu", operand->name, i) : operand->name;
    if (!name)
      return -ENOMEM;
    if (!find(in, name))
      in->locals[in->local_count++] = (local){.name = name, .value = unknown(name)};
  }
  return 0;
}

static pl_status declare_registers(block *in) {
  size_t most = 1;
  for (int pass = 0; pass < 2; pass++) { /* count, then declare */
    for (size_t i = 0; i < in->ptx.count; i++) {
      const pl_ptx_statement *statement = &in->ptx.statements[i];
      if (statement->kind != PL_PTX_DIRECTIVE || strcmp(statement->name, ".reg") != 0)
        continue;
      for (size_t k = 0; k < statement->operand_count; k++) {
        most += declared_by(&statement->operands[k]);
        pl_status status = pass ? declare(in, &statement->operands[k]) : 0;
        if (status)
          return status;
      }
    }
    if (!pass && !(in->locals = pl_arena_array(in->arena, most, sizeof *in->locals)))
      return -ENOMEM;
  }
  return 0;
}

static pl_status read_locals(block *in) {
  pl_status status = declare_registers(in);
  for (size_t i = 0; i < in->ptx.count; i++) {
    pl_operation probe = {0};
    const pl_ptx_statement *statement = &in->ptx.statements[i];
    if (statement->kind == PL_PTX_INSTRUCTION && statement->operand_count &&
        pl_ptx_classify(statement, &probe)[0] == 'r')
      add_writes(in, &statement->operands[0]);
  }
  return status;
}

/* ---- the result of a look or an election ---- */

static const char *last_name(const pl_ptx_operand *operand) {
  if (operand->item_count)
    return last_name(&operand->items[operand->item_count - 1]);
  return operand->kind == PL_PTX_NAME ? operand->name : NULL;
}

static bool mentions(const pl_ptx_operand *operand, const char *name) {
  return operand && operand->kind == PL_PTX_NAME && !strcmp(operand->name, name);
}

/* Which output says what the predicate said: through selp, mov and cvt, or by a move that it guards. */
static int result_of(const block *in, size_t at) {
  const pl_ptx_operand *destination = in->ptx.statements[at].operands;
  if (!in->ptx.statements[at].operand_count)
    return -1;
  if (destination->kind == PL_PTX_PLACEHOLDER)
    return destination->integer < in->outputs ? (int)destination->integer : -1;
  const char *name = last_name(destination);
  for (size_t i = at + 1; name && i < in->ptx.count; i++) {
    const pl_ptx_statement *next = &in->ptx.statements[i];
    bool passes_on =
        next->kind == PL_PTX_INSTRUCTION && next->operand_count > 1 &&
        (begins_with(next->name, "selp.") || begins_with(next->name, "mov.") || begins_with(next->name, "cvt."));
    if (!passes_on || next->operands[0].kind != PL_PTX_PLACEHOLDER || next->operands[0].integer >= in->outputs)
      continue;
    if (mentions(next->guard, name) || mentions(&next->operands[next->operand_count - 1], name))
      return (int)next->operands[0].integer;
  }
  return -1;
}

/* ---- branches ---- */

/* The target of a branch as the number of its label; in->ptx.count when it is none or leads elsewhere. */
static size_t target_of(const block *in, const pl_ptx_statement *branch) {
  if (branch->kind != PL_PTX_INSTRUCTION || !branch->operand_count || branch->operands[0].kind != PL_PTX_NAME ||
      !(begins_with(branch->name, "bra.") || !strcmp(branch->name, "bra")))
    return in->ptx.count;
  for (size_t i = 0; i < in->ptx.count; i++)
    if (in->ptx.statements[i].kind == PL_PTX_LABEL && !strcmp(in->ptx.statements[i].name, branch->operands[0].name))
      return i;
  return in->ptx.count;
}

/* Some branch behind it leads to before it. */
static bool is_in_a_loop(const block *in, size_t at) {
  for (size_t i = at + 1; i < in->ptx.count; i++)
    if (target_of(in, &in->ptx.statements[i]) < at)
      return true;
  return false;
}

/* A guarded branch before it that leads past it; NULL without one. */
static const pl_ptx_statement *jump_over(const block *in, size_t at) {
  for (size_t i = 0; i < at; i++) {
    size_t target = target_of(in, &in->ptx.statements[i]);
    if (target < in->ptx.count && target > at && in->ptx.statements[i].guard)
      return &in->ptx.statements[i];
  }
  return NULL;
}

static void set_guard(const block *in, size_t at, pl_operation *operation) {
  const pl_ptx_statement *statement = &in->ptx.statements[at], *jump = jump_over(in, at);
  const pl_ptx_operand *guard = statement->guard ? statement->guard : jump ? jump->guard : NULL;
  if (!guard)
    return;
  local known;
  operation->guard = evaluate(in, guard, &known);
  operation->guard_inverted = (guard->is_inverted != known.is_inverted) != (jump && !statement->guard);
  if (statement->guard && jump) { /* two conditions: what they are together is not said */
    operation->guard = unknown(guard->name ? guard->name : "");
    operation->guard_inverted = false;
  }
}

/* ---- instructions ---- */

/* "%tid.x" as an operand, whatever the instruction does with it. */
static const char *special_register(const pl_ptx_statement *statement) {
  static const char *const names[] = {"%tid",
                                      "%ntid",
                                      "%ctaid",
                                      "%nctaid",
                                      "%laneid",
                                      "%warpid",
                                      "%nwarpid",
                                      "%lanemask",
                                      "%cluster",
                                      "%ncluster",
                                      "%is_explicit",
                                      "%smid",
                                      "%nsmid",
                                      "%gridid",
                                      "%clock",
                                      "%globaltimer",
                                      "%dynamic_smem",
                                      "%total_smem",
                                      "%aggr_smem",
                                      "%envreg",
                                      "%pm",
                                      "%reserved_smem",
                                      "%current_graph_exec"};
  for (size_t i = 1; i < statement->operand_count; i++)
    for (size_t k = 0; statement->operands[i].kind == PL_PTX_NAME && k < sizeof names / sizeof *names; k++)
      if (begins_with(statement->operands[i].name, names[k]))
        return statement->operands[i].name;
  return NULL;
}

static void set_operands(const block *in, const pl_ptx_statement *statement, const char *letters,
                         pl_operation *operation) {
  for (size_t i = 0; i < statement->operand_count && letters[i]; i++) {
    local known = {0};
    pl_operand value = evaluate(in, &statement->operands[i], &known);
    pl_operation_set(operation, letters[i], value);
    if (letters[i] == 'a' && known.cta.kind != PL_OPERAND_ABSENT)
      operation->cta = known.cta;
  }
}

static void decode_instruction(const block *in, size_t at, pl_operation *operation) {
  const pl_ptx_statement *statement = &in->ptx.statements[at];
  const char *letters = pl_ptx_classify(statement, operation);
  set_operands(in, statement, letters, operation);
  set_guard(in, at, operation);
  if (statement->operand_count && statement->operands[0].kind == PL_PTX_PLACEHOLDER && letters[0] == 'r' &&
      statement->operands[0].integer < in->outputs)
    operation->result = (int)statement->operands[0].integer;
  if (operation->kind == PL_OP_MBARRIER_TEST || operation->kind == PL_OP_ELECT)
    operation->result = result_of(in, at);
  if (operation->kind == PL_OP_MBARRIER_TEST && is_in_a_loop(in, at)) {
    operation->kind = PL_OP_MBARRIER_WAIT;
    operation->result = -1;
    operation->guard = (pl_operand){0};
    operation->guard_inverted = false;
  }
  const char *special = operation->kind == PL_OP_ARITHMETIC ? special_register(statement) : NULL;
  if (special) {
    operation->kind = PL_OP_SPECIAL_REGISTER;
    operation->text = special;
  }
  bool branches = !strcmp(statement->name, "bra") || begins_with(statement->name, "bra.");
  if (branches && target_of(in, statement) == in->ptx.count) {
    operation->kind = PL_OP_UNKNOWN; /* out of the block, or to nowhere */
    operation->text = statement->text;
  }
}

/* A directive that declares registers is the block's own affair; any other one is not understood. */
static bool means_something(const pl_ptx_statement *statement) {
  return statement->kind == PL_PTX_INSTRUCTION || statement->kind == PL_PTX_UNREADABLE ||
         (statement->kind == PL_PTX_DIRECTIVE && strcmp(statement->name, ".reg") != 0 &&
          strcmp(statement->name, ".pragma") != 0);
}

static void update_locals(const block *in, const pl_ptx_statement *statement) {
  pl_operation probe = {0};
  if (statement->kind != PL_PTX_INSTRUCTION || !statement->operand_count ||
      statement->operands[0].kind != PL_PTX_NAME || pl_ptx_classify(statement, &probe)[0] != 'r')
    return;
  local *to = find(in, statement->operands[0].name);
  if (to)
    follow(in, statement, to);
}

pl_status pl_operations_of_asm(LLVMValueRef call, pl_arena *arena, const pl_operation **operations, size_t *count) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  size_t size;
  block in = {.call = call, .arena = arena};
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &size);
  bool has_memory = memmem(constraints, size, "~{memory}", strlen("~{memory}")) != NULL;
  pl_status status = read_constraints(&in, constraints, size);
  if (status)
    return status;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &size);
  if ((status = pl_ptx_asm_read(text, size, arena, &in.ptx)) || (status = read_locals(&in)))
    return status;
  pl_operation *list = pl_arena_array(arena, in.ptx.count + 1, sizeof *list);
  if (!list)
    return -ENOMEM;
  static const char convergent[] = "convergent";
  pl_operation start = {
      .instruction = call,
      .result = -1,
      .has_memory_clobber = has_memory && LLVMGetInlineAsmHasSideEffects(assembly),
      .is_convergent =
          LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(convergent, sizeof convergent - 1)) != NULL,
  };
  for (size_t i = 0; i < in.ptx.count; i++) {
    const pl_ptx_statement *statement = &in.ptx.statements[i];
    if (!means_something(statement))
      continue;
    pl_operation *operation = &list[(*count)++];
    *operation = start;
    if (statement->kind == PL_PTX_INSTRUCTION) {
      decode_instruction(&in, i, operation);
    } else {
      operation->kind = PL_OP_UNKNOWN;
      operation->text = statement->text;
    }
    update_locals(&in, statement);
  }
  *operations = list;
  return 0;
}
