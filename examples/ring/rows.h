// rows.h - what the two stages agree on: the slots that pass through the ring "rows". The producer ships it.
#ifndef RING_ROWS_H
#define RING_ROWS_H

#include <pipelink/ring.h>

inline constexpr unsigned columns = 1024, rows_per_slot = 4;

struct alignas(16) Slot {
  float rows[rows_per_slot][columns];
};

// Bulk copies fill a slot, every consumer thread gives it back when what it reads is in registers. The linker chooses
// the depth: what shared memory allows, but at least two, or nothing would overlap.
struct rows_options : pipelink::ring_options {
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr unsigned depth_min = 2;
};

#endif
