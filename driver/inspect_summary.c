/* inspect_summary.c - see inspect_summary.h. */
#include "inspect_summary.h"

#include <string.h>

static const char *file_name(pl_location location) {
  return location.file ? pl_path_base(location.file) : "?";
}

static void print_place(pl_buffer *text, pl_location location) {
  pl_buffer_printf(text, "  (%s:%u)\n", file_name(location), location.line);
}

static void print_params(pl_buffer *text, const pl_params *params) {
  pl_buffer_printf(text, "  params  %s: %llu bytes, align %llu%s", params->struct_name,
                   (unsigned long long)params->size, (unsigned long long)params->align,
                   params->is_opaque ? ", opaque" : "");
  print_place(text, params->location);
  size_t widest = 0;
  for (size_t i = 0; i < params->field_count; i++)
    if (strlen(params->fields[i].name) > widest)
      widest = strlen(params->fields[i].name);
  for (size_t i = 0; i < params->field_count; i++) {
    const pl_field *field = &params->fields[i];
    pl_buffer_printf(text, "            %-*s  byte %-4llu %s\n", (int)(widest < 40 ? widest : 40), field->name,
                     (unsigned long long)field->offset, field->type->name);
  }
}

static void print_live(pl_buffer *text, pl_live live) {
  if (live.from || live.to != PL_PHASE_MOST)
    pl_buffer_printf(text, ", live in phases %u to %u", live.from, live.to);
}

/* "  ring    ab: consumed by mma, filled by TMA, each warp arrives; 2 to 8 slots of Slot: 32768 bytes, align 1024" */
static void print_ring(pl_buffer *text, const pl_ring *ring) {
  static const char *const protocols[] = {[PL_RING_TMA] = "TMA",
                                          [PL_RING_THREAD] = "threads",
                                          [PL_RING_CP_ASYNC] = "cp.async",
                                          [PL_RING_NAMED] = "threads with named barriers"};
  static const char *const arrivals[] = {[PL_ARRIVE_THREAD] = "every thread",
                                         [PL_ARRIVE_WARP] = "each warp",
                                         [PL_ARRIVE_WARPGROUP] = "each warpgroup",
                                         [PL_ARRIVE_ROLE] = "one thread"};
  pl_buffer_printf(text, "  ring    %s: %s by %s, filled by %s, %s arrives; %u to %u slots", ring->name,
                   ring->is_producer ? "produced" : "consumed", ring->role ? ring->role : "whoever calls",
                   protocols[ring->protocol], arrivals[ring->arrive], ring->depth_min, ring->depth_max);
  if (ring->depth_multiple != 1)
    pl_buffer_printf(text, " (a multiple of %u)", ring->depth_multiple);
  pl_buffer_printf(text, " of %s: %llu bytes, align %llu", ring->payload->name, (unsigned long long)ring->slot_bytes,
                   (unsigned long long)ring->slot_align);
  if (ring->credit == PL_CREDIT_PRE_ARRIVE)
    pl_buffer_puts(text, ", pre-arrived");
  print_live(text, ring->live);
  print_place(text, ring->location);
}

static void print_resources(pl_buffer *text, const pl_contract *contract) {
  for (size_t i = 0; i < contract->ring_count; i++)
    print_ring(text, &contract->rings[i]);
  for (size_t i = 0; i < contract->barrier_count; i++) {
    const pl_barrier *barrier = &contract->barriers[i];
    pl_buffer_printf(text, "  barrier %s: ", barrier->name);
    if (barrier->threads)
      pl_buffer_printf(text, "%u threads", barrier->threads);
    else
      pl_buffer_printf(text, "all threads of %s", barrier->role ? barrier->role : "the stage");
    if (barrier->id)
      pl_buffer_printf(text, ", id %u", barrier->id);
    pl_buffer_puts(text, barrier->is_shared ? ", shared with other stages" : "");
    print_place(text, barrier->location);
  }
  for (size_t i = 0; i < contract->buffer_count; i++) {
    const pl_smem_buffer *buffer = &contract->buffers[i];
    pl_buffer_printf(text, "  buffer  %s: %s, %llu bytes, align %llu", buffer->name, buffer->payload->name,
                     (unsigned long long)buffer->bytes, (unsigned long long)buffer->align);
    if (buffer->overlay)
      pl_buffer_printf(text, ", may overlay ring %s, guarded by %s", buffer->overlay, buffer->guard);
    print_live(text, buffer->live);
    print_place(text, buffer->location);
  }
  for (size_t i = 0; i < contract->tmem_count; i++) {
    const pl_tmem *tmem = &contract->tmems[i];
    pl_buffer_printf(text, "  tmem    %s: %u columns, align %u", tmem->name, tmem->columns, tmem->align);
    if (tmem->column >= 0)
      pl_buffer_printf(text, ", at column %d", tmem->column);
    print_place(text, tmem->location);
  }
}

