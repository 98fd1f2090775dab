/* nvcc.h - what sources written for nvcc take for granted and clang does not have.
 *
 * `pipelink cc` includes it first, so third-party kernels compile unchanged. It declares nothing of PipeLink's own.
 */
#ifndef PIPELINK_NVCC_H
#define PIPELINK_NVCC_H

/* CUTLASS marks kernel parameters __grid_constant__ only under nvcc; without the mark a tensor map is copied to local
 * memory, where TMA cannot use it. clang knows the mark. */
#define CUTLASS_GRID_CONSTANT __grid_constant__

/* nvcc's atomic built-ins ("CUDA C++ Programming Guide", Atomic Functions) over clang's. Memory orders have the same
 * numbers in both. The scope is left out: clang's are of system scope, the strongest. */
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define __nv_atomic_load_n(pointer, order, ...) __atomic_load_n(pointer, order)
#define __nv_atomic_load(pointer, result, order, ...) __atomic_load(pointer, result, order)
#define __nv_atomic_store_n(pointer, value, order, ...) __atomic_store_n(pointer, value, order)
#define __nv_atomic_store(pointer, value, order, ...) __atomic_store(pointer, value, order)
#define __nv_atomic_exchange_n(pointer, value, order, ...) __atomic_exchange_n(pointer, value, order)
#define __nv_atomic_exchange(pointer, value, result, order, ...) __atomic_exchange(pointer, value, result, order)
#define __nv_atomic_compare_exchange_n(pointer, expected, desired, weak, success, failure, ...)                        \
  __atomic_compare_exchange_n(pointer, expected, desired, weak, success, failure)
#define __nv_atomic_compare_exchange(pointer, expected, desired, weak, success, failure, ...)                          \
  __atomic_compare_exchange(pointer, expected, desired, weak, success, failure)
#define __nv_atomic_fetch_add(pointer, value, order, ...) __atomic_fetch_add(pointer, value, order)
#define __nv_atomic_fetch_sub(pointer, value, order, ...) __atomic_fetch_sub(pointer, value, order)
#define __nv_atomic_fetch_and(pointer, value, order, ...) __atomic_fetch_and(pointer, value, order)
#define __nv_atomic_fetch_or(pointer, value, order, ...) __atomic_fetch_or(pointer, value, order)
#define __nv_atomic_fetch_xor(pointer, value, order, ...) __atomic_fetch_xor(pointer, value, order)
#define __nv_atomic_fetch_min(pointer, value, order, ...) __atomic_fetch_min(pointer, value, order)
#define __nv_atomic_fetch_max(pointer, value, order, ...) __atomic_fetch_max(pointer, value, order)
#define __nv_atomic_thread_fence(order, ...) __atomic_thread_fence(order)

#endif
