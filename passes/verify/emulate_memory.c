/* emulate_memory.c - what loads of the emulator yield, and what becomes of stores.
 *
 * The parameter block holds what the setup says the host has chosen. Of shared memory single words are remembered, as
 * stages hand each other tile numbers and flags there. Global memory holds something unknown, the same at the same
 * address unless the load is volatile or atomic.
 */
#include "emulate_machine.h"

bool pl_emulate_shared_address(pl_emulate_value value, uint32_t *address) {
  uint64_t kind = value.bits & PL_EMULATE_KIND;
  *address = (uint32_t)value.bits;
  return value.is_known && (kind == PL_EMULATE_SHARED || kind == 0);
}

static pl_emulate_value fresh(pl_emulate_machine *machine, uint64_t choices) {
  return pl_emulate_unknown(pl_emulate_mix(UINT64_C(0x6672657368), ++machine->fresh),
                            choices | PL_EMULATE_CHOICE_MEMORY);
}

/* ---- the parameter block ---- */

static bool byte_of_field(const pl_emulate_setup *setup, size_t index, uint64_t at, uint8_t *byte) {
  const pl_emulate_field *field = &setup->fields[index];
  uint64_t value = field->is_bool      ? 1
                   : field->is_pointer ? PL_EMULATE_GLOBAL | (uint64_t)(index + 1) << 36
                                       : setup->number;
  if (field->size == 1 && field->is_number)
    value = 1;
  *byte = at < 8 ? (uint8_t)(value >> 8 * at) : 0;
  return field->is_number || field->is_bool || field->is_pointer;
}

static pl_emulate_value load_parameter(const pl_emulate_setup *setup, uint64_t offset, uint64_t bytes) {
  pl_emulate_value value = {.is_known = bytes <= 8};
  for (uint64_t i = 0; i < bytes; i++) {
    uint8_t byte = 0;
    bool is_known = false;
    for (size_t k = 0; k < setup->field_count; k++) {
      const pl_emulate_field *field = &setup->fields[k];
      if (offset + i < field->offset || offset + i - field->offset >= field->size)
        continue;
      is_known = byte_of_field(setup, k, offset + i - field->offset, &byte);
      value.choices |= k < PL_EMULATE_CHOICES ? UINT64_C(1) << k : PL_EMULATE_CHOICE_OTHER;
      break;
    }
    value.is_known &= is_known;
    value.bits |= i < 8 ? (uint64_t)byte << 8 * i : 0;
  }
  if (!value.is_known)
    return pl_emulate_unknown(pl_emulate_mix(PL_EMULATE_PARAMETERS + offset, bytes),
                              value.choices ? value.choices : PL_EMULATE_CHOICE_OTHER);
  return value;
}

/* ---- shared memory ---- */

static size_t word_at(const pl_emulate_machine *machine, uint32_t address) {
  return address < PL_EMULATE_ARENA ? machine->word_count : (address - PL_EMULATE_ARENA) / 4;
}

static void set_word(pl_emulate_machine *machine, size_t index, pl_emulate_value value) {
  machine->words[index] = value;
  machine->first_word = index < machine->first_word ? index : machine->first_word;
  machine->last_word = index >= machine->last_word ? index + 1 : machine->last_word;
}

static pl_emulate_value load_word(pl_emulate_machine *machine, uint32_t address) {
  size_t index = word_at(machine, address);
  if (index >= machine->word_count)
    return fresh(machine, 0);
  if (!machine->words[index].is_known && !machine->words[index].bits)
    set_word(machine, index, fresh(machine, 0));
  return machine->words[index];
}

void pl_emulate_forget(pl_emulate_machine *machine, uint32_t address, uint64_t bytes) {
  size_t first = word_at(machine, address), end = first + (size_t)((bytes + 3) / 4);
  pl_emulate_layout_set(machine, address, bytes, (pl_emulate_layout){0});
  first = first > machine->first_word ? first : machine->first_word;
  end = end < machine->last_word ? end : machine->last_word;
  for (size_t i = first; i < end; i++)
    machine->words[i] = (pl_emulate_value){0};
}

/* ---- all ---- */

/* What is at a global address, or one that is not known. */
static pl_emulate_value load_elsewhere(pl_emulate_machine *machine, const pl_emulate_step *step,
                                       pl_emulate_value address) {
  return step->is_fresh ? fresh(machine, address.choices)
                        : pl_emulate_unknown(pl_emulate_mix(address.bits, step->count),
                                             address.choices | PL_EMULATE_CHOICE_MEMORY);
}

static pl_emulate_value load(pl_emulate_machine *machine, const pl_emulate_step *step, pl_emulate_value address) {
  uint32_t shared;
  if (address.is_known && (address.bits & PL_EMULATE_KIND) == PL_EMULATE_PARAMETERS)
    return load_parameter(machine->setup, address.bits - PL_EMULATE_PARAMETERS, step->count);
  if (!pl_emulate_shared_address(address, &shared))
    return load_elsewhere(machine, step, address);
  return step->width == 32 && shared % 4 == 0 ? load_word(machine, shared) : fresh(machine, 0);
}

static void touch(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, pl_emulate_source addresses, bool writes,
                  const pl_emulate_step *step) {
  pl_emulate_touch_lanes(machine, warp, lanes, addresses, step->count, writes, step->instruction);
  for (uint32_t left = step->may_be_shared ? lanes : 0; left; left &= left - 1)
    if (!addresses.values[(unsigned)__builtin_ctz(left) * addresses.stride].is_known) {
      pl_emulate_touch_unknown(machine, step->instruction);
      return;
    }
}

void pl_emulate_load(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_step *step) {
  pl_emulate_source addresses = pl_emulate_source_of(machine, warp, step->a);
  pl_emulate_value results[32];
  touch(machine, warp, lanes, addresses, false, step);
  if (step->result == PL_EMULATE_NONE)
    return;
  if (!addresses.stride && !step->is_fresh) {
    pl_emulate_set(machine, warp, lanes, step->result, load(machine, step, *addresses.values));
    return;
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    results[lane] = load(machine, step, addresses.values[lane * addresses.stride]);
  }
  pl_emulate_set_each(machine, warp, lanes, step->result, results);
}

void pl_emulate_store(pl_emulate_machine *machine, unsigned warp, uint32_t lanes, const pl_emulate_step *step) {
  pl_emulate_source addresses = pl_emulate_source_of(machine, warp, step->a);
  pl_emulate_source values = pl_emulate_source_of(machine, warp, step->b);
  touch(machine, warp, lanes, addresses, true, step);
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t shared;
    if (!pl_emulate_shared_address(addresses.values[lane * addresses.stride], &shared))
      continue;
    pl_emulate_forget(machine, shared, step->count);
    size_t index = word_at(machine, shared);
    if (step->b != PL_EMULATE_NONE && step->width == 32 && shared % 4 == 0 && index < machine->word_count)
      set_word(machine, index, values.values[lane * values.stride]);
  }
}
