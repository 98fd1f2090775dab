"""memory.py - what lies beside rings: buffers, bulk stores out of them and out of slots, overlays, phases, named barriers
with ids, warps that the linker chooses, and roles that meet at barriers alone.
"""

from . import streams
from .pair import Pair, Run, text, words

VALUES, COUNT, GRID = streams.VALUES, streams.COUNT, streams.GRID

STAGE = """
// @role@.cu - @about@
#include "slots.h"

@includes@

PIPELINK_STAGE("org.pairs.@role@", "1.0.0");

struct PIPELINK_PARAMS Params {
  @params@
  unsigned count; // slots
};

@declare@

PIPELINK_ROLE("@role@", @warps@) @attributes@__device__ void @role@(const Params &p) {
  @begin@
  for (unsigned i = blockIdx.x; i < p.count; i += gridDim.x@next@) {
    @body@
  }
  @end@
}
"""

INCLUDES = "#include <pipelink/barrier.h>\n#include <pipelink/buffer.h>\n#include <pipelink/tma.h>"
ITEMS = 'PIPELINK_RESOURCE("items") extern __device__ const pipelink::ring<Slot, pipelink::consumes<items_options>> items;\n'
BUFFER = """struct staged_options : pipelink::buffer_options {
  static constexpr unsigned align = 128;
};
struct together_options : pipelink::barrier_options {
  static constexpr unsigned id = @id@;
};
PIPELINK_RESOURCE("staged") extern __device__ const pipelink::buffer<unsigned[@copies@][values], staged_options> staged;
PIPELINK_RESOURCE("together") extern __device__ const pipelink::barrier<together_options> together;"""

READ = """items.wait(at);
    const uint4 x = reinterpret_cast<const uint4 *>(items.slot(at).x)[pipelink::thread()];
    items.release(at);"""
TRIPLE = "{3 * x.x + 1, 3 * x.y + 1, 3 * x.z + 1, 3 * x.w + 1}"

STAGED = READ + """
    if (pipelink::thread() == 0)
      pipelink::bulk_wait_read<@pending@>();
    together.sync(); // what lay in the buffer has left it
    reinterpret_cast<uint4 *>(staged.get()[@which@])[pipelink::thread()] = """ + TRIPLE + """;
    pipelink::fence_async();
    together.sync();
    if (pipelink::thread() == 0) {
      pipelink::bulk_store(p.output + size_t(i) * values, staged.get()[@which@], sizeof(Slot));
      pipelink::bulk_commit();
    }@flip@"""

DRAIN_STORES = "if (pipelink::thread() == 0)\n    pipelink::bulk_wait<0>();"
FILL = streams.producer("tma", "bulk", "thread", 1, 0, False, "")
OUTPUT = words([3 * i + 1 for i in range(COUNT * VALUES)])


def slots(protocol="tma", depth=(2, 6), arrive="warp", more="", align=16):
    header = text(streams.HEADER, align=align, depth_min=depth[0], depth_max=depth[1], protocol=protocol, credit="parity")
    header = header.replace("  static constexpr auto credit = pipelink::ring_credit::parity;\n",
                            f"  static constexpr auto arrive = pipelink::arrival::{arrive};\n")
    return header.replace("\n#endif", more + "\n#endif")


def stage(role, about, declare, body, params="unsigned *output;", warps=4, begin="auto at = items.begin();", end="",
          following=", ++at", includes=INCLUDES, attributes=""):
    return text(STAGE, role=role, about=about, declare=declare, body=body, params=params, warps=warps, begin=begin, end=end,
                next=following, includes=includes, attributes=attributes)


def filled(name, about, consumer, output=OUTPUT, header=None, role="drain"):
    sources = {"slots.h": header or slots(), "fill.cu": FILL, f"{role}.cu": consumer}
    run = Run(GRID, {"fill.input": f"iota:u32:{COUNT * VALUES}", "fill.count": COUNT, f"{role}.count": COUNT},
              {f"{role}.output": output})
    return Pair(f"memory-{name}", about, sources, run)


def staged(name, about, copies=1, barrier_id=0):
    which, flip = ("0", "") if copies == 1 else ("half", "\n    half ^= 1;")
    return filled(name, about, stage(
        "drain", about + ".", ITEMS + text(BUFFER, id=barrier_id, copies=copies),
        text(STAGED, pending=copies - 1, which=which, flip=flip),
        begin="auto at = items.begin();" + ("\n  unsigned half = 0;" if copies > 1 else ""), end=DRAIN_STORES))


# ---- slots that bulk copies read ----

RESULTS = """
struct results_options : items_options {
  static constexpr auto protocol = pipelink::ring_protocol::thread;
};
"""
RESULT_RING = 'PIPELINK_RESOURCE("results") extern __device__ const pipelink::ring<Slot, pipelink::@side@<results_options>> results;'

