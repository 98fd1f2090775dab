// meet_unsaid.cu - all CTAs of the grid meet, and nobody knows: those that wait keep the others from beginning.
#include "meet.h"

PIPELINK_ROLE("meet", 32) __device__ void meet(const Meeting &p) {
  meet_all(p);
}
