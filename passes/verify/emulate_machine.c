/* emulate_machine.c - runs a program: every warp of the CTA until it must wait, round after round.
 *
 * emulate_warp.c runs a warp, emulate_operate.c and emulate_engines.c say what operations do, emulate_evaluate.c and
 * emulate_memory.c compute; here are the making of the CTA, the rounds, and the end: everybody has ended, nobody can go
 * on, or enough has been seen.
 */
#include "emulate_machine.h"

#include <errno.h>
#include <string.h>

/* ---- for all files ---- */

void pl_emulate_note_unknown(pl_emulate_machine *machine, const char *reason, LLVMValueRef instruction) {
  if (machine->outcome->unknown)
    return;
  machine->outcome->unknown = reason;
  machine->outcome->unknown_at = instruction;
}

void pl_emulate_find(pl_emulate_machine *machine, const pl_emulate_finding *finding) {
  pl_emulate_outcome *outcome = machine->outcome;
  unsigned threads[] = {finding->first.thread,
                        finding->second.instruction ? finding->second.thread : finding->first.thread};
  if (outcome->unknown) /* from here on nothing is certain */
    return;
  for (size_t i = 0; i < 2; i++)
    if (machine->threads[threads[i]].choices & (PL_EMULATE_CHOICE_MEMORY | PL_EMULATE_CHOICE_OTHER)) {
      pl_emulate_note_unknown(machine, "it depends on what memory holds", finding->first.instruction);
      return;
    }
  for (size_t i = 0; i < outcome->finding_count; i++)
    if (outcome->findings[i].fault == finding->fault && outcome->findings[i].ring == finding->ring &&
        outcome->findings[i].is_buffer == finding->is_buffer)
      return;
  if (outcome->finding_count < sizeof outcome->findings / sizeof *outcome->findings)
    outcome->findings[outcome->finding_count++] = *finding;
}

/* ---- rounds ---- */

/* Copies of unknown size complete what was announced once their thread has begun all of them. */
static void settle(pl_emulate_machine *machine) {
  machine->is_unsettled = false;
  for (uint32_t i = 0; i < machine->mbarrier_count; i++) {
    if (machine->mbarriers[i].bytes_unknown)
      pl_emulate_mbarrier_settle(machine, i);
    machine->is_unsettled |= machine->mbarriers[i].bytes_unknown;
  }
}

static void wake(pl_emulate_machine *machine, unsigned thread) {
  pl_emulate_thread *self = &machine->threads[thread];
  if ((self->state != PL_THREAD_MBARRIER && self->state != PL_THREAD_POLLING) ||
      (machine->mbarriers[self->waits_for].state.phase & 1) == self->parity)
    return;
  self->state = PL_THREAD_READY; /* the step is run again, and passes */
}

static bool run_round(pl_emulate_machine *machine) {
  bool has_run = false;
  for (unsigned warp = 0; warp < machine->setup->warps; warp++) {
    bool is_ready = false;
    for (unsigned thread = warp * 32; thread < warp * 32 + 32; thread++) {
      wake(machine, thread);
      is_ready |= machine->threads[thread].state == PL_THREAD_READY;
    }
    if (!is_ready)
      continue;
    has_run = true;
    pl_emulate_run_warp(machine, warp);
    if (machine->is_unsettled)
      settle(machine);
  }
  return has_run;
}

/* ---- making and ending ---- */

static pl_status make_threads(pl_emulate_machine *machine) {
  const pl_emulate_program *program = machine->program;
  machine->threads = pl_arena_array(machine->arena, machine->thread_count, sizeof *machine->threads);
  uint32_t *visits =
      pl_arena_array(machine->arena, (size_t)machine->thread_count * (program->decision_count + 1), sizeof *visits);
  if (!machine->threads || !visits)
    return -ENOMEM;
  for (size_t i = 0; i < machine->thread_count; i++) {
    machine->threads[i].visits = visits + i * (program->decision_count + 1);
    machine->threads[i].polled_step = PL_EMULATE_NONE;
  }
  return 0;
}

