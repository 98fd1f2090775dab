/* random_problem.h - random placement problems, the same ones for the same seed everywhere. */
#ifndef PIPELINK_LIT_TESTS_RANDOM_PROBLEM_H
#define PIPELINK_LIT_TESTS_RANDOM_PROBLEM_H

#include "problem_text.h"

typedef struct random_source {
  uint64_t state;
} random_source;

/* From `low` to `high`, both included. */
unsigned random_between(random_source *source, unsigned low, unsigned high);

/* A problem small enough for brute_force(), on a GPU of its own that is as small: much does not fit, or only just. */
void random_small_problem(random_source *source, problem_store *store, pl_profile *profile);

/* A composition as large as real ones, on a real GPU, with sizes as real ones have them. Mostly fits. */
void random_real_problem(random_source *source, problem_store *store);

#endif
