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

static pl_emulate_value load_word(pl_emulate_machine *machine, uint32_t address) {
  size_t index = word_at(machine, address);
  if (index >= machine->word_count)
    return fresh(machine, 0);
  pl_emulate_value *word = &machine->words[index];
  if (!word->is_known && !word->bits)
    *word = fresh(machine, 0);
  return *word;
}

void pl_emulate_forget(pl_emulate_machine *machine, uint32_t address, uint64_t bytes) {
  size_t first = word_at(machine, address);
  for (uint64_t i = 0; i < (bytes + 3) / 4 && first + i < machine->word_count; i++)
    machine->words[first + i] = (pl_emulate_value){0};
}

pl_emulate_value pl_emulate_load(pl_emulate_machine *machine, unsigned thread, const pl_emulate_step *step,
                                 pl_emulate_value address) {
  uint64_t kind = address.bits & PL_EMULATE_KIND;
  uint32_t shared;
  if (!address.is_known) {
    if (step->result == PL_EMULATE_NONE || pl_emulate_may_be_shared(LLVMGetOperand(step->instruction, 0)))
      pl_emulate_touch_unknown(machine, step->instruction);
    return step->is_fresh ? fresh(machine, address.choices)
                          : pl_emulate_unknown(pl_emulate_mix(address.bits, step->count),
                                               address.choices | PL_EMULATE_CHOICE_MEMORY);
  }
  if (kind == PL_EMULATE_PARAMETERS)
    return load_parameter(machine->setup, address.bits - PL_EMULATE_PARAMETERS, step->count);
  if (!pl_emulate_shared_address(address, &shared))
    return step->is_fresh ? fresh(machine, address.choices)
                          : pl_emulate_unknown(pl_emulate_mix(address.bits, step->count),
                                               address.choices | PL_EMULATE_CHOICE_MEMORY);
  pl_emulate_touch_generic(machine, thread, shared, step->count, false, step->instruction);
  if (step->width == 32 && shared % 4 == 0)
    return load_word(machine, shared);
  return fresh(machine, 0);
}

void pl_emulate_store(pl_emulate_machine *machine, unsigned thread, const pl_emulate_step *step,
                      pl_emulate_value address, const pl_emulate_value *value) {
  uint32_t shared;
  if (!address.is_known)
    pl_emulate_touch_unknown(machine, step->instruction);
  if (!address.is_known || !pl_emulate_shared_address(address, &shared))
    return;
  pl_emulate_touch_generic(machine, thread, shared, step->count, true, step->instruction);
  pl_emulate_forget(machine, shared, step->count);
  size_t index = word_at(machine, shared);
  if (value && step->width == 32 && shared % 4 == 0 && index < machine->word_count)
    machine->words[index] = *value;
}
