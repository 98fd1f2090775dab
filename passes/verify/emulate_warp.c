/* emulate_warp.c - runs a warp: lanes that are at the same step take it together.
 *
 * Where a branch parts them, those at the earlier step go first, so that they come together again behind it. What a
 * step computes is computed once when all lanes have the same to compute it from.
 */
#include "emulate_machine.h"

#include <string.h>

/* Lanes of a warp that are at the same step. */
typedef struct group {
  unsigned warp;
  uint32_t lanes, step;
  bool is_all; /* no other lane could go on */
} group;

static pl_emulate_thread *thread_of(const pl_emulate_machine *machine, unsigned warp, uint32_t lanes) {
  return &machine->threads[warp * 32 + (unsigned)__builtin_ctz(lanes)];
}

/* The lanes that can go on and are furthest behind; false when none can. */
static bool pick(const pl_emulate_machine *machine, group *picked) {
  uint32_t ready = 0;
  picked->lanes = 0;
  for (uint32_t left = machine->warps[picked->warp].living; left; left &= left - 1) {
    const pl_emulate_thread *thread = thread_of(machine, picked->warp, left);
    uint32_t lane = left & (0 - left);
    if (thread->state != PL_THREAD_READY)
      continue;
    if (!ready || thread->step < picked->step) {
      picked->lanes = 0;
      picked->step = thread->step;
    }
    ready |= lane;
    picked->lanes |= thread->step == picked->step ? lane : 0;
  }
  picked->is_all = ready == picked->lanes;
  return ready != 0;
}

static void stay_at(const pl_emulate_machine *machine, const group *all, uint32_t lanes, uint32_t step) {
  for (uint32_t left = lanes; left; left &= left - 1)
    thread_of(machine, all->warp, left)->step = step;
}

/* ---- branches ---- */

/* Decisions that came together again with different values are part of those values. */
static void move_made(pl_emulate_machine *machine, const group *all, uint32_t lanes, uint32_t to,
                      pl_emulate_source from) {
  pl_emulate_value values[32];
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    values[lane] = from.values[lane * from.stride];
    values[lane].choices |= thread_of(machine, all->warp, left)->making & PL_EMULATE_CHOICE_ANY;
  }
  pl_emulate_set_each(machine, all->warp, lanes, to, values);
}

/* Gives phis their values, all at once: one may be another's source. Returns the step that the edge leads to. */
static uint32_t take_edge(pl_emulate_machine *machine, const group *all, uint32_t lanes, uint32_t index) {
  const pl_emulate_program *program = machine->program;
  const pl_emulate_edge *edge = &program->edges[index];
  const pl_emulate_move *moves = &program->moves[edge->first_move];
  pl_emulate_source from[PL_EMULATE_MOVES];
  bool fits = edge->move_count <= PL_EMULATE_MOVES;
  for (uint32_t i = 0; i < edge->move_count && fits; i++) {
    from[i] = pl_emulate_source_of(machine, all->warp, moves[i].from);
    pl_emulate_value *copy = &machine->moved[(size_t)i * 32];
    memcpy(copy, from[i].values, (from[i].stride ? 32 : 1) * sizeof *copy);
    from[i].values = copy;
  }
  for (uint32_t i = 0; i < edge->move_count; i++) {
    if (!fits)
      pl_emulate_set(machine, all->warp, lanes, moves[i].to,
                     pl_emulate_unknown(pl_emulate_mix(++machine->fresh, all->warp), PL_EMULATE_CHOICE_MEMORY));
    else if (machine->warps[all->warp].making & lanes)
      move_made(machine, all, lanes, moves[i].to, from[i]);
    else if (from[i].stride)
      pl_emulate_set_each(machine, all->warp, lanes, moves[i].to, from[i].values);
    else
      pl_emulate_set(machine, all->warp, lanes, moves[i].to, *from[i].values);
  }
  return program->block_steps[edge->block];
}

/* The two ways have met again. */
static void forget_making(pl_emulate_machine *machine, const group *all) {
  uint32_t *making = &machine->warps[all->warp].making;
  for (uint32_t left = *making & all->lanes; left; left &= left - 1)
    thread_of(machine, all->warp, left)->making = 0;
  *making &= ~all->lanes;
}

