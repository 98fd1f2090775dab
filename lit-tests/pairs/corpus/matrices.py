"""matrices.py - matrix multiplication: C (M x N, float) = A (M x K) B^T (N x K), bf16, one tile of C per turn of a CTA.

By wgmma and by mma.sync, through TMA copies, cp.async copies and threads that write.
"""

from .pair import Pair, Run, bfloats, block, floats, text

GRID, STEPS = 3, 5

HEADER = """
// tile.h - what the stages agree on: the tile of a CTA, and one step of it along K, which is a slot of the ring@rings@.
#ifndef PAIR_TILE_H
#define PAIR_TILE_H

#include <cuda_bf16.h>
#include <pipelink/ring.h>

inline constexpr unsigned tile_m = @m@, tile_n = @n@, tile_k = 64;

// Rows are 128 bytes with TMA's 128-byte swizzle, so slots begin at multiples of 1024.
@slots@

@options@

#endif
"""

SLOT_AB = """
struct alignas(1024) Slot {
  __nv_bfloat16 a[tile_m][tile_k];
  __nv_bfloat16 b[tile_n][tile_k];
};"""
SLOTS_A_B = """
struct alignas(1024) SlotA {
  __nv_bfloat16 a[tile_m][tile_k];
};
struct alignas(1024) SlotB {
  __nv_bfloat16 b[tile_n][tile_k];
};"""

OPTIONS = """
struct @ring@_options : pipelink::ring_options {
  static constexpr unsigned depth_min = @min@, depth_max = @max@, lookahead = @lookahead@;
  static constexpr auto protocol = pipelink::ring_protocol::@protocol@;
  static constexpr auto arrive = pipelink::arrival::@arrive@;
};"""

TILES = "for (unsigned tile = blockIdx.x; tile * tile_m < p.m; tile += gridDim.x)"

LOAD = """
// load.cu - one thread copies the steps of this CTA's tiles.
#include "tile.h"

#include <pipelink/tensor_map.h>
#include <pipelink/tma.h>

PIPELINK_STAGE("org.pairs.load", "1.0.0");

struct PIPELINK_PARAMS Params {
  @maps@
  unsigned m, k;
};

@rings@

PIPELINK_ROLE("load", 1) __device__ void load(const Params &p) {
  if (pipelink::thread() != 0)
    return;
  @begin@
  @tiles@
    for (unsigned k = 0; k < p.k; k += tile_k@next@) {
      @body@
    }
}
"""

MAP = "pipelink::tensor_map<__nv_bfloat16, pipelink::box<tile_k, tile_@x@>, pipelink::swizzle::bytes_128> @name@; // @X@ x K"
RING = 'PIPELINK_RESOURCE("@ring@") extern __device__ const pipelink::ring<@slot@, pipelink::@side@<@ring@_options>> @ring@;'

LOAD_AB = """
ab.acquire(at);
ab.expect_tx(at);
pipelink::tma_load(p.a, ab.slot(at).a, ab.full_barrier(at), k, tile * tile_m);
pipelink::tma_load(p.b, ab.slot(at).b, ab.full_barrier(at), k, 0);"""
LOAD_A = """
a.acquire(at_a);
a.expect_tx(at_a);
pipelink::tma_load(p.a, a.slot(at_a).a, a.full_barrier(at_a), k, tile * tile_m);"""
LOAD_B = """
b.acquire(at_b);
b.expect_tx(at_b);
pipelink::tma_load(p.b, b.slot(at_b).b, b.full_barrier(at_b), k, 0);"""

