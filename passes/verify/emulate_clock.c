/* emulate_clock.c - who knows of what: vector clocks over warps, engines and mbarriers (emulate_machine.h).
 *
 * A warp's entries are counts of what it may rely on: of another warp, how far that had come when it last told; of an
 * engine, the last group that has finished; of an mbarrier, the phases that have ended. The lanes of a warp share a
 * clock, so a lane may seem to know what only another lane was told; that hides faults and invents none. The last
 * entries, one for each warp, say up to where its accesses were fenced for the async proxy.
 */
#include "emulate_machine.h"

uint32_t *pl_emulate_clock_new(pl_emulate_machine *machine) {
  uint32_t *clock = pl_arena_array(machine->arena, machine->clock_size, sizeof *clock);
  machine->failed |= !clock;
  return clock;
}

void pl_emulate_clock_join(const pl_emulate_machine *machine, uint32_t *into, const uint32_t *from) {
  for (uint32_t i = 0; i < machine->clock_size; i++)
    into[i] = into[i] > from[i] ? into[i] : from[i];
}

uint32_t *pl_emulate_clock_of(const pl_emulate_machine *machine, unsigned thread) {
  return machine->warps[thread / 32].clock;
}

void pl_emulate_release(pl_emulate_machine *machine, unsigned thread, uint32_t *into) {
  uint32_t *clock = pl_emulate_clock_of(machine, thread);
  pl_emulate_clock_join(machine, into, clock);
  clock[thread / 32]++;
}
