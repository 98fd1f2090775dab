/* emulate.c - eighth phase: runs the kernel's synchronisation on the host, before it costs anything to have it wrong.
 *
 * Declarations say how rings are meant; whether the code keeps to them - who arrives, how often, in which phase, in
 * which order, and when a slot is touched - only shows when roles run against each other. So they do: a copy of the
 * kernel, cut down to what its barriers depend on, is run with concrete threads for one choice of what the host may
 * choose (emulate_machine.c). What is found holds for that choice; it is an error only when it must hold for every
 * other one, too. What cannot be followed is reported as undecided, never as wrong.
 */
#include "emulate_tell.h"
#include "prepare.h"

#include <errno.h>
#include <string.h>

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

enum {
  FIRST_NUMBER = 64,      /* what the host chooses: in the first run, */
  LAST_NUMBER = 1 << 15,  /* and at most */
  ENOUGH_STEPS = 1500000, /* of one run, all threads together, when every ring has gone round */
  STEP_LIMIT = 6000000    /* and when not */
};

/* ---- the setup ---- */

static uint32_t role_bits(const pl_link *link, const pl_ring_side *side) {
  uint32_t bits = 0;
  for (size_t i = 0; i < link->role_count; i++)
    if (link->roles[i].instance == side->instance && link->roles[i].role == side->role)
      bits |= UINT32_C(1) << i;
  return bits;
}

static pl_emulate_ring describe_ring(const pl_link *link, const pl_joined_ring *joined) {
  const pl_ring *declared = joined->producer.ring;
  bool is_named = declared->protocol == PL_RING_NAMED;
  uint32_t base = is_named ? 0 : PL_EMULATE_ARENA;
  pl_emulate_ring ring = {.slots = PL_EMULATE_ARENA + (uint32_t)joined->slots,
                          .slot_bytes = (uint32_t)declared->slot_bytes,
                          .full = base + (uint32_t)joined->full,
                          .empty = base + (uint32_t)joined->empty,
                          .depth = joined->depth,
                          .is_named = is_named,
                          .is_pre_arrived = declared->credit == PL_CREDIT_PRE_ARRIVE,
                          .counts_bytes = declared->protocol == PL_RING_TMA,
                          .producers = role_bits(link, &joined->producer)};
  for (size_t i = 0; i < joined->consumer_count; i++)
    ring.consumers |= role_bits(link, &joined->consumers[i]);
  for (size_t i = 0; i < link->buffer_count; i++) {
    uint64_t from = link->buffers[i].offset, to = from + link->buffers[i].buffer->bytes;
    if (!link->buffers[i].buffer->overlay || to <= joined->slots ||
        from >= joined->slots + declared->slot_bytes * joined->depth)
      continue;
    ring.overlay = PL_EMULATE_ARENA + (uint32_t)from;
    ring.overlay_end = PL_EMULATE_ARENA + (uint32_t)to;
  }
  return ring;
}

static uint32_t copy_bytes(const pl_type *type) {
  uint64_t bytes = type->element ? type->element->size : 0;
  for (unsigned i = 0; i < type->rank && i < 5; i++)
    bytes *= type->box[i];
  return type->kind == PL_TYPE_TENSOR_MAP && bytes <= PL_TX_MOST ? (uint32_t)bytes : 0;
}

static pl_status describe_fields(const pl_link *link, pl_arena *arena, pl_emulate_setup *setup) {
  size_t count = 0;
  for (size_t i = 0; i < link->params_count; i++)
    count += link->params[i].params->field_count;
  pl_emulate_field *fields = pl_arena_array(arena, count + 1, sizeof *fields);
  if (!fields)
    return -ENOMEM;
  for (size_t i = 0; i < link->params_count; i++) {
    for (size_t k = 0; k < link->params[i].params->field_count; k++) {
      const pl_field *field = &link->params[i].params->fields[k];
      fields[setup->field_count++] =
          (pl_emulate_field){.offset = link->params[i].offset + field->offset,
                             .size = field->type->size,
                             .is_number = field->type->kind == PL_TYPE_INTEGER && !field->bit_width,
                             .is_bool = field->type->kind == PL_TYPE_BOOL && !field->bit_width,
                             .is_pointer = field->type->kind == PL_TYPE_POINTER,
                             .copy_bytes = copy_bytes(field->type),
                             .swizzle = field->type->swizzle};
    }
  }
  setup->fields = fields;
  return 0;
}

