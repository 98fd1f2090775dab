/* emulate_collective.c - what the lanes of a warp do together: elect, exchange values, vote, meet at barriers.
 *
 * A lane that comes to such a step waits until all lanes of its warp that take part have come to it; the last one runs
 * it for all. Values are exchanged exactly, known or not.
 */
#include "emulate_machine.h"

#include <string.h>

/* The lanes of a warp that are at the same step, by bits. */
static uint32_t lanes_at(const pl_emulate_machine *machine, unsigned warp, uint32_t step) {
  uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 32; lane++) {
    const pl_emulate_thread *thread = &machine->threads[warp * 32 + lane];
    if (thread->state == PL_THREAD_COLLECTIVE && thread->step == step)
      lanes |= UINT32_C(1) << lane;
  }
  return lanes;
}

static void set_result(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                       const pl_emulate_operation *operation, pl_emulate_value value) {
  if (operation->result != PL_EMULATE_NONE)
    pl_emulate_set(machine, warp, lanes, operation->result, value);
}

static pl_emulate_value number(uint64_t bits) {
  return (pl_emulate_value){.bits = bits, .is_known = true};
}

static bool text_has(const pl_emulate_operation *operation, const char *word) {
  return operation->operation->text && strstr(operation->operation->text, word);
}

/* ---- exchanges ---- */

/* The lane that a shuffle reads from (PTX ISA, "shfl.sync"). */
static unsigned source_lane(const pl_emulate_operation *operation, unsigned lane, uint64_t b, uint64_t c) {
  unsigned offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  unsigned last = (lane & segment) | (clamp & ~segment), from;
  if (text_has(operation, ".up"))
    return lane < offset || lane - offset < last ? lane : lane - offset;
  if (text_has(operation, ".down"))
    from = lane + offset;
  else if (text_has(operation, ".bfly"))
    from = lane ^ offset;
  else
    from = (lane & segment) | (offset & ~segment);
  return from <= last ? from & 31 : lane;
}

static void shuffle(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  pl_emulate_value values[32] = {{0}}, results[32];
  if (operation->arguments[1] == PL_EMULATE_NONE)
    return; /* nobody needs what they get */
  for (unsigned lane = 0; lane < 32; lane++)
    if (lanes >> lane & 1)
      values[lane] = pl_emulate_register(machine, warp * 32 + lane, operation->arguments[1]);
  for (unsigned lane = 0; lane < 32; lane++) {
    unsigned thread = warp * 32 + lane;
    if (!(lanes >> lane & 1))
      continue;
    pl_emulate_value b = pl_emulate_register(machine, thread, operation->arguments[2]);
    pl_emulate_value c = pl_emulate_register(machine, thread, operation->arguments[3]);
    pl_emulate_value value = values[source_lane(operation, lane, b.bits, c.bits)];
    if (!b.is_known || !c.is_known)
      value = pl_emulate_unknown(pl_emulate_mix(value.bits, b.bits), value.choices | b.choices | c.choices);
    results[lane] = value;
  }
  if (operation->result != PL_EMULATE_NONE)
    pl_emulate_set_each(machine, warp, lanes, operation->result, results);
}

static void vote(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  uint32_t votes = 0;
  uint64_t choices = 0, name = 0;
  bool all_known = true;
  for (unsigned lane = 0; lane < 32; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    pl_emulate_value value = pl_emulate_register(machine, warp * 32 + lane, operation->arguments[1]);
    all_known &= value.is_known;
    choices |= value.choices;
    name = pl_emulate_mix(name, value.bits);
    votes |= (uint32_t)(value.bits & 1) << lane;
  }
  pl_emulate_value result = number(text_has(operation, "ballot") ? votes
                                   : text_has(operation, ".any") ? votes != 0
                                   : text_has(operation, ".all") ? votes == lanes
                                                                 : votes == lanes || !votes);
  result.choices = choices & PL_EMULATE_CHOICE_ANY;
  if (!all_known)
    result = pl_emulate_unknown(name, choices);
  set_result(machine, warp, lanes, operation, result);
}

/* ---- by kind ---- */

