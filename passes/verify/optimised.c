/* optimised.c - the phase after optimise: what the kernel must not hold any more. */
#include "optimised.h"

pl_status pl_phase_verify(pl_link *link) {
  pl_status status = pl_verify_calls(link);
  if (!status && !link->options.unit)
    status = pl_verify_locals(link);
  return status ? status : pl_verify_shared_memory(link);
}
