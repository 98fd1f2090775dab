/* emulate_registers.c - the registers of the emulated warps: one value for all lanes as long as they have the same. */
#include "emulate_machine.h"

static const pl_emulate_value NOTHING;

pl_emulate_source pl_emulate_source_of(const pl_emulate_machine *machine, unsigned warp, uint32_t reference) {
  if (reference == PL_EMULATE_NONE)
    return (pl_emulate_source){&NOTHING, 0};
  if (reference & PL_EMULATE_CONSTANT)
    return (pl_emulate_source){&machine->program->constants[reference & ~(uint32_t)PL_EMULATE_CONSTANT], 0};
  const pl_emulate_cell *cell = &machine->warps[warp].registers[reference];
  return cell->differs ? (pl_emulate_source){cell->lanes, 1} : (pl_emulate_source){&cell->value, 0};
}

pl_emulate_value pl_emulate_register(const pl_emulate_machine *machine, unsigned thread, uint32_t reference) {
  pl_emulate_source source = pl_emulate_source_of(machine, thread / 32, reference);
  return source.values[thread % 32 * source.stride];
}

pl_emulate_value pl_emulate_operand_value(const pl_emulate_machine *machine, unsigned thread,
                                          const pl_emulate_operand *operand) {
  if (!operand->is_present || operand->reference == PL_EMULATE_NONE)
    return (pl_emulate_value){0};
  pl_emulate_value value = pl_emulate_register(machine, thread, operand->reference);
  value.bits += (uint64_t)operand->offset;
  return value;
}

static bool is_equal(const pl_emulate_value *a, const pl_emulate_value *b) {
  return a->bits == b->bits && a->choices == b->choices && a->is_known == b->is_known;
}

/* Gives each lane a value of its own, so far the same. */
static bool spread(pl_emulate_machine *machine, pl_emulate_cell *cell) {
  if (cell->differs)
    return true;
  if (!cell->lanes && !(cell->lanes = pl_arena_array(machine->arena, 32, sizeof *cell->lanes))) {
    machine->failed = true;
    return false;
  }
  for (unsigned lane = 0; lane < 32; lane++)
    cell->lanes[lane] = cell->value;
  cell->differs = true;
  return true;
}

void pl_emulate_set(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index,
                    pl_emulate_value value) {
  pl_emulate_cell *cell = &machine->warps[warp].registers[index];
  if (lanes == machine->warps[warp].living) {
    cell->value = value;
    cell->differs = false;
    return;
  }
  if ((!cell->differs && is_equal(&cell->value, &value)) || !spread(machine, cell))
    return;
  for (uint32_t left = lanes; left; left &= left - 1)
    cell->lanes[__builtin_ctz(left)] = value;
}

void pl_emulate_set_each(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, uint32_t index,
                         const pl_emulate_value values[32]) {
  const pl_emulate_value *first = &values[__builtin_ctz(lanes)];
  bool is_same = true;
  for (uint32_t left = lanes & (lanes - 1); left && is_same; left &= left - 1)
    is_same = is_equal(first, &values[__builtin_ctz(left)]);
  if (is_same) {
    pl_emulate_set(machine, warp, lanes, index, *first);
    return;
  }
  pl_emulate_cell *cell = &machine->warps[warp].registers[index];
  if (!spread(machine, cell))
    return;
  for (uint32_t left = lanes; left; left &= left - 1)
    cell->lanes[__builtin_ctz(left)] = values[__builtin_ctz(left)];
}
