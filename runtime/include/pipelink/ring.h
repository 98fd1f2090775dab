/* ring.h - a ring of slots in shared memory: one role fills them, others empty them, in the same order.
 *
 *   struct Slot { __nv_bfloat16 a[128][64], b[64][128]; };
 *   struct ab_options : pipelink::ring_options {
 *     static constexpr unsigned depth_min = 2, depth_max = 8;
 *     static constexpr auto protocol = pipelink::ring_protocol::tma;
 *   };
 *
 *   // the producer's package                                        // a consumer's
 *   PIPELINK_RESOURCE("ab") extern __device__ const                  PIPELINK_RESOURCE("ab") extern __device__ const
 *       pipelink::ring<Slot, pipelink::produces<ab_options>> ab;         pipelink::ring<Slot,
 *                                                                            pipelink::consumes<ab_options>> ab;
 *   auto at = ab.begin();                                            auto at = ab.begin();
 *   for (...; ++at) {                                                for (...; ++at) {
 *     ab.acquire(at);                                                  ab.wait(at);
 *     ab.expect_tx(at);                                                use(ab.slot(at));
 *     tma_load(p.a, ab.slot(at).a, ab.full_barrier(at), k, m);         ab.release(at);
 *     tma_load(p.b, ab.slot(at).b, ab.full_barrier(at), n, k);       }
 *   }
 *   ab.tail(at);
 *
 * How deep the ring is, where it lies and how many arrivals its barriers count is the linker's: it sees both sides. It
 * refuses to bind two that differ in slots, protocol, credit or bytes, or whose depths have nothing in common.
 *
 * Every slot has two mbarriers, full and empty. The producer waits for empty, fills, and completes full; a consumer
 * waits for full, reads, and arrives on empty. With the protocol `named` both are named barriers.
 */
#ifndef PIPELINK_RING_H
#define PIPELINK_RING_H

#include <pipelink/mbarrier.h>
#include <pipelink/resource.h>

#if defined(__CUDACC__)

namespace pipelink {

enum class ring_direction { undeclared, produce, consume };

/* How a slot becomes full.
 *   tma       one thread calls expect_tx() and begins bulk or tensor copies on full_barrier(); they complete tx_bytes
 *   thread    threads write into the slot and call commit()
 *   cp_async  each thread of the role begins cp.async copies (cp_async.h) and calls commit(), which does not wait
 *   named     as `thread`, with named barriers: cheap for a hand-over between two roles, two of the CTA's 15 per slot
 */
enum class ring_protocol { tma, thread, cp_async, named };

/* Why the producer's first wait on each slot passes: it waits for the phase before the first, or the kernel's skeleton
 * arrives on every empty barrier beforehand. Both sides must mean the same; named barriers know only the second. */
enum class ring_credit { parity, pre_arrive };

/* How many threads arrive when a role commits or releases a slot. All of them call commit() and release(); the elected
 * one of each unit arrives. `warp` orders the lanes' accesses before the arrival; for `warpgroup` and `role` they must
 * be ordered already, by a barrier or because one warpgroup-wide instruction has completed them. Fewer arrivals cost
 * less, more let a slot go as soon as the last thread is done. compute-sanitizer's racecheck follows only threads that
 * arrive themselves; with the other three it reports hazards that are none. */
enum class arrival { thread, warp, warpgroup, role };

/* What an owner can ask for; derive, and declare what is different. These become the contract (docs/contract.md). */
struct ring_options {
  static constexpr ring_direction direction = ring_direction::undeclared; /* produces<> and consumes<> set it */
  static constexpr unsigned depth_min = 1, depth_max = 64;                /* slots, 1 to 64 */
  static constexpr unsigned depth_multiple = 1;                           /* the depth is a multiple of it */
  static constexpr unsigned depth_preferred = 0;                          /* more is worth nothing; 0: depth_max */
  static constexpr unsigned priority = 1;  /* 0 to 1000: rings with a higher one get their depth first */
  static constexpr unsigned lookahead = 0; /* slots a consumer still holds while it waits for another */
  static constexpr ring_protocol protocol = ring_protocol::thread;
  static constexpr ring_credit credit = ring_credit::parity;
  static constexpr arrival arrive = arrival::thread; /* of this side */
  static constexpr unsigned arrivals = 0;            /* of the other side per slot, for code that counts on a number;
                                                        0: as many as it makes */
  static constexpr unsigned tx_bytes = 0;            /* protocol tma, per slot; 0: the slot's size */
  static constexpr unsigned slot_align = 0;          /* bytes; 0: the slot's own, and what copies need */
  static constexpr const char *role = "";            /* whose threads arrive; "": the stage's only role */
  static constexpr unsigned live_from = 0, live_to = 255; /* phases in which it is used; 0 to 255 is always */
};

template <class Options> struct produces : Options {
  static constexpr ring_direction direction = ring_direction::produce;
};

template <class Options> struct consumes : Options {
  static constexpr ring_direction direction = ring_direction::consume;
};

/* A place in a ring: the slot, and the parity of its phase (0 in the first round). A role keeps one for as long as it
 * uses the ring, across tiles, and moves it by ++ for every slot. `depth` is the ring's, a constant after linking. */
struct ring_cursor {
  unsigned index, phase, depth;

