/* link.c - the link, phase by phase: the table of contents of the linker.
 *
 * Each phase is a function in a file of its own in passes/, and has a printed form (--print-after=PHASE), so that one
 * kernel can be followed through.
 */
#include "link.h"

#include "report.h"
#include "solved_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

typedef struct phase {
  const char *name;
  pl_status (*run)(pl_link *link);
  void (*print)(const pl_link *link, pl_buffer *text);
} phase;

static const phase PHASES[] = {
    {"read", pl_phase_read, pl_print_read},           /* open packages, choose the profile */
    {"bind", pl_phase_bind, pl_print_bind},           /* stage instances and seams */
    {"check", pl_phase_check, pl_print_bind},         /* both sides of every seam */
    {"solve", pl_phase_solve, pl_print_placement},    /* warps, parameters, shared memory */
    {"merge", pl_phase_merge, pl_print_module},       /* one module, no name in common */
    {"examine", pl_phase_examine, pl_print_module},   /* what roles do, against what they declare */
    {"relocate", pl_phase_relocate, pl_print_module}, /* imports to exports, thread ids to roles */
    {"generate", pl_phase_generate, pl_print_module}, /* the kernel around the roles */
    {"emulate", pl_phase_emulate, pl_print_emulate},  /* its synchronisation, run on the host */
    {"optimise", pl_phase_optimise, pl_print_module}, /* LLVM -O3 over all of it */
    {"verify", pl_phase_verify, pl_print_module},     /* no call or local memory left, shared memory fits */
    {"codegen", pl_phase_codegen, NULL},              /* NVVM or NVPTX, to a cubin */
    {"describe", NULL, pl_print_placement},           /* launch description, header, map */
};
enum {
  PHASE_COUNT = sizeof PHASES / sizeof *PHASES,
  PHASE_SOLVE = 3,
  PHASE_MERGE = 4,
  PHASE_OPTIMISE = 9,
  PHASE_DESCRIBE = 12
};

const char *pipelink_phase_name(unsigned index) {
  return index < PHASE_COUNT ? PHASES[index].name : NULL;
}

/* ---- what is printed along the way ---- */

static int print_after(const link_request *request, const pl_link *link, const phase *current) {
  if (!request->print_after || strcmp(request->print_after, current->name))
    return 0;
  pl_buffer text = {0};
  if (current->print)
    current->print(link, &text);
  else if (link->code.intermediate.data) /* what the back end was given */
    pl_buffer_append(&text, link->code.intermediate.data, link->code.intermediate.size);
  int failed = text.failed ? -ENOMEM : 0;
  fwrite(text.data, 1, text.size, stdout);
  pl_buffer_free(&text);
  return failed;
}

/* --save-temps: KERNEL.merged.ll and so on, written as they come, to look at when a later phase fails. */
static pl_status save(const pl_link *link, const char *suffix, const void *data, size_t size) {
  const char *output = link->options.output;
  size_t length = strlen(output);
  if (length > 6 && !strcmp(output + length - 6, ".cubin"))
    length -= 6;
  const char *path = pl_arena_printf(link->arena, "%.*s.%s", (int)length, output, suffix), *failed;
  pl_outputs *outputs = pl_outputs_create();
  pl_status status = path && outputs ? pl_outputs_add(outputs, path, data, size) : -ENOMEM;
  if (!status && (status = pl_outputs_commit(outputs, &failed)))
    pl_report(link->sink, PL_ERROR, "L-OUTPUT", "cannot write %s: %s", failed, strerror(-status));
  pl_outputs_free(outputs);
  return status;
}

static pl_status save_module(const pl_link *link, const char *suffix) {
  if (!link->options.save_temps)
    return 0;
  pl_buffer text = {0};
  pl_print_module(link, &text);
  pl_status status = text.failed ? -ENOMEM : save(link, suffix, text.data, text.size);
  pl_buffer_free(&text);
  return status;
}

