/* emulate_slots.c - who touches a ring's slots, and whether anything orders it.
 *
 * A slot goes back and forth between the producer's side, which writes it, and the consumers', which read it. Two
 * accesses of different sides, one of them a write, must be ordered by arrivals and waits; where one is made by the
 * async proxy (bulk copies, matrix instructions) and the other is an ordinary one, also by a proxy fence in the thread
 * that made the ordinary one (PTX ISA, "Proxies"). Accesses of one side share the slot as its owner likes.
 */
#include "emulate_machine.h"

static bool find_slot(const pl_emulate_machine *machine, uint32_t address, uint32_t *ring, uint32_t *slot) {
  for (uint32_t i = 0; i < machine->setup->ring_count; i++) {
    const pl_emulate_ring *candidate = &machine->setup->rings[i];
    uint32_t inside = address - candidate->slots;
    if (!candidate->slot_bytes || inside >= candidate->slot_bytes * candidate->depth)
      continue;
    *ring = i;
    *slot = inside / candidate->slot_bytes;
    return true;
  }
  return false;
}

/* A consumer has it: it is full and not given back. */
static bool is_held(const pl_emulate_machine *machine, const pl_emulate_ring *ring, uint32_t slot) {
  uint32_t full = pl_emulate_mbarrier_find(machine, ring->full + 8 * slot);
  uint32_t empty = pl_emulate_mbarrier_find(machine, ring->empty + 8 * slot);
  return full == PL_EMULATE_NONE || empty == PL_EMULATE_NONE ||
         machine->mbarriers[full].state.phase + ring->is_pre_arrived > machine->mbarriers[empty].state.phase;
}

/* What a role does that is on both sides of the ring, or on none, goes by whether it writes. Where a buffer lies on the
 * slots, it is the buffer that a consumer touches when it does not have the slot. */
static pl_emulate_side side_of(const pl_emulate_machine *machine, uint32_t index, uint32_t slot, uint32_t address,
                               unsigned thread, bool writes) {
  const pl_emulate_ring *ring = &machine->setup->rings[index];
  uint32_t role = machine->role_of_warp[thread / 32];
  uint32_t bit = role == PL_EMULATE_NONE ? 0 : UINT32_C(1) << role;
  bool produces = ring->producers & bit, consumes = ring->consumers & bit;
  if (produces == consumes ? writes : produces)
    return PL_SIDE_PRODUCER;
  bool is_overlaid = address >= ring->overlay && address < ring->overlay_end;
  return is_overlaid && !ring->is_named && !is_held(machine, ring, slot) ? PL_SIDE_OVERLAY : PL_SIDE_CONSUMER;
}

static bool is_warp_entry(const pl_emulate_machine *machine, uint32_t entry) {
  return entry < machine->matrix;
}

/* An access under examination. */
typedef struct access {
  uint32_t ring, slot, entry;
  unsigned thread;
  bool writes;
  pl_emulate_side side;
  LLVMValueRef instruction;
} access;

static void report(pl_emulate_machine *machine, const access *second, pl_emulate_fault fault,
                   const pl_emulate_touch *first, bool first_writes) {
  pl_emulate_find(
      machine, &(pl_emulate_finding){.fault = fault,
                                     .ring = second->ring,
                                     .slot = second->slot,
                                     .first = {first->thread, first->instruction},
                                     .second = {second->thread, second->instruction},
                                     .first_writes = first_writes,
                                     .second_writes = second->writes,
                                     .is_overlay = first->side == PL_SIDE_OVERLAY || second->side == PL_SIDE_OVERLAY});
}

/* The entry is an mbarrier's, and more bytes have come to it than were announced. */
static bool is_unannounced(const pl_emulate_machine *machine, uint32_t entry) {
  return entry >= machine->phases && machine->mbarriers[entry - machine->phases].state.bytes < 0;
}

