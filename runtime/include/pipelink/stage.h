/* stage.h - what a stage's source includes: the attributes as macros, and who a thread is within its role.
 *
 * Under PipeLink's clang plugin the macros are the attributes [[pipelink::...]] that make the stage's contract. Under
 * plain clang, nvcc or a host compiler they are nothing, and the attributes written directly are silently ignored, so
 * the same source compiles everywhere.
 */
#ifndef PIPELINK_STAGE_H
#define PIPELINK_STAGE_H

#include <stddef.h>

#if defined(__cplusplus) && defined(__has_cpp_attribute)
#if __has_cpp_attribute(pipelink::role)
#define PIPELINK_HAS_ATTRIBUTES 1
#endif
#endif

#ifdef PIPELINK_HAS_ATTRIBUTES
#define PIPELINK_ATTRIBUTE(...) [[pipelink::__VA_ARGS__]]
#else
#define PIPELINK_ATTRIBUTE(...)
/* clang and nvcc can only be told to ignore every unknown attribute; GCC can be told whose. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__) && __GNUC__ >= 12
#pragma GCC diagnostic ignored_attributes "pipelink::"
#pragma GCC diagnostic ignored_attributes "gnu::pipelink_stage,gnu::pipelink_role,gnu::pipelink_params"
#pragma GCC diagnostic ignored_attributes "gnu::pipelink_import,gnu::pipelink_export"
#pragma GCC diagnostic ignored_attributes "gnu::pipelink_shared,gnu::pipelink_cluster,gnu::pipelink_warps"
#pragma GCC diagnostic ignored_attributes "gnu::pipelink_registers,gnu::pipelink_resource,gnu::pipelink_grid"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wattributes"
#endif
#if defined(__NVCC__)
#pragma nv_diag_suppress 2803 /* [[pipelink::...]] */
#pragma nv_diag_suppress 1097 /* __attribute__((pipelink_...)) */
#endif
#endif

/* The stage that this file is: the package's name and its semantic version, once per file.
 *
 *   PIPELINK_STAGE("org.hello.caller", "1.0.0");
 */
#define PIPELINK_STAGE(name, version) struct PIPELINK_ATTRIBUTE(stage(name, version)) pipelink_stage

/* A role: a __device__ function that `warps` (1 to 32) warps of every CTA run, once. It returns nothing and takes
 * nothing or `const Params &`.
 *
 *   PIPELINK_ROLE("call", 4) __device__ void call(const Params &p) { ... }
 */
#define PIPELINK_ROLE(name, warps) PIPELINK_ATTRIBUTE(role(name, warps))

/* The struct of a role's parameters; the host sets its fields by name. PIPELINK_PARAMS_OPAQUE is for one whose inside
 * only its own host code knows, tensor maps for example: it is set as bytes.
 *
 *   struct PIPELINK_PARAMS Params { float *output; size_t count; };
 */
#define PIPELINK_PARAMS PIPELINK_ATTRIBUTE(params)
#define PIPELINK_PARAMS_OPAQUE PIPELINK_ATTRIBUTE(params("opaque"))

/* A function that another package provides (declared, without a body), and one provided to others.
 *
 *   PIPELINK_IMPORT("scale") __device__ float scale(float);
 *   PIPELINK_EXPORT("scale") __device__ float scale(float x) { return 2 * x; }
 */
#define PIPELINK_IMPORT(name) PIPELINK_ATTRIBUTE(import(name))
#define PIPELINK_EXPORT(name) PIPELINK_ATTRIBUTE(export(name))

/* Dynamic shared memory that the stage addresses by itself: name, bytes and, where it is more than the array's own,
 * the alignment in bytes.
 *
 *   PIPELINK_SHARED("tiles", 65536, 1024) extern __shared__ char tiles[];
 */
#define PIPELINK_SHARED(...) PIPELINK_ATTRIBUTE(shared(__VA_ARGS__))

/* The CTAs of a cluster that a role counts on, in x, y and z (1 where left out); goes with PIPELINK_ROLE. */
#define PIPELINK_CLUSTER(...) PIPELINK_ATTRIBUTE(cluster(__VA_ARGS__))

