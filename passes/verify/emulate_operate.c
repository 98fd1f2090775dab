/* emulate_operate.c - what one operation does to the emulated CTA, thread by thread.
 *
 * What all lanes of a warp do alike is done for all of them at once; what engines do is in emulate_engines.c.
 */
#include "emulate_machine.h"

static pl_emulate_value value_of(const pl_emulate_machine *machine, unsigned thread,
                                 const pl_emulate_operand *operand) {
  return pl_emulate_operand_value(machine, thread, operand);
}

static LLVMValueRef at(const pl_emulate_operation *operation) {
  return operation->operation->instruction;
}

static void set_result(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation,
                       pl_emulate_value value) {
  if (operation->result != PL_EMULATE_NONE)
    pl_emulate_set(machine, thread / 32, UINT32_C(1) << thread % 32, operation->result, value);
}

/* ---- mbarriers ---- */

uint32_t pl_emulate_find_mbarrier(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operand *operand,
                                  const pl_emulate_operation *operation) {
  pl_emulate_value value = value_of(machine, thread, operand);
  uint32_t address;
  if (!pl_emulate_shared_address(value, &address) || operation->operation->cta.kind != PL_OPERAND_ABSENT) {
    pl_emulate_note_unknown(machine, "the address of an mbarrier is not known", at(operation));
    return PL_EMULATE_NONE;
  }
  uint32_t index = pl_emulate_mbarrier_find(machine, address);
  if (index == PL_EMULATE_NONE) {
    pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_NO_MBARRIER,
                                                   .ring = PL_EMULATE_NONE,
                                                   .barrier = address,
                                                   .first = {thread, at(operation)}});
    pl_emulate_note_unknown(machine, "an mbarrier is used that was not initialised", at(operation));
  }
  return index;
}

static void init(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  pl_emulate_value count = value_of(machine, thread, &operation->count);
  uint32_t address;
  if (pl_emulate_shared_address(value_of(machine, thread, &operation->address), &address) && count.is_known)
    pl_emulate_mbarrier_init(machine, thread, address, (uint32_t)count.bits);
  else
    pl_emulate_note_unknown(machine, "an mbarrier is initialised whose address or count is not known", at(operation));
}

static void expect(pl_emulate_machine *machine, uint32_t index, pl_emulate_value bytes, LLVMValueRef instruction) {
  if (bytes.is_known)
    pl_emulate_mbarrier_expect(machine, index, (int64_t)(uint32_t)bytes.bits);
  else
    pl_emulate_note_unknown(machine, "how many bytes an mbarrier expects is not known", instruction);
}

static void arrive(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation,
                   uint32_t lanes) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->address, operation);
  pl_emulate_value count = value_of(machine, thread, &operation->count);
  if (index == PL_EMULATE_NONE)
    return;
  if (operation->operation->kind == PL_OP_MBARRIER_EXPECT_TX) {
    expect(machine, index, value_of(machine, thread, &operation->bytes), at(operation));
    if (!operation->operation->arrives)
      return;
    count.is_known = false;
  } else if (operation->count.is_present && !count.is_known) {
    pl_emulate_note_unknown(machine, "how often an mbarrier is arrived on is not known", at(operation));
    return;
  }
  pl_emulate_mbarrier_arrive_lanes(machine, thread / 32, lanes, index, count.is_known ? (uint32_t)count.bits : 1,
                                   at(operation));
}

/* True when the lanes arrive on one mbarrier, with one count. */
static bool is_joint_arrival(const pl_emulate_machine *machine, unsigned warp, const pl_emulate_operation *operation) {
  return operation->operation->kind == PL_OP_MBARRIER_ARRIVE &&
         !pl_emulate_source_of(machine, warp, operation->address.reference).stride &&
         (!operation->count.is_present || !pl_emulate_source_of(machine, warp, operation->count.reference).stride);
}

/* A wait that passes although its slot was never filled has waited for the wrong phase. */
static void check_free_pass(pl_emulate_machine *machine, unsigned thread, uint32_t index, LLVMValueRef instruction) {
  const pl_emulate_barrier_state *state = &machine->mbarriers[index].state;
  if (state->ring == PL_EMULATE_NONE || !state->is_full || state->phase)
    return;
  pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_FREE_WAIT,
                                                 .ring = state->ring,
                                                 .slot = state->slot,
                                                 .is_full = true,
                                                 .barrier = index,
                                                 .first = {thread, instruction}});
}

