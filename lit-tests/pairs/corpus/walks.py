"""walks.py - roles that walk over tiles: cursors that live on from tile to tile, tiles that are left out, numbers of
steps that nobody knows beforehand, and tiles that CTAs take from a common counter.

A tile has a number of steps, each one slot of 512 words; the consumer adds them up.
"""

from .pair import Pair, Run, text, words

VALUES, TILES, STEPS, GRID = 512, 23, 7, 4

HEADER = """
// slots.h - what the stages agree on: a step of a tile is a slot of the ring "items".
#ifndef PAIR_SLOTS_H
#define PAIR_SLOTS_H

#include <pipelink/ring.h>

inline constexpr unsigned values = 512; // of a slot

struct alignas(16) Slot {
  unsigned x[values];
};

struct items_options : pipelink::ring_options {
  static constexpr unsigned depth_min = 2, depth_max = @depth_max@;
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr auto arrive = pipelink::arrival::warp;
};

@more@
#endif
"""

LOAD = """
// load.cu - fills the ring "items" with the steps of this CTA's tiles, one after the other.
#include "slots.h"

#include <pipelink/tma.h>

PIPELINK_STAGE("org.pairs.load", "1.0.0");

struct PIPELINK_PARAMS Params {
  const unsigned *input; // tiles * steps * values
  @field@
  unsigned tiles, steps;
};

PIPELINK_RESOURCE("items") extern __device__ const pipelink::ring<Slot, pipelink::produces<items_options>> items;
@declare@

PIPELINK_ROLE("load", 1) __device__ void load(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  auto at = items.begin();
  @begin@
  @walk@ {
    @tile@
    for (unsigned step = 0; step < @steps@; ++step, ++at) {
      items.acquire(at);
      items.expect_tx(at);
      pipelink::bulk_load(&items.slot(at), p.input + (size_t(tile) * p.steps + step) * values, sizeof(Slot),
                          items.full_barrier(at));
    }
  }
  @end@
}
"""

SUM = """
// sum.cu - adds up the steps of each tile.
#include "slots.h"

PIPELINK_STAGE("org.pairs.sum", "1.0.0");

struct PIPELINK_PARAMS Params {
  unsigned *output; // tiles * values
  @field@
  unsigned tiles, steps;
};

PIPELINK_RESOURCE("items") extern __device__ const pipelink::ring<Slot, pipelink::consumes<items_options>> items;
@declare@

PIPELINK_ROLE("sum", 4) __device__ void sum(const Params &p) {
  const unsigned thread = pipelink::thread();
  auto at = items.begin();
  @begin@
  @walk@ {
    @tile@
    uint4 total = {};
    for (unsigned step = 0; step < @steps@; ++step, ++at) {
      items.wait(at);
      const uint4 x = reinterpret_cast<const uint4 *>(items.slot(at).x)[thread];
      items.release(at);
      total = {total.x + x.x, total.y + x.y, total.z + x.z, total.w + x.w};
    }
    reinterpret_cast<uint4 *>(p.output + size_t(tile) * values)[thread] = total;
  }
}
"""

SCHEDULE = """
// schedule.cu - takes tiles from a counter that all CTAs share, and tells the other roles through the ring "tiles".
#include "slots.h"

PIPELINK_STAGE("org.pairs.schedule", "1.0.0");

struct PIPELINK_PARAMS Params {
  unsigned *next; // the tile that nobody has taken yet
  unsigned tiles;
};

struct schedule_options : tiles_options {
  static constexpr auto arrive = pipelink::arrival::role;
};

PIPELINK_RESOURCE("tiles") extern __device__ const pipelink::ring<Turn, pipelink::produces<schedule_options>> tiles;

PIPELINK_ROLE("schedule", 1) __device__ void schedule(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  auto turn = tiles.begin();
  for (bool is_last = false; !is_last; ++turn) {
    const unsigned tile = atomicAdd(p.next, 1);
    is_last = tile >= p.tiles;
    tiles.acquire(turn);
    tiles.slot(turn).tile = is_last ? no_tile : tile;
    tiles.commit(turn);
  }
}
"""

STEPS_OF = """
// steps.cu - how many steps a tile has: later ones have more.
#include <pipelink/stage.h>

PIPELINK_STAGE("org.pairs.steps", "1.0.0");

PIPELINK_EXPORT("steps_of") __device__ unsigned steps_of(unsigned tile, unsigned most) {
  const unsigned steps = 1 + tile / 4;
  return steps < most ? steps : most;
}
"""