static pl_status save_code(const pl_link *link) {
  if (!link->options.save_temps)
    return 0;
  bool nvvm = link->backend_used == PL_BACKEND_NVVM;
  pl_status status = save(link, nvvm ? "nvvm.ll" : "ptx", link->code.intermediate.data, link->code.intermediate.size);
  if (!status && link->code.ltoir.size)
    status = save(link, "ltoir", link->code.ltoir.data, link->code.ltoir.size);
  return status;
}

static void print_times(const pl_link *link, const double *milliseconds) {
  double total = 0, vendor = link->code.libnvvm_ms + link->code.nvjitlink_ms + link->code.ptxas_ms;
  fprintf(stderr, "%-22s %9s\n", "phase", "ms");
  for (unsigned i = 0; i < PHASE_COUNT; i++) {
    fprintf(stderr, "%-22s %9.2f\n", PHASES[i].name, milliseconds[i]);
    total += milliseconds[i];
    if (strcmp(PHASES[i].name, "codegen"))
      continue;
    static const char *const rows[] = {"  libNVVM", "  nvJitLink", "  ptxas"};
    const double values[] = {link->code.libnvvm_ms, link->code.nvjitlink_ms, link->code.ptxas_ms};
    for (size_t k = 0; k < 3; k++)
      if (values[k] > 0)
        fprintf(stderr, "%-22s %9.2f\n", rows[k], values[k]);
  }
  fprintf(stderr, "%-22s %9.2f\n%-22s %9.2f  (%.1f %% of all)\n", "total", total, "PipeLink and LLVM", total - vendor,
          total > 0 ? 100 * (total - vendor) / total : 0);
}

static void print_summary(const pl_link *link) {
  if (link->options.unit) {
    printf("%s: unit build, kernel %s, %s\n", link->options.output, link->entry, link->profile->name);
    return;
  }
  printf("%s: %zu stage%s, %zu role%s, %u warp%s, %s by %s", link->options.output, link->instance_count,
         link->instance_count == 1 ? "" : "s", link->role_count, link->role_count == 1 ? "" : "s", link->threads / 32,
         link->threads == 32 ? "" : "s", link->profile->name, link->backend_used == PL_BACKEND_NVVM ? "nvvm" : "nvptx");
  if (link->binding_count)
    printf(", %zu call seam%s", link->binding_count, link->binding_count == 1 ? "" : "s");
  if (link->shared_size)
    printf(", %llu bytes of shared memory", (unsigned long long)link->shared_size);
  putchar('\n');
  const pl_evidence_list *evidence = &link->evidence;
  if (evidence->count)
    printf("checked: %zu verified, %zu declared only, %zu undecided%s\n",
           pl_evidence_count(evidence, PL_EVIDENCE_VERIFIED), pl_evidence_count(evidence, PL_EVIDENCE_DECLARED),
           pl_evidence_count(evidence, PL_EVIDENCE_UNDECIDED), link->options.report ? "" : " (--report= says which)");
}

/* ---- the phases ---- */

/* --why: one sentence on standard output. */
static pl_status explain(const pl_link *link, const char *name) {
  const char *sentence;
  pl_status status = pl_explain_value(link, name, &sentence);
  if (!status)
    printf("%s\n", sentence);
  return status;
}

static pl_status run_phase(const link_request *request, pl_link *link, unsigned index, pl_outputs *outputs) {
  const phase *current = &PHASES[index];
  pl_status status;
  if (index == PHASE_DESCRIBE)
    status = pl_phase_describe(link, outputs);
  else
    status = current->run(link);
  if (!status && index == PHASE_SOLVE && request->why)
    status = explain(link, request->why);
  if (!status && index == PHASE_MERGE)
    status = save_module(link, "merged.ll");
  if (!status && index == PHASE_OPTIMISE)
    status = save_module(link, "opt.ll");
  if (!status && index == PHASE_DESCRIBE)
    status = save_code(link);
  if (!status)
    status = print_after(request, link, current);
  return status ? status : pl_sink_status(link->sink); /* a warning that is an error by -Werror= */
}