TRANSFORM = READ + """
    results.acquire(to);
    reinterpret_cast<uint4 *>(results.slot(to).x)[pipelink::thread()] = """ + TRIPLE + """;
    pipelink::fence_async(); // bulk copies read it
    results.commit(to);"""

STORE_OPTIONS = """struct store_options : results_options {
  static constexpr auto arrive = pipelink::arrival::role;
  @lookahead@
};
PIPELINK_RESOURCE("results") extern __device__ const pipelink::ring<Slot, pipelink::consumes<store_options>> results;"""

STORE_AT_ONCE = """results.wait(at);
    pipelink::bulk_store(p.output + size_t(i) * values, &results.slot(at), sizeof(Slot));
    pipelink::bulk_commit();
    pipelink::bulk_wait_read<0>();
    results.release(at);"""
STORE_BEHIND = """results.wait(at);
    pipelink::bulk_store(p.output + size_t(i) * values, &results.slot(at), sizeof(Slot));
    pipelink::bulk_commit();
    if (!is_first) {
      pipelink::bulk_wait_read<1>();
      results.release(storing);
    }
    storing = at;
    is_first = false;"""


def chain(name, about, behind=False, tensor=False):
    begin = "if (pipelink::thread() != 0)\n    return;\n  auto at = results.begin();"
    end = "pipelink::bulk_wait<0>();"
    body = STORE_BEHIND if behind else STORE_AT_ONCE
    params = "unsigned *output;"
    if behind:
        begin = begin.replace("at = results.begin();", "at = results.begin(), storing = at;\n  bool is_first = true;")
        end += "\n  if (!is_first)\n    results.release(storing);"
    if tensor:
        params = "pipelink::tensor_map<unsigned, pipelink::box<64, 8>> output; // count * 8 x 64"
        body = body.replace("pipelink::bulk_store(p.output + size_t(i) * values, &results.slot(at), sizeof(Slot));",
                            "pipelink::tma_store(p.output, &results.slot(at), 0, i * 8);")
    sources = {
        "slots.h": slots(more=RESULTS, align=128 if tensor else 16),
        "fill.cu": FILL,
        "transform.cu": stage("transform", "reads items, writes results.", ITEMS + text(RESULT_RING, side="produces"), TRANSFORM,
                              params="", begin="auto at = items.begin();\n  auto to = results.begin();", following=", ++at, ++to"),
        "store.cu": stage("store", "stores results out of their slots.",
                          text(STORE_OPTIONS, lookahead="static constexpr unsigned lookahead = 1;" if behind else ""), body,
                          params=params, warps=1, begin=begin, end=end),
    }
    values = {"fill.input": f"iota:u32:{COUNT * VALUES}"} | {f"{role}.count": COUNT for role in ("fill", "transform", "store")}
    return Pair(f"memory-{name}", about, sources, None if tensor else Run(GRID, values, {"store.output": OUTPUT}))


# ---- bytes that several things share ----

OVERLAY = """struct result_options : pipelink::buffer_options {
  static constexpr unsigned align = 128;
  static constexpr const char *overlay = "items", *guard = "items";
};
PIPELINK_RESOURCE("result") extern __device__ const pipelink::buffer<unsigned[values], result_options> result;
PIPELINK_RESOURCE("together") extern __device__ const pipelink::barrier<> together;"""

ADD = READ + "\n    total = {total.x + x.x, total.y + x.y, total.z + x.z, total.w + x.w};"
OVERLAY_END = """together.sync(); // every slot has been filled and read: their bytes are free
  reinterpret_cast<uint4 *>(result.get())[pipelink::thread()] = total;
  pipelink::fence_async();
  together.sync();
  if (pipelink::thread() == 0) {
    pipelink::bulk_store(p.output + size_t(blockIdx.x) * values, result.get(), sizeof(Slot));
    pipelink::bulk_commit();
    pipelink::bulk_wait<0>();
  }"""

PHASES = """struct early_options : pipelink::buffer_options {
  static constexpr unsigned live_from = 0, live_to = 0;
};
struct late_options : pipelink::buffer_options {
  static constexpr unsigned live_from = 1, live_to = 1;
};
PIPELINK_RESOURCE("early") extern __device__ const pipelink::buffer<uint4[128], early_options> early;
PIPELINK_RESOURCE("late") extern __device__ const pipelink::buffer<uint4[128], late_options> late;
PIPELINK_RESOURCE("together") extern __device__ const pipelink::barrier<> together;"""
PHASES_END = """early.get()[pipelink::thread()] = total; // phase 0: each thread hands its sum to one of another warp
  together.sync();
  total = early.get()[pipelink::thread() ^ 64];
  together.sync(); // phase 1: and, in other bytes or the same, to one of a third warp
  late.get()[pipelink::thread()] = total;
  together.sync();
  reinterpret_cast<uint4 *>(p.output + size_t(blockIdx.x) * values)[pipelink::thread()] = late.get()[pipelink::thread() ^ 32];"""

