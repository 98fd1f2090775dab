/* emulate_slice.c - which instructions of a kernel its synchronisation depends on.
 *
 * Roots are the operations, the accesses to memory that may be shared, and the branches; an instruction is needed when
 * a root's address, count, parity, predicate or condition is made from it. What a shared location holds is needed only
 * where somebody who needs it may load it, so stored values are not roots. emulate_program.c translates the result.
 */
#include "emulate_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  LLVMValueRef instruction;
  const pl_operation *operations;
  size_t operation_count;
  uint32_t number;
  bool is_needed, is_read; /* it has a step; something needed is made from its value */
} entry;

struct pl_emulate_slice {
  entry *entries; /* open addressing */
  size_t capacity, size, operation_count;
  LLVMValueRef *work; /* needed instructions whose operands have not been looked at */
  size_t work_count;
};

static size_t hash(const pl_emulate_slice *slice, LLVMValueRef value) {
  return ((uintptr_t)value >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (slice->capacity - 1);
}

static entry *find(const pl_emulate_slice *slice, LLVMValueRef instruction) {
  for (size_t i = hash(slice, instruction);; i = (i + 1) & (slice->capacity - 1)) {
    if (slice->entries[i].instruction == instruction)
      return &slice->entries[i];
    if (!slice->entries[i].instruction)
      return NULL;
  }
}

static entry *insert(pl_emulate_slice *slice, LLVMValueRef instruction) {
  size_t i = hash(slice, instruction);
  while (slice->entries[i].instruction)
    i = (i + 1) & (slice->capacity - 1);
  slice->entries[i].instruction = instruction;
  slice->entries[i].number = PL_EMULATE_NONE;
  return &slice->entries[i];
}

/* ---- pointers ---- */

static LLVMValueRef through_casts(LLVMValueRef pointer) {
  for (;;) {
    LLVMOpcode opcode = LLVMIsAInstruction(pointer)    ? LLVMGetInstructionOpcode(pointer)
                        : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                                       : (LLVMOpcode)0;
    if (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast)
      return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static bool may_be_shared(LLVMValueRef pointer, unsigned depth) {
  pointer = through_casts(pointer);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  if (space == 3 || space == 7)
    return true;
  if (space != 0 || LLVMIsAGlobalValue(pointer) || LLVMIsAArgument(pointer) || LLVMIsAAllocaInst(pointer))
    return false;
  if (LLVMIsALoadInst(pointer)) /* pointers come from parameters and global memory */
    return false;
  if (depth == 0)
    return true;
  if (LLVMIsASelectInst(pointer))
    return may_be_shared(LLVMGetOperand(pointer, 1), depth - 1) || may_be_shared(LLVMGetOperand(pointer, 2), depth - 1);
  if (LLVMIsAPHINode(pointer)) {
    for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++) {
      LLVMValueRef from = LLVMGetIncomingValue(pointer, i);
      if (through_casts(from) != pointer && may_be_shared(from, depth - 1))
        return true;
    }
    return false;
  }
  return !LLVMIsConstant(pointer);
}

bool pl_emulate_may_be_shared(LLVMValueRef pointer) {
  return may_be_shared(pointer, 4);
}

/* ---- marking ---- */

static void need_root(pl_emulate_slice *slice, entry *root) {
  if (!root->is_needed)
    slice->work[slice->work_count++] = root->instruction;
  root->is_needed = true;
}

static void need(pl_emulate_slice *slice, LLVMValueRef value) {
  entry *found = value && LLVMIsAInstruction(value) ? find(slice, value) : NULL;
  if (!found || found->is_read)
    return;
  found->is_needed = found->is_read = true;
  slice->work[slice->work_count++] = value;
}

static void need_operand(pl_emulate_slice *slice, const pl_operand *operand) {
  if (operand->kind == PL_OPERAND_VALUE)
    need(slice, operand->value);
}

static void need_operation(pl_emulate_slice *slice, const pl_operation *operation) {
  const pl_operand *operands[] = {&operation->address, &operation->source, &operation->source_b, &operation->barrier,
                                  &operation->id,      &operation->count,  &operation->parity,   &operation->bytes,
                                  &operation->mask,    &operation->guard};
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
    need_operand(slice, operands[i]);
}

static bool is_intrinsic_call(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  return callee && LLVMGetIntrinsicID(callee);
}

static void need_arguments(pl_emulate_slice *slice, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count && i < 4; i++)
    need(slice, LLVMGetOperand(call, i));
}

/* Lanes of a warp exchange values: they meet, whether or not somebody needs what they get. */
static bool is_exchange(const entry *candidate) {
  return candidate->operation_count == 1 && candidate->operations->kind == PL_OP_SHUFFLE;
}

/* What a needed instruction is made from. */
static void need_operands(pl_emulate_slice *slice, LLVMValueRef instruction) {
  const entry *found = find(slice, instruction);
  for (size_t i = 0; i < found->operation_count; i++)
    need_operation(slice, &found->operations[i]);
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMCall:
    if (is_intrinsic_call(instruction) && /* of an asm block only what its operations name */
        (found->is_read || !is_exchange(found)))
      need_arguments(slice, instruction);
    return;
  case LLVMStore: /* the value only where something else needs it, too */
    need(slice, LLVMGetOperand(instruction, 1));
    return;
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(instruction); i++)
      need(slice, LLVMGetIncomingValue(instruction, i));
    return;
  case LLVMBr:
    if (LLVMIsConditional(instruction))
      need(slice, LLVMGetCondition(instruction));
    return;
  default:
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
      need(slice, LLVMGetOperand(instruction, (unsigned)i));
  }
}

