/* kernel.h - what a pipelink_kernel holds, and what its files share.
 *
 *   kernel_load.c        files -> launch_file.c, cubin_file.c -> driver -> checks against the GPU
 *   kernel_parameters.c  names to bytes of the parameter block
 *   kernel_tensor.c      tensors to TMA descriptors there
 *   kernel_launch.c      the launch, and what a kernel is
 *   kernel_watch.c       waiting for the launch's end, and what a hanging one tells
 */
#ifndef PIPELINK_RUNTIME_KERNEL_H
#define PIPELINK_RUNTIME_KERNEL_H

#include "cuda_driver.h"
#include "launch_file.h"

struct pipelink_kernel {
  char *name; /* for messages: the cubin's path */
  pl_launch_file file;
  char *entry; /* name of the kernel in the cubin */
  pl_cuda_driver driver;
  CUdevice device;
  CUcontext context;
  bool is_other_cubin; /* not the one that the launch file was written for */
  bool owns_context;   /* the primary context was retained for this kernel */
  CUmodule module;     /* NULL until loaded */
  CUfunction function;
  bool cluster_in_cubin; /* the cubin fixes the cluster's shape itself */
  uint32_t shared_static, registers, local;
  uint32_t multiprocessors, ctas_per_multiprocessor;
  uint64_t resident_ctas; /* that the GPU holds at once, whole clusters of them */
  uint32_t grid_max[3];
  unsigned char *values; /* the parameter block, file.parameters_size bytes */
  struct {
    CUdeviceptr variable;  /* 0: the kernel has no watchdog */
    unsigned char *report; /* memory of both host and GPU; NULL before the first launch */
    size_t bytes;
    uint32_t ctas; /* that have entries */
    bool is_stuck; /* the GPU still runs it, and nothing ends it */
  } watch;
  unsigned char *is_set; /* one byte per byte of the block: non-zero when it has a value */
};

/* Makes the kernel's context current for the calling thread; every successful enter is followed by a leave. */
pipelink_code pl_kernel_enter(const pipelink_kernel *kernel, pipelink_error *error);
void pl_kernel_leave(const pipelink_kernel *kernel);

/* kernel_watch.c, with the context current; all do nothing for a kernel without a watchdog. */
pipelink_code pl_kernel_watch_load(pipelink_kernel *kernel, pipelink_error *error);
pipelink_code pl_kernel_watch_launch(pipelink_kernel *kernel, const uint32_t grid[3], pipelink_error *error);
void pl_kernel_watch_free(pipelink_kernel *kernel);

/* "INSTANCE.FIELD", or "INSTANCE" for an opaque struct, cut to fit; returns `text`. */
const char *pl_field_full_name(const pl_launch_field *field, char *text, size_t size);

/* Every byte of the field has a value. */
bool pl_field_is_set(const pipelink_kernel *kernel, const pl_launch_field *field);

/* The field that `name` means, or NULL with PIPELINK_ERROR_NAME in *error. */
const pl_launch_field *pl_kernel_find_field(const pipelink_kernel *kernel, const char *name, pipelink_error *error);

/* The same with kernel and name checked for NULL. */
pipelink_code pl_kernel_find_parameter(const pipelink_kernel *kernel, const char *name, const pl_launch_field **field,
                                       pipelink_error *error);

/* "NAME has type T and cannot be set as VALUE" */
pipelink_code pl_kernel_refuse_kind(const pipelink_kernel *kernel, const pl_launch_field *field, const char *value,
                                    pipelink_error *error);

/* Puts bytes into the parameter block and marks them as set. */
void pl_kernel_store(pipelink_kernel *kernel, size_t offset, const void *bytes, size_t size);

/* The names of the parameters for which `wanted` is true, as "a.x, a.y, b.z and 3 more". Returns how many there are. */
size_t pl_kernel_list_fields(const pipelink_kernel *kernel,
                             bool (*wanted)(const pipelink_kernel *kernel, const pl_launch_field *field,
                                            const void *context),
                             const void *context, char *text, size_t size);

#endif
