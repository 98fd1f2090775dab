/* response_file.h - @FILE arguments. */
#ifndef PIPELINK_DRIVER_RESPONSE_FILE_H
#define PIPELINK_DRIVER_RESPONSE_FILE_H

#include "../passes/support.h"

/* Replaces each @FILE by the arguments in FILE: separated by white space, with '...' and "..." and \x as in a shell.
 * Files may name further files, eight deep. Strings belong to the arena. 0, or an exit status after a message. */
int response_files_expand(int *argc, char ***argv, pl_arena *arena, const char *tool);

#endif