static pl_status describe(const pl_link *link, pl_arena *arena, pl_emulate_setup *setup) {
  *setup = (pl_emulate_setup){.warps = (link->threads + 31) / 32,
                              .shared_bytes = link->shared_size,
                              .role_count = link->role_count,
                              .ring_count = link->ring_count,
                              .number = FIRST_NUMBER,
                              .enough_steps = ENOUGH_STEPS,
                              .step_limit = STEP_LIMIT};
  pl_emulate_role *roles = pl_arena_array(arena, link->role_count + 1, sizeof *roles);
  pl_emulate_ring *rings = pl_arena_array(arena, link->ring_count + 1, sizeof *rings);
  if (!roles || !rings)
    return -ENOMEM;
  for (size_t i = 0; i < link->role_count; i++)
    roles[i] = (pl_emulate_role){link->roles[i].first_warp, link->roles[i].warps};
  for (size_t i = 0; i < link->ring_count; i++)
    rings[i] = describe_ring(link, &link->rings[i]);
  setup->roles = roles;
  setup->rings = rings;
  return describe_fields(link, arena, setup);
}

/* An access by which threads may tell each other something without a barrier. */
static bool is_flag(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return pl_emulate_may_be_shared(LLVMGetOperand(instruction, 0));
  case LLVMLoad:
    return (LLVMGetVolatile(instruction) || LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) &&
           pl_emulate_may_be_shared(LLVMGetOperand(instruction, 0));
  default:
    return false;
  }
}

/* The same in asm. */
static bool is_flag_operation(const pl_operation *operation) {
  return operation->space != PL_SPACE_GLOBAL &&
         (operation->kind == PL_OP_ATOMIC ||
          (operation->kind == PL_OP_LOAD && (operation->is_volatile || operation->is_acquire)));
}

static pl_status find_flags(LLVMValueRef kernel, pl_arena *arena, bool *found) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !*found; i = LLVMGetNextInstruction(i)) {
      const pl_operation *operations = NULL;
      size_t count = 0;
      pl_status status = LLVMIsACallInst(i) ? pl_operations_decode(i, arena, &operations, &count) : 0;
      if (status)
        return status;
      *found = is_flag(i);
      for (size_t k = 0; k < count; k++)
        *found |= is_flag_operation(&operations[k]);
    }
  return 0;
}

static pl_status describe_buffers(const pl_link *link, LLVMValueRef kernel, pl_arena *arena, pl_emulate_setup *setup) {
  pl_emulate_buffer *buffers = pl_arena_array(arena, link->buffer_count + 1, sizeof *buffers);
  bool has_flags = false;
  pl_status status = buffers ? 0 : -ENOMEM;
  if (!status && link->buffer_count)
    status = find_flags(kernel, arena, &has_flags);
  for (size_t i = 0; i < link->buffer_count && !status; i++) {
    uint32_t begin = PL_EMULATE_ARENA + (uint32_t)link->buffers[i].offset;
    buffers[i] = (pl_emulate_buffer){begin, begin + (uint32_t)link->buffers[i].buffer->bytes, i};
  }
  setup->buffers = buffers;
  setup->buffer_count = has_flags ? 0 : link->buffer_count;
  return status;
}

/* ---- runs ---- */

bool pl_emulate_has_gone_round(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  for (size_t i = 0; i < setup->ring_count; i++)
    if (outcome->rings[i].fills < 2 * setup->rings[i].depth + 2)
      return false;
  return true;
}

/* Somebody has decided something by what the host chooses. */
static bool depends_on_host(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  uint64_t considered = 0;
  for (size_t i = 0; i < setup->role_count; i++)
    considered |= outcome->roles[i].considered;
  return considered != 0;
}

/* They have, or there is no other run. */
bool pl_emulate_is_enough(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  return (!depends_on_host(setup, outcome) && !outcome->ran_out) || pl_emulate_has_gone_round(setup, outcome);
}

