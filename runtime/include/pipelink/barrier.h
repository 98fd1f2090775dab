/* barrier.h - a named barrier of the CTA, for the threads of one role or of several.
 *
 *   PIPELINK_RESOURCE("order") extern __device__ const pipelink::barrier<> order;
 *   order.sync();
 *
 * The linker gives it one of the ids 1 to 15 that is free while it is needed, so two owners never meet on one. Id 0 and
 * __syncthreads() mean the whole CTA and have no place in a role. PTX ISA, "bar, barrier".
 */
#ifndef PIPELINK_BARRIER_H
#define PIPELINK_BARRIER_H

#include <pipelink/resource.h>

#if defined(__CUDACC__)

namespace pipelink {

/* What an owner can ask for; derive, and declare what is different. */
struct barrier_options {
  static constexpr unsigned threads = 0;  /* that take part, a multiple of 32; 0: all of the role or roles */
  static constexpr unsigned id = 0;       /* 1 to 15 for code that cannot do without; 0: the linker chooses */
  static constexpr bool shared = false;   /* one with the barriers of the same name in other stages */
  static constexpr const char *role = ""; /* whose threads take part; "": all roles of the stage */
};

/* The value is the linker's: the id, and how many threads take part in it. Whole warps do. */
template <class Options = barrier_options> struct barrier {
  struct contract : Options {
    static constexpr const char *kind = "barrier";
  };

  static_assert(Options::threads % 32 == 0 && Options::threads <= 1024, "whole warps take part, 1024 threads at most");
  static_assert(Options::id <= 15, "a CTA has the named barriers 1 to 15");

  unsigned id, threads;

  /* Waits for all who take part; what they wrote before is then visible. bar.sync */
  __device__ __forceinline__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

  /* Counts as one who takes part, without waiting for the others. bar.arrive */
  __device__ __forceinline__ void arrive() const {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
  }
};

} // namespace pipelink

#endif

#endif
