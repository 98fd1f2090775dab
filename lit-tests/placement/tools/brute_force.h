/* brute_force.h - the best placement of a small problem, by trying everything: all warps for all roles, all registers,
 * all depths, all offsets. Shares no code and no idea with the solver. */
#ifndef PIPELINK_LIT_TESTS_BRUTE_FORCE_H
#define PIPELINK_LIT_TESTS_BRUTE_FORCE_H

#include "placement.h"

enum {
  BRUTE_ROLES = 4,
  BRUTE_RINGS = 3,
  BRUTE_ITEMS = 12,
  BRUTE_UNIT = 8, /* bytes: all sizes and alignments are multiples of it */
};

/* The objective's values. Roles and rings must be declared in the order of their names. */
typedef struct brute_result {
  bool roles_fit, rings_fit, tmem_fits;
  unsigned warps[BRUTE_ROLES], registers[BRUTE_ROLES]; /* registers: of roles with a wish */
  unsigned depth[BRUTE_RINGS];
  uint64_t shared_bytes;
  unsigned tmem_columns;
} brute_result;

void brute_force(const pl_placement_problem *problem, brute_result *result);

#endif