WRITE_A = """
// write_a.cu - threads write steps of A, with the swizzle that TMA would use.
#include "tile.h"

#include <pipelink/mma.h>

PIPELINK_STAGE("org.pairs.write_a", "1.0.0");

struct PIPELINK_PARAMS Params {
  const __nv_bfloat16 *a; // M x K
  unsigned m, k;
};

struct write_options : a_options {
  static constexpr auto arrive = pipelink::arrival::@arrive@;
};
PIPELINK_RESOURCE("a") extern __device__ const pipelink::ring<SlotA, pipelink::produces<write_options>> a;

PIPELINK_ROLE("write_a", 4) __device__ void write_a(const Params &p) {
  auto at = a.begin();
  for (unsigned tile = blockIdx.x; tile * tile_m < p.m; tile += gridDim.x)
    for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
      a.acquire(at);
      char *const slot = reinterpret_cast<char *>(a.slot(at).a);
      for (unsigned i = pipelink::thread(); i < tile_m * 8; i += pipelink::threads()) {
        const unsigned row = i / 8, piece = i % 8;
        *reinterpret_cast<uint4 *>(slot + pipelink::swizzled_128B(row, piece)) =
            *reinterpret_cast<const uint4 *>(p.a + size_t(tile * tile_m + row) * p.k + k + 8 * piece);
      }
      pipelink::fence_async(); // matrix instructions read it
      a.commit(at);
    }
}
"""

COPY_AB = """
// copy.cu - every thread copies pieces of this CTA's steps with cp.async, with the swizzle that TMA would use.
#include "tile.h"

#include <pipelink/cp_async.h>
#include <pipelink/mma.h>

PIPELINK_STAGE("org.pairs.copy", "1.0.0");

struct PIPELINK_PARAMS Params {
  const __nv_bfloat16 *a, *b; // M x K, N x K
  unsigned m, k;
};

PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::produces<ab_options>> ab;

// Begins to copy `rows` rows of 64 elements.
static __device__ __forceinline__ void copy_rows(void *to, const __nv_bfloat16 *from, unsigned rows, unsigned stride) {
  for (unsigned i = pipelink::thread(); i < rows * 8; i += pipelink::threads())
    pipelink::cp_async<16>(static_cast<char *>(to) + pipelink::swizzled_128B(i / 8, i % 8),
                           from + size_t(i / 8) * stride + 8 * (i % 8));
}

PIPELINK_ROLE("copy", 4) __device__ void copy(const Params &p) {
  auto at = ab.begin();
  for (unsigned tile = blockIdx.x; tile * tile_m < p.m; tile += gridDim.x)
    for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
      ab.acquire(at);
      copy_rows(ab.slot(at).a, p.a + size_t(tile * tile_m) * p.k + k, tile_m, p.k);
      copy_rows(ab.slot(at).b, p.b + k, tile_n, p.k);
      ab.commit(at);
    }
}
"""

MULTIPLY = """
// multiply.cu - the main loop: @about@.
#include "tile.h"

@includes@

PIPELINK_STAGE("org.pairs.multiply", "1.0.0");

struct PIPELINK_PARAMS Params {
  float *c; // M x N
  unsigned m, k;
};

@rings@
@declare@

@helpers@

PIPELINK_ROLE("multiply", @warps@) __device__ void multiply(const Params &p) {
  @begin@
  @tiles@ {
    float d[@registers@]@initial@;
    @body@
    @store@
  }
}
"""

MULTIPLY_SLOT = """
// d += a b for a slot's 64 elements of K, as one group of instructions; d = a b where it is the first.
static __device__ __forceinline__ void multiply_slot(float (&d)[128], pipelink::wgmma_descriptor a,
                                                     pipelink::wgmma_descriptor b, bool is_first) {
  pipelink::wgmma_fence();
  if (is_first)
    pipelink::wgmma_m64n256k16_bf16_first(d, a, b);
  else
    pipelink::wgmma_m64n256k16_bf16(d, a, b);
#pragma unroll
  for (unsigned i = 1; i < tile_k / 16; ++i)
    pipelink::wgmma_m64n256k16_bf16(d, a + 2 * i, b + 2 * i);
  pipelink::wgmma_commit();
}"""

STORE = """
// Stores 64 x 256 elements from `row` on, as wgmma leaves them.
static __device__ __forceinline__ void store(const float (&d)[128], float *c, unsigned row) {
  const unsigned thread = pipelink::thread() % 128;
  row += thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
  for (unsigned j = 0; j < 32; ++j)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      *reinterpret_cast<float2 *>(c + size_t(row + 8 * h) * tile_n + 8 * j + 2 * (thread % 4)) =
          make_float2(d[4 * j + 2 * h], d[4 * j + 2 * h + 1]);
}"""

