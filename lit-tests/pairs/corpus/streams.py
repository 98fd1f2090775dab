"""streams.py - one ring, one producer, one or two consumers: every protocol, credit and granularity of arrival.

The producer copies slots of 512 words out of global memory, the consumer multiplies and stores them.
"""

import itertools

from .pair import Pair, Run, block, text, words

VALUES, COUNT, GRID = 512, 52, 4  # words of a slot; slots in memory; CTAs that share them

HEADER = """
// slots.h - what the stages agree on: the slots that pass through the ring "items".
#ifndef PAIR_SLOTS_H
#define PAIR_SLOTS_H

#include <pipelink/ring.h>

inline constexpr unsigned values = 512; // of a slot

struct alignas(@align@) Slot {
  unsigned x[values];
};

struct items_options : pipelink::ring_options {
  static constexpr unsigned depth_min = @depth_min@, depth_max = @depth_max@;
  static constexpr auto protocol = pipelink::ring_protocol::@protocol@;
  static constexpr auto credit = pipelink::ring_credit::@credit@;
};

#endif
"""

# Two owners' barriers of one kind: all threads of the stage's role.
BARRIER = 'PIPELINK_RESOURCE("@name@") extern __device__ const pipelink::barrier<> @name@;\n'

FILL = """
// fill.cu - the producer: fills the slots of the ring "items" from global memory.
#include "slots.h"

#include <pipelink/barrier.h>
#include <pipelink/@include@.h>

PIPELINK_STAGE("org.pairs.fill", "1.0.0");

struct PIPELINK_PARAMS Params {
  @input@
  unsigned count; // slots
};

struct fill_options : items_options {
  static constexpr auto arrive = pipelink::arrival::@arrive@;
};

PIPELINK_RESOURCE("items") extern __device__ const pipelink::ring<Slot, pipelink::produces<fill_options>> items;
@barrier@
@helpers@

PIPELINK_ROLE("fill", @warps@) @attributes@__device__ void fill(const Params &p) {
  @begin@
  auto at = items.begin();
  for (unsigned i = blockIdx.x; i < p.count; i += gridDim.x, ++at) {
    @body@
  }
  @end@
}
"""

DRAIN = """
// @role@.cu - a consumer: reads every slot of the ring "items" and stores what it makes of it.
#include "slots.h"

#include <pipelink/barrier.h>

PIPELINK_STAGE("org.pairs.@role@", "1.0.0");

struct PIPELINK_PARAMS Params {
  unsigned *output;
  unsigned count; // slots
};

struct drain_options : items_options {
  static constexpr auto arrive = pipelink::arrival::@arrive@;
  @lookahead@
};

PIPELINK_RESOURCE("items") extern __device__ const pipelink::ring<Slot, pipelink::consumes<drain_options>> items;
@barrier@

PIPELINK_ROLE("@role@", @warps@) @attributes@__device__ void @role@(const Params &p) {
  constexpr unsigned pieces = values / (32 * @warps@); // of each thread
  @begin@
  for (unsigned i = blockIdx.x; i < p.count; i += gridDim.x, ++at) {
    @wait@
    unsigned x[pieces];
    for (unsigned j = 0; j < pieces; ++j)
      x[j] = @value@;
    @order@
    @release@
    for (unsigned j = 0; j < pieces; ++j)
      p.output[size_t(i) * values + j * pipelink::threads() + pipelink::thread()] = @factor@ * x[j] + 1;
  }
  @end@
}
"""

BULK = "pipelink::bulk_load(&items.slot(at), p.input + size_t(i) * values, sizeof(Slot), items.full_barrier(at));"

COPIES = {
    "bulk": f"items.expect_tx(at);\n{BULK}",
    "halves": """
items.expect_tx(at);
for (unsigned half = 0; half < 2; ++half)
  pipelink::bulk_load(&items.slot(at).x[half * values / 2], p.input + size_t(i) * values + half * values / 2,
                      sizeof(Slot) / 2, items.full_barrier(at));""",
    "counted": """
items.expect_tx(at, sizeof(Slot));
pipelink::bulk_load(items.slot(at).x, p.input + size_t(i) * values, 1536, items.full_barrier(at));
pipelink::bulk_load(&items.slot(at).x[384], p.input + size_t(i) * values + 384, 512, items.full_barrier(at));""",
    "tensor": """
items.expect_tx(at);
pipelink::tma_load(p.input, &items.slot(at), items.full_barrier(at), 0, i * 8);""",
}

WRITE = """
for (unsigned j = pipelink::thread(); j < values; j += pipelink::threads())
  items.slot(at).x[j] = p.input[size_t(i) * values + j];"""