static bool wait(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->address, operation);
  pl_emulate_value parity = value_of(machine, thread, &operation->parity);
  pl_emulate_thread *self = &machine->threads[thread];
  if (index == PL_EMULATE_NONE)
    return true;
  if (!parity.is_known) {
    pl_emulate_note_unknown(machine, "the phase that is waited for is not known", at(operation));
    return true;
  }
  if (pl_emulate_mbarrier_look(machine, thread, index, (uint32_t)parity.bits)) {
    check_free_pass(machine, thread, index, at(operation));
    return true;
  }
  self->state = PL_THREAD_MBARRIER;
  self->waits_for = index;
  self->parity = (uint32_t)parity.bits & 1;
  self->instruction = at(operation);
  return false;
}

/* One look. Who looks again at the same place, and nothing has happened, waits for something to happen. */
static bool look(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->address, operation);
  pl_emulate_value parity = value_of(machine, thread, &operation->parity);
  pl_emulate_thread *self = &machine->threads[thread];
  bool is_known = index != PL_EMULATE_NONE && parity.is_known;
  bool has_ended = is_known && pl_emulate_mbarrier_look(machine, thread, index, (uint32_t)parity.bits);
  if (!is_known)
    pl_emulate_note_unknown(machine, "the phase that is looked for is not known", at(operation));
  if (has_ended)
    check_free_pass(machine, thread, index, at(operation));
  set_result(machine, thread, operation,
             is_known ? (pl_emulate_value){.bits = has_ended, .is_known = true}
                      : pl_emulate_unknown(pl_emulate_mix(++machine->fresh, thread), PL_EMULATE_CHOICE_MEMORY));
  if (has_ended || !is_known || self->polled_step != self->step || self->polled_at != machine->events) {
    self->polled_step = self->step;
    self->polled_at = machine->events;
    return true;
  }
  self->state = PL_THREAD_POLLING;
  self->waits_for = index;
  self->parity = (uint32_t)parity.bits & 1;
  self->instruction = at(operation);
  return false;
}

/* ---- ordinary accesses in asm and by intrinsics ---- */

static void access_operand(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                           const pl_emulate_operation *operation, const pl_emulate_operand *operand, bool writes) {
  pl_space space = operation->operation->space;
  pl_emulate_value values[32];
  if (!operand->is_present || (space != PL_SPACE_GENERIC && space != PL_SPACE_SHARED && space != PL_SPACE_CLUSTER))
    return;
  pl_emulate_source source = pl_emulate_source_of(machine, warp, operand->reference);
  uint32_t touching = 0, left = source.stride ? lanes : pl_emulate_leaders(lanes), address;
  for (; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    values[lane] = source.values[lane * source.stride];
    values[lane].bits += (uint64_t)operand->offset;
    if (!values[lane].is_known && space != PL_SPACE_GENERIC)
      pl_emulate_touch_unknown(machine, at(operation));
    if (space != PL_SPACE_GENERIC || (values[lane].bits & PL_EMULATE_KIND) == PL_EMULATE_SHARED)
      touching |= (uint32_t)pl_emulate_shared_address(values[lane], &address) << lane;
  }
  /* A row of ldmatrix has 16 bytes; of others the first byte stands for all. */
  uint64_t bytes = operation->operation->kind == PL_OP_MMA ? 16 : 1;
  pl_emulate_touch_lanes(machine, warp, touching, (pl_emulate_source){values, 1}, bytes, writes, at(operation));
  for (left = writes ? touching : 0; left; left &= left - 1)
    pl_emulate_forget(machine, (uint32_t)values[__builtin_ctz(left)].bits, 16);
}

static void give_unknown(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  set_result(machine, thread, operation,
             pl_emulate_unknown(pl_emulate_mix(++machine->fresh, thread), PL_EMULATE_CHOICE_MEMORY));
}

/* ---- all ---- */

/* False when the operation's predicate says that it is not executed. */
static bool is_executed(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  if (!operation->guard.is_present)
    return true;
  pl_emulate_value guard = value_of(machine, thread, &operation->guard);
  if (!guard.is_known) {
    pl_emulate_note_unknown(machine, "an instruction's predicate is not known", at(operation));
    return false;
  }
  return (guard.bits != 0) != operation->operation->guard_inverted;
}