TURN = """
// A tile that has been taken; no_tile when there are no more.
struct Turn {
  unsigned tile;
};
inline constexpr unsigned no_tile = 0xffffffff;

struct tiles_options : pipelink::ring_options {
  static constexpr unsigned depth_min = 1, depth_max = @depth@;
  static constexpr auto protocol = pipelink::ring_protocol::thread;
};
"""

TURNS = """
struct turns_options : tiles_options {
  static constexpr auto arrive = pipelink::arrival::@arrive@;
};
PIPELINK_RESOURCE("tiles") extern __device__ const pipelink::ring<Turn, pipelink::consumes<turns_options>> tiles;
"""

GRID_WALK = "for (unsigned tile = blockIdx.x; tile < p.tiles; tile += gridDim.x)"
TAKE = """tiles.wait(turn);
    const unsigned tile = tiles.slot(turn).tile;
    tiles.release(turn);
    if (tile == no_tile)
      break;"""


def walk(name, about, steps="p.steps", depth_max=8, skip=False, order="", **parts):
    shared = {"begin": "", "declare": "", "end": "", "field": "", "tile": "", "walk": GRID_WALK, "steps": steps}
    if skip:
        shared["field"] = "const unsigned char *skip; // of each tile: leave it out"
        shared["tile"] = "if (p.skip[tile])\n      continue;"
    if steps != "p.steps":
        shared["declare"] = 'PIPELINK_IMPORT("steps_of") __device__ unsigned steps_of(unsigned tile, unsigned most);'
    sources = {"slots.h": text(HEADER, depth_max=depth_max, more="")}
    load, add = dict(shared), dict(shared)
    sources["load.cu"] = text(LOAD, **(load | parts))
    sources["sum.cu"] = text(SUM, **{k: v for k, v in (add | parts).items() if k != "end"})
    if steps != "p.steps":
        sources["steps.cu"] = STEPS_OF.lstrip("\n")

    skipped = [skip and tile % 3 == 1 for tile in range(TILES)]
    values = {"load.input": f"iota:u32:{TILES * STEPS * VALUES}"}
    for role in ("load", "sum"):
        values[f"{role}.tiles"], values[f"{role}.steps"] = TILES, STEPS
        if skip:
            values[f"{role}.skip"] = "file:skip"
    output = []
    for tile in range(TILES):
        count = STEPS if steps == "p.steps" else min(1 + tile // 4, STEPS)
        for j in range(VALUES):
            x = sum((tile * STEPS + step) * VALUES + j for step in range(count))
            output.append(0xFFFFFFFF if skipped[tile] else x)  # memory that nobody wrote is all ones
    return Pair(f"walk-{name}", about, sources,
                Run(GRID, values, {"sum.output": words(output)}, {"skip": bytes(skipped)} if skip else {}))


def stealing(name, about, depth, arrive):
    """Three roles: one takes tiles, and both others hear of each."""
    values = {"begin": "auto turn = tiles.begin();", "walk": "for (;; ++turn)", "tile": TAKE, "field": "",
              "steps": "p.steps"}
    sources = {
        "slots.h": text(HEADER, depth_max=6, more=text(TURN, depth=depth)),
        "schedule.cu": SCHEDULE.lstrip("\n"),
        # Of this role only thread 0 hears and arrives.
        "load.cu": text(LOAD, end="", declare=text(TURNS, arrive="role").strip(), **values),
        "sum.cu": text(SUM, declare=text(TURNS, arrive=arrive).strip(), **values),
    }
    output = [sum((tile * STEPS + step) * VALUES + j for step in range(STEPS))
              for tile in range(TILES) for j in range(VALUES)]
    run = {"load.input": f"iota:u32:{TILES * STEPS * VALUES}", "schedule.next": "zeros:u32:1", "schedule.tiles": TILES}
    for role in ("load", "sum"):
        run[f"{role}.tiles"], run[f"{role}.steps"] = TILES, STEPS
    return Pair(f"walk-{name}", about, sources, Run(GRID, run, {"sum.output": words(output)}))


PAIRS = [
    walk("tiles", "cursors live on from tile to tile"),
    walk("tiles-shallow", "fewer slots than a tile has steps", depth_max=3),
    walk("skip", "both roles leave out the same tiles", skip=True),
    walk("steps-by-call", "a third package says how many steps a tile has", steps="steps_of(tile, p.steps)"),
    walk("tail", "a producer that waits for its last slots", end="items.tail(at);"),
    stealing("stealing", "CTAs take tiles from a common counter; a ring tells both roles", 4, "warp"),
    stealing("stealing-one-slot", "the same through one slot, each thread of the consumer arrives", 1, "thread"),
]
