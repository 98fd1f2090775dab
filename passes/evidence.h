/* evidence.h - what each check of a link rests on: the rows of the link report.
 *
 * A check that passed says how far it could see. What is only promised, or cannot be decided, is no error and is not
 * silent either: the report (--report=FILE) lists it with the reason, and the linker counts it on the terminal.
 */
#ifndef PIPELINK_PASSES_EVIDENCE_H
#define PIPELINK_PASSES_EVIDENCE_H

#include "support.h"

struct pl_link;

/* In the order in which a later row replaces an earlier one of the same subject and code. */
typedef enum pl_evidence_state {
  PL_EVIDENCE_DECLARED, /* both sides say so; nobody looked at the code */
  PL_EVIDENCE_VERIFIED, /* seen in the code */
  PL_EVIDENCE_UNDECIDED /* looked for in the code, and not to be decided there */
} pl_evidence_state;

typedef struct pl_evidence_row {
  const char *subject; /* "ring 'ab'", "call seam 'scale'", "role 'mma' of org.x.mma" */
  const char *code;    /* the diagnostic that a failure would have been: "L-ARRIVE" */
  pl_evidence_state state;
  const char *reason; /* one line: what was compared or seen, or why it cannot be decided */
} pl_evidence_row;

typedef struct pl_evidence_list { /* in the link's arena */
  pl_evidence_row *rows;
  size_t count, capacity;
} pl_evidence_list;

/* Adds a row, or replaces the one of the same subject and code when this one's state is later or the same in the order
 * above. A
 * NULL subject is a failed allocation of the caller's and goes to the sink as one. */
void pl_evidence(struct pl_link *link, pl_evidence_state state, const char *code, const char *subject,
                 const char *reason, ...) PL_PRINTF(5, 6);

/* Rows of a state. */
size_t pl_evidence_count(const pl_evidence_list *evidence, pl_evidence_state state);

/* The link report as JSON: docs/linker.md, "The link report". */
pl_status pl_evidence_print(const struct pl_link *link, pl_buffer *text);

#endif