static bool synchronise(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  switch (operation->operation->kind) {
  case PL_OP_MBARRIER_INIT:
    init(machine, thread, operation);
    return true;
  case PL_OP_MBARRIER_ARRIVE:
  case PL_OP_MBARRIER_EXPECT_TX:
    arrive(machine, thread, operation, UINT32_C(1) << thread % 32);
    return true;
  case PL_OP_MBARRIER_COMPLETE_TX:
    pl_emulate_note_unknown(machine, "a stage completes bytes of an mbarrier by itself", at(operation));
    return true;
  case PL_OP_MBARRIER_TEST:
    return look(machine, thread, operation);
  case PL_OP_MBARRIER_WAIT:
    return wait(machine, thread, operation);
  case PL_OP_CLUSTER_ARRIVE:
  case PL_OP_CLUSTER_WAIT:
    pl_emulate_note_unknown(machine, "CTAs of a cluster wait for each other", at(operation));
    return true;
  default:
    return true;
  }
}

/* False when the thread must wait; it then runs the step again. */
static bool operate(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  switch (operation->operation->kind) {
  case PL_OP_CLUSTER_ARRIVE:
  case PL_OP_CLUSTER_WAIT:
  case PL_OP_MBARRIER_INIT:
  case PL_OP_MBARRIER_ARRIVE:
  case PL_OP_MBARRIER_EXPECT_TX:
  case PL_OP_MBARRIER_COMPLETE_TX:
  case PL_OP_MBARRIER_TEST:
  case PL_OP_MBARRIER_WAIT:
    return synchronise(machine, thread, operation);
  case PL_OP_UNKNOWN:
  case PL_OP_CALL:
    pl_emulate_note_unknown(machine, "an instruction is not understood", at(operation));
    give_unknown(machine, thread, operation);
    return true;
  case PL_OP_FENCE_ASYNC:
    pl_emulate_fence(machine, thread);
    return true;
  default: /* of the rest - fences, registers, prefetches - only what they yield matters */
    if (!pl_emulate_work(machine, thread, operation))
      give_unknown(machine, thread, operation);
    return true;
  }
}

/* The lanes in which the operation is executed; the others pass it by. */
static uint32_t executing(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                          const pl_emulate_operation *operation) {
  uint32_t executed = operation->guard.is_present ? 0 : lanes;
  for (uint32_t left = lanes & ~executed; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left), thread = warp * 32 + lane;
    if (is_executed(machine, thread, operation))
      executed |= UINT32_C(1) << lane;
    else
      machine->threads[thread].step++;
  }
  return executed;
}

/* What lanes can do all at once; false for what each does by itself. */
static bool operate_jointly(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                            const pl_emulate_operation *operation) {
  switch (operation->operation->kind) {
  case PL_OP_MBARRIER_ARRIVE:
    if (!is_joint_arrival(machine, warp, operation))
      return false;
    arrive(machine, warp * 32 + (unsigned)__builtin_ctz(lanes), operation, lanes);
    return true;
  case PL_OP_MMA:
  case PL_OP_LOAD:
  case PL_OP_STORE:
    access_operand(machine, warp, lanes, operation, &operation->source, false);
    access_operand(machine, warp, lanes, operation, &operation->address, true);
    return operation->result == PL_EMULATE_NONE;
  default:
    return false;
  }
}

static bool is_collective(const pl_emulate_operation *operation) {
  pl_operation_kind kind = operation->operation->kind;
  return kind == PL_OP_BARRIER_SYNC || kind == PL_OP_BARRIER_ARRIVE || kind == PL_OP_ELECT || kind == PL_OP_SHUFFLE;
}

void pl_emulate_operate(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                        const pl_emulate_operation *operation) {
  uint32_t executed = executing(machine, warp, lanes, operation);
  if (is_collective(operation)) {
    pl_emulate_collective(machine, warp, executed, operation);
    return;
  }
  bool is_done = executed && operate_jointly(machine, warp, executed, operation);
  for (uint32_t left = executed; left; left &= left - 1) {
    unsigned thread = warp * 32 + (unsigned)__builtin_ctz(left);
    if (is_done || operate(machine, thread, operation))
      machine->threads[thread].step++;
  }
}