SUMS = [[sum(i * VALUES + j for i in range(cta, COUNT, GRID)) for j in range(VALUES)] for cta in range(GRID)]
EXCHANGED = [row[(j // 4 ^ 96) * 4 + j % 4] for row in SUMS for j in range(VALUES)]

# A shared array that the stage addresses by itself.
OWN_ARRAY = """PIPELINK_SHARED("partial", 512, 16) extern __shared__ unsigned partial[];
PIPELINK_RESOURCE("together") extern __device__ const pipelink::barrier<> together;"""
OWN_ARRAY_BODY = READ + """
    partial[pipelink::thread()] = x.x + x.y + x.z + x.w;
    together.sync();
    if (pipelink::thread() == 0) {
      unsigned total = 0;
      for (unsigned j = 0; j < pipelink::threads(); ++j)
        total += partial[j];
      p.output[i] = total;
    }
    together.sync();"""

ANY_WARPS = """items.wait(at);
    for (unsigned j = pipelink::thread(); j < values; j += pipelink::threads())
      p.output[size_t(i) * values + j] = 3 * items.slot(at).x[j] + 1;
    items.release(at);"""

# ---- two roles of one stage that meet at named barriers ----

MEETING = """
// meet.cu - two roles and a buffer: one writes it, the other reads it, and two named barriers say when.
#include <pipelink/barrier.h>
#include <pipelink/buffer.h>

PIPELINK_STAGE("org.pairs.meet", "1.0.0");

struct PIPELINK_PARAMS Params {
  unsigned *output; // rounds * 64
  const unsigned *input;
  unsigned rounds;
};

PIPELINK_RESOURCE("words") extern __device__ const pipelink::buffer<unsigned[64]> words;
PIPELINK_RESOURCE("written") extern __device__ const pipelink::barrier<> written;
PIPELINK_RESOURCE("read") extern __device__ const pipelink::barrier<> read;

PIPELINK_ROLE("writes", 2) __device__ void writes(const Params &p) {
  for (unsigned i = 0; i < p.rounds; ++i) {
    if (i)
      read.sync();
    words.get()[pipelink::thread()] = p.input[i * 64 + pipelink::thread()];
    written.arrive();
  }
}

PIPELINK_ROLE("reads", 2) __device__ void reads(const Params &p) {
  for (unsigned i = 0; i < p.rounds; ++i) {
    written.sync();
    p.output[i * 64 + pipelink::thread()] = words.get()[pipelink::thread() ^ 33];
    if (i + 1 < p.rounds)
      read.arrive();
  }
}
"""

PAIRS = [
    staged("staged", "Results go through a buffer and bulk stores"),
    staged("staged-twice", "Two buffers, of which one is stored while the other is written", copies=2),
    staged("fixed-id", "A barrier with an id that its owner cannot do without", barrier_id=9),
    chain("chain", "three stages, two rings: copied in, transformed, copied out"),
    chain("chain-behind", "a slot is given back when the store after it has begun", behind=True),
    chain("chain-tensor", "results leave as boxes of a tensor", tensor=True),
    filled("overlay", "a buffer lies on the slots of a ring that has ended",
           stage("sum", "adds up all slots.", ITEMS + OVERLAY, ADD, begin="auto at = items.begin();\n  uint4 total = {};",
                 end=OVERLAY_END), words(sum(SUMS, [])), slots(depth=(2, 2)), "sum"),
    filled("phases", "buffers of two phases share bytes",
           stage("sum", "adds up all slots.", ITEMS + PHASES, ADD, begin="auto at = items.begin();\n  uint4 total = {};",
                 end=PHASES_END), words(EXCHANGED), None, "sum"),
    filled("own-array", "a stage with a shared array of its own",
           stage("drain", "adds up the words of each slot.", ITEMS + OWN_ARRAY, OWN_ARRAY_BODY),
           words([sum(range(i * VALUES, (i + 1) * VALUES)) for i in range(COUNT)])),
    filled("any-warps", "the linker chooses how many warps read",
           stage("drain", "reads with as many warps as there are.", ITEMS.rstrip(), ANY_WARPS, includes="",
                 attributes="PIPELINK_WARPS(2, 8, 2) ")),
    Pair("memory-meeting", "two roles that meet at named barriers alone", {"meet.cu": MEETING.lstrip("\n")},
         Run(1, {"meet.input": f"iota:u32:{64 * 9}", "meet.rounds": 9},
             {"meet.output": words([i // 64 * 64 + (i % 64 ^ 33) for i in range(64 * 9)])})),
]