static pl_status make_warps(pl_emulate_machine *machine) {
  const pl_emulate_setup *setup = machine->setup;
  uint32_t warps = setup->warps;
  machine->matrix = 2 * warps;
  machine->tensor = machine->matrix + (warps + 3) / 4;
  machine->stores = machine->tensor + warps;
  machine->copies = machine->stores + warps;
  machine->phases = machine->copies + warps;
  machine->fences = machine->phases + (uint32_t)machine->mbarrier_capacity;
  machine->clock_size = machine->fences + 2 * warps;
  machine->warps = pl_arena_array(machine->arena, warps, sizeof *machine->warps);
  machine->role_of_warp = pl_arena_array(machine->arena, warps, sizeof *machine->role_of_warp);
  machine->moved = pl_arena_array(machine->arena, (size_t)PL_EMULATE_MOVES * 32, sizeof *machine->moved);
  if (!machine->warps || !machine->role_of_warp || !machine->moved)
    return -ENOMEM;
  for (uint32_t warp = 0; warp < warps; warp++) {
    pl_emulate_warp *made = &machine->warps[warp];
    made->clock = pl_emulate_clock_new(machine);
    made->registers =
        pl_arena_array(machine->arena, (size_t)machine->program->register_count + 1, sizeof *made->registers);
    if (!made->clock || !made->registers)
      return -ENOMEM;
    made->living = UINT32_MAX;
    made->clock[2 * warp] = made->clock[2 * warp + 1] = 1;
    machine->role_of_warp[warp] = PL_EMULATE_NONE;
    for (uint32_t role = 0; role < setup->role_count; role++)
      if (warp - setup->roles[role].first_warp < setup->roles[role].warps)
        machine->role_of_warp[warp] = role;
  }
  return 0;
}

static pl_status make_memory(pl_emulate_machine *machine) {
  const pl_emulate_setup *setup = machine->setup;
  machine->mbarriers = pl_arena_array(machine->arena, machine->mbarrier_capacity, sizeof *machine->mbarriers);
  machine->mbarrier_places = setup->shared_bytes / 8 + 1;
  machine->mbarrier_at = pl_arena_array(machine->arena, machine->mbarrier_places, sizeof *machine->mbarrier_at);
  machine->word_count = machine->first_word = setup->shared_bytes / 4;
  machine->words = pl_arena_array(machine->arena, machine->word_count + 1, sizeof *machine->words);
  machine->slots = pl_arena_array(machine->arena, setup->ring_count + 1, sizeof(pl_emulate_slot *));
  machine->bytes = pl_arena_array(machine->arena, setup->buffer_count + 1, sizeof(pl_emulate_byte *));
  machine->outcome->rings = pl_arena_array(machine->arena, setup->ring_count + 1, sizeof *machine->outcome->rings);
  if (!machine->bytes || !machine->mbarriers || !machine->mbarrier_at || !machine->words || !machine->slots ||
      !machine->outcome->rings)
    return -ENOMEM;
  for (size_t i = 0; i < setup->buffer_count; i++) {
    size_t size = setup->buffers[i].end - setup->buffers[i].begin;
    if (!(machine->bytes[i] = pl_arena_array(machine->arena, size + 1, sizeof **machine->bytes)))
      return -ENOMEM;
  }
  for (size_t i = 0; i < setup->ring_count; i++) {
    unsigned depth = setup->rings[i].depth;
    machine->slots[i] = pl_arena_array(machine->arena, depth, sizeof **machine->slots);
    pl_emulate_touch *touches = pl_arena_array(machine->arena, (size_t)depth * 2 * machine->fences, sizeof *touches);
    if (!machine->slots[i] || !touches)
      return -ENOMEM;
    for (unsigned slot = 0; slot < depth; slot++)
      machine->slots[i][slot] = (pl_emulate_slot){.reads = touches + (size_t)slot * 2 * machine->fences,
                                                  .writes = touches + ((size_t)slot * 2 + 1) * machine->fences};
  }
  return 0;
}

static pl_emulate_waiter *find_waiter(pl_emulate_outcome *outcome, const pl_emulate_waiter *like) {
  for (size_t i = 0; i < outcome->waiter_count; i++) {
    pl_emulate_waiter *waiter = &outcome->waiters[i];
    if (waiter->role == like->role && waiter->instruction == like->instruction && waiter->barrier == like->barrier &&
        waiter->is_named == like->is_named && waiter->parity == like->parity)
      return waiter;
  }
  return NULL;
}

