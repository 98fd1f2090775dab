/* divergence.c - which blocks only some lanes of a warp reach.
 *
 * A value is the same in all lanes, or not, or not known; thread ids are kept apart as "a multiple of 32 plus the
 * lane", because their quotients by 32 and comparisons at warp boundaries are the same in all lanes again. A block is
 * diverged when a branch on a lane's own value decides whether it is reached. Loops whose end a lane's own value
 * decides are another matter: whether lanes part there depends on numbers that are not known.
 */
#include "body.h"

#include <stdlib.h>
#include <string.h>

typedef enum uniformity {
  UNIFORM,
  THREAD,  /* a multiple of 32 plus the lane */
  UNKNOWN, /* of an argument, of a call, out of local memory */
  LANE     /* a lane's own */
} uniformity;

/* ---- values ---- */

typedef struct known_value {
  LLVMValueRef value;
  uniformity is;
} known_value;

typedef struct values {
  known_value *list; /* a hash table with open addressing */
  size_t capacity;
  uniformity arguments; /* of the function: a role's params are the same for all */
  bool has_changed;
} values;

static known_value *slot_of(const values *of, LLVMValueRef value) {
  size_t at = ((uintptr_t)value >> 4) * 0x9e3779b97f4a7c15u >> 20;
  for (;; at++) {
    known_value *slot = &of->list[at % of->capacity];
    if (!slot->value || slot->value == value)
      return slot;
  }
}

static uniformity of_value(const values *of, LLVMValueRef value) {
  if (LLVMIsAConstant(value))
    return UNIFORM;
  if (LLVMIsAArgument(value))
    return of->arguments;
  const known_value *slot = slot_of(of, value);
  return slot->value ? slot->is : UNIFORM;
}

static uniformity join(uniformity a, uniformity b) {
  if (a == b)
    return a;
  uniformity more = a > b ? a : b;
  return more == THREAD ? LANE : more; /* mixed with something else it is no thread id any more */
}

/* Threads in order: between two of them that differ by a comparison with a multiple of 32 lies a warp's edge. */
static bool is_at_warps_edge(LLVMValueRef comparison, LLVMValueRef bound) {
  if (!LLVMIsAConstantInt(bound))
    return false;
  uint64_t number = LLVMConstIntGetZExtValue(bound);
  switch (LLVMGetICmpPredicate(comparison)) {
  case LLVMIntULT:
  case LLVMIntUGE:
  case LLVMIntSLT:
  case LLVMIntSGE:
    return number % 32 == 0;
  case LLVMIntUGT:
  case LLVMIntULE:
  case LLVMIntSGT:
  case LLVMIntSLE:
    return number % 32 == 31;
  default:
    return number > 1023; /* no thread has it */
  }
}

static uniformity of_binary(LLVMOpcode opcode, LLVMValueRef instruction, uniformity a, uniformity b) {
  LLVMValueRef right = LLVMGetOperand(instruction, 1);
  if (a == THREAD && LLVMIsAConstantInt(right)) {
    uint64_t number = LLVMConstIntGetZExtValue(right);
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor:
    case LLVMURem:
      return number % 32 == 0 && (opcode != LLVMURem || number) ? THREAD : LANE;
    case LLVMLShr:
    case LLVMAShr:
      return number >= 5 ? UNIFORM : LANE;
    case LLVMUDiv:
    case LLVMSDiv:
      return number && number % 32 == 0 ? UNIFORM : LANE;
    case LLVMAnd:
      return number % 32 == 0 ? UNIFORM : number % 32 == 31 ? THREAD : LANE;
    case LLVMICmp:
      return is_at_warps_edge(instruction, right) ? UNIFORM : LANE;
    default:
      return LANE;
    }
  }
  return join(a == THREAD ? LANE : a, b == THREAD ? LANE : b);
}

static uniformity of_operands(const values *of, LLVMValueRef instruction, unsigned count) {
  uniformity is = UNIFORM;
  for (unsigned i = 0; i < count; i++) {
    uniformity operand = of_value(of, LLVMGetOperand(instruction, i));
    is = join(is, operand == THREAD ? LANE : operand);
  }
  return is;
}

