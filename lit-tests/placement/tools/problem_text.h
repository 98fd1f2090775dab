/* problem_text.h - placement problems as text, so that a test can state one in a few lines.
 *
 *   profile sm_90a                 shared 101376     static 64     ctas 2     cluster 2x1x1 | OWNER
 *   role NAME warps=4 or 1..8, multiple=4 align=4 registers=24,40,40 first=0 | OWNER
 *   ring NAME slot=49152 align=1024 depth=2..8 preferred=8 multiple=2 priority=1 lookahead=1 mbarriers=2 barriers=0
 *        live=0..3 pin=4 | OWNER
 *   buffer NAME bytes=512 align=128 live=0..0 on=RING offset=0 | OWNER
 *   barrier NAME id=3 | OWNER
 *   tmem NAME columns=128 align=32 column=0 | OWNER
 *
 * One declaration a line; what follows a # is a comment; a ring stands before what lies on it.
 */
#ifndef PIPELINK_LIT_TESTS_PROBLEM_TEXT_H
#define PIPELINK_LIT_TESTS_PROBLEM_TEXT_H

#include "placement.h"

enum { PROBLEM_MAX = 128 }; /* declarations of a kind */

typedef struct problem_store {
  pl_placement_role roles[PROBLEM_MAX];
  pl_placement_ring rings[PROBLEM_MAX];
  pl_placement_buffer buffers[PROBLEM_MAX];
  pl_placement_barrier barriers[PROBLEM_MAX];
  pl_placement_tmem tmems[PROBLEM_MAX];
  pl_placement_problem problem; /* points to the arrays */
} problem_store;

void problem_clear(problem_store *store);
/* Declarations with what a stage gets when it says nothing; added to the problem. */
pl_placement_role *problem_role(problem_store *store, const char *name, const char *owner);
pl_placement_ring *problem_ring(problem_store *store, const char *name, const char *owner);
pl_placement_buffer *problem_buffer(problem_store *store, const char *name, const char *owner);
pl_placement_barrier *problem_barrier(problem_store *store, const char *name, const char *owner);
pl_placement_tmem *problem_tmem(problem_store *store, const char *name, const char *owner);

/* Reads a whole problem; `text` is taken apart and must stay. False with a complaint on stderr. */
bool problem_read(problem_store *store, char *text);

#endif
