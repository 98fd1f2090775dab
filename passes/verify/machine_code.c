/* machine_code.c - what the vendor's tools made of the kernel: spills and stack, as they log them, and the instructions
 * that the placement asks for, where the toolkit has a disassembler and a report is wanted.
 *
 * Disassembling costs more than all other checks together, so a link without a report goes without it.
 */
#include "optimised.h"

#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the log ---- */

/* The number before `words` in the kernel's part of the log, which ptxas and nvJitLink write alike:
 * "Function properties for NAME" and "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads". -1 without. */
static long bytes_of(const char *properties, const char *words) {
  const char *end = properties ? strstr(properties, words) : NULL;
  if (!end)
    return -1;
  while (end > properties && end[-1] == ' ')
    end--;
  while (end > properties && end[-1] >= '0' && end[-1] <= '9')
    end--;
  return strtol(end, NULL, 10);
}

static const char *properties_of(const pl_link *link) {
  static const char title[] = "properties for ";
  for (const char *at = link->code.log.data; at && (at = strstr(at, title));) {
    at += sizeof title - 1;
    at += *at == '\'';
    size_t length = strlen(link->entry);
    if (!strncmp(at, link->entry, length) && strchr("': \n\r", at[length]))
      return at;
  }
  return NULL;
}

static void check_spills(pl_link *link) {
  const char *properties = properties_of(link);
  long stores = bytes_of(properties, "bytes spill stores"), loads = bytes_of(properties, "bytes spill loads");
  long stack = bytes_of(properties, "bytes stack frame");
  if (stores < 0 || loads < 0) {
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-SPILL", "the kernel", "the vendor's log does not speak of spills");
    return;
  }
  if (!stores && !loads) {
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-SPILL", "the kernel", "no spills, %ld bytes of stack", stack);
    return;
  }
  pl_report(link->sink, PL_WARNING, "L-SPILL", "registers are spilled: %ld bytes of stores, %ld of loads", stores,
            loads);
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    if (placed->registers)
      pl_link_role(link, placed->instance, placed->role, "%u registers per thread", placed->registers);
    else
      pl_link_role_alone(link, placed->instance, placed->role);
  }
  pl_consequence(link->sink, "each goes through the memory hierarchy: slow where it stands in a loop");
  pl_fix(link->sink, "raise the registers of the role that needs them, lower another's, or give it more warps");
}

/* ---- the instructions ---- */

static size_t count_of(const pl_buffer *text, const char *word) {
  size_t count = 0;
  for (const char *at = text->data; at && (at = strstr(at, word)); at += strlen(word))
    count++;
  return count;
}

/* Register budgets other than what every thread has at launch. */
static size_t budgets_to_set(const pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; link->launch_registers && i < 8; i++) {
    unsigned wanted = link->warpgroup_registers[i];
    bool is_new = wanted && wanted != link->launch_registers;
    for (size_t k = 0; k < i; k++)
      is_new &= link->warpgroup_registers[k] != wanted;
    count += is_new;
  }
  return count;
}

static pl_status disassemble(const pl_link *link, pl_buffer *text) {
  const char *folder = getenv("TMPDIR");
  char *path = pl_arena_printf(link->arena, "%s/pipelink-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = path ? mkstemp(path) : -1, exit_code = 1;
  if (file < 0)
    return path ? -errno : -ENOMEM;
  const pl_buffer *cubin = &link->code.cubin;
  bool is_written = write(file, cubin->data, cubin->size) == (ssize_t)cubin->size;
  pl_status status = close(file) || !is_written ? -EIO : 0;
  const char *const argv[] = {link->toolkit.nvdisasm, "-c", path, NULL};
  if (!status)
    status = pl_process_run(argv, text, &exit_code);
  unlink(path);
  return status ? status : exit_code || text->failed ? -EIO : 0;
}

static void check_instructions(pl_link *link) {
  static const char kernel[] = "the kernel";
  pl_buffer text = {0};
  if (!link->toolkit.nvdisasm) {
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-PTXAS", kernel, "the toolkit has no nvdisasm to look at the code with");
  } else if (disassemble(link, &text)) {
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-PTXAS", kernel, "nvdisasm does not read the cubin");
  } else {
    size_t wanted = budgets_to_set(link), set = count_of(&text, " USETMAXREG");
    if (set < wanted) {
      pl_report(link->sink, PL_ERROR, "L-PTXAS", "setmaxnreg is missing: %zu of %zu register budgets are set", set,
                wanted);
      pl_consequence(link->sink, "slow, two to four times, or a hang where roles wait for registers");
      pl_fix(link->sink, "--save-temps keeps what the back end was given");
    } else {
      pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-PTXAS", kernel,
                  "%zu register budgets set for %zu placed, %zu barriers, %zu calls", set, wanted,
                  count_of(&text, " BAR."), count_of(&text, " CALL."));
    }
  }
  pl_buffer_free(&text);
}

pl_status pl_verify_machine_code(pl_link *link) {
  check_spills(link);
  if (link->options.report)
    check_instructions(link);
  return pl_sink_status(link->sink);
}
