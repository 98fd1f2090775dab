/* emulate_engines.c - what copies and matrix instructions do to the emulated CTA.
 *
 * They take effect at once, but are finished only for who waits: a bulk copy belongs to the phase of its mbarrier, a
 * matrix instruction to its warpgroup's group, a copy by hand to its thread's group. That is how an access too early is
 * told from one in time, whatever order the run happened to take.
 */
#include "emulate_machine.h"

static pl_emulate_value value_of(const pl_emulate_machine *machine, unsigned thread,
                                 const pl_emulate_operand *operand) {
  return pl_emulate_operand_value(machine, thread, operand);
}

static LLVMValueRef at(const pl_emulate_operation *operation) {
  return operation->operation->instruction;
}

/* ---- copies ---- */

/* The tensor map that a copy goes by; NULL when it is no field of the parameter block. */
static const pl_emulate_field *map_of(const pl_emulate_machine *machine, pl_emulate_value map) {
  if (!map.is_known || (map.bits & PL_EMULATE_KIND) != PL_EMULATE_PARAMETERS)
    return NULL;
  for (size_t i = 0; i < machine->setup->field_count; i++)
    if (machine->setup->fields[i].offset == map.bits - PL_EMULATE_PARAMETERS && machine->setup->fields[i].copy_bytes)
      return &machine->setup->fields[i];
  return NULL;
}

/* Bulk copies go to and from multiples of 16 bytes (PTX ISA, "cp.async.bulk"). */
static void check_alignment(pl_emulate_machine *machine, unsigned thread, uint32_t address,
                            const pl_emulate_operation *operation) {
  if (address % 16)
    pl_emulate_find(machine, &(pl_emulate_finding){.fault = PL_FAULT_MISALIGNED,
                                                   .ring = PL_EMULATE_NONE,
                                                   .barrier = address,
                                                   .first = {thread, at(operation)}});
}

static void bulk_load(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->barrier, operation), address;
  pl_emulate_value bytes = value_of(machine, thread, &operation->bytes);
  if (index == PL_EMULATE_NONE)
    return;
  const pl_emulate_field *map = NULL;
  if (!operation->bytes.is_present) {
    map = map_of(machine, value_of(machine, thread, &operation->source));
    bytes = (pl_emulate_value){.bits = map ? map->copy_bytes : 0, .is_known = map != NULL};
  }
  if (pl_emulate_shared_address(value_of(machine, thread, &operation->address), &address)) {
    uint32_t at_phase = (uint32_t)machine->mbarriers[index].state.phase + 1;
    check_alignment(machine, thread, address, operation);
    pl_emulate_touch_async(machine, thread, address, bytes.is_known ? bytes.bits : 1, true, machine->phases + index,
                           at_phase, at(operation));
    pl_emulate_forget(machine, address, bytes.is_known ? bytes.bits : 0);
    if (map)
      pl_emulate_layout_set(machine, address, map->copy_bytes,
                            (pl_emulate_layout){at(operation), thread, map->swizzle});
  } else {
    pl_emulate_touch_unknown(machine, at(operation));
  }
  pl_emulate_mbarrier_complete(machine, index, (int64_t)(uint32_t)bytes.bits, bytes.is_known);
}

static void touch_operand(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation,
                          const pl_emulate_operand *operand, bool writes, uint32_t entry, uint32_t time) {
  pl_emulate_value bytes = value_of(machine, thread, &operation->bytes);
  uint32_t address;
  if (!operand->is_present)
    return;
  if (pl_emulate_shared_address(value_of(machine, thread, operand), &address))
    pl_emulate_touch_async(machine, thread, address, bytes.is_known ? bytes.bits : 1, writes, entry, time,
                           at(operation));
  else
    pl_emulate_touch_unknown(machine, at(operation));
}

/* The start address in a shared-memory descriptor (PTX ISA, "Matrix descriptor": bits 0-13, in units of 16). */
static void touch_descriptor(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation,
                             const pl_emulate_operand *operand, uint32_t entry, uint32_t time) {
  pl_emulate_value descriptor = value_of(machine, thread, operand);
  if (!operand->is_present)
    return;
  if (!descriptor.is_known) {
    pl_emulate_touch_unknown(machine, at(operation));
    return;
  }
  pl_emulate_touch_async(machine, thread, (uint32_t)(descriptor.bits & 0x3fff) << 4, 16, false, entry, time,
                         at(operation));
  if (operation->operation->kind == PL_OP_WGMMA)
    pl_emulate_layout_read(machine, thread, descriptor.bits, at(operation));
}

