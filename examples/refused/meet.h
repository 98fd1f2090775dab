// meet.h - a barrier of the whole grid, as kernels write it by hand.
#ifndef REFUSED_MEET_H
#define REFUSED_MEET_H

#include <pipelink/stage.h>

PIPELINK_STAGE("org.example.refused.meet", "1.0.0");

struct PIPELINK_PARAMS Meeting {
  unsigned *arrived; // 0 at first; the number of CTAs in the end
};

__device__ __forceinline__ void meet_all(const Meeting &p) {
  if (threadIdx.x != 0)
    return;
  atomicAdd(p.arrived, 1);
  while (*static_cast<volatile unsigned *>(p.arrived) < gridDim.x)
    ;
}

#endif
