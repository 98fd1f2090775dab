/* link.h - runs the phases of a link in order. */
#ifndef PIPELINK_DRIVER_LINK_H
#define PIPELINK_DRIVER_LINK_H

#include "link_options.h"

/* Runs the link and prints what was asked for. Returns the exit status of the program. Called in a child process
 * (contain.c): LLVM may end it. `progress` gets one byte, the phase's index, as each phase begins; -1 for none. */
int pipelink_link(const struct link_request *request, int progress);

/* Name of a phase, or NULL past the last. */
const char *pipelink_phase_name(unsigned index);

#endif
