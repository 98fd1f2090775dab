/* emulate_mbarrier.c - mbarriers as the hardware keeps them: arrivals, bytes and phases (PTX ISA, "mbarrier").
 *
 * An arrival counts in the phase that is under way. A thread that does not know that the phase before has ended cannot
 * know where its arrival counts: that is the fault of a barrier that gets more arrivals than it was made for.
 */
#include "emulate_machine.h"

uint32_t pl_emulate_mbarrier_find(const pl_emulate_machine *machine, uint32_t address) {
  uint32_t place = (address - PL_EMULATE_ARENA) / 8;
  if (address < PL_EMULATE_ARENA || address % 8 || place >= machine->mbarrier_places || !machine->mbarrier_at[place])
    return PL_EMULATE_NONE;
  return machine->mbarrier_at[place] - 1;
}

/* The ring that a barrier at this address belongs to. */
static void set_ring(const pl_emulate_machine *machine, pl_emulate_barrier_state *state) {
  state->ring = state->slot = PL_EMULATE_NONE;
  for (uint32_t i = 0; i < machine->setup->ring_count; i++) {
    const pl_emulate_ring *ring = &machine->setup->rings[i];
    uint32_t in_full = state->address - ring->full, in_empty = state->address - ring->empty;
    if (ring->is_named || (in_full >= 8 * ring->depth && in_empty >= 8 * ring->depth))
      continue;
    state->is_full = in_full < 8 * ring->depth;
    state->ring = i;
    state->slot = (state->is_full ? in_full : in_empty) / 8;
  }
}

void pl_emulate_mbarrier_init(pl_emulate_machine *machine, unsigned thread, uint32_t address, uint32_t count) {
  uint32_t place = (address - PL_EMULATE_ARENA) / 8, index = pl_emulate_mbarrier_find(machine, address);
  if (address < PL_EMULATE_ARENA || address % 8 || place >= machine->mbarrier_places)
    return;
  if (index == PL_EMULATE_NONE) {
    if (machine->mbarrier_count == machine->mbarrier_capacity) {
      pl_emulate_note_unknown(machine, "the kernel has too many mbarriers", NULL);
      return;
    }
    index = (uint32_t)machine->mbarrier_count++;
    machine->mbarrier_at[place] = index + 1;
  }
  pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  if (!barrier->arrived)
    barrier->arrived = pl_emulate_clock_new(machine);
  if (!barrier->completed)
    barrier->completed = pl_emulate_clock_new(machine);
  barrier->state = (pl_emulate_barrier_state){.address = address, .count = count, .pending = count};
  set_ring(machine, &barrier->state);
  (void)thread;
}

static void end_phase(pl_emulate_machine *machine, uint32_t index) {
  pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  if (barrier->state.pending || barrier->state.bytes || barrier->bytes_unknown)
    return;
  barrier->state.phase++;
  barrier->state.pending = barrier->state.count;
  pl_emulate_clock_join(machine, barrier->completed, barrier->arrived);
  barrier->completed[machine->phases + index] = (uint32_t)barrier->state.phase;
  machine->events++;
  if (barrier->state.ring != PL_EMULATE_NONE && barrier->state.is_full)
    machine->outcome->rings[barrier->state.ring].fills++;
}

void pl_emulate_mbarrier_arrive(pl_emulate_machine *machine, unsigned thread, uint32_t index, uint32_t count,
                                LLVMValueRef instruction) {
  pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  pl_emulate_barrier_state *state = &barrier->state;
  if (pl_emulate_clock_of(machine, thread)[machine->phases + index] < state->phase)
    pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_ARRIVAL,
                                                   .ring = state->ring,
                                                   .slot = state->slot,
                                                   .is_full = state->is_full,
                                                   .barrier = index,
                                                   .first = {thread, instruction}});
  pl_emulate_release(machine, thread, barrier->arrived);
  state->arrivals += count;
  state->pending = count < state->pending ? state->pending - count : 0;
  end_phase(machine, index);
}

void pl_emulate_mbarrier_arrive_lanes(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index,
                                      uint32_t count, LLVMValueRef instruction) {
  uint64_t most = UINT64_C(32) * count, all = (uint64_t)(unsigned)__builtin_popcount(lanes) * count;
  bool is_one_phase = most <= UINT32_MAX && all <= machine->mbarriers[index].state.pending && count;
  uint32_t leaders = is_one_phase ? pl_emulate_leaders(lanes) : lanes;
  for (uint32_t left = leaders; left; left &= left - 1) { /* the others' arrivals tell the same */
    uint32_t share = count;
    if (is_one_phase && !(left & (left - 1)))
      share = (uint32_t)all - ((uint32_t)__builtin_popcount(leaders) - 1) * count;
    pl_emulate_mbarrier_arrive(machine, warp * 32 + (unsigned)__builtin_ctz(left), index, share, instruction);
  }
}

void pl_emulate_mbarrier_expect(pl_emulate_machine *machine, uint32_t index, int64_t bytes) {
  machine->mbarriers[index].state.bytes += bytes;
}

void pl_emulate_mbarrier_complete(pl_emulate_machine *machine, uint32_t index, int64_t bytes, bool is_known) {
  pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  barrier->state.bytes -= is_known ? bytes : 0;
  if (!is_known) {
    barrier->bytes_unknown = machine->is_unsettled = true;
    if (barrier->state.ring != PL_EMULATE_NONE)
      machine->outcome->rings[barrier->state.ring].bytes_are_declared = true;
  }
  end_phase(machine, index);
}

void pl_emulate_mbarrier_settle(pl_emulate_machine *machine, uint32_t index) {
  pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  if (barrier->state.pending)
    return; /* the announcement is still to come */
  barrier->bytes_unknown = false;
  barrier->state.bytes = 0;
  end_phase(machine, index);
}

bool pl_emulate_mbarrier_look(pl_emulate_machine *machine, unsigned thread, uint32_t index, uint32_t parity) {
  const pl_emulate_mbarrier *barrier = &machine->mbarriers[index];
  if ((barrier->state.phase & 1) == (parity & 1))
    return false;
  uint32_t *clock = pl_emulate_clock_of(machine, thread);
  if (clock[machine->phases + index] < barrier->state.phase)
    pl_emulate_clock_join(machine, clock, barrier->completed);
  return true;
}
