/* solved_values.h - every value that the solver chose, by the name under which a script can pin it. */
#ifndef PIPELINK_PASSES_SOLVED_VALUES_H
#define PIPELINK_PASSES_SOLVED_VALUES_H

#include "link.h"

typedef struct pl_solved_value {
  const char *name; /* "load.ab.depth" */
  uint64_t value;
  const char *why; /* one sentence: what it is and what bounds it */
  bool can_be_pinned;
} pl_solved_value;

/* All of them, in the order of the map. -ENOMEM. */
pl_status pl_solved_values(const pl_link *link, pl_solved_value **values, size_t *count);

/* The sentence for a name, with or without its instance ("ab.depth"). -ENOENT with a diagnostic that lists what there
 * is. */
pl_status pl_explain_value(const pl_link *link, const char *name, const char **sentence);

/* A link script that has every value pinned, and the link's instances and bindings: the same placement again. */
pl_status pl_print_pins(const pl_link *link, pl_buffer *text);

#endif