AT_ONCE = """
for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
  ab.wait(at);
  multiply_slot(d, pipelink::wgmma_k_major_128B(ab.slot_address(at)),
                pipelink::wgmma_k_major_128B(ab.slot_address(at) + sizeof(Slot::a)), false);
  pipelink::wgmma_wait<0>();
  ab.release(at);
}"""

ONE_BEHIND = """
auto reading = at; // by matrix instructions that have not finished
ab.wait(at);
multiply_slot(d, pipelink::wgmma_k_major_128B(ab.slot_address(at) + half),
              pipelink::wgmma_k_major_128B(ab.slot_address(at) + sizeof(Slot::a)), true);
++at;
for (unsigned k = tile_k; k < p.k; k += tile_k, ++at) {
  ab.wait(at);
  multiply_slot(d, pipelink::wgmma_k_major_128B(ab.slot_address(at) + half),
                pipelink::wgmma_k_major_128B(ab.slot_address(at) + sizeof(Slot::a)), false);
  pipelink::wgmma_wait<1>();
  ab.release(reading);
  reading = at;
}
pipelink::wgmma_wait<0>();
ab.release(reading);"""

FROM_TWO_RINGS = """
for (unsigned k = 0; k < p.k; k += tile_k, ++at_a, ++at_b) {
  a.wait(at_a);
  b.wait(at_b);
  multiply_slot(d, pipelink::wgmma_k_major_128B(a.slot_address(at_a)),
                pipelink::wgmma_k_major_128B(b.slot_address(at_b)), false);
  pipelink::wgmma_wait<0>();
  a.release(at_a);
  b.release(at_b);
}"""

MULTIPLY_SYNC = """
// d += a b for a slot's 64 elements of K; a is the address of the warp's 16 rows.
static __device__ __forceinline__ void multiply_slot(float (&d)[32], unsigned a, unsigned b) {
  const unsigned lane = pipelink::lane();
#pragma unroll
  for (unsigned i = 0; i < tile_k / 16; ++i) {
    unsigned of_a[4];
    pipelink::ldmatrix_x4(of_a, a + pipelink::swizzled_128B(lane % 16, 2 * i + lane / 16));
#pragma unroll
    for (unsigned j = 0; j < tile_n / 16; ++j) {
      unsigned of_b[4];
      pipelink::ldmatrix_x4(of_b, b + pipelink::swizzled_128B(16 * j + lane / 16 * 8 + lane % 8, 2 * i + lane / 8 % 2));
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned at = 8 * j + 4 * half;
        pipelink::mma_m16n8k16_bf16(d[at], d[at + 1], d[at + 2], d[at + 3], of_a, of_b[2 * half], of_b[2 * half + 1]);
      }
    }
  }
}

// Stores the warp's 16 x 64 elements.
static __device__ __forceinline__ void store(const float (&d)[32], float *c, unsigned row) {
  const unsigned lane = pipelink::lane();
  row += pipelink::warp() * 16 + lane / 4;
#pragma unroll
  for (unsigned j = 0; j < 8; ++j)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      *reinterpret_cast<float2 *>(c + size_t(row + 8 * h) * tile_n + 8 * j + 2 * (lane % 4)) =
          make_float2(d[4 * j + 2 * h], d[4 * j + 2 * h + 1]);
}"""

SYNC = """
for (unsigned k = 0; k < p.k; k += tile_k, ++at) {
  ab.wait(at);
  const unsigned slot = ab.slot_address(at);
  multiply_slot(d, slot + pipelink::warp() * (16 * sizeof(Slot::a[0])), slot + sizeof(Slot::a));
  ab.release(at);
}"""

