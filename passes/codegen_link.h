/* codegen_link.h - the device link that both back ends can end in: nvJitLink, foreign libraries, the check that
 * the kernel really is in the cubin. */
#ifndef PIPELINK_PASSES_CODEGEN_LINK_H
#define PIPELINK_PASSES_CODEGEN_LINK_H

#include "codegen.h"
#include "vendor.h"

/* Links `data` (the linker's own code, of kind PL_NVJITLINK_PTX or PL_NVJITLINK_LTOIR) with the options'
 * libraries into result->cubin; appends what nvJitLink says to result->log. */
pl_status pl_codegen_link(const pl_codegen_options *options, enum pl_nvjitlink_input kind, const void *data,
                          size_t size, pl_sink *sink, pl_codegen_result *result);

/* -EBADMSG with a diagnostic unless result->cubin holds the entry. */
pl_status pl_codegen_check_entry(const pl_codegen_options *options, pl_sink *sink, const pl_codegen_result *result);

/* Adds a vendor tool's text to the latest diagnostic, one detail a line. */
void pl_codegen_detail_log(pl_sink *sink, const char *text, size_t size);

#endif
