/* link_options.h - the command line of ld.pipelink, read (link_options.c). */
#ifndef PIPELINK_DRIVER_LINK_OPTIONS_H
#define PIPELINK_DRIVER_LINK_OPTIONS_H

#include "../passes/link.h"
#include "report.h"

typedef struct link_request {
  pl_link_options link;
  pl_report_options report; /* of diagnostics */
  const char *why;          /* name of a solved value to explain, or NULL */
  const char *print_after;  /* phase name, or NULL */
  bool time_phases;
  bool dry_run;
  bool remarks; /* --no-remarks clears it */
} link_request;

/* Fills the request; strings belong to the arena or to argv. Returns -1 to go on, else the program's exit status (0
 * after --help and --version). */
int link_options_read(int argc, char **argv, pl_arena *arena, link_request *request);

#endif