EPILOGUE = """
// epilogue.cu - what becomes of the accumulators: they go to global memory through shared memory, in one piece.
#include "tile.h"

#include <pipelink/barrier.h>
#include <pipelink/buffer.h>
#include <pipelink/tma.h>

PIPELINK_STAGE("org.pairs.epilogue", "1.0.0");

struct staged_options : pipelink::buffer_options {
  static constexpr unsigned align = 128;
};
struct together_options : pipelink::barrier_options {
  static constexpr unsigned threads = 128;
};
PIPELINK_RESOURCE("staged") extern __device__ const pipelink::buffer<float[tile_m][tile_n], staged_options> staged;
PIPELINK_RESOURCE("together") extern __device__ const pipelink::barrier<together_options> together;

// Takes the 64 x 256 elements of C from `row` on, as wgmma leaves them, from one warpgroup.
PIPELINK_EXPORT("epilogue") __device__ void epilogue(const float (&d)[128], float *c, unsigned row) {
  const unsigned thread = pipelink::thread();
  together.sync(); // the last tile has left the buffer
#pragma unroll
  for (unsigned j = 0; j < 32; ++j)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      *reinterpret_cast<float2 *>(&staged.get()[thread / 32 * 16 + thread % 32 / 4 + 8 * h][8 * j + 2 * (thread % 4)]) =
          make_float2(d[4 * j + 2 * h], d[4 * j + 2 * h + 1]);
  pipelink::fence_async();
  together.sync();
  if (thread == 0) {
    pipelink::bulk_store(c + size_t(row) * tile_n, staged.get(), sizeof(float) * tile_m * tile_n);
    pipelink::bulk_commit();
    pipelink::bulk_wait_read<0>();
  }
}
"""

PLAIN_EPILOGUE = """
// epilogue.cu - what becomes of the accumulators: C, at once.
#include "tile.h"

PIPELINK_STAGE("org.pairs.epilogue", "1.0.0");
@store@

PIPELINK_EXPORT("epilogue") __device__ void epilogue(const float (&d)[128], float *c, unsigned row) {
  store(d, c, row);
}
"""

IMPORT_EPILOGUE = """
// Takes 64 x 256 elements of C from `row` on, as wgmma leaves them.
PIPELINK_IMPORT("epilogue") __device__ void epilogue(const float (&d)[128], float *c, unsigned row);"""


def expected(m, n, k):
    a = [[(row + i) % 3 - 1 for i in range(k)] for row in range(3)]
    b = [[(3 * column + i) % 5 - 2 for i in range(k)] for column in range(5)]
    sums = [[sum(x * y for x, y in zip(a[row], b[column])) for column in range(5)] for row in range(3)]
    return floats([sums[row % 3][column % 5] for row in range(m) for column in range(n)])


