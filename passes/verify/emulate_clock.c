/* emulate_clock.c - who knows of what: vector clocks over warps, engines and mbarriers (emulate_machine.h).
 *
 * A warp's entries are counts of what it may rely on: of another warp, how far that had come when it last told; of an
 * engine, the last group that has finished; of an mbarrier, the phases that have ended. The lanes of a warp share a
 * clock, so a lane may seem to know what only another lane was told; that hides faults and invents none. But they have
 * two entries, lane 0 and all the others: what the others do is not told by lane 0's arrival unless they have met. The
 * last entries, one for each of these, say up to where accesses were fenced for the async proxy.
 */
#include "emulate_machine.h"

uint32_t *pl_emulate_clock_new(pl_emulate_machine *machine) {
  uint32_t *clock = pl_arena_array(machine->arena, machine->clock_size, sizeof *clock);
  machine->failed |= !clock;
  return clock;
}

void pl_emulate_clock_join(const pl_emulate_machine *machine, uint32_t *into, const uint32_t *from) {
  for (uint32_t i = 0; i < machine->clock_size; i++) /* signed, as times are small and SSE2 compares only such */
    into[i] = (int32_t)into[i] > (int32_t)from[i] ? into[i] : from[i];
}

uint32_t *pl_emulate_clock_of(const pl_emulate_machine *machine, unsigned thread) {
  return machine->warps[thread / 32].clock;
}

uint32_t pl_emulate_entry_of(unsigned thread) {
  return thread / 32 * 2 + (thread % 32 != 0);
}

uint32_t pl_emulate_leaders(uint32_t lanes) {
  uint32_t others = lanes & ~UINT32_C(1);
  return (lanes & 1) | (others & (0 - others));
}

void pl_emulate_release(pl_emulate_machine *machine, unsigned thread, uint32_t *into) {
  uint32_t *clock = pl_emulate_clock_of(machine, thread), mine = pl_emulate_entry_of(thread), others = mine ^ 1;
  uint32_t now = clock[others];
  clock[others] = machine->warps[thread / 32].met[others & 1];
  pl_emulate_clock_join(machine, into, clock);
  clock[others] = now;
  clock[mine]++;
}

void pl_emulate_meet(pl_emulate_machine *machine, unsigned warp) {
  pl_emulate_warp *self = &machine->warps[warp];
  for (uint32_t i = 0; i < 2; i++)
    self->met[i] = self->clock[2 * warp + i]++;
}

void pl_emulate_fence(pl_emulate_machine *machine, unsigned thread) {
  uint32_t *clock = pl_emulate_clock_of(machine, thread), mine = pl_emulate_entry_of(thread), others = mine ^ 1;
  uint32_t met = machine->warps[thread / 32].met[others & 1], *fences = clock + machine->fences;
  /* Whatever is ordered before the fence: other warps' accesses, too, when this one has waited for them (PTX ISA,
   * memory consistency model: a proxy fence anywhere on the way). */
  for (uint32_t entry = 0; entry < machine->matrix; entry++) {
    uint32_t known = entry == others ? met : clock[entry];
    fences[entry] = fences[entry] > known ? fences[entry] : known;
  }
  clock[mine]++;
}
