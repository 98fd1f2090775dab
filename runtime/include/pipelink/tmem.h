/* tmem.h - columns of tensor memory (sm_100a, sm_103a).
 *
 *   struct accumulator : pipelink::tmem_options { static constexpr unsigned columns = 256; };
 *   PIPELINK_RESOURCE("accumulator") extern __device__ const pipelink::tmem<accumulator> acc;
 *
 * The kernel's skeleton allocates the columns of all stages at once and frees them at the end; a stage calls neither
 * tcgen05.alloc nor tcgen05.dealloc. PTX ISA, "Tensor Memory".
 */
#ifndef PIPELINK_TMEM_H
#define PIPELINK_TMEM_H

#include <pipelink/resource.h>

#if defined(__CUDACC__)

namespace pipelink {

/* What an owner can ask for; derive, and declare what is different. */
struct tmem_options {
  static constexpr unsigned columns = 32; /* 1 to 512, of 128 lanes and 32 bits each */
  static constexpr unsigned align = 1;    /* the first column is a multiple of it; a power of two */
  static constexpr int column = -1;       /* a fixed first column, for code that cannot do without; -1: any */
};

/* The value is the linker's: the first column, counted from the kernel's allocation, and where in the arena the word
 * lies that tcgen05.alloc left the allocation's address in. */
template <class Options = tmem_options> struct tmem {
  struct contract : Options {
    static constexpr const char *kind = "tmem";
  };

  static_assert(Options::columns >= 1 && Options::columns <= 512, "an SM has 512 columns of tensor memory");
  static_assert(Options::align && !(Options::align & (Options::align - 1)), "an alignment is a power of two");
  static_assert(Options::column >= -1 && Options::column + int(Options::columns) <= 512,
                "an SM has 512 columns of tensor memory");

  unsigned column, base;

  /* The address of lane 0 in the first column, as tcgen05 instructions take it. ld.shared */
  __device__ __forceinline__ unsigned address() const {
    return *reinterpret_cast<const unsigned *>(pipelink_shared + base) + column;
  }
};

} // namespace pipelink

#endif

#endif
