/* process.h - one child process at a time: ptxas, or python3 when the toolkit is looked for in wheels. */
#ifndef PIPELINK_PASSES_PROCESS_H
#define PIPELINK_PASSES_PROCESS_H

#include "support.h"

/* Runs argv[0] (a path, no search) with stdin empty and waits for it. What it writes to stdout and stderr is
 * appended to `output` in the order written. *exit_code is its exit status, or 128 + signal number.
 * Fails only when the process could not be started or read from. */
pl_status pl_process_run(const char *const *argv, pl_buffer *output, int *exit_code);

/* Full path of a program on PATH, or NULL. */
const char *pl_process_find(const char *program, pl_arena *arena);

#endif