/* What an asm block or an intrinsic gives. */
static uniformity of_operation(const pl_operation *operation, uniformity operands) {
  switch (operation->kind) {
  case PL_OP_SPECIAL_REGISTER:
    if (!strcmp(operation->text, "%tid.x") || !strcmp(operation->text, "%laneid"))
      return THREAD;
    return strstr(operation->text, "lanemask") ? LANE : strstr(operation->text, "clock") ? UNKNOWN : UNIFORM;
  case PL_OP_ELECT:
    return LANE;
  case PL_OP_ATOMIC:
    return UNKNOWN; /* with a uniform address each lane gets another value, but not of what a branch asks, often */
  case PL_OP_SHUFFLE:
    if (strstr(operation->text, "shfl") && !strstr(operation->text, ".idx"))
      return operands;
    return UNIFORM; /* votes, and one lane's value for all, as far as is known */
  case PL_OP_CALL:
    return UNKNOWN;
  default:
    return operands;
  }
}

static uniformity of_call(const values *of, const pl_body_block *block, LLVMValueRef call) {
  uniformity operands = of_operands(of, call, LLVMGetNumArgOperands(call)), is = operands;
  for (size_t i = 0; i < block->operation_count; i++)
    if (block->operations[i].instruction == call && block->operations[i].kind != PL_OP_ARITHMETIC)
      is = of_operation(&block->operations[i], operands);
  return is;
}

static uniformity of_instruction(const values *of, const pl_body_block *block, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMFreeze:
    return of_value(of, LLVMGetOperand(instruction, 0));
  case LLVMAlloca:
    return UNIFORM;
  case LLVMLoad: {
    int64_t offset = 0;
    if (LLVMIsAAllocaInst(pl_body_base(LLVMGetOperand(instruction, 0), &offset)))
      return UNKNOWN;
    uniformity address = of_value(of, LLVMGetOperand(instruction, 0));
    return address == THREAD ? LANE : address == UNKNOWN ? UNIFORM : address; /* one address, one value */
  }
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return UNKNOWN;
  case LLVMCall:
  case LLVMInvoke:
    return of_call(of, block, instruction);
  case LLVMPHI: {
    uniformity is = UNIFORM;
    for (unsigned i = 0; i < LLVMCountIncoming(instruction); i++) {
      uniformity incoming = of_value(of, LLVMGetIncomingValue(instruction, i));
      is = i ? join(is, incoming) : incoming;
    }
    return is;
  }
  default:
    break;
  }
  if (LLVMGetNumOperands(instruction) == 2 && (LLVMIsABinaryOperator(instruction) || opcode == LLVMICmp))
    return of_binary(opcode, instruction, of_value(of, LLVMGetOperand(instruction, 0)),
                     of_value(of, LLVMGetOperand(instruction, 1)));
  return of_operands(of, instruction, (unsigned)LLVMGetNumOperands(instruction));
}

static void update(values *of, LLVMValueRef instruction, uniformity is) {
  known_value *slot = slot_of(of, instruction);
  uniformity joined = slot->value && slot->is > is ? slot->is : is; /* only ever more */
  if (!slot->value || slot->is != joined) {
    of->has_changed |= joined != UNIFORM;
    *slot = (known_value){instruction, joined};
  }
}

static bool read_values(const pl_body *body, values *of) {
  size_t instructions = 0;
  for (size_t i = 0; i < body->block_count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(body->blocks[i].block); at; at = LLVMGetNextInstruction(at))
      instructions++;
  of->capacity = 2 * instructions + 16;
  of->list = pl_arena_array(body->in->arena, of->capacity, sizeof *of->list);
  if (!of->list)
    return false;
  do {
    of->has_changed = false;
    for (size_t i = 0; i < body->block_count; i++)
      for (LLVMValueRef at = LLVMGetFirstInstruction(body->blocks[i].block); at; at = LLVMGetNextInstruction(at))
        update(of, at, of_instruction(of, &body->blocks[i], at));
  } while (of->has_changed);
  return true;
}

/* ---- blocks ---- */

/* after[i]: the blocks that every way from block i to the function's end passes, as bits. */
typedef struct postdominators {
  uint64_t *bits;
  size_t words;
} postdominators;

static bool is_after(const postdominators *in, size_t later, size_t block) {
  return in->bits[block * in->words + later / 64] >> later % 64 & 1;
}

