/* values.h - parameters of a kernel from the command line: --set NAME=VALUE and --out NAME=FILE.
 *
 *   values_add_set, values_add_out   collect the options as they come
 *   values_bind                      gives each its meaning, once a kernel is loaded; makes host copies of the buffers
 *   values_allocate, values_upload   device memory, and its content
 *   values_apply                     sets them all on a kernel; several kernels may share one set of values
 *   values_download                  after the launch
 */
#ifndef PIPELINK_DRIVER_VALUES_H
#define PIPELINK_DRIVER_VALUES_H

#include "element.h"
#include "kernel.h"

/* The memory of a pointer or of a tensor map. */
typedef struct value_buffer {
  const element_type *type;
  size_t count; /* elements; 0 for a null pointer */
  size_t bytes;
  char source[64]; /* what it was filled with, for the table: "random, seed 7" */
  char *initial;   /* owned: content before a launch */
  void *result;    /* owned: content after it; NULL before values_download */
  CUdeviceptr device;
} value_buffer;

typedef struct kernel_value {
  const char *name, *text; /* --set NAME=TEXT; text is NULL when only --out names the parameter */
  size_t name_length;
  const char *out; /* --out NAME=OUT; NULL when not asked for */
  char *full_name; /* owned: "caller.count", or the instance */
  enum { VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT, VALUE_BYTES, VALUE_BUFFER, VALUE_TENSOR } kind;
  int64_t integer;
  uint64_t natural;
  double real;
  char *bytes; /* owned, VALUE_BYTES */
  size_t byte_count;
  value_buffer buffer;    /* VALUE_BUFFER, VALUE_TENSOR */
  pipelink_tensor tensor; /* VALUE_TENSOR: the buffer's shape */
  char *out_path;         /* owned */
  size_t out_count;       /* elements to write */
} kernel_value;

typedef struct kernel_values {
  kernel_value *items; /* owned */
  size_t count;
} kernel_values;

/* `option` ("NAME=VALUE") is borrowed and must outlive `values`. PIPELINK_ERROR_ARGUMENT when it has no '='. */
pipelink_code values_add_set(kernel_values *values, const char *option, pipelink_error *error);
pipelink_code values_add_out(kernel_values *values, const char *option, pipelink_error *error);

pipelink_code values_bind(kernel_values *values, const pipelink_kernel *kernel, pipelink_error *error);

/* With the kernel's context current. */
pipelink_code values_allocate(kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error);
pipelink_code values_upload(const kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error);
pipelink_code values_download(kernel_values *values, const pl_cuda_driver *driver, pipelink_error *error);

pipelink_code values_apply(const kernel_values *values, pipelink_kernel *kernel, pipelink_error *error);

/* Writes the files that --out asked for. */
pipelink_code values_write(const kernel_values *values, pipelink_error *error);

/* Frees device memory too; `driver` is NULL when none was loaded. */
void values_free(kernel_values *values, const pl_cuda_driver *driver);

/* "X[,Y[,Z]]"; missing numbers are 1. */
bool grid_parse(const char *text, uint32_t grid[3]);

#endif
