/* emulate_program.c - from the IR of a simplified kernel to the emulator's steps (emulate_program.h).
 *
 * emulate_slice.c has said what is needed. Every needed instruction is a register; a chain of indices becomes one step
 * per index. What the emulator has no step for yields an unknown value, which is named after what it was made from.
 */
#include "emulate_build.h"

#include <errno.h>
#include <string.h>

enum { STEP_LIMIT = 40000 }; /* a kernel with more is left: its checks would cost more than its link */

pl_emulate_step *pl_emulate_add(pl_emulate_builder *builder, pl_emulate_code code, LLVMValueRef instruction) {
  pl_emulate_program *program = builder->program;
  if (program->step_count == builder->step_capacity) {
    size_t capacity = builder->step_capacity ? 2 * builder->step_capacity : 256;
    pl_emulate_step *steps = pl_arena_array(builder->arena, capacity, sizeof *steps);
    if (!steps) {
      builder->failed = true;
      return &builder->spare;
    }
    if (program->step_count)
      memcpy(steps, program->steps, program->step_count * sizeof *steps);
    program->steps = steps;
    builder->step_capacity = capacity;
  }
  pl_emulate_step *step = &program->steps[program->step_count++];
  *step = (pl_emulate_step){.code = (uint8_t)code,
                            .instruction = instruction,
                            .result = PL_EMULATE_NONE,
                            .a = PL_EMULATE_NONE,
                            .b = PL_EMULATE_NONE,
                            .c = PL_EMULATE_NONE,
                            .width = 64,
                            .from_width = 64};
  return step;
}

/* ---- blocks and edges ---- */

static uint32_t block_index(const pl_emulate_builder *builder, LLVMBasicBlockRef block) {
  uint32_t low = 0, high = (uint32_t)builder->program->block_count;
  while (low + 1 < high) { /* sorted by address */
    uint32_t middle = (low + high) / 2;
    if ((uintptr_t)builder->blocks[middle].block <= (uintptr_t)block)
      low = middle;
    else
      high = middle;
  }
  return builder->blocks[low].index;
}

static void sort_blocks(pl_emulate_block *blocks, size_t count) {
  for (size_t gap = count / 2; gap; gap /= 2)
    for (size_t i = gap; i < count; i++)
      for (size_t k = i; k >= gap && (uintptr_t)blocks[k - gap].block > (uintptr_t)blocks[k].block; k -= gap) {
        pl_emulate_block moved = blocks[k];
        blocks[k] = blocks[k - gap];
        blocks[k - gap] = moved;
      }
}

/* The next edge of the program, from `from` to `to`. */
static uint32_t add_edge(pl_emulate_builder *builder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  pl_emulate_program *program = builder->program;
  uint32_t index = (uint32_t)program->edge_count++;
  pl_emulate_edge *edge = &program->edges[index];
  *edge = (pl_emulate_edge){.block = block_index(builder, to), .first_move = (uint32_t)program->move_count};
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    uint32_t result = pl_emulate_slice_find(builder->slice, phi);
    if (result == PL_EMULATE_NONE)
      continue;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      if (LLVMGetIncomingBlock(phi, i) != from)
        continue;
      program->moves[program->move_count++] =
          (pl_emulate_move){.to = result, .from = pl_emulate_reference(builder, LLVMGetIncomingValue(phi, i))};
      edge->move_count++;
      break;
    }
  }
  return index;
}

static void translate_branch(pl_emulate_builder *builder, LLVMBasicBlockRef block, LLVMValueRef branch) {
  if (!LLVMIsConditional(branch)) {
    uint32_t edge = add_edge(builder, block, LLVMGetSuccessor(branch, 0));
    pl_emulate_add(builder, PL_STEP_JUMP, branch)->target = edge;
    return;
  }
  uint32_t condition = pl_emulate_reference(builder, LLVMGetCondition(branch));
  uint32_t taken = add_edge(builder, block, LLVMGetSuccessor(branch, 0));
  uint32_t other = add_edge(builder, block, LLVMGetSuccessor(branch, 1));
  pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_BRANCH, branch);
  step->a = condition;
  step->target = taken;
  step->other = other;
  step->offset = (int64_t)builder->program->decision_count++;
}

