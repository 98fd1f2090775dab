/* large_problem.h - compositions larger than any known kernel, of any size, that look like real ones. */
#ifndef PIPELINK_LIT_TESTS_LARGE_PROBLEM_H
#define PIPELINK_LIT_TESTS_LARGE_PROBLEM_H

#include "problem_text.h"

typedef struct large_size {
  unsigned roles, rings, buffers, barriers;
} large_size;

/* On sm_100a: warpgroups with many registers and single warps with few, rings of tiles of several sizes that all want
 * to be deeper than there is room for, buffers of all alignments in four phases, some of them on rings, and barriers of
 * which every third is fixed. Sizes of tiles and buffers shrink as there are more of them, so that it always fits. */
void large_problem(problem_store *store, large_size size);

#endif
