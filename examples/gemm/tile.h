// tile.h - what the GEMM's stages agree on: the tile that a CTA computes, what passes through the ring "ab", and what
// the epilogue is given.
#ifndef GEMM_TILE_H
#define GEMM_TILE_H

#include <cuda_bf16.h>
#include <pipelink/ring.h>

inline constexpr unsigned tile_m = 128, tile_n = 256, tile_k = 64;

// One step along K. Rows are 128 bytes with TMA's 128-byte swizzle, so a slot begins at a multiple of 1024.
struct alignas(1024) Slot {
  __nv_bfloat16 a[tile_m][tile_k];
  __nv_bfloat16 b[tile_n][tile_k];
};

// The linker chooses the depth. A consumer holds one slot, which its matrix instructions still read, while it waits
// for the next.
struct ab_options : pipelink::ring_options {
  static constexpr unsigned depth_min = 2, depth_max = 8, lookahead = 1;
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr auto arrive = pipelink::arrival::warpgroup;
};

// A tile of C, counted in tiles.
struct Tile {
  unsigned m, n;
};

// What an epilogue has to work with. N is a multiple of 8.
struct Output {
  __nv_bfloat16 *c;          // M x N, row major
  const __nv_bfloat16 *bias; // of each column; null where the epilogue adds none
  unsigned m, n;
};

#endif
