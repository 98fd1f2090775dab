/* inspect_summary.h - a package on a page, for people. */
#ifndef PIPELINK_DRIVER_INSPECT_SUMMARY_H
#define PIPELINK_DRIVER_INSPECT_SUMMARY_H

#include "package.h"

/* Appends: stage, producer, profiles, and for each contract its roles, parameters, resources and seams. */
void pl_inspect_summary(const pl_package *package, pl_buffer *text);

#endif
