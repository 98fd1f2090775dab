/* codegen.c - eleventh phase: chooses the back end, and looks at what it gave.
 *
 * NVVM first; when its writer meets a construct it does not know, it says which and NVPTX takes over. A cubin that
 * lacks the kernel or a kept variable is an error here, not at launch.
 */
#include "link.h"

#include "cubin.h"
#include "optimised.h"

#include <errno.h>
#include <string.h>

void pl_codegen_result_free(pl_codegen_result *result) {
  pl_buffer_free(&result->cubin);
  pl_buffer_free(&result->intermediate);
  pl_buffer_free(&result->ltoir);
  pl_buffer_free(&result->log);
  *result = (pl_codegen_result){0};
}

static void tell_handover(pl_link *link) {
  const pl_nvvm_unknown *unknown = &link->code.unknown;
  pl_report(link->sink, PL_REMARK, "L-NVVM", "the NVVM back end does not know %s: NVPTX takes this kernel",
            unknown->construct);
  if (unknown->location.file)
    pl_detail_of(link->sink, &(pl_party){.location = unknown->location}, "at %s:%u", unknown->location.file,
                 unknown->location.line);
  pl_detail(link->sink, "in function %s", unknown->function);
}

static pl_status check_symbols(pl_link *link) {
  pl_status status = 0;
  for (size_t i = 0; i <= link->options.keep_count; i++) {
    const char *symbol = i ? link->options.keep[i - 1] : link->entry;
    if (pl_cubin_find(link->code.cubin.data, link->code.cubin.size, symbol, NULL))
      continue;
    pl_report(link->sink, PL_ERROR, "L-CUBIN", "the cubin lacks '%s'", symbol);
    pl_detail(link->sink, "the vendor's linker succeeded but left it out");
    status = -EIO;
  }
  return status;
}

pl_status pl_phase_codegen(pl_link *link) {
  pl_codegen_library *libraries = pl_arena_array(link->arena, link->library_count, sizeof *libraries);
  if (!libraries)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->library_count; i++)
    libraries[i] = link->libraries[i].input;
  pl_codegen_options options = {.profile = link->profile,
                                .toolkit = &link->toolkit,
                                .entry = link->entry,
                                .ftz = link->ftz,
                                .fma = true,
                                .prec_div = true,
                                .prec_sqrt = link->prec_sqrt,
                                .lineinfo = link->lineinfo,
                                .variables = link->options.keep,
                                .variable_count = link->options.keep_count,
                                .libraries = libraries,
                                .library_count = link->library_count};
  pl_status status = -ENOTSUP;
  link->backend_used = link->options.backend;
  if (link->backend_used == PL_BACKEND_NVVM) {
    status = pl_codegen_nvvm(link->module, &options, link->arena, link->sink, &link->code);
    if (status == -ENOTSUP) {
      tell_handover(link);
      link->backend_used = PL_BACKEND_NVPTX;
      double writer_ms = link->code.own_ms;
      pl_codegen_result_free(&link->code);
      link->code.own_ms = writer_ms;
    }
  }
  if (link->backend_used == PL_BACKEND_NVPTX)
    status = pl_codegen_nvptx(link->module, &options, link->arena, link->sink, &link->code);
  if (!status)
    status = pl_check_vendor_log(link);
  if (!status)
    status = check_symbols(link);
  return status || link->options.unit ? status : pl_verify_machine_code(link);
}
