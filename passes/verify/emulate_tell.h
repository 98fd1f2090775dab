/* emulate_tell.h - what a run has found, as diagnostics and as rows of the link report. */
#ifndef PIPELINK_PASSES_EMULATE_TELL_H
#define PIPELINK_PASSES_EMULATE_TELL_H

#include "link.h"

#include "emulate_setup.h"

void pl_emulate_tell(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome);
/* Every ring is undecided, for this reason. */
void pl_emulate_tell_nothing(pl_link *link, const char *reason);

/* emulate.c: every ring has gone round often enough, or there is no other run. */
bool pl_emulate_is_enough(const pl_emulate_setup *setup, const pl_emulate_outcome *outcome);

/* emulate_tell_stuck.c */
void pl_emulate_tell_stuck(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome,
                           const pl_emulate_verdict *verdict);

/* A line about what a thread's role does at an instruction (its line, or the role's). */
void pl_emulate_tell_place(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_place *place,
                           const char *format, ...) PL_PRINTF(4, 5);

#endif