static void meet(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  if (operation->is_exchange && text_has(operation, "shfl")) {
    shuffle(machine, warp, lanes, operation);
  } else if (operation->is_exchange && text_has(operation, "vote")) {
    vote(machine, warp, lanes, operation);
  } else {
    set_result(machine, warp, lanes, operation,
               pl_emulate_unknown(pl_emulate_mix(++machine->fresh, warp), PL_EMULATE_CHOICE_MEMORY));
  }
}

static void elect(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  uint32_t leader = lanes & (0 - lanes);
  set_result(machine, warp, lanes, operation, number(0));
  set_result(machine, warp, leader, operation, number(1));
}

static void named(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  unsigned thread = warp * 32 + (unsigned)__builtin_ctz(lanes);
  LLVMValueRef instruction = operation->operation->instruction;
  pl_emulate_value id = pl_emulate_operand_value(machine, thread, &operation->id);
  pl_emulate_value count = pl_emulate_operand_value(machine, thread, &operation->count);
  if (!operation->id.is_present)
    id = number(0);
  if (!operation->count.is_present)
    count = number(0);
  if (!id.is_known || !count.is_known || id.bits > 15) {
    pl_emulate_note_unknown(machine, "a named barrier's id or count is not known", instruction);
    return;
  }
  bool waits = operation->operation->kind == PL_OP_BARRIER_SYNC;
  meet(machine, warp, lanes, operation); /* what a reduction yields */
  pl_emulate_named_arrive(machine, warp, (uint32_t)id.bits, (uint32_t)count.bits, waits, instruction);
}

static void run(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_operation *operation) {
  for (unsigned lane = 0; lane < 32; lane++) {
    pl_emulate_thread *thread = &machine->threads[warp * 32 + lane];
    if (!(lanes >> lane & 1))
      continue;
    thread->state = PL_THREAD_READY;
    thread->step++;
  }
  if ((lanes & 1 && lanes > 1) || lanes == machine->warps[warp].living)
    pl_emulate_meet(machine, warp);
  switch (operation->operation->kind) {
  case PL_OP_ELECT:
    elect(machine, warp, lanes, operation);
    return;
  case PL_OP_BARRIER_SYNC:
  case PL_OP_BARRIER_ARRIVE:
    named(machine, warp, lanes, operation);
    return;
  default:
    meet(machine, warp, lanes, operation);
  }
}

static bool try_run(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  unsigned warp = thread / 32;
  uint32_t here = lanes_at(machine, warp, machine->threads[thread].step), wanted = machine->warps[warp].living;
  bool is_whole_warp =
      operation->operation->kind == PL_OP_BARRIER_SYNC || operation->operation->kind == PL_OP_BARRIER_ARRIVE;
  pl_emulate_value mask = pl_emulate_operand_value(machine, thread, &operation->mask);
  if (!is_whole_warp && mask.is_known)
    wanted &= (uint32_t)mask.bits;
  if ((here & wanted) != wanted)
    return false;
  run(machine, warp, is_whole_warp ? here : here & wanted, operation);
  machine->events++;
  return true;
}

void pl_emulate_collective(pl_emulate_machine *machine, unsigned warp, uint32_t lanes,
                           const pl_emulate_operation *operation) {
  for (uint32_t left = lanes; left; left &= left - 1) {
    pl_emulate_thread *thread = &machine->threads[warp * 32 + (unsigned)__builtin_ctz(left)];
    thread->state = PL_THREAD_COLLECTIVE;
    thread->instruction = operation->operation->instruction;
  }
  for (uint32_t left = lanes; left; left &= left - 1) { /* each may be the one that its mask's lanes have waited for */
    unsigned thread = warp * 32 + (unsigned)__builtin_ctz(left);
    if (machine->threads[thread].state == PL_THREAD_COLLECTIVE)
      try_run(machine, thread, operation);
  }
}

void pl_emulate_collective_left(pl_emulate_machine *machine, unsigned warp) {
  for (unsigned lane = 0; lane < 32; lane++) {
    const pl_emulate_thread *thread = &machine->threads[warp * 32 + lane];
    if (thread->state != PL_THREAD_COLLECTIVE)
      continue;
    const pl_emulate_step *step = &machine->program->steps[thread->step];
    if (try_run(machine, warp * 32 + lane, &machine->program->operations[step->target]))
      return;
  }
}
