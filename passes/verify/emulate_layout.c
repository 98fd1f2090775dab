/* emulate_layout.c - the layout that tensor copies leave in the emulated shared memory, and in which wgmma reads it.
 *
 * A tensor map's swizzle says where a copy puts each 16 bytes of a row; the descriptor of a matrix instruction says
 * where it looks for them. Both must be the same. Kept per 16 bytes, as long as nobody else writes there.
 */
#include "emulate_machine.h"

#include <errno.h>

pl_status pl_emulate_layout_make(pl_emulate_machine *machine) {
  bool has_tensor_maps = false;
  for (size_t i = 0; i < machine->setup->field_count; i++)
    has_tensor_maps |= machine->setup->fields[i].copy_bytes != 0;
  if (!has_tensor_maps)
    return 0;
  machine->layout_count = machine->setup->shared_bytes / 16;
  machine->layouts = pl_arena_array(machine->arena, machine->layout_count + 1, sizeof *machine->layouts);
  return machine->layouts ? 0 : -ENOMEM;
}

void pl_emulate_layout_set(pl_emulate_machine *machine, uint32_t address, uint64_t bytes, pl_emulate_layout layout) {
  if (address < PL_EMULATE_ARENA)
    return;
  size_t first = (address - PL_EMULATE_ARENA) / 16, end = (address - PL_EMULATE_ARENA + bytes + 15) / 16;
  for (size_t i = first; i < end && i < machine->layout_count; i++)
    machine->layouts[i] = layout;
}

/* PTX ISA, "Matrix descriptor" of wgmma: bits 0-13 are the address in units of 16, bits 62-63 the swizzle. */
void pl_emulate_layout_read(pl_emulate_machine *machine, unsigned thread, uint64_t descriptor,
                            LLVMValueRef instruction) {
  static const unsigned spans[] = {0, 128, 64, 32}; /* bytes, by the descriptor's two bits */
  size_t place = descriptor & 0x3fff;
  if (place < PL_EMULATE_ARENA / 16 || place - PL_EMULATE_ARENA / 16 >= machine->layout_count)
    return;
  const pl_emulate_layout *layout = &machine->layouts[place - PL_EMULATE_ARENA / 16];
  if (!layout->copy || layout->swizzle == spans[descriptor >> 62])
    return;
  pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_LAYOUT,
                                                 .ring = PL_EMULATE_NONE,
                                                 .first = {layout->thread, layout->copy},
                                                 .second = {thread, instruction},
                                                 .counts = {layout->swizzle, spans[descriptor >> 62]}});
}
