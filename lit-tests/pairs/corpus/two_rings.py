"""two_rings.py - two rings between the same roles, as attention's K and V: the order of waiting and releasing, and the
depths, must let both sides go on.

The consumer multiplies word by word: output = sum over all blocks of k * v.
"""

from .pair import Pair, Run, text, words

VALUES, BLOCKS, GRID = 512, 11, 2

HEADER = """
// slots.h - what the stages agree on: blocks of K pass through the ring "k", blocks of V through "v".
#ifndef PAIR_SLOTS_H
#define PAIR_SLOTS_H

#include <pipelink/ring.h>

inline constexpr unsigned values = 512; // of a block

struct alignas(16) Slot {
  unsigned x[values];
};

struct k_options : pipelink::ring_options {
  static constexpr unsigned depth_min = @k_min@, depth_max = @k_max@;
  static constexpr auto protocol = pipelink::ring_protocol::tma;
  static constexpr auto arrive = pipelink::arrival::@arrive@;
  static constexpr auto credit = pipelink::ring_credit::@credit@;
};
struct v_options : k_options {
  static constexpr unsigned depth_min = @v_min@, depth_max = @v_max@;
  static constexpr auto protocol = pipelink::ring_protocol::@v_protocol@;
};

#endif
"""

RING = 'PIPELINK_RESOURCE("@name@") extern __device__ const pipelink::ring<Slot, pipelink::@side@<@name@_options>> @name@;'

LOAD = """
// @file@.cu - copies this CTA's blocks into the ring@rings@.
#include "slots.h"

#include <pipelink/tma.h>

PIPELINK_STAGE("org.pairs.@file@", "1.0.0");

struct PIPELINK_PARAMS Params {
  const unsigned *@inputs@; // gridDim.x * blocks * values
  unsigned blocks;
};

@declare@

// Begins to copy a block into a slot.
template <class Ring>
static __device__ __forceinline__ void fetch(const Ring &ring, const pipelink::ring_cursor &at, const unsigned *block) {
  ring.acquire(at);
  ring.expect_tx(at);
  pipelink::bulk_load(&ring.slot(at), block, sizeof(Slot), ring.full_barrier(at));
}

PIPELINK_ROLE("@file@", 1) __device__ void @file@(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  @body@
}
"""

BLOCK = "p.{0} + (size_t(blockIdx.x) * p.blocks + {1}) * values"

TOGETHER = """auto at_k = k.begin(), at_v = v.begin();
  for (unsigned i = 0; i < p.blocks; ++i, ++at_k, ++at_v) {
    fetch(k, at_k, p.k + (size_t(blockIdx.x) * p.blocks + i) * values);
    fetch(v, at_v, p.v + (size_t(blockIdx.x) * p.blocks + i) * values);
  }"""

K_AHEAD = """auto at_k = k.begin(), at_v = v.begin();
  fetch(k, at_k, p.k + size_t(blockIdx.x) * p.blocks * values);
  ++at_k;
  for (unsigned i = 1; i < p.blocks; ++i, ++at_k, ++at_v) { // a block of K before the last block of V
    fetch(k, at_k, p.k + (size_t(blockIdx.x) * p.blocks + i) * values);
    fetch(v, at_v, p.v + (size_t(blockIdx.x) * p.blocks + i - 1) * values);
  }
  fetch(v, at_v, p.v + (size_t(blockIdx.x) * p.blocks + p.blocks - 1) * values);"""

ONE = """auto at = @ring@.begin();
  for (unsigned i = 0; i < p.blocks; ++i, ++at)
    fetch(@ring@, at, p.@ring@ + (size_t(blockIdx.x) * p.blocks + i) * values);"""

WRITE_V = """
// write_v.cu - threads write this CTA's blocks into the ring "v".
#include "slots.h"

PIPELINK_STAGE("org.pairs.write_v", "1.0.0");

struct PIPELINK_PARAMS Params {
  const unsigned *v; // gridDim.x * blocks * values
  unsigned blocks;
};

PIPELINK_RESOURCE("v") extern __device__ const pipelink::ring<Slot, pipelink::produces<v_options>> v;

PIPELINK_ROLE("write_v", 2) __device__ void write_v(const Params &p) {
  auto at = v.begin();
  for (unsigned i = 0; i < p.blocks; ++i, ++at) {
    v.acquire(at);
    for (unsigned j = pipelink::thread(); j < values; j += pipelink::threads())
      v.slot(at).x[j] = p.v[(size_t(blockIdx.x) * p.blocks + i) * values + j];
    v.commit(at);
  }
}
"""

