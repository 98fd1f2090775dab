/* emulate_buffers.c - who touches buffers in shared memory, and whether anything orders it.
 *
 * A buffer has no protocol: any thread may write or read any byte, as long as barriers lie between. So each byte keeps
 * its last write and its latest reads; an access that is not ordered after a write, or a write that is not ordered
 * after a read, is a race. What bulk stores and copies touch is finished only for who has waited for it, and what they
 * read is ordered after ordinary writes only by a proxy fence in the thread that wrote (PTX ISA, "Proxies").
 */
#include "emulate_machine.h"

static pl_emulate_byte *find_byte(const pl_emulate_machine *machine, uint32_t address, uint32_t *buffer) {
  for (uint32_t i = 0; i < machine->setup->buffer_count; i++) {
    const pl_emulate_buffer *candidate = &machine->setup->buffers[i];
    if (address < candidate->begin || address >= candidate->end)
      continue;
    *buffer = i;
    return &machine->bytes[i][address - candidate->begin];
  }
  return NULL;
}

/* What is wrong with an access after an earlier one; NONE when they are ordered. */
static pl_emulate_fault compare(const pl_emulate_machine *machine, const pl_emulate_mark *first,
                                const pl_emulate_mark *second) {
  if (!first->at || first->entry == second->entry)
    return PL_FAULT_NONE;
  const uint32_t *clock = pl_emulate_clock_of(machine, second->thread);
  bool first_is_async = first->entry >= machine->matrix, second_copies = second->entry >= machine->copies;
  if (first->at > clock[first->entry])
    return first_is_async ? PL_FAULT_IN_FLIGHT : PL_FAULT_RACE;
  bool second_uses_proxy = second->entry >= machine->matrix && !(second_copies && second->entry < machine->phases);
  if (second_uses_proxy && !first_is_async && first->at > clock[machine->fences + first->entry])
    return PL_FAULT_PROXY;
  return PL_FAULT_NONE;
}

static bool check(pl_emulate_machine *machine, uint32_t buffer, const pl_emulate_mark *first, bool first_writes,
                  const pl_emulate_mark *second, bool second_writes) {
  pl_emulate_fault fault = compare(machine, first, second);
  if (fault == PL_FAULT_NONE)
    return true;
  pl_emulate_find(machine, &(pl_emulate_finding){.fault = fault,
                                                 .is_buffer = true,
                                                 .ring = buffer,
                                                 .first = {first->thread, first->instruction},
                                                 .second = {second->thread, second->instruction},
                                                 .first_writes = first_writes,
                                                 .second_writes = second_writes});
  return false;
}

/* Keeps a read until a write has been compared with it: with its own warp's last one, or in place of one that is
 * ordered before it. Of more than two that nothing orders the later ones are forgotten, which hides faults and invents
 * none. */
static void keep_read(const pl_emulate_machine *machine, pl_emulate_byte *byte, const pl_emulate_mark *mark) {
  for (size_t i = 0; i < 2; i++)
    if (byte->reads[i].entry == mark->entry || compare(machine, &byte->reads[i], mark) == PL_FAULT_NONE) {
      byte->reads[i] = *mark;
      return;
    }
}

void pl_emulate_touch_buffer(pl_emulate_machine *machine, const pl_emulate_mark *mark, uint32_t address, uint64_t bytes,
                             bool writes) {
  for (uint64_t i = 0; i < bytes; i++) {
    uint32_t buffer;
    pl_emulate_byte *byte = find_byte(machine, address + (uint32_t)i, &buffer);
    if (!byte)
      continue;
    if (!check(machine, buffer, &byte->write, true, mark, writes))
      return;
    if (!writes) {
      keep_read(machine, byte, mark);
      continue;
    }
    for (size_t k = 0; k < 2; k++)
      if (!check(machine, buffer, &byte->reads[k], false, mark, true))
        return;
    *byte = (pl_emulate_byte){.write = *mark};
  }
}