CP_ASYNC = """
for (unsigned j = pipelink::thread(); j < values / 4; j += pipelink::threads())
  pipelink::cp_async<16>(&items.slot(at).x[4 * j], p.input + size_t(i) * values + 4 * j);"""

LAG_HELPERS = """
// The thread's copies since the last call are a group; wait_groups waits until only the latest `Pending` are under way.
static __device__ __forceinline__ void close_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <unsigned Pending> static __device__ __forceinline__ void wait_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

constexpr unsigned lag = 2; // slots whose copies are under way
"""


def producer(protocol, copy, arrive, warps, lag, tail, attributes):
    values = {
        "include": "cp_async",
        "input": "const unsigned *input; // count * values",
        "barrier": "",
        "helpers": "",
        "begin": "",
        "end": "",
        "arrive": arrive,
        "warps": warps,
        "attributes": attributes,
    }
    if protocol == "tma":
        values["include"] = "tma"
        copies = COPIES[copy.removesuffix("-elect")]
        if copy == "tensor":
            values["input"] = "pipelink::tensor_map<unsigned, pipelink::box<64, 8>> input; // count * 8 x 64"
        if copy.endswith("-elect"):
            body = f"items.acquire(at);\nif (pipelink::elect()) {{\n  {block(copies, 2)}\n}}"
        else:
            values["begin"] = "if (pipelink::thread() != 0)\n    return;"
            body = "items.acquire(at);\n" + copies.strip("\n")
    elif lag:
        values["helpers"] = LAG_HELPERS
        values["begin"] = "auto landed = items.begin();\n  unsigned begun = 0;"
        body = f"items.acquire(at);{CP_ASYNC}\nclose_group();\nif (++begun > lag) {{\n  wait_groups<lag>();\n  items.commit(landed);\n  ++landed;\n}}"
        values["end"] = "wait_groups<0>();\n  for (; landed.index != at.index || landed.phase != at.phase; ++landed)\n    items.commit(landed);"
    else:
        body = "items.acquire(at);" + (CP_ASYNC if protocol == "cp_async" else WRITE)
        if protocol == "thread" and arrive in ("warpgroup", "role"):
            values["barrier"] = text(BARRIER, name="written")
            body += "\nwritten.sync(); // one thread arrives for those whose words these are"
        body += "\nitems.commit(at);"
    if tail:
        values["end"] += ("\n  " if values["end"] else "") + "items.tail(at);"
    return text(FILL, body=block(body, 4), **values)


def consumer(role, protocol, arrive, warps, lookahead, look, factor, attributes):
    values = {
        "role": role,
        "barrier": "",
        "order": "",
        "arrive": arrive,
        "warps": warps,
        "attributes": attributes,
        "factor": factor,
        "lookahead": f"static constexpr unsigned lookahead = {lookahead};" if lookahead else "",
        "begin": "auto at = items.begin();",
        "end": "",
        "wait": "if (!items.try_wait(at))\n      items.wait(at);" if look else "items.wait(at);",
        "value": "items.slot(at).x[j * pipelink::threads() + pipelink::thread()]",
        "release": "items.release(at);",
    }
    if arrive in ("warpgroup", "role") and protocol != "named":
        values["barrier"] = text(BARRIER, name=f"{role}_read")
        values["order"] = f"{role}_read.sync(); // one thread arrives for those that have read"
        if protocol == "tma":
            values["order"] = "pipelink::fence_async();\n    " + values["order"]
    if lookahead:  # what has changed since the slot before
        values["begin"] = "auto at = items.begin(), held = at;\n  bool is_first = true;"
        values["value"] = "items.slot(at).x[j * pipelink::threads() + pipelink::thread()] -\n" + " " * 13 + (
            "(is_first ? 0 : items.slot(held).x[j * pipelink::threads() + pipelink::thread()])"
        )
        values["release"] = "if (!is_first)\n      items.release(held);\n    held = at;\n    is_first = false;"
        values["end"] = "if (!is_first)\n    items.release(held);"
    return text(DRAIN, **values)


def stream(name, about, protocol="tma", copy="bulk", credit="parity", fill="thread", drain="thread", fill_warps=1,
           drain_warps=4, depth=(2, 8), lookahead=0, lag=0, consumers=1, look=False, tail=False, attributes=("", "")):
    sources = {
        "slots.h": text(HEADER, align=128 if copy == "tensor" else 16, depth_min=depth[0], depth_max=depth[1],
                        protocol=protocol, credit=credit),
        "fill.cu": producer(protocol, copy, fill, fill_warps, lag, tail, attributes[0]),
    }
    run_values = {"fill.input": f"iota:u32:{COUNT * VALUES}", "fill.count": COUNT}
    if copy == "tensor":
        run_values["fill.input"] = f"tensor:u32:{COUNT * 8}x64:iota"
    outputs = {}
    for role, factor in list({"drain": 3, "audit": 5}.items())[:consumers]:
        sources[f"{role}.cu"] = consumer(role, protocol, drain, drain_warps, lookahead, look, factor, attributes[1])
        run_values[f"{role}.count"] = COUNT
        def value(i):
            return i - (i - GRID * VALUES if i >= GRID * VALUES else 0) if lookahead else i
        outputs[f"{role}.output"] = words([factor * value(i) + 1 for i in range(COUNT * VALUES)])
    return Pair(f"stream-{name}", about, sources, Run(GRID, run_values, outputs))