static uint32_t open_group(pl_emulate_groups *groups) {
  groups->open = 1;
  return groups->committed + 1;
}

static void commit(pl_emulate_groups *groups) {
  groups->committed++;
  groups->open = 0;
}

/* All but the latest `count` groups have finished; the thread knows. */
static void finish(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation,
                   const pl_emulate_groups *groups, uint32_t entry) {
  pl_emulate_value count = value_of(machine, thread, &operation->count);
  uint32_t pending = count.is_known ? (uint32_t)count.bits : 0, *clock = pl_emulate_clock_of(machine, thread);
  uint32_t done = groups->committed > pending ? groups->committed - pending : 0;
  if (clock[entry] < done)
    clock[entry] = done;
}

static void arrive_with_copies(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->address, operation),
           entry = machine->copies + thread / 32;
  if (index == PL_EMULATE_NONE)
    return;
  commit(&machine->threads[thread].copies);
  uint32_t *arrived = machine->mbarriers[index].arrived;
  if (arrived[entry] < machine->threads[thread].copies.committed)
    arrived[entry] = machine->threads[thread].copies.committed;
  if (operation->operation->is_noinc)
    pl_emulate_mbarrier_arrive(machine, thread, index, 1, at(operation));
}

/* ---- tcgen05 ---- */

static void tensor_multiply(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t entry = machine->tensor + thread / 32, time = open_group(&machine->threads[thread].matrix);
  touch_descriptor(machine, thread, operation, &operation->source, entry, time);
  touch_descriptor(machine, thread, operation, &operation->source_b, entry, time);
}

static void tensor_commit(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  uint32_t index = pl_emulate_find_mbarrier(machine, thread, &operation->address, operation),
           entry = machine->tensor + thread / 32;
  if (index == PL_EMULATE_NONE || operation->operation->is_multicast)
    return;
  commit(&machine->threads[thread].matrix);
  uint32_t *arrived = machine->mbarriers[index].arrived;
  if (arrived[entry] < machine->threads[thread].matrix.committed)
    arrived[entry] = machine->threads[thread].matrix.committed;
  pl_emulate_mbarrier_arrive(machine, thread, index, 1, at(operation));
}

/* ---- all ---- */

bool pl_emulate_work(pl_emulate_machine *machine, unsigned thread, const pl_emulate_operation *operation) {
  pl_emulate_thread *self = &machine->threads[thread];
  uint32_t matrix = machine->matrix + thread / 128, stores = machine->stores + thread / 32,
           copies = machine->copies + thread / 32;
  switch (operation->operation->kind) {
  case PL_OP_BULK_LOAD:
    bulk_load(machine, thread, operation);
    return true;
  case PL_OP_BULK_STORE:
    touch_operand(machine, thread, operation, &operation->source, false, stores, open_group(&self->stores));
    return true;
  case PL_OP_BULK_COMMIT:
    commit(&self->stores);
    return true;
  case PL_OP_BULK_WAIT:
    finish(machine, thread, operation, &self->stores, stores);
    return true;
  case PL_OP_CP_ASYNC:
    touch_operand(machine, thread, operation, &operation->address, true, copies, open_group(&self->copies));
    return true;
  case PL_OP_CP_ASYNC_COMMIT:
    commit(&self->copies);
    return true;
  case PL_OP_CP_ASYNC_WAIT:
    finish(machine, thread, operation, &self->copies, copies);
    return true;
  case PL_OP_CP_ASYNC_ARRIVE:
    arrive_with_copies(machine, thread, operation);
    return true;
  case PL_OP_WGMMA:
    touch_descriptor(machine, thread, operation, &operation->source, matrix, open_group(&self->matrix));
    touch_descriptor(machine, thread, operation, &operation->source_b, matrix, open_group(&self->matrix));
    return true;
  case PL_OP_WGMMA_COMMIT:
    commit(&self->matrix);
    return true;
  case PL_OP_WGMMA_WAIT:
    finish(machine, thread, operation, &self->matrix, matrix);
    return true;
  case PL_OP_TCGEN05_MMA:
  case PL_OP_TCGEN05_COPY:
    tensor_multiply(machine, thread, operation);
    return true;
  case PL_OP_TCGEN05_COMMIT:
    tensor_commit(machine, thread, operation);
    return true;
  default:
    return false;
  }
}
