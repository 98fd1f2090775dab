/* edit_distance.h - how far a mistyped name is from a known one. */
#ifndef PIPELINK_PASSES_EDIT_DISTANCE_H
#define PIPELINK_PASSES_EDIT_DISTANCE_H

#include <stddef.h>

/* How many letters, of either case, must be changed, added, dropped or swapped with their neighbour to get from a to b.
 * Names of more than 32 letters are 32 apart from everything. */
size_t pl_edit_distance(const char *a, const char *b);

#endif
