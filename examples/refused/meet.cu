// meet.cu - all CTAs of the grid meet, and says so: the runtime launches no more of them than are resident at once.
#include "meet.h"

PIPELINK_GRID("co_resident") PIPELINK_ROLE("meet", 32) __device__ void meet(const Meeting &p) {
  meet_all(p);
}
