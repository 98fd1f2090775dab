/* emulate_named.c - named barriers: whole warps arrive, and whoever synchronises waits for the count (PTX ISA, "bar").
 *
 * A count of 0 stands for all threads of the CTA that have not ended.
 */
#include "emulate_machine.h"

static unsigned living_threads(const pl_emulate_machine *machine) {
  unsigned living = 0;
  for (unsigned i = 0; i < machine->setup->warps; i++)
    living += (unsigned)__builtin_popcount(machine->warps[i].living);
  return living;
}

/* A slot of a ring with named barriers has become full. */
static void count_fill(const pl_emulate_machine *machine, uint32_t id) {
  for (size_t i = 0; i < machine->setup->ring_count; i++) {
    const pl_emulate_ring *ring = &machine->setup->rings[i];
    machine->outcome->rings[i].fills += ring->is_named && id - ring->full < ring->depth;
  }
}

static void complete(pl_emulate_machine *machine, uint32_t id) {
  pl_emulate_named *barrier = &machine->named[id];
  unsigned count = barrier->count ? barrier->count : living_threads(machine), joined = machine->setup->warps;
  if (!barrier->arrived || barrier->arrived < count)
    return;
  pl_emulate_clock_join(machine, barrier->released, barrier->clock);
  barrier->generation++;
  barrier->arrived = 0;
  machine->events++;
  count_fill(machine, id);
  for (unsigned i = 0; i < machine->thread_count; i++) {
    pl_emulate_thread *thread = &machine->threads[i];
    if (thread->state != PL_THREAD_NAMED || thread->waits_for != id)
      continue;
    thread->state = PL_THREAD_READY;
    if (joined != i / 32)
      pl_emulate_clock_join(machine, machine->warps[i / 32].clock, barrier->released);
    joined = i / 32;
  }
}

void pl_emulate_named_arrive(pl_emulate_machine *machine, unsigned warp, uint32_t id, uint32_t count, bool waits,
                             LLVMValueRef instruction) {
  pl_emulate_named *barrier = &machine->named[id];
  if (!barrier->clock)
    barrier->clock = pl_emulate_clock_new(machine);
  if (!barrier->released)
    barrier->released = pl_emulate_clock_new(machine);
  if (machine->failed)
    return;
  if (!barrier->arrived) {
    barrier->count = count;
    barrier->first = (pl_emulate_place){warp * 32, instruction};
  } else if (barrier->count != count) {
    pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_NAMED_COUNT,
                                                   .ring = PL_EMULATE_NONE,
                                                   .barrier = id,
                                                   .first = barrier->first,
                                                   .second = {warp * 32, instruction},
                                                   .counts = {barrier->count, count}});
  }
  pl_emulate_release(machine, warp * 32, barrier->clock);
  if (count)
    barrier->arrived += 32;
  for (unsigned i = warp * 32; i < warp * 32 + 32; i++) {
    pl_emulate_thread *thread = &machine->threads[i];
    if (thread->state == PL_THREAD_DONE)
      continue;
    barrier->arrived += !count;
    if (!waits)
      continue;
    thread->state = PL_THREAD_NAMED;
    thread->waits_for = id;
    thread->instruction = instruction;
  }
  complete(machine, id);
}

void pl_emulate_named_threads_left(pl_emulate_machine *machine) {
  for (uint32_t id = 0; id < 16; id++)
    if (machine->named[id].arrived && !machine->named[id].count)
      complete(machine, id);
}