/* Which way an unknown condition goes: round a loop a few times, and to where there is more to do. */
static unsigned choose(const pl_emulate_machine *machine, pl_emulate_thread *self, const pl_emulate_step *step) {
  const pl_emulate_decision *decision = &machine->program->decisions[step->offset];
  if (decision->leaves[0] == decision->leaves[1])
    return decision->fuller;
  uint32_t *visits = &self->visits[step->offset];
  if (++*visits <= (decision->is_innermost ? machine->loop_limit : 3))
    return decision->fuller;
  *visits = 0;
  return !decision->fuller;
}

/* The lanes that take the other way. */
static uint32_t decide(pl_emulate_machine *machine, const group *all, const pl_emulate_step *step) {
  const pl_emulate_decision *decision = &machine->program->decisions[step->offset];
  pl_emulate_source source = pl_emulate_source_of(machine, all->warp, step->a);
  uint32_t others = 0;
  if (!source.stride && source.values->is_known && !source.values->choices)
    return source.values->bits & 1 ? 0 : all->lanes;
  for (uint32_t left = all->lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    pl_emulate_thread *self = thread_of(machine, all->warp, left);
    pl_emulate_value condition = source.values[lane * source.stride];
    unsigned way = condition.is_known ? !(condition.bits & 1) : choose(machine, self, step);
    self->considered |= decision->is_idle ? 0 : condition.choices;
    if (decision->makes_values && condition.choices) {
      self->making |= condition.choices;
      machine->warps[all->warp].making |= UINT32_C(1) << lane;
    }
    if (!decision->is_idle && !decision->goes_on[way])
      self->choices |= condition.choices;
    others |= (uint32_t)way << lane;
  }
  return others;
}

/* False when the lanes have parted. */
static bool branch(pl_emulate_machine *machine, group *all, const pl_emulate_step *step) {
  uint32_t others = decide(machine, all, step), first = all->lanes & ~others;
  uint32_t there = first ? take_edge(machine, all, first, step->target) : 0;
  uint32_t elsewhere = others ? take_edge(machine, all, others, step->other) : 0;
  all->step = first ? there : elsewhere;
  if (!first || !others)
    return true;
  stay_at(machine, all, first, there);
  stay_at(machine, all, others, elsewhere);
  return false;
}

static uint32_t case_edge(const pl_emulate_program *program, const pl_emulate_step *step, pl_emulate_value value) {
  for (uint32_t i = 0; i < step->count && value.is_known; i++)
    if (program->cases[(size_t)step->offset + i].value == value.bits)
      return program->cases[(size_t)step->offset + i].edge;
  return step->target;
}

static void switch_over(pl_emulate_machine *machine, const group *all, const pl_emulate_step *step) {
  for (uint32_t left = all->lanes; left; left &= left - 1) {
    pl_emulate_thread *self = thread_of(machine, all->warp, left);
    pl_emulate_value value = pl_emulate_register(machine, all->warp * 32 + (unsigned)__builtin_ctz(left), step->a);
    self->choices |= value.choices;
    self->considered |= value.choices;
    self->step = take_edge(machine, all, left & (0 - left), case_edge(machine->program, step, value));
  }
}

/* ---- steps ---- */

static pl_emulate_value special(const pl_emulate_machine *machine, unsigned thread, const pl_emulate_step *step) {
  switch ((pl_emulate_special)step->variant) {
  case PL_EMULATE_TID:
    return (pl_emulate_value){.bits = thread, .is_known = true};
  case PL_EMULATE_NTID:
    return (pl_emulate_value){.bits = machine->thread_count, .is_known = true};
  case PL_EMULATE_LANE:
    return (pl_emulate_value){.bits = thread % 32, .is_known = true};
  case PL_EMULATE_WARP:
    return (pl_emulate_value){.bits = thread / 32, .is_known = true};
  case PL_EMULATE_CTAID:
    return (pl_emulate_value){.bits = 0, .choices = PL_EMULATE_CHOICE_GRID, .is_known = true};
  case PL_EMULATE_NCTAID:
    return (pl_emulate_value){.bits = 1, .choices = PL_EMULATE_CHOICE_GRID, .is_known = true};
  default:
    return (pl_emulate_value){.is_known = true};
  }
}

