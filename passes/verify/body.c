/* body.c - a function as a graph of operations, and what the checks say about it. */
#include "body.h"

#include "link.h"
#include "llvm_ext.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

typedef struct numbered {
  LLVMBasicBlockRef block;
  size_t number;
} numbered;

static int by_block(const void *a, const void *b) {
  uintptr_t left = (uintptr_t)((const numbered *)a)->block, right = (uintptr_t)((const numbered *)b)->block;
  return (left > right) - (left < right);
}

static pl_status read_operations(pl_arena *arena, pl_body_block *block) {
  size_t capacity = 0;
  pl_operation *list = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block->block); at; at = LLVMGetNextInstruction(at)) {
    const pl_operation *operations;
    size_t count;
    pl_status status = pl_operations_decode(at, arena, &operations, &count);
    if (status)
      return status;
    if (block->operation_count + count > capacity) {
      capacity = 2 * capacity + count + 8;
      pl_operation *larger = pl_arena_array(arena, capacity, sizeof *larger);
      if (!larger)
        return -ENOMEM;
      if (list)
        memcpy(larger, list, block->operation_count * sizeof *larger);
      list = larger;
    }
    if (count)
      memcpy(list + block->operation_count, operations, count * sizeof *list);
    block->operation_count += count;
  }
  block->operations = list;
  return 0;
}

static pl_status read_successors(const numbered *numbers, size_t count, pl_arena *arena, pl_body_block *block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
  unsigned successors = end ? LLVMGetNumSuccessors(end) : 0;
  size_t *list = pl_arena_array(arena, successors + 1, sizeof *list);
  if (!list)
    return -ENOMEM;
  for (unsigned i = 0; i < successors; i++) {
    numbered key = {.block = LLVMGetSuccessor(end, i)};
    const numbered *found = bsearch(&key, numbers, count, sizeof *numbers, by_block);
    if (found)
      list[block->successor_count++] = found->number;
  }
  block->successors = list;
  return 0;
}

static pl_status read_predecessors(pl_body_block *blocks, size_t count, pl_arena *arena) {
  size_t *counts = pl_arena_array(arena, count + 1, sizeof *counts);
  size_t **lists = pl_arena_array(arena, count + 1, sizeof *lists);
  if (!counts || !lists)
    return -ENOMEM;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < blocks[i].successor_count; k++)
      counts[blocks[i].successors[k]]++;
  for (size_t i = 0; i < count; i++)
    if (!(lists[i] = pl_arena_array(arena, counts[i] + 1, sizeof *lists[i])))
      return -ENOMEM;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < blocks[i].successor_count; k++) {
      size_t to = blocks[i].successors[k];
      lists[to][blocks[to].predecessor_count++] = i;
      blocks[to].predecessors = lists[to];
    }
  return 0;
}

pl_status pl_body_read(pl_body *body) {
  pl_arena *arena = body->in->arena;
  size_t count = LLVMCountBasicBlocks(body->function), next = 0;
  pl_body_block *blocks = pl_arena_array(arena, count + 1, sizeof *blocks);
  numbered *numbers = pl_arena_array(arena, count + 1, sizeof *numbers);
  if (!blocks || !numbers)
    return -ENOMEM;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body->function); b; b = LLVMGetNextBasicBlock(b), next++) {
    blocks[next].block = b;
    numbers[next] = (numbered){b, next};
  }
  qsort(numbers, count, sizeof *numbers, by_block);
  pl_status status = 0;
  for (size_t i = 0; i < count && !status; i++)
    if (!(status = read_operations(arena, &blocks[i])))
      status = read_successors(numbers, count, arena, &blocks[i]);
  body->blocks = blocks;
  body->block_count = count;
  return status ? status : read_predecessors(blocks, count, arena);
}

/* ---- saying ---- */

pl_location pl_body_location(const pl_operation *operation) {
  const char *file;
  unsigned line;
  if (operation && pl_llvm_source_line(operation->instruction, &file, &line))
    return (pl_location){.file = file, .line = line};
  return (pl_location){0};
}

/* The same code, summary and line: inlined twice, or in several blocks. */
static bool is_known(const pl_sink *sink, const char *diagnostic, const char *summary, const char *place) {
  for (size_t i = 0; i < sink->count; i++) {
    const pl_diagnostic *known = sink->diagnostics[i];
    bool is_same_place = !place;
    for (size_t k = 0; place && k < known->detail_count; k++)
      is_same_place |= strstr(known->details[k].text, place) != NULL;
    if (!strcmp(known->code, diagnostic) && !strcmp(known->summary, summary) && is_same_place)
      return true;
  }
  return false;
}

bool pl_body_report(const pl_body *body, pl_severity severity, const char *diagnostic, const pl_operation *operation,
                    const char *format, ...) {
  pl_sink *sink = body->in->sink;
  va_list arguments;
  va_start(arguments, format);
  const char *summary = pl_arena_vprintf(body->in->arena, format, arguments);
  va_end(arguments);
  pl_location at = pl_body_location(operation);
  const char *place = at.file ? pl_arena_printf(body->in->arena, "%s:%u", at.file, at.line) : NULL;
  if (!summary || (at.file && !place)) {
    sink->out_of_memory = true;
    return false;
  }
  if (is_known(sink, diagnostic, summary, place))
    return false;
  pl_report(sink, severity, diagnostic, "%s", summary);
  const char *relation = body->role ? pl_arena_printf(body->in->arena, "role '%s' of", body->role->name)
                                    : pl_arena_printf(body->in->arena, "export '%s' of", body->seam->name);
  pl_party party = {.relation = relation,
                    .package = body->package,
                    .version = body->version,
                    .role = NULL,
                    .location = body->role ? body->role->location : body->seam->location};
  pl_side_alone(sink, &party);
  if (place) {
    party = (pl_party){.relation = "in the code", .location = at};
    pl_detail_of(sink, &party, "%s: %s", place, operation->text);
  } else if (operation) {
    pl_detail(sink, "%s", operation->text);
  }
  return true;
}

void pl_body_evidence(const pl_body *body, pl_evidence_state state, const char *diagnostic, const char *format, ...) {
  if (!body->in->link)
    return;
  va_list arguments;
  va_start(arguments, format);
  const char *reason = pl_arena_vprintf(body->in->arena, format, arguments);
  va_end(arguments);
  if (!reason)
    body->in->sink->out_of_memory = true;
  else
    pl_evidence(body->in->link, state, diagnostic, body->subject, "%s", reason);
}
