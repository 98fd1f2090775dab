/* optimised.h - what the phase after optimise looks at, one file each: examine.c has looked at the roles before. */
#ifndef PIPELINK_PASSES_VERIFY_OPTIMISED_H
#define PIPELINK_PASSES_VERIFY_OPTIMISED_H

#include "link.h"

pl_status pl_verify_calls(pl_link *link);
pl_status pl_verify_shared_memory(pl_link *link);
pl_status pl_verify_locals(pl_link *link);
/* Called by codegen, once there is a cubin. */
pl_status pl_verify_machine_code(pl_link *link);

#endif
