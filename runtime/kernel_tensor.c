/* kernel_tensor.c - from a tensor in GPU memory to the TMA descriptor that a stage declared for it.
 *
 * What can be wrong with a tensor is said here, by name: the driver has one answer, "invalid argument", for all of it.
 * Limits are those of the CUDA driver API 13.0, "cuTensorMapEncodeTiled".
 */
#include "kernel.h"
#include "options.h"

#include <string.h>

#define EXTENT_MAX ((uint64_t)1 << 32)   /* elements */
#define STRIDE_LIMIT ((uint64_t)1 << 40) /* bytes, no longer allowed */

/* Copies move bits; only the reductions among them look at the type. The driver's narrow integers are all unsigned. */
static CUtensorMapDataType data_type(const pl_number *element) {
  bool is_float = element->kind == PIPELINK_PARAMETER_FLOAT;
  switch (element->bits) {
  case 8:
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  case 16:
    return !is_float            ? CU_TENSOR_MAP_DATA_TYPE_UINT16
           : element->is_bfloat ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case 32:
    return is_float             ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
           : element->is_signed ? CU_TENSOR_MAP_DATA_TYPE_INT32
                                : CU_TENSOR_MAP_DATA_TYPE_UINT32;
  default:
    return is_float             ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64
           : element->is_signed ? CU_TENSOR_MAP_DATA_TYPE_INT64
                                : CU_TENSOR_MAP_DATA_TYPE_UINT64;
  }
}

static CUtensorMapSwizzle swizzle_of(unsigned bytes) {
  return bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                       : CU_TENSOR_MAP_SWIZZLE_NONE;
}

/* Strides that were left out become those of a tensor without gaps. PIPELINK_ERROR_TYPE for what no descriptor can
 * hold; `name` is the parameter's. */
static pipelink_code check_tensor(const pipelink_kernel *kernel, const pl_launch_field *field, const char *name,
                                  pipelink_tensor *tensor, pipelink_error *error) {
  unsigned rank = field->tensor_map.rank;
  if (tensor->rank != rank)
    return pl_error_set(error, PIPELINK_ERROR_TYPE, "%s: %s has %u dimensions, it was given a tensor of %u",
                        kernel->name, name, rank, tensor->rank);
  if (!tensor->address || tensor->address % PL_TENSOR_PIECE)
    return pl_error_set(error, PIPELINK_ERROR_TYPE,
                        "%s: the tensor for %s is at address 0x%llx: a multiple of %d is needed", kernel->name, name,
                        (unsigned long long)tensor->address, PL_TENSOR_PIECE);
  for (unsigned i = 0; i < rank; i++)
    if (!tensor->extents[i] || tensor->extents[i] > EXTENT_MAX)
      return pl_error_set(error, PIPELINK_ERROR_TYPE,
                          "%s: the tensor for %s has %llu elements in dimension %u: 1 to 2^32 are possible",
                          kernel->name, name, (unsigned long long)tensor->extents[i], i);
  uint64_t before = field->element.bits / 8; /* stride of the dimension before; below STRIDE_LIMIT */
  for (unsigned i = 1; i < rank; i++) {
    uint64_t *stride = &tensor->strides[i - 1];
    if (!*stride && before <= STRIDE_LIMIT / tensor->extents[i - 1])
      *stride = before * tensor->extents[i - 1];
    else if (!*stride)
      *stride = STRIDE_LIMIT;
    if (*stride % PL_TENSOR_PIECE)
      return pl_error_set(
          error, PIPELINK_ERROR_TYPE,
          "%s: the tensor for %s has a stride of %llu bytes in dimension %u: a multiple of %d is needed", kernel->name,
          name, (unsigned long long)*stride, i, PL_TENSOR_PIECE);
    if (*stride >= STRIDE_LIMIT)
      return pl_error_set(error, PIPELINK_ERROR_TYPE,
                          "%s: the tensor for %s has a stride of 2^40 bytes or more in dimension %u", kernel->name,
                          name, i);
    before = *stride;
  }
  return PIPELINK_OK;
}

static CUresult encode(const pl_cuda_driver *driver, const pl_launch_field *field, const pipelink_tensor *tensor,
                       CUtensorMap *map) {
  static const cuuint32_t steps[PIPELINK_TENSOR_RANK_MAX] = {1, 1, 1, 1, 1};
  cuuint64_t extents[PIPELINK_TENSOR_RANK_MAX], strides[PIPELINK_TENSOR_RANK_MAX - 1];
  cuuint32_t box[PIPELINK_TENSOR_RANK_MAX];
  for (int i = 0; i < PIPELINK_TENSOR_RANK_MAX; i++) {
    extents[i] = tensor->extents[i];
    box[i] = field->tensor_map.box[i];
    if (i)
      strides[i - 1] = tensor->strides[i - 1];
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address on the GPU is a number here
  void *address = (void *)(uintptr_t)tensor->address;
  return driver->encode_tensor_map(map, data_type(&field->element), field->tensor_map.rank, address, extents, strides,
                                   box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(field->tensor_map.swizzle),
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

pipelink_code pipelink_kernel_set_tensor(pipelink_kernel *kernel, const char *name,
                                         const pipelink_tensor *callers_tensor, pipelink_error *error) {
  const pl_launch_field *field = NULL;
  pipelink_tensor tensor;
  pipelink_code code = pl_kernel_find_parameter(kernel, name, &field, error);
  if (!code && !field->tensor_map.rank)
    code = pl_kernel_refuse_kind(kernel, field, "a tensor", error);
  if (!code)
    code = pl_options_read(&tensor, sizeof tensor, callers_tensor, sizeof tensor, "pipelink_tensor", error);
  if (code)
    return code;
  char full_name[256];
  pl_field_full_name(field, full_name, sizeof full_name);
  code = check_tensor(kernel, field, full_name, &tensor, error);
  if (!code)
    code = pl_kernel_enter(kernel, error);
  if (code)
    return code;
  CUtensorMap map;
  code = pl_cuda_check(&kernel->driver, encode(&kernel->driver, field, &tensor, &map), error, "%s: tensor map of %s",
                       kernel->name, full_name);
  if (!code)
    pl_kernel_store(kernel, field->offset, &map, sizeof map);
  pl_kernel_leave(kernel);
  return code;
}