static void translate_switch(pl_emulate_builder *builder, LLVMBasicBlockRef block, LLVMValueRef instruction) {
  pl_emulate_program *program = builder->program;
  uint32_t value = pl_emulate_reference(builder, LLVMGetOperand(instruction, 0));
  uint32_t fallback = add_edge(builder, block, LLVMGetSwitchDefaultDest(instruction));
  size_t first = program->case_count;
  unsigned successors = LLVMGetNumSuccessors(instruction);
  for (unsigned i = 1; i < successors; i++) {
    uint32_t edge = add_edge(builder, block, LLVMGetSuccessor(instruction, i));
    LLVMValueRef constant = LLVMGetSwitchCaseValue(instruction, i);
    program->cases[program->case_count++] =
        (pl_emulate_case){.value = LLVMConstIntGetZExtValue(constant), .edge = edge};
  }
  pl_emulate_step *step = pl_emulate_add(builder, PL_STEP_SWITCH, instruction);
  step->a = value;
  step->target = fallback;
  step->offset = (int64_t)first;
  step->count = successors - 1;
}

static void translate_terminator(pl_emulate_builder *builder, LLVMBasicBlockRef block) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
  switch (LLVMGetInstructionOpcode(terminator)) {
  case LLVMBr:
    translate_branch(builder, block, terminator);
    return;
  case LLVMSwitch:
    translate_switch(builder, block, terminator);
    return;
  case LLVMRet:
    pl_emulate_add(builder, PL_STEP_RETURN, terminator);
    return;
  default:
    pl_emulate_add(builder, PL_STEP_TRAP, terminator);
  }
}

/* ---- the whole ---- */

static pl_status allocate(pl_emulate_builder *builder, LLVMValueRef kernel) {
  pl_emulate_program *program = builder->program;
  size_t edges = 0, moves = 0, cases = 0, decisions = 0;
  program->block_count = LLVMCountBasicBlocks(kernel);
  builder->blocks = pl_arena_array(builder->arena, program->block_count, sizeof *builder->blocks);
  program->block_steps = pl_arena_array(builder->arena, program->block_count, sizeof *program->block_steps);
  if (!builder->blocks || !program->block_steps)
    return -ENOMEM;
  uint32_t index = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block)) {
    builder->blocks[index] = (pl_emulate_block){.block = block, .index = index};
    index++;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    unsigned successors = LLVMGetNumSuccessors(terminator);
    edges += successors;
    cases += successors;
    decisions += successors == 2;
    for (unsigned i = 0; i < successors; i++)
      for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(terminator, i)); phi && LLVMIsAPHINode(phi);
           phi = LLVMGetNextInstruction(phi))
        moves += pl_emulate_slice_find(builder->slice, phi) != PL_EMULATE_NONE;
  }
  sort_blocks(builder->blocks, program->block_count);
  program->edges = pl_arena_array(builder->arena, edges + 1, sizeof *program->edges);
  program->moves = pl_arena_array(builder->arena, moves + 1, sizeof *program->moves);
  program->cases = pl_arena_array(builder->arena, cases + 1, sizeof *program->cases);
  program->decisions = pl_arena_array(builder->arena, decisions + 1, sizeof *program->decisions);
  size_t operations = pl_emulate_slice_operation_count(builder->slice);
  program->operations = pl_arena_array(builder->arena, operations + 1, sizeof *program->operations);
  return program->edges && program->moves && program->cases && program->decisions && program->operations ? 0 : -ENOMEM;
}

pl_status pl_emulate_translate(LLVMValueRef kernel, LLVMTargetDataRef layout, pl_arena *arena,
                               pl_emulate_program *program) {
  *program = (pl_emulate_program){0};
  pl_emulate_builder builder = {.program = program, .arena = arena, .layout = layout};
  pl_status status = pl_emulate_slice_make(kernel, arena, &builder.slice);
  if (status)
    return status;
  if (pl_emulate_slice_size(builder.slice) > STEP_LIMIT) {
    program->too_large = "the kernel's synchronisation depends on too many instructions";
    return 0;
  }
  program->register_count = (uint32_t)pl_emulate_slice_size(builder.slice);
  if ((status = allocate(&builder, kernel)))
    return status;
  uint32_t index = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block)) {
    program->block_steps[index++] = (uint32_t)program->step_count;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i))
      pl_emulate_translate_instruction(&builder, i);
    translate_terminator(&builder, block);
  }
  if (builder.failed)
    return -ENOMEM;
  return pl_emulate_flow(program, arena);
}