/* Every way from the block ends in a trap, or in a loop without end. */
static bool is_dead_end(const pl_body *body, const postdominators *in, size_t block) {
  return is_after(in, body->block_count, block); /* no block: a bit that only an untouched set has */
}

/* Ways that end in a trap do not count: nobody comes back from there. */
static bool read_postdominators(const pl_body *body, postdominators *in) {
  in->words = body->block_count / 64 + 1;
  in->bits = pl_arena_array(body->in->arena, body->block_count * in->words, sizeof *in->bits);
  if (!in->bits)
    return false;
  memset(in->bits, 0xff, body->block_count * in->words * sizeof *in->bits);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = body->block_count; i-- > 0;) {
      const pl_body_block *block = &body->blocks[i];
      LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
      uint64_t *mine = &in->bits[i * in->words];
      for (size_t word = 0; word < in->words; word++) {
        uint64_t all = end && LLVMIsAUnreachableInst(end) ? UINT64_MAX : block->successor_count ? UINT64_MAX : 0;
        for (size_t k = 0; k < block->successor_count; k++)
          all &= in->bits[block->successors[k] * in->words + word];
        if (word == i / 64)
          all |= UINT64_C(1) << i % 64;
        has_changed |= all != mine[word];
        mine[word] = all;
      }
    }
  }
  return true;
}

static void blame(pl_convergence *states, LLVMValueRef *causes, size_t block, pl_convergence state,
                  LLVMValueRef branch) {
  if (state <= states[block])
    return;
  states[block] = state;
  causes[block] = branch;
}

/* Every block that the branch decides about: those on the way to where its ways meet, and of a loop that it ends those
 * of the next round, up to itself. */
static void spread(const pl_body *body, const postdominators *after, size_t branch, uniformity condition,
                   pl_convergence *states, LLVMValueRef *causes) {
  const pl_body_block *from = &body->blocks[branch];
  for (size_t k = 0; k < from->successor_count; k++) {
    size_t first = from->successors[k];
    if (is_dead_end(body, after, first))
      continue;
    bool ends_a_loop = is_after(after, branch, first);
    pl_convergence state = condition == UNKNOWN || ends_a_loop ? PL_UNDECIDED : PL_DIVERGED;
    for (size_t i = 0; i < body->block_count; i++)
      if (is_after(after, i, first) && (!is_after(after, i, branch) || (ends_a_loop && is_after(after, branch, i))))
        blame(states, causes, i, state, LLVMGetBasicBlockTerminator(from->block));
  }
}

const pl_convergence *pl_body_convergence(const pl_body *body, const LLVMValueRef **causes) {
  values of = {.arguments = body->role ? UNIFORM : UNKNOWN};
  postdominators after = {0};
  pl_convergence *states = pl_arena_array(body->in->arena, body->block_count + 1, sizeof *states);
  LLVMValueRef *blamed = pl_arena_array(body->in->arena, body->block_count + 1, sizeof *blamed);
  if (!states || !blamed || !read_values(body, &of) || !read_postdominators(body, &after)) {
    body->in->sink->out_of_memory = true;
    return NULL;
  }
  *causes = blamed;
  for (size_t i = 0; i < body->block_count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body->blocks[i].block);
    bool is_conditional = end && body->blocks[i].successor_count > 1;
    uniformity condition = is_conditional ? of_value(&of, LLVMGetOperand(end, 0)) : UNIFORM;
    if (condition != UNIFORM)
      spread(body, &after, i, condition == THREAD ? LANE : condition, states, blamed);
  }
  /* Where a branch stands that only some lanes reach, what it decides about is no better. */
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < body->block_count; i++) {
      if (states[i] == PL_CONVERGED || body->blocks[i].successor_count < 2)
        continue;
      for (size_t k = 0; k < body->blocks[i].successor_count; k++)
        for (size_t b = 0, first = body->blocks[i].successors[k]; b < body->block_count; b++)
          if (!is_dead_end(body, &after, first) && is_after(&after, b, first) && !is_after(&after, b, i) &&
              states[b] < states[i]) {
            blame(states, blamed, b, states[i], blamed[i]);
            has_changed = true;
          }
    }
  }
  return states;
}