ATTEND = """
// attend.cu - multiplies blocks of K and V word by word and adds them up.
#include "slots.h"

PIPELINK_STAGE("org.pairs.attend", "1.0.0");

struct PIPELINK_PARAMS Params {
  unsigned *output; // gridDim.x * values
  unsigned blocks;  // one at least
};

@declare@

// What `a b` adds to `total`.
static __device__ __forceinline__ void multiply_add(uint4 &total, const uint4 &a, const uint4 &b) {
  total = {total.x + a.x * b.x, total.y + a.y * b.y, total.z + a.z * b.z, total.w + a.w * b.w};
}

template <class Ring> static __device__ __forceinline__ uint4 read(const Ring &ring, const pipelink::ring_cursor &at) {
  return reinterpret_cast<const uint4 *>(ring.slot(at).x)[pipelink::thread()];
}

PIPELINK_ROLE("attend", 4) __device__ void attend(const Params &p) {
  auto at_k = k.begin(), at_v = v.begin();
  uint4 total = {};
  @body@
  reinterpret_cast<uint4 *>(p.output + size_t(blockIdx.x) * values)[pipelink::thread()] = total;
}
"""

ONE_BY_ONE = """for (unsigned i = 0; i < p.blocks; ++i, ++at_k, ++at_v) {
    k.wait(at_k);
    const uint4 block_k = read(k, at_k);
    k.release(at_k);
    v.wait(at_v);
    multiply_add(total, block_k, read(v, at_v));
    v.release(at_v);
  }"""

BOTH = """for (unsigned i = 0; i < p.blocks; ++i, ++at_k, ++at_v) { // K stays until V has been used, too
    k.wait(at_k);
    v.wait(at_v);
    multiply_add(total, read(k, at_k), read(v, at_v));
    k.release(at_k);
    v.release(at_v);
  }"""

PIPELINED = """k.wait(at_k);
  uint4 block_k = read(k, at_k);
  k.release(at_k);
  ++at_k;
  for (unsigned i = 1; i < p.blocks; ++i, ++at_k, ++at_v) { // the next block of K before this one's V
    k.wait(at_k);
    const uint4 next_k = read(k, at_k);
    k.release(at_k);
    v.wait(at_v);
    multiply_add(total, block_k, read(v, at_v));
    v.release(at_v);
    block_k = next_k;
  }
  v.wait(at_v);
  multiply_add(total, block_k, read(v, at_v));
  v.release(at_v);"""


def pair(name, about, load=TOGETHER, attend=ONE_BY_ONE, k=(1, 4), v=(1, 4), arrive="warp", credit="parity",
         v_protocol="tma"):
    def rings(side, *names):
        return "\n".join(text(RING, name=each, side=side) for each in names)

    sources = {"slots.h": text(HEADER, k_min=k[0], k_max=k[1], v_min=v[0], v_max=v[1], arrive=arrive, credit=credit,
                               v_protocol=v_protocol)}
    loads = [("load", '"k" and "v"', ("k", "v"), load)] if load else [("load_k", '"k"', ("k",), text(ONE, ring="k"))]
    if not load and v_protocol == "tma":
        loads.append(("load_v", '"v"', ("v",), text(ONE, ring="v")))
    values = {"attend.blocks": BLOCKS}
    for file, spoken, names, body in loads:
        sources[f"{file}.cu"] = text(LOAD, file=file, rings=(" " if len(names) == 1 else "s ") + spoken, body=body,
                                     inputs=", *".join(names), declare=rings("produces", *names))
        values[f"{file}.blocks"] = BLOCKS
        for each in names:
            values[f"{file}.{each}"] = f"iota:u32:{GRID * BLOCKS * VALUES}"
    if v_protocol == "thread":
        sources["write_v.cu"] = WRITE_V.lstrip("\n")
        values |= {"write_v.blocks": BLOCKS, "write_v.v": f"iota:u32:{GRID * BLOCKS * VALUES}"}
    sources["attend.cu"] = text(ATTEND, body=attend, declare=rings("consumes", "k", "v"))
    output = [sum(((cta * BLOCKS + i) * VALUES + j) ** 2 for i in range(BLOCKS))
              for cta in range(GRID) for j in range(VALUES)]
    return Pair(f"two-rings-{name}", about, sources, Run(GRID, values, {"attend.output": words(output)}))


PAIRS = [
    pair("together", "K and V of a block, one after the other"),
    pair("both-held", "K is held until V has been used", attend=BOTH, arrive="thread"),
    pair("k-ahead", "K runs one block ahead, through single slots", K_AHEAD, PIPELINED, k=(1, 1), v=(1, 1)),
    pair("k-ahead-deep", "K runs one block ahead, with room", K_AHEAD, PIPELINED, k=(2, 6), v=(2, 4),
         credit="pre_arrive"),
    pair("k-ahead-held", "K runs ahead and is held, which takes two slots of it", K_AHEAD, BOTH, k=(2, 2), v=(1, 1)),
    pair("two-producers", "K and V come from two packages", load=None, k=(2, 3), v=(1, 2)),
    pair("copied-and-written", "K is copied, V is written by threads", load=None, v_protocol="thread", attend=BOTH,
         k=(2, 4), v=(2, 2)),
]