static void print_contract(pl_buffer *text, const pl_contract *contract) {
  for (size_t i = 0; i < contract->role_count; i++) {
    const pl_role *role = &contract->roles[i];
    pl_buffer_printf(text, "  role    %s: %u warp%s", role->name, role->warps, role->warps == 1 ? "" : "s");
    if (role->warps_min != role->warps_max)
      pl_buffer_printf(text, " (%u to %u, a multiple of %u)", role->warps_min, role->warps_max, role->warps_multiple);
    if (role->registers[0])
      pl_buffer_printf(text, ", registers %u to %u, best %u", role->registers[0], role->registers[2],
                       role->registers[1]);
    if (role->params)
      pl_buffer_printf(text, ", takes %s", role->params);
    if (role->cluster[0])
      pl_buffer_printf(text, ", cluster %u x %u x %u", role->cluster[0], role->cluster[1], role->cluster[2]);
    if (role->is_co_resident)
      pl_buffer_puts(text, ", waits for all CTAs of the grid");
    print_place(text, role->location);
  }
  for (size_t i = 0; i < contract->params_count; i++)
    print_params(text, &contract->params[i]);
  for (size_t i = 0; i < contract->shared_count; i++) {
    const pl_shared *shared = &contract->shareds[i];
    pl_buffer_printf(text, "  shared  %s: %llu bytes, align %llu", shared->name, (unsigned long long)shared->bytes,
                     (unsigned long long)shared->align);
    print_place(text, shared->location);
  }
  print_resources(text, contract);
  for (size_t i = 0; i < contract->seam_count; i++) {
    const pl_seam *seam = &contract->seams[i];
    pl_buffer_printf(text, "  %s  %s: %s%s", seam->is_export ? "export" : "import", seam->name, seam->function,
                     seam->is_export && !seam->is_defined ? ", defined by a library" : "");
    print_place(text, seam->location);
  }
}

/* One block per contract: profiles whose contracts read the same share it. */
static void print_codes(pl_buffer *text, const pl_package *package) {
  pl_buffer contract = {0}, other = {0};
  for (size_t i = 0; i < package->code_count; i++) {
    pl_buffer_clear(&contract);
    print_contract(&contract, &package->codes[i].contract);
    bool is_shown = false;
    for (size_t j = 0; j < package->code_count; j++) {
      pl_buffer_clear(&other);
      print_contract(&other, &package->codes[j].contract);
      bool is_same = j == i || (!contract.failed && !other.failed && contract.size == other.size &&
                                (!contract.size || !memcmp(contract.data, other.data, contract.size)));
      is_shown = is_shown || (is_same && j < i);
      if (is_same && !is_shown)
        pl_buffer_printf(text, "%s%s", j == i ? "\n" : ", ", package->codes[j].profile);
    }
    if (!is_shown)
      pl_buffer_printf(text, "\n%s", contract.size ? contract.data : "  (nothing but the stage's name)\n");
    text->failed = text->failed || contract.failed || other.failed;
  }
  pl_buffer_free(&contract);
  pl_buffer_free(&other);
}

static void print_names(pl_buffer *text, const char *what, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    pl_buffer_printf(text, "%s%s%s", i ? ", " : what, names[i], i + 1 == count ? "\n" : "");
}

void pl_inspect_summary(const pl_package *package, pl_buffer *text) {
  pl_buffer_printf(text, "%s %s\n", package->name, package->version);
  pl_buffer_printf(text, "made by pipelink %s, LLVM %s, CUDA %s\n", package->producer_pipelink, package->producer_llvm,
                   package->producer_cuda);
  for (size_t i = 0; i < package->code_count; i++) {
    const pl_member *member = pl_package_member(package, package->codes[i].member);
    pl_buffer_printf(text, "%s%s (%zu bytes)%s", i ? ", " : "code for ", package->codes[i].profile,
                     member ? member->size : 0, i + 1 == package->code_count ? "\n" : "");
  }
  print_names(text, "headers: ", package->headers, package->header_count);
  print_names(text, "libraries: ", package->libraries, package->library_count);
  print_codes(text, package);
}