def every_arrival():
    """Threads write, threads read: each granularity on one side meets each on the other, with both credits."""
    pairs = []
    granularities = ("thread", "warp", "warpgroup", "role")
    for number, (fill, drain) in enumerate(itertools.product(granularities, granularities)):
        credit = ("parity", "pre_arrive")[number % 2]
        pairs.append(stream(
            f"{fill}-to-{drain}", f"threads write; full arrives per {fill}, empty per {drain}; credit by {credit}",
            protocol="thread", credit=credit, fill=fill, drain=drain, fill_warps=4 if number % 3 else 8,
            drain_warps=8 if number % 3 else 4, depth=(1 + number % 4, 1 + number % 4 + number % 5)))
    return pairs


PAIRS = every_arrival() + [
    stream("bulk", "one thread begins bulk copies"),
    stream("bulk-deep", "as deep as shared memory allows", depth=(2, 64), drain="warp"),
    stream("bulk-one-slot", "a ring of one slot", depth=(1, 1)),
    stream("bulk-halves", "two copies fill a slot", copy="halves", drain="warp", depth=(3, 3)),
    stream("bulk-counted", "two copies of different sizes, bytes announced as a number", copy="counted",
           drain="warpgroup"),
    stream("bulk-elect", "a whole warp waits, one elected lane begins copies", copy="bulk-elect", drain="warp",
           drain_warps=8, fill_warps=1),
    stream("bulk-pre-arrive", "every slot is released beforehand", credit="pre_arrive", drain="role", drain_warps=8),
    stream("bulk-tail", "the producer waits until every slot has been released", tail=True, drain="warpgroup"),
    stream("bulk-two-consumers", "two packages read every slot", consumers=2, drain="warp"),
    stream("bulk-two-consumers-role", "two packages read every slot, one arrival each", consumers=2, drain="role",
           credit="pre_arrive", depth=(2, 5)),
    stream("bulk-lookahead", "the consumer holds one slot while it waits for the next", lookahead=1, depth=(2, 4)),
    stream("bulk-look", "the consumer looks before it waits", look=True, drain="warp", depth=(4, 12)),
    stream("bulk-registers", "registers move from the producer's warpgroup to the consumer's",
           attributes=("PIPELINK_REGISTERS(24, 40, 40) ", "PIPELINK_REGISTERS(64, 152, 240) "), fill_warps=4,
           drain_warps=8),
    stream("bulk-cluster", "CTAs of a cluster, each with a ring of its own",
           attributes=("PIPELINK_CLUSTER(2) ", "PIPELINK_CLUSTER(2) ")),
    stream("tensor", "tensor copies", copy="tensor"),
    stream("tensor-role", "tensor copies, one arrival gives a slot back", copy="tensor", drain="role", depth=(2, 3)),
    stream("cp-async", "each thread copies by itself, cp.async arrives for it", protocol="cp_async", fill_warps=4),
    stream("cp-async-warp", "one warp copies, the consumer's warps arrive", protocol="cp_async", fill_warps=1,
           drain="warp", depth=(4, 4), credit="pre_arrive"),
    stream("cp-async-lag", "a slot is committed when the copies of two later ones have begun", protocol="thread",
           fill_warps=4, lag=2, depth=(3, 6)),
    stream("cp-async-lag-warp", "the same, one arrival per warp", protocol="thread", fill="warp", fill_warps=2, lag=2,
           drain="warp", depth=(4, 8)),
    stream("named", "named barriers", protocol="named", fill_warps=4, depth=(1, 1)),
    stream("named-two-slots", "named barriers, two slots", protocol="named", fill_warps=4, drain_warps=8, depth=(2, 2)),
    stream("thread-lookahead", "threads write; the consumer holds one slot", protocol="thread", fill_warps=4,
           fill="warp", drain="warp", lookahead=1, depth=(3, 5)),
    stream("thread-two-consumers", "threads write; two packages read", protocol="thread", fill_warps=4,
           fill="warpgroup", drain="warpgroup", consumers=2, credit="pre_arrive"),
]