static pl_status run(const link_request *request, pl_link *link, pl_outputs *outputs, double *milliseconds,
                     int progress) {
  unsigned first = 0;
  link->entry = link->options.entry;
  if (link->options.unit) {
    double start = pl_milliseconds();
    pl_status status = pl_phase_unit(link);
    milliseconds[0] = pl_milliseconds() - start;
    if (status)
      return status;
    first = PHASE_OPTIMISE;
  }
  for (unsigned i = first; i < PHASE_COUNT; i++) {
    if (request->why && i == PHASE_MERGE)
      break; /* what is asked for has been said */
    if (request->dry_run && i == PHASE_OPTIMISE)
      break; /* merged, relocated and generated: everything that costs little has been checked */
    unsigned char mark = (unsigned char)i;
    if (progress >= 0 && write(progress, &mark, 1) < 0)
      progress = -1;
    double start = pl_milliseconds();
    pl_status status = run_phase(request, link, i, outputs);
    milliseconds[i] += pl_milliseconds() - start;
    if (status)
      return status;
    if (i == 0)
      link->entry = link->options.entry  ? link->options.entry
                    : link->script.entry ? link->script.entry
                                         : "pipelink_kernel";
  }
  return 0;
}

/* LLVM gives up: say so, and leave without touching anything. The child process ends here, not the program. */
static void fatal_error(const char *reason) {
  fprintf(stderr, "ld.pipelink: error: L-LLVM: LLVM cannot go on: %s\n", reason);
  _exit(1);
}

static pl_status commit(pl_link *link, pl_outputs *outputs) {
  const char *failed;
  pl_status status = pl_outputs_commit(outputs, &failed);
  if (status)
    pl_report(link->sink, PL_ERROR, "L-OUTPUT", "cannot write %s: %s", failed, strerror(-status));
  return status;
}

static bool was_forced(const pl_sink *sink) {
  for (size_t i = 0; i < sink->count; i++)
    if (sink->diagnostics[i]->is_forced)
      return true;
  return false;
}

static void drop_remarks(pl_sink *sink) {
  size_t kept = 0;
  for (size_t i = 0; i < sink->count; i++)
    if (sink->diagnostics[i]->severity != PL_REMARK)
      sink->diagnostics[kept++] = sink->diagnostics[i];
  sink->count = kept;
}

int pipelink_link(const link_request *request, int progress) {
  pl_sink sink;
  pl_link link;
  double milliseconds[PHASE_COUNT] = {0};
  pl_arena *arena = pl_arena_create();
  pl_outputs *outputs = pl_outputs_create();
  pl_status status = pl_sink_init(&sink);
  if (!arena || !outputs || status) {
    fprintf(stderr, "ld.pipelink: error: %s\n", strerror(ENOMEM));
    pl_arena_free(arena);
    pl_outputs_free(outputs);
    pl_sink_free(&sink);
    return 1;
  }
  LLVMInstallFatalErrorHandler(fatal_error);
  sink.policy = &request->report.policy;
  pl_link_init(&link, &request->link, arena, &sink);
  status = run(request, &link, outputs, milliseconds, progress);
  if (!status && !pl_sink_has_errors(&sink) && !request->dry_run)
    status = commit(&link, outputs);
  bool failed = status || pl_sink_has_errors(&sink);
  if (failed && !pl_sink_has_errors(&sink))
    pl_report(&sink, PL_ERROR, "L-LLVM",
              was_forced(&sink) ? "the link cannot go on past what was forced: %s" : "the link failed: %s",
              strerror(-status));
  if (!request->remarks)
    drop_remarks(&sink);
  failed |= !pl_report_show(&sink, "ld.pipelink", &request->report);
  if (request->time_phases)
    print_times(&link, milliseconds);
  if (!failed && !request->print_after && !request->dry_run)
    print_summary(&link);
  pl_link_free(&link);
  LLVMResetFatalErrorHandler();
  pl_outputs_free(outputs);
  pl_sink_free(&sink);
  pl_arena_free(arena);
  return failed ? 1 : 0;
}
