/* tensor_map.h - a TMA descriptor as a field of a params struct.
 *
 *   struct PIPELINK_PARAMS Params {
 *     pipelink::tensor_map<__nv_bfloat16, pipelink::box<64, 128>, pipelink::swizzle::bytes_128> a;
 *     unsigned m, n, k;
 *   };
 *
 * The declaration is all that the descriptor needs besides the tensor itself: PipeLink's runtime encodes it from an
 * address, extents and strides, so host code for TMA need not be written. Stages pass the field to tma.h's functions.
 * Plain C++: host code can include it too.
 */
#ifndef PIPELINK_TENSOR_MAP_H
#define PIPELINK_TENSOR_MAP_H

namespace pipelink {

/* The part of a tensor that one copy moves: extents in elements, the contiguous dimension first. One to five of them,
 * 1 to 256 each; the first is a multiple of 16 bytes. */
template <unsigned... Extents> struct box {};

/* How rows of a box are spread over shared memory's banks: 16-byte pieces change places within so many bytes, and the
 * first extent has at most so many. Destinations are aligned to 8 times as much (CUDA C++ Programming Guide, "Tensor
 * Memory Access: Swizzle"). */
enum class swizzle { none, bytes_32, bytes_64, bytes_128 };

template <class T, class Box, swizzle Swizzle = swizzle::none> struct tensor_map;

/* `T`: the elements, 1, 2, 4 or 8 bytes each. */
template <class T, unsigned... Extents, swizzle Swizzle> struct alignas(64) tensor_map<T, box<Extents...>, Swizzle> {
  /* What the linker and the runtime read. */
  struct contract {
    static constexpr const char *kind = "tensor_map";
    using element = T;
    static constexpr unsigned rank = sizeof...(Extents);
    static constexpr unsigned box[] = {Extents...};
    static constexpr const char *swizzle = Swizzle == pipelink::swizzle::bytes_128  ? "128B"
                                           : Swizzle == pipelink::swizzle::bytes_64 ? "64B"
                                           : Swizzle == pipelink::swizzle::bytes_32 ? "32B"
                                                                                    : "none";
  };

  static constexpr unsigned rank = sizeof...(Extents);
  static constexpr unsigned bytes = (Extents * ... * sizeof(T)); /* that one copy moves, also at a tensor's edge */

  static_assert(rank >= 1 && rank <= 5, "a tensor has one to five dimensions");
  static_assert(((Extents >= 1 && Extents <= 256) && ...), "an extent of a box is 1 to 256");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "elements of 1, 2, 4 or 8 bytes can be copied");
  static_assert(contract::box[0] * sizeof(T) % 16 == 0, "a row of a box is a multiple of 16 bytes");
  static_assert(Swizzle == swizzle::none || contract::box[0] * sizeof(T) <= (16u << unsigned(Swizzle)),
                "a row of a box is at most as long as what is swizzled");

  unsigned long long descriptor[16]; /* 128 bytes, set by the host */
};

} // namespace pipelink

#endif