/* Nothing more is to be learnt from a larger problem. */
static bool is_decided(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  if (outcome->finding_count || outcome->unknown || outcome->ran_out)
    return true;
  if (!outcome->is_stuck)
    return pl_emulate_is_enough(setup, outcome);
  pl_emulate_verdict verdict = pl_emulate_judge(setup, outcome);
  return (verdict.code && !verdict.depends) || pl_emulate_has_gone_round(setup, outcome);
}

static pl_status run_once(const pl_emulate_program *program, const pl_emulate_setup *setup, pl_arena **arena,
                          pl_emulate_outcome *outcome) {
  pl_arena_free(*arena);
  *arena = pl_arena_create();
  return *arena ? pl_emulate_run(program, setup, *arena, outcome) : -ENOMEM;
}

/* What was found with one number must be found with another one, too, unless nobody asked for it: 64 may be less than a
 * kernel is made for. */
static pl_status confirm(const pl_emulate_program *program, pl_emulate_setup *setup, pl_arena **arena,
                         pl_emulate_outcome *outcome) {
  pl_emulate_fault fault = outcome->finding_count ? outcome->findings[0].fault : PL_FAULT_NONE;
  pl_emulate_verdict first = pl_emulate_judge(setup, outcome);
  bool is_fault = fault != PL_FAULT_NONE || (outcome->is_stuck && first.code && first.depends);
  if (!is_fault || !depends_on_host(setup, outcome))
    return 0;
  setup->number *= 2;
  setup->enough_steps = setup->step_limit;
  pl_status status = run_once(program, setup, arena, outcome);
  if (status)
    return status;
  pl_emulate_verdict second = pl_emulate_judge(setup, outcome);
  bool is_same = fault != PL_FAULT_NONE ? outcome->finding_count && outcome->findings[0].fault == fault
                                        : outcome->is_stuck && second.code == first.code;
  if (is_same)
    return 0;
  outcome->finding_count = 0;
  outcome->unknown = "whether it is right depends on the host's numbers";
  outcome->unknown_at = NULL;
  return 0;
}

/* Larger and larger problems until one decides, or the number makes no difference. */
static pl_status run(const pl_emulate_program *program, pl_emulate_setup *setup, pl_arena **arena,
                     pl_emulate_outcome *outcome) {
  uint64_t steps = 0;
  for (;; setup->number *= 2) {
    pl_status status = run_once(program, setup, arena, outcome);
    if (status)
      return status;
    if (is_decided(setup, outcome) || outcome->steps == steps || setup->number >= LAST_NUMBER)
      return confirm(program, setup, arena, outcome);
    steps = outcome->steps;
  }
}

static pl_status emulate(pl_link *link, LLVMModuleRef module, pl_arena *arena) {
  pl_emulate_program program;
  pl_emulate_setup setup;
  pl_emulate_outcome outcome;
  LLVMValueRef kernel = LLVMGetNamedFunction(module, link->entry);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  pl_status status = describe(link, arena, &setup);
  if (!status)
    status = describe_buffers(link, kernel, arena, &setup);
  if (!status)
    status = pl_emulate_translate(kernel, layout, arena, &program);
  if (status)
    return status;
  if (program.too_large) {
    pl_emulate_tell_nothing(link, program.too_large);
    return 0;
  }
  pl_arena *last = NULL;
  status = run(&program, &setup, &last, &outcome);
  if (!status)
    pl_emulate_tell(link, &setup, &outcome);
  pl_arena_free(last);
  return status;
}

pl_status pl_phase_emulate(pl_link *link) {
  if (!link->ring_count && !link->barrier_count)
    return 0; /* no role waits for another */
  if (link->cluster[0] * link->cluster[1] * link->cluster[2] > 1) {
    pl_emulate_tell_nothing(link, "CTAs of a cluster may arrive on each other's barriers; one is followed at a time");
    return 0;
  }
  LLVMModuleRef module;
  pl_status status = pl_verify_prepare(link->module, link->sink, &module);
  if (status)
    return status;
  pl_arena *arena = pl_arena_create();
  status = arena ? emulate(link, module, arena) : -ENOMEM;
  pl_arena_free(arena);
  LLVMDisposeModule(module);
  if (status == -ENOMEM)
    return pl_out_of_memory(link->sink);
  return status ? status : pl_sink_status(link->sink);
}
