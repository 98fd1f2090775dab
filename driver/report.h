/* report.h - a sink of diagnostics on the terminal; shared by the programs. */
#ifndef PIPELINK_DRIVER_REPORT_H
#define PIPELINK_DRIVER_REPORT_H

#include "diagnostics.h"

/* Prints every diagnostic to stderr as `tool`: "pipelink: error: L-X: ...". In colour on a terminal, unless NO_COLOR
 * is set (no-color.org). */
void pl_report_print(const pl_sink *sink, const char *tool);

#endif