/* Specials, and what is new: of each lane by itself. */
static void compute_each(pl_emulate_machine *machine, const group *all, const pl_emulate_step *step) {
  pl_emulate_value results[32];
  for (uint32_t left = all->lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left), thread = all->warp * 32 + lane;
    results[lane] = step->code == PL_STEP_SPECIAL
                        ? special(machine, thread, step)
                        : pl_emulate_unknown(pl_emulate_mix(++machine->fresh, thread), PL_EMULATE_CHOICE_MEMORY);
  }
  pl_emulate_set_each(machine, all->warp, all->lanes, step->result, results);
}

static void compute(pl_emulate_machine *machine, const group *all, const pl_emulate_step *step) {
  pl_emulate_source sources[3] = {pl_emulate_source_of(machine, all->warp, step->a),
                                  pl_emulate_source_of(machine, all->warp, step->b),
                                  pl_emulate_source_of(machine, all->warp, step->c)};
  if (!(sources[0].stride | sources[1].stride | sources[2].stride)) {
    pl_emulate_set(machine, all->warp, all->lanes, step->result,
                   pl_emulate_evaluate(step, *sources[0].values, *sources[1].values, *sources[2].values));
    return;
  }
  pl_emulate_value results[32];
  pl_emulate_evaluate_lanes(step, sources, all->lanes, results);
  pl_emulate_set_each(machine, all->warp, all->lanes, step->result, results);
}

static void end_threads(pl_emulate_machine *machine, const group *all) {
  for (uint32_t left = all->lanes; left; left &= left - 1)
    thread_of(machine, all->warp, left)->state = PL_THREAD_DONE;
  machine->warps[all->warp].living &= ~all->lanes;
  machine->events++;
  pl_emulate_collective_left(machine, all->warp);
  pl_emulate_named_threads_left(machine);
}

/* One step; false when it is time to see who is where. */
static bool run_step(pl_emulate_machine *machine, group *all, const pl_emulate_step *step) {
  switch ((pl_emulate_code)step->code) {
  case PL_STEP_OPERATE:
    stay_at(machine, all, all->lanes, all->step);
    pl_emulate_operate(machine, all->warp, all->lanes, &machine->program->operations[step->target]);
    return false;
  case PL_STEP_JUMP:
    all->step = take_edge(machine, all, all->lanes, step->target);
    forget_making(machine, all);
    break;
  case PL_STEP_BRANCH:
    if (!branch(machine, all, step))
      return false;
    break;
  case PL_STEP_SWITCH:
    switch_over(machine, all, step);
    return false;
  case PL_STEP_TRAP:
    pl_emulate_note_unknown(machine, "a thread traps", step->instruction);
    end_threads(machine, all);
    return false;
  case PL_STEP_RETURN:
    end_threads(machine, all);
    return false;
  case PL_STEP_LOAD:
    pl_emulate_load(machine, all->warp, all->lanes, step);
    all->step++;
    return true;
  case PL_STEP_STORE:
    pl_emulate_store(machine, all->warp, all->lanes, step);
    all->step++;
    return true;
  case PL_STEP_SPECIAL:
  case PL_STEP_FRESH:
    compute_each(machine, all, step);
    all->step++;
    return true;
  default:
    compute(machine, all, step);
    all->step++;
    return true;
  }
  if (!all->is_all) /* others may be at the same step now */
    stay_at(machine, all, all->lanes, all->step);
  return all->is_all;
}

static bool may_run(const pl_emulate_machine *machine) {
  return machine->steps < machine->setup->step_limit && !machine->failed;
}

void pl_emulate_run_warp(pl_emulate_machine *machine, unsigned warp) {
  group all = {.warp = warp};
  while (may_run(machine) && pick(machine, &all)) {
    const pl_emulate_step *step;
    do {
      step = &machine->program->steps[all.step];
      machine->steps += (unsigned)__builtin_popcount(all.lanes);
    } while (run_step(machine, &all, step) && may_run(machine));
  }
}