/* A role whose CTAs wait for CTAs of the whole grid, at a grid-wide barrier for example: PIPELINK_GRID("co_resident").
 * The runtime launches it cooperatively, and refuses a grid of more CTAs than the GPU holds at once. Goes with
 * PIPELINK_ROLE.
 */
#define PIPELINK_GRID(word) PIPELINK_ATTRIBUTE(grid(word))

/* The numbers of warps a role can run with: least, greatest, and the number they are a multiple of (1 where left out).
 * Without it the number in PIPELINK_ROLE is the only one; with it the linker chooses, and pipelink::threads() says
 * what.
 *
 *   PIPELINK_ROLE("mma", 8) PIPELINK_WARPS(4, 12, 4) __device__ void mma(const Params &p) { ... }
 */
#define PIPELINK_WARPS(...) PIPELINK_ATTRIBUTE(warps(__VA_ARGS__))

/* Registers per thread that a role wants: least, preferred, greatest; multiples of 8 from 24 to 256. The linker moves
 * registers between warpgroups with setmaxnreg.
 *
 *   PIPELINK_ROLE("load", 4) PIPELINK_REGISTERS(24, 40, 40) __device__ void load(const Params &p) { ... }
 */
#define PIPELINK_REGISTERS(min, preferred, max) PIPELINK_ATTRIBUTE(registers(min, preferred, max))

/* A resource of the CTA: a constant whose value the linker knows. Its type says what is needed; ring.h, barrier.h,
 * buffer.h and tmem.h have the types.
 *
 *   PIPELINK_RESOURCE("ab") extern __device__ const pipelink::ring<Slot, pipelink::consumes<ab_options>> ab;
 */
#define PIPELINK_RESOURCE(name) PIPELINK_ATTRIBUTE(resource(name))

#if defined(__CUDACC__)

/* A thread's place within its role. A role runs in one dimension (x), wherever in the CTA the linker puts its warps.
 *
 * In a unit build (the stages' sources and a hand-written kernel in one file) define PIPELINK_UNIT_THREADS as the
 * role's threads per CTA before including this file; it is then a constant, as it is after linking. Where the kernel
 * has several roles, it is an expression of threadIdx.x, and so is PIPELINK_UNIT_FIRST_THREAD, the role's first thread:
 * below the branch that begins the role the compiler knows the answers.
 *
 *   #define PIPELINK_UNIT_FIRST_THREAD (threadIdx.x < 128 ? 0 : 128)
 *   #define PIPELINK_UNIT_THREADS (threadIdx.x < 128 ? 128 : 256)
 */
namespace pipelink {

/* Index within the role, from 0. The linker makes threadIdx.x relative to the role. */
__device__ __forceinline__ unsigned thread() {
#ifdef PIPELINK_UNIT_FIRST_THREAD
  return threadIdx.x - (PIPELINK_UNIT_FIRST_THREAD);
#else
  return threadIdx.x;
#endif
}

/* Threads of the role in one CTA: 32 times its warps. */
__device__ __forceinline__ unsigned threads() {
#ifdef PIPELINK_UNIT_THREADS
  return PIPELINK_UNIT_THREADS;
#else
  return blockDim.x;
#endif
}

/* Index of the warpgroup (128 threads) and of the warp within the role, and of the thread within its warp. */
__device__ __forceinline__ unsigned warpgroup() {
  return thread() / 128;
}
__device__ __forceinline__ unsigned warp() {
  return thread() / 32;
}
__device__ __forceinline__ unsigned lane() {
  return thread() % 32;
}

/* True for one thread of the warp, which all of its threads must reach together: the one that begins bulk copies, say.
 * elect.sync (PTX ISA 8.0, sm_90) */
__device__ __forceinline__ bool elect() {
  unsigned elected;
  asm volatile("{\n"
               ".reg .pred elected;\n"
               "elect.sync _|elected, 0xffffffff;\n"
               "selp.u32 %0, 1, 0, elected;\n"
               "}"
               : "=r"(elected));
  return elected;
}

/* Index among the role's threads of all CTAs (the grid is one-dimensional), and how many there are. */
__device__ __forceinline__ size_t grid_thread() {
  return size_t(blockIdx.x) * threads() + thread();
}
__device__ __forceinline__ size_t grid_threads() {
  return size_t(gridDim.x) * threads();
}

} // namespace pipelink

#endif

#endif
