/* validate.h - holds a placement against the rules, written down a second time and without the solver's code. */
#ifndef PIPELINK_LIT_TESTS_VALIDATE_H
#define PIPELINK_LIT_TESTS_VALIDATE_H

#include "placement.h"

/* NULL when the solution keeps every rule; else which one it breaks. */
const char *broken_rule(const pl_placement_problem *problem, const pl_placement_solution *solution);

#endif