  __device__ __forceinline__ ring_cursor &operator++() {
    if (++index == depth) {
      index = 0;
      phase ^= 1;
    }
    return *this;
  }
};

/* Slots of type `Slot`. The value is the linker's: byte offsets in the arena of slot 0 and of the first full and empty
 * mbarrier (8 bytes each, one of either kind per slot), and the depth. With the protocol `named`, full and empty are
 * barrier ids, the first of `depth` each, and `threads` is what one hand-over counts: both sides' together. */
template <class Slot, class Options = ring_options> struct ring {
  static constexpr bool is_producer = Options::direction == ring_direction::produce;
  static constexpr bool is_tma = Options::protocol == ring_protocol::tma;
  static constexpr bool is_cp_async = Options::protocol == ring_protocol::cp_async;
  static constexpr bool is_named = Options::protocol == ring_protocol::named;
  static constexpr bool is_pre_arrived = is_named || Options::credit == ring_credit::pre_arrive;

  /* The linker reads this; bulk copies want 16 bytes, tensor copies 128 (PTX ISA, cp.async.bulk.tensor). */
  struct contract : Options {
    static constexpr const char *kind = "ring";
    using payload = Slot;
    static constexpr unsigned slot_align =
        detail::greatest(detail::greatest(Options::slot_align, alignof(Slot)), is_tma        ? 128
                                                                               : is_cp_async ? 16
                                                                                             : 1);
    static constexpr unsigned slot_bytes = detail::round_up(sizeof(Slot), slot_align);
    static constexpr unsigned depth_preferred =
        Options::depth_preferred ? Options::depth_preferred : Options::depth_max;
    static constexpr ring_credit credit = is_pre_arrived ? ring_credit::pre_arrive : ring_credit::parity;
    static constexpr arrival arrive = is_named || (is_cp_async && is_producer) ? arrival::thread
                                      : is_tma && is_producer                  ? arrival::role
                                                                               : Options::arrive;
    static constexpr unsigned tx_bytes = is_tma && !Options::tx_bytes ? sizeof(Slot) : Options::tx_bytes;
  };

  static_assert(Options::direction != ring_direction::undeclared,
                "a ring's options say which side this is: produces<Options> or consumes<Options>");
  static_assert(Options::depth_min >= 1 && Options::depth_min <= Options::depth_max && Options::depth_max <= 64,
                "a ring's depth lies between depth_min and depth_max, 1 to 64");
  static_assert(Options::depth_multiple >= 1 &&
                    Options::depth_max / Options::depth_multiple * Options::depth_multiple >= Options::depth_min,
                "no multiple of depth_multiple lies between depth_min and depth_max");
  static_assert(Options::lookahead < Options::depth_max,
                "a consumer that holds `lookahead` slots while it waits for another needs a deeper ring");
  static_assert(Options::tx_bytes <= contract::slot_bytes,
                "copies fill the slot, and no more: tx_bytes is at most its size");
  static_assert(Options::priority <= 1000, "a priority is 0 to 1000");
  static_assert(Options::live_from <= Options::live_to && Options::live_to <= 255,
                "a ring is live from one phase to a later one, 0 to 255");
  static_assert(Options::credit <= ring_credit::pre_arrive && Options::arrive <= arrival::role,
                "credit and arrive have the values that are declared above");
  static_assert(Options::role, "a role has a name, or \"\" stands for the stage's only one");
  static_assert(is_tma || !Options::tx_bytes, "only protocol tma counts bytes");
  static_assert(contract::tx_bytes < 1u << 20, "an mbarrier counts less than 2^20 bytes per phase");

  unsigned slots, full, empty, depth, threads;

  /* Where both sides begin. */
  __device__ __forceinline__ ring_cursor begin() const { return {0, 0, depth}; }

  /* The slot, after acquire() or wait(), and its address in the shared window. */
  __device__ __forceinline__ Slot &slot(const ring_cursor &at) const {
    return *reinterpret_cast<Slot *>(pipelink_shared + slots + at.index * contract::slot_bytes);
  }
  __device__ __forceinline__ unsigned slot_address(const ring_cursor &at) const {
    return arena_address(slots) + at.index * contract::slot_bytes;
  }

  /* Addresses of the slot's mbarriers, for instructions that arrive by themselves: copies complete full_barrier(),
   * tcgen05.commit arrives on empty_barrier(). */
  __device__ __forceinline__ unsigned full_barrier(const ring_cursor &at) const {
    static_assert(!is_named, "a ring with named barriers has no mbarriers");
    return arena_address(full) + at.index * 8;
  }
  __device__ __forceinline__ unsigned empty_barrier(const ring_cursor &at) const {
    static_assert(!is_named, "a ring with named barriers has no mbarriers");
    return arena_address(empty) + at.index * 8;
  }

  /* ---- the producer's side ---- */

  /* Waits until the slot is free. Every thread that is going to write into it, or begins copies into it, waits.
   * mbarrier.try_wait in a loop; named: bar.sync */
  __device__ __forceinline__ void acquire(const ring_cursor &at) const {
    static_assert(is_producer, "acquire() is the producer's; a consumer waits");
    if constexpr (is_named)
      asm volatile("bar.sync %0, %1;" ::"r"(empty + at.index), "r"(threads) : "memory");
    else
      mbarrier_wait(empty_barrier(at), is_pre_arrived ? at.phase : at.phase ^ 1);
  }

  /* Protocol tma: announces what the copies will complete, by one thread of the role, once per slot.
   * mbarrier.arrive.expect_tx */
  __device__ __forceinline__ void expect_tx(const ring_cursor &at) const {
    static_assert(is_producer && is_tma, "expect_tx() is for the producer of a ring with protocol tma");
    mbarrier_expect_tx(full_barrier(at), contract::tx_bytes);
  }

  /* The same for a slot that is filled in part: `bytes` are at most those of a whole one. */
  __device__ __forceinline__ void expect_tx(const ring_cursor &at, unsigned bytes) const {
    static_assert(is_producer && is_tma, "expect_tx() is for the producer of a ring with protocol tma");
    mbarrier_expect_tx(full_barrier(at), bytes);
  }

  /* The other protocols: hands the slot over, by all threads of the role. What they wrote is visible to who waits; for
   * wgmma, tcgen05 and bulk copies as readers, call fence_async() first.
   * mbarrier.arrive, cp.async.mbarrier.arrive.noinc or bar.arrive */
  __device__ __forceinline__ void commit(const ring_cursor &at) const {
    static_assert(is_producer, "commit() is the producer's; a consumer releases");
    static_assert(!is_tma, "with protocol tma the copies commit; expect_tx() announces them");
    if constexpr (is_named)
      asm volatile("bar.arrive %0, %1;" ::"r"(full + at.index), "r"(threads) : "memory");
    else if constexpr (is_cp_async)
      mbarrier_arrive_cp_async(full_barrier(at));
    else
      arrive_on(full_barrier(at));
  }

  /* Waits until every slot has been released, by the threads that acquire; `at` is the place after the last one. A
   * producer ends with it where consumers are other CTAs of the cluster, or where memory is used for something else
   * afterwards: whoever arrives later would arrive in that. */
  __device__ __forceinline__ void tail(ring_cursor at) const {
#pragma unroll 1
    for (unsigned i = 0; i < depth; ++i, ++at)
      acquire(at);
  }

  /* ---- a consumer's side ---- */

  /* Waits until the slot is full; every thread that reads it, or has matrix instructions read it, waits.
   * mbarrier.try_wait in a loop; named: bar.sync */
  __device__ __forceinline__ void wait(const ring_cursor &at) const {
    static_assert(!is_producer, "wait() is a consumer's; the producer acquires");
    if constexpr (is_named)
      asm volatile("bar.sync %0, %1;" ::"r"(full + at.index), "r"(threads) : "memory");
    else
      mbarrier_wait(full_barrier(at), at.phase);
  }

  /* True when it is full; to look early, with other work before `if (!ready) wait(at)`. mbarrier.try_wait */
  __device__ __forceinline__ bool try_wait(const ring_cursor &at) const {
    static_assert(!is_producer && !is_named, "try_wait() is for consumers of rings with mbarriers");
    return mbarrier_try_wait(full_barrier(at), at.phase);
  }

  /* Gives the slot back, by all threads of the role, after what they read has arrived in registers. With protocol tma
   * each thread first orders its loads before the next copy, by fence_async(). Where one thread arrives for a warpgroup
   * or a role that is too late, since the others are done already: unless only matrix instructions have read the slot,
   * they call fence_async() themselves, before the barrier that makes them be done.
   * mbarrier.arrive; named: bar.arrive */
  __device__ __forceinline__ void release(const ring_cursor &at) const {
    static_assert(!is_producer, "release() is a consumer's; the producer commits");
    if constexpr (is_tma && (contract::arrive == arrival::thread || contract::arrive == arrival::warp))
      fence_async();
    if constexpr (is_named)
      asm volatile("bar.arrive %0, %1;" ::"r"(empty + at.index), "r"(threads) : "memory");
    else
      arrive_on(empty_barrier(at));
  }

  /* The elected thread of each unit arrives. */
  static __device__ __forceinline__ void arrive_on(unsigned barrier) {
    if constexpr (contract::arrive == arrival::warp)
      __syncwarp();
    if (contract::arrive == arrival::thread || (contract::arrive == arrival::warp && lane() == 0) ||
        (contract::arrive == arrival::warpgroup && thread() % 128 == 0) ||
        (contract::arrive == arrival::role && thread() == 0))
      mbarrier_arrive(barrier);
  }
};

} // namespace pipelink

#endif

#endif
