/* buffer.h - shared memory for one object.
 *
 *   struct output_options : pipelink::buffer_options {
 *     static constexpr unsigned align = 1024;
 *     static constexpr const char *overlay = "ab", *guard = "ab";
 *   };
 *   PIPELINK_RESOURCE("tile") extern __device__ const pipelink::buffer<float[128][64], output_options> tile;
 *   tile.get()[row][column] = x;
 *
 * The linker places it in the arena. Buffers that are never live in the same phase may get the same bytes, and one that
 * overlays a ring may get bytes of its slots: then the guard, a ring or barrier of the same stage, is what orders the
 * last use of the one before the first use of the other. It joins the buffer's role with the ring's producer or with
 * all of its consumers; the ring itself will do for its only consumer, which uses the buffer while it holds its slot.
 */
#ifndef PIPELINK_BUFFER_H
#define PIPELINK_BUFFER_H

#include <pipelink/resource.h>

#if defined(__CUDACC__)

namespace pipelink {

/* What an owner can ask for; derive, and declare what is different. */
struct buffer_options {
  static constexpr unsigned align = 0;                    /* bytes; 0: the type's own */
  static constexpr unsigned live_from = 0, live_to = 255; /* phases in which it is used; 0 to 255 is always */
  static constexpr const char *overlay = "";              /* a ring on whose slots it may lie; "": none */
  static constexpr const char *guard = "";                /* what orders the two; goes with overlay */
};

/* The value is the linker's: bytes from the arena's start. */
template <class T, class Options = buffer_options> struct buffer {
  struct contract : Options {
    static constexpr const char *kind = "buffer";
    using payload = T;
    static constexpr unsigned bytes = sizeof(T);
    static constexpr unsigned align = detail::greatest(Options::align, alignof(T));
  };

  static_assert(Options::live_from <= Options::live_to && Options::live_to <= 255,
                "a buffer is live from one phase to a later one, 0 to 255");
  static_assert(detail::is_empty(Options::overlay) == detail::is_empty(Options::guard),
                "a buffer that overlays a ring has a guard, which orders the two uses, and only such a buffer has one");

  unsigned offset;

  __device__ __forceinline__ T &get() const { return *reinterpret_cast<T *>(pipelink_shared + offset); }

  /* Its address in the shared window. */
  __device__ __forceinline__ unsigned address() const { return arena_address(offset); }
};

} // namespace pipelink

#endif

#endif