/* Is every earlier access of the other side ordered before this one? */
static void check(pl_emulate_machine *machine, const access *second, const pl_emulate_touch *touches,
                  bool first_writes) {
  const uint32_t *clock = pl_emulate_clock_of(machine, second->thread);
  bool second_is_async = !is_warp_entry(machine, second->entry);
  for (uint32_t entry = 0; entry < machine->fences; entry++) {
    const pl_emulate_touch *first = &touches[entry];
    if (!first->at || entry == second->entry || first->side == second->side)
      continue;
    bool first_is_async = !is_warp_entry(machine, entry);
    if (first->at > clock[entry])
      report(machine, second,
             !first_is_async                  ? PL_FAULT_RACE
             : is_unannounced(machine, entry) ? PL_FAULT_BYTES
                                              : PL_FAULT_IN_FLIGHT,
             first, first_writes);
    else if (second_is_async && !first_is_async && first->at > clock[machine->fences + entry] &&
             !(second->entry >= machine->copies && second->entry < machine->phases))
      report(machine, second, PL_FAULT_PROXY, first, first_writes);
  }
}

static void touch_slot(pl_emulate_machine *machine, access *made, uint32_t address, uint32_t at) {
  pl_emulate_slot *slot = &machine->slots[made->ring][made->slot];
  pl_emulate_touch *mine = made->writes ? &slot->writes[made->entry] : &slot->reads[made->entry];
  if (mine->at == at && mine->thread / 32 == made->thread / 32)
    return; /* nothing has happened since the last look */
  made->side = side_of(machine, made->ring, made->slot, address, made->thread, made->writes);
  check(machine, made, slot->writes, true);
  if (made->writes)
    check(machine, made, slot->reads, false);
  *mine = (pl_emulate_touch){.at = at, .thread = made->thread, .side = made->side, .instruction = made->instruction};
}

static void touch_buffer(pl_emulate_machine *machine, const access *made, uint32_t address, uint64_t bytes,
                         uint32_t at) {
  pl_emulate_mark mark = {
      .at = at, .entry = (uint16_t)made->entry, .thread = (uint16_t)made->thread, .instruction = made->instruction};
  if (machine->setup->buffer_count)
    pl_emulate_touch_buffer(machine, &mark, address, bytes, made->writes);
}

void pl_emulate_touch_async(pl_emulate_machine *machine, unsigned thread, uint32_t address, uint64_t bytes, bool writes,
                            uint32_t entry, uint32_t at, LLVMValueRef instruction) {
  access made = {.entry = entry, .thread = thread, .writes = writes, .instruction = instruction};
  if (find_slot(machine, address, &made.ring, &made.slot))
    touch_slot(machine, &made, address, at);
  touch_buffer(machine, &made, address, bytes, at);
}

void pl_emulate_touch_lanes(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, pl_emulate_source addresses,
                            uint64_t bytes, bool writes, LLVMValueRef instruction) {
  uint32_t from = 0, to = 0, address; /* the slot that the lane before has touched, with the same entry */
  for (uint32_t left = addresses.stride ? lanes : pl_emulate_leaders(lanes); left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left), thread = warp * 32 + lane;
    uint32_t entry = pl_emulate_entry_of(thread), at = pl_emulate_clock_of(machine, thread)[entry];
    access made = {.entry = entry, .thread = thread, .writes = writes, .instruction = instruction};
    if (!pl_emulate_shared_address(addresses.values[lane * addresses.stride], &address))
      continue;
    touch_buffer(machine, &made, address, bytes, at);
    if (address - from < to - from || !find_slot(machine, address, &made.ring, &made.slot))
      continue;
    touch_slot(machine, &made, address, at);
    const pl_emulate_ring *ring = &machine->setup->rings[made.ring];
    from = lane ? ring->slots + made.slot * ring->slot_bytes : 0;
    to = lane ? from + ring->slot_bytes : 0;
  }
}

void pl_emulate_touch_unknown(pl_emulate_machine *machine, LLVMValueRef instruction) {
  for (size_t i = 0; i < machine->setup->ring_count; i++)
    if (!machine->outcome->rings[i].unknown)
      machine->outcome->rings[i].unknown = instruction;
}
