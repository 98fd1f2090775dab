/* link.c - the life of a pl_link, and what several phases say the same way. */
#include "link.h"

#include <errno.h>

#include <llvm-c/TargetMachine.h>

void pl_link_init(pl_link *link, const pl_link_options *options, pl_arena *arena, pl_sink *sink) {
  *link = (pl_link){.options = *options, .arena = arena, .sink = sink, .prec_sqrt = true, .cluster = {1, 1, 1}};
}

void pl_link_free(pl_link *link) {
  for (size_t i = 0; i < link->instance_count; i++)
    if (link->instances[i].module)
      LLVMDisposeModule(link->instances[i].module);
  if (link->module)
    LLVMDisposeModule(link->module);
  if (link->target_machine)
    LLVMDisposeTargetMachine(link->target_machine);
  if (link->context)
    LLVMContextDispose(link->context);
  pl_codegen_result_free(&link->code);
}

const char *pl_where(const pl_link *link, size_t instance, pl_location location) {
  const pl_package *package = link->instances[instance].package;
  const char *text = location.file ? pl_arena_printf(link->arena, "%s %s (%s:%u)", package->name, package->version,
                                                     location.file, location.line)
                                   : pl_arena_printf(link->arena, "%s %s", package->name, package->version);
  return text ? text : package->name;
}

pl_status pl_out_of_memory(pl_sink *sink) {
  sink->out_of_memory = true;
  return -ENOMEM;
}