def multiplication(name, about, producers, body, ring=(("ab", "Slot"),), m=64, n=256, warps=4, depth=(2, 5), lookahead=0,
                   protocols=("tma",), arrive="warpgroup", epilogue="", sync=False, write="thread"):
    names = [each for each, _ in ring]
    tiles = 2 * GRID + 1
    rows, k = tiles * m, STEPS * 64
    options = "\n".join(text(OPTIONS, ring=each, min=depth[0], max=depth[1], lookahead=lookahead, protocol=protocol,
                             arrive=arrive).strip() for each, protocol in zip(names, protocols))
    files = {
        "a": bfloats([(row + i) % 3 - 1 for row in range(rows) for i in range(k)]),
        "b": bfloats([(3 * column + i) % 5 - 2 for column in range(n) for i in range(k)]),
    }
    sources = {"tile.h": text(HEADER, m=m, n=n, slots=(SLOT_AB if len(ring) == 1 else SLOTS_A_B).strip(), options=options,
                              rings=' "ab"' if len(ring) == 1 else 's "a" and "b"')}
    sizes = {"m": rows, "k": k}
    values = {f"multiply.{x}": sizes[x] for x in sizes}
    cursors = "auto at = ab.begin();" if len(ring) == 1 else "auto at_a = a.begin(), at_b = b.begin();"
    for producer in producers:
        values |= {f"{producer}.{x}": sizes[x] for x in sizes}
        if producer == "load":
            loads = [each for each, protocol in zip(names, protocols) if protocol == "tma"]
            operands = [x for each in loads for x in each]
            sources["load.cu"] = text(
                LOAD, maps="\n  ".join(text(MAP, name=x, x="m" if x == "a" else "n", X="M" if x == "a" else "N") for x in operands),
                rings="\n".join(text(RING, ring=each, slot=slot, side="produces") for each, slot in ring if each in loads),
                begin="auto at = ab.begin();" if loads == ["ab"] else "auto " + ", ".join(f"at_{x} = {x}.begin()" for x in loads) + ";",
                tiles=TILES, next=", ++at" if loads == ["ab"] else "".join(f", ++at_{x}" for x in loads),
                body=block("".join({"ab": LOAD_AB, "a": LOAD_A, "b": LOAD_B}[x] for x in loads), 6))
            shapes = {"a": f"{rows}x{k}", "b": f"{n}x{k}"}
            values |= {f"load.{x}": f"tensor:bf16:{shapes[x]}:file:{x}" for x in operands}
        elif producer == "write_a":
            sources["write_a.cu"] = text(WRITE_A, arrive=write)
            values["write_a.a"] = "file:a"
        else:
            sources["copy.cu"] = COPY_AB.lstrip("\n")
            values |= {"copy.a": "file:a", "copy.b": "file:b"}
    half = "const unsigned half = pipelink::warpgroup() * (64 * sizeof(Slot::a[0])); // this warpgroup's rows\n  "
    call = "epilogue" if epilogue else "store"
    row = "tile * tile_m" + (" + pipelink::warpgroup() * 64" if warps > 4 else "")
    sources["multiply.cu"] = text(
        MULTIPLY, about="mma.sync" if sync else "wgmma", includes="#include <pipelink/mma.h>" if sync else "#include <pipelink/wgmma.h>",
        rings="\n".join(text(RING, ring=each, slot=slot, side="consumes") for each, slot in ring),
        declare=IMPORT_EPILOGUE if epilogue else "",
        helpers=MULTIPLY_SYNC.strip() if sync else (MULTIPLY_SLOT + ("" if epilogue else "\n" + STORE)).strip(),
        warps=warps, begin=(half if "half)" in body else "") + cursors, tiles=TILES, registers=32 if sync else 128,
        initial="" if body is ONE_BEHIND else " = {}", body=block(body, 4), store=f"{call}(d, p.c, {row});")
    if epilogue:
        sources["epilogue.cu"] = text(epilogue, store=STORE) if "@store@" in epilogue else epilogue.lstrip("\n")
    run = Run(GRID, values, {"multiply.c": expected(rows, n, k)}, files, "f32")
    return Pair(f"matrices-{name}", about, sources, run)


SEPARATE = (("a", "SlotA"), ("b", "SlotB"))
PAIRS = [
    multiplication("at-once", "wgmma on TMA copies, each step waited for", ["load"], AT_ONCE),
    multiplication("one-behind", "a step's instructions run while the next is waited for", ["load"], ONE_BEHIND,
                   m=128, warps=8, lookahead=1, depth=(2, 4)),
    multiplication("epilogue", "and the accumulators go to another package", ["load"], ONE_BEHIND, m=128, warps=8,
                   lookahead=1, depth=(2, 4), epilogue=PLAIN_EPILOGUE),
    multiplication("staged-epilogue", "an epilogue with a buffer, a barrier and bulk stores", ["load"], AT_ONCE,
                   depth=(2, 4), epilogue=EPILOGUE),
    multiplication("two-rings", "A and B through rings of their own", ["load"], FROM_TWO_RINGS, SEPARATE,
                   protocols=("tma", "tma"), depth=(1, 4)),
    multiplication("written", "threads write A, TMA copies B", ["write_a", "load"], FROM_TWO_RINGS, SEPARATE,
                   protocols=("thread", "tma"), depth=(1, 3)),
    multiplication("written-warp", "the same, one arrival per warp, deeper", ["write_a", "load"], FROM_TWO_RINGS, SEPARATE,
                   protocols=("thread", "tma"), depth=(2, 4), write="warp"),
    multiplication("sync", "mma.sync on TMA copies", ["load"], SYNC, n=64, sync=True, arrive="warp", depth=(2, 6)),
    multiplication("sync-cp-async", "mma.sync on cp.async copies", ["copy"], SYNC, n=64, sync=True, arrive="warp",
                   protocols=("cp_async",), depth=(2, 6)),
    multiplication("sync-thread", "mma.sync, every thread gives the slot back", ["load"], SYNC, n=64, sync=True,
                   arrive="thread", depth=(1, 3)),
]