static pl_status describe_end(pl_emulate_machine *machine) {
  pl_emulate_outcome *outcome = machine->outcome;
  outcome->steps = machine->steps;
  outcome->waiters = pl_arena_array(machine->arena, machine->thread_count, sizeof *outcome->waiters);
  outcome->barriers = pl_arena_array(machine->arena, machine->mbarrier_count + 1, sizeof *outcome->barriers);
  outcome->roles = pl_arena_array(machine->arena, machine->setup->role_count + 1, sizeof *outcome->roles);
  if (!outcome->waiters || !outcome->barriers || !outcome->roles)
    return -ENOMEM;
  outcome->barrier_count = machine->mbarrier_count;
  for (size_t i = 0; i < machine->mbarrier_count; i++) {
    outcome->barriers[i] = machine->mbarriers[i].state;
    for (uint32_t warp = 0; warp < machine->setup->warps; warp++)
      if (machine->role_of_warp[warp] != PL_EMULATE_NONE &&
          machine->warps[warp].clock[machine->phases + i] >= outcome->barriers[i].phase)
        outcome->barriers[i].known_to |= UINT32_C(1) << machine->role_of_warp[warp];
  }
  for (uint32_t id = 0; id < 16; id++)
    outcome->named[id] = (pl_emulate_named_state){machine->named[id].count, machine->named[id].arrived};
  for (unsigned i = 0; i < machine->thread_count; i++) {
    const pl_emulate_thread *thread = &machine->threads[i];
    uint32_t role = machine->role_of_warp[i / 32];
    if (role != PL_EMULATE_NONE) {
      outcome->roles[role].choices |= thread->choices;
      outcome->roles[role].considered |= thread->considered;
      outcome->roles[role].ended += thread->state == PL_THREAD_DONE;
    }
    if (thread->state == PL_THREAD_DONE)
      continue;
    pl_emulate_waiter like = {.role = role,
                              .thread = i,
                              .instruction = thread->instruction,
                              .is_named = thread->state == PL_THREAD_NAMED,
                              .is_collective = thread->state == PL_THREAD_COLLECTIVE,
                              .barrier = thread->waits_for,
                              .parity = thread->parity};
    pl_emulate_waiter *waiter = find_waiter(outcome, &like);
    if (!waiter) {
      waiter = &outcome->waiters[outcome->waiter_count++];
      *waiter = like;
    }
    waiter->threads++;
  }
  return 0;
}

pl_status pl_emulate_run(const pl_emulate_program *program, const pl_emulate_setup *setup, pl_arena *arena,
                         pl_emulate_outcome *outcome) {
  *outcome = (pl_emulate_outcome){0};
  pl_emulate_machine machine = {.program = program,
                                .setup = setup,
                                .arena = arena,
                                .outcome = outcome,
                                .thread_count = setup->warps * 32,
                                .mbarrier_capacity = 16};
  unsigned deepest = 1;
  for (size_t i = 0; i < setup->ring_count; i++) {
    machine.mbarrier_capacity += 2 * setup->rings[i].depth;
    deepest = setup->rings[i].depth > deepest ? setup->rings[i].depth : deepest;
  }
  machine.loop_limit = 2 * deepest + 2;
  pl_status status = make_threads(&machine);
  if (status || (status = make_warps(&machine)) || (status = make_memory(&machine)) ||
      (status = pl_emulate_layout_make(&machine)))
    return status;
  while (run_round(&machine) && machine.steps < setup->step_limit && !machine.failed && !outcome->ran_out)
    if (machine.steps > setup->enough_steps && pl_emulate_has_gone_round(setup, outcome))
      outcome->ran_out = true; /* enough has been seen */
  if (machine.failed)
    return -ENOMEM;
  outcome->ran_out |= machine.steps >= setup->step_limit;
  if ((status = describe_end(&machine)))
    return status;
  outcome->is_stuck = outcome->waiter_count && !outcome->ran_out;
  return 0;
}
