// work.cu - which tiles a CTA computes, in which order; load and main loop walk the same list.
//
// Persistent: the grid's CTAs take every gridDim.x-th tile. The order goes down `band` rows of tiles before it goes one
// column to the right, so the tiles in flight together make a square and find each other's operands in L2.
#include "tile.h"

PIPELINK_STAGE("org.example.gemm.work", "1.0.0");

constexpr unsigned band = 16;

// The tile of turn 0, 1, ... for this CTA; false when there are no more.
PIPELINK_EXPORT("work_tile") __device__ bool work_tile(unsigned turn, unsigned m, unsigned n, Tile &tile) {
  const unsigned rows = (m + tile_m - 1) / tile_m, columns = (n + tile_n - 1) / tile_n;
  const unsigned index = turn * gridDim.x + blockIdx.x;
  if (index >= rows * columns)
    return false;
  const unsigned first = index / (band * columns) * band;
  const unsigned height = min(band, rows - first), rest = index - first * columns;
  tile.m = first + rest % height;
  tile.n = rest / height;
  return true;
}