/* Functions that neither synchronise nor return what synchronisation could depend on. */
static bool is_harmless_call(const char *name) {
  return name && (pl_is_system_call(name) || !strcmp(name, "__nvvm_reflect"));
}

/* False for operations that the run passes over: what they do is nobody's business but their thread's. */
bool pl_emulate_matters(const pl_operation *operation) {
  switch (operation->kind) {
  case PL_OP_ARITHMETIC:
  case PL_OP_SPECIAL_REGISTER:
  case PL_OP_ATOMIC:
  case PL_OP_WGMMA_FENCE:
  case PL_OP_FENCE:
  case PL_OP_FENCE_OTHER:
  case PL_OP_FENCE_MBARRIER_INIT:
  case PL_OP_SETMAXNREG:
  case PL_OP_PREFETCH:
  case PL_OP_GRID_DEPENDENCY:
  case PL_OP_TCGEN05_ALLOC:
  case PL_OP_TCGEN05_DEALLOC:
  case PL_OP_TCGEN05_RELINQUISH:
  case PL_OP_TCGEN05_LOAD:
  case PL_OP_TCGEN05_STORE:
  case PL_OP_TCGEN05_WAIT:
  case PL_OP_TCGEN05_FENCE:
    return false;
  case PL_OP_MMA: /* ldmatrix and stmatrix */
  case PL_OP_LOAD:
  case PL_OP_STORE:
    return (operation->source.kind != PL_OPERAND_ABSENT || operation->address.kind != PL_OPERAND_ABSENT) &&
           (operation->space == PL_SPACE_GENERIC || operation->space == PL_SPACE_SHARED ||
            operation->space == PL_SPACE_CLUSTER);
  case PL_OP_CALL:
    return !is_harmless_call(operation->text);
  default:
    return true;
  }
}

static bool is_root(const entry *candidate) {
  LLVMValueRef instruction = candidate->instruction;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMBr:
  case LLVMSwitch:
    return true;
  case LLVMLoad:
    return pl_emulate_may_be_shared(LLVMGetOperand(instruction, 0));
  case LLVMStore:
    return pl_emulate_may_be_shared(LLVMGetOperand(instruction, 1));
  default:
    for (size_t i = 0; i < candidate->operation_count; i++)
      if (pl_emulate_matters(&candidate->operations[i]))
        return true;
    return false;
  }
}

/* ---- the whole ---- */

static pl_status collect(pl_emulate_slice *slice, LLVMValueRef kernel, pl_arena *arena) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      entry *made = insert(slice, i);
      LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
      if (opcode != LLVMCall && opcode != LLVMAtomicRMW && opcode != LLVMAtomicCmpXchg && opcode != LLVMFence)
        continue;
      pl_status status = pl_operations_decode(i, arena, &made->operations, &made->operation_count);
      if (status)
        return status;
    }
  }
  return 0;
}

static void number(pl_emulate_slice *slice, LLVMValueRef kernel) {
  uint32_t next = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      entry *found = find(slice, i);
      if (!found->is_needed)
        continue;
      found->number = next++;
      slice->operation_count += found->operation_count;
    }
  }
  slice->size = next;
}

pl_status pl_emulate_slice_make(LLVMValueRef kernel, pl_arena *arena, pl_emulate_slice **result) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      count++;
  pl_emulate_slice *slice = pl_arena_alloc(arena, sizeof *slice);
  if (!slice)
    return -ENOMEM;
  slice->capacity = 64;
  while (slice->capacity < 2 * count)
    slice->capacity *= 2;
  slice->entries = pl_arena_array(arena, slice->capacity, sizeof *slice->entries);
  slice->work = pl_arena_array(arena, 2 * count + 1, sizeof(LLVMValueRef)); /* as a root, and as a value */
  if (!slice->entries || !slice->work)
    return -ENOMEM;
  pl_status status = collect(slice, kernel, arena);
  if (status)
    return status;
  for (size_t i = 0; i < slice->capacity; i++)
    if (slice->entries[i].instruction && is_root(&slice->entries[i]))
      need_root(slice, &slice->entries[i]);
  while (slice->work_count)
    need_operands(slice, slice->work[--slice->work_count]);
  number(slice, kernel);
  *result = slice;
  return 0;
}

uint32_t pl_emulate_slice_find(const pl_emulate_slice *slice, LLVMValueRef instruction) {
  const entry *found = LLVMIsAInstruction(instruction) ? find(slice, instruction) : NULL;
  return found && found->is_needed ? found->number : PL_EMULATE_NONE;
}

const pl_operation *pl_emulate_slice_operations(const pl_emulate_slice *slice, LLVMValueRef instruction,
                                                size_t *count) {
  const entry *found = find(slice, instruction);
  *count = found ? found->operation_count : 0;
  return found ? found->operations : NULL;
}

size_t pl_emulate_slice_size(const pl_emulate_slice *slice) {
  return slice->size;
}

size_t pl_emulate_slice_operation_count(const pl_emulate_slice *slice) {
  return slice->operation_count;
}
