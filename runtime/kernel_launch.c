/* kernel_launch.c - the launch, and what a kernel is. */
#include "kernel.h"
#include "options.h"

static bool field_is_unset(const pipelink_kernel *kernel, const pl_launch_field *field, const void *context) {
  (void)context;
  return !pl_field_is_set(kernel, field);
}

static pipelink_code check_grid(const pipelink_kernel *kernel, const uint32_t grid[3], pipelink_error *error) {
  static const char axes[] = "xyz";
  for (int i = 0; i < 3; i++) {
    uint32_t cluster = kernel->file.cluster[i];
    if (!grid[i] || grid[i] > kernel->grid_max[i])
      return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "%s: grid of %u CTAs in %c: 1 to %u are possible",
                          kernel->name, grid[i], axes[i], kernel->grid_max[i]);
    if (grid[i] % cluster)
      return pl_error_set(error, PIPELINK_ERROR_ARGUMENT,
                          "%s: grid of %u CTAs in %c is not a multiple of the cluster's %u", kernel->name, grid[i],
                          axes[i], cluster);
  }
  return PIPELINK_OK;
}

/* CTAs that wait for one another must all be there: one that has no place would be waited for for ever. */
static pipelink_code check_residency(const pipelink_kernel *kernel, const uint32_t grid[3], pipelink_error *error) {
  uint64_t ctas = (uint64_t)grid[0] * grid[1]; /* below 2^63: check_grid has bounded y */
  bool fits = ctas <= kernel->resident_ctas && ctas * grid[2] <= kernel->resident_ctas;
  if (!kernel->file.co_resident || fits)
    return PIPELINK_OK;
  return pl_error_set(error, PIPELINK_ERROR_ARGUMENT,
                      "%s: a grid of %ux%ux%u CTAs would hang: %s waits for all of them, and device %d holds %llu at "
                      "once (%u multiprocessors, %u CTAs each)",
                      kernel->name, grid[0], grid[1], grid[2], kernel->file.co_resident, kernel->device,
                      (unsigned long long)kernel->resident_ctas, kernel->multiprocessors,
                      kernel->ctas_per_multiprocessor);
}

static pipelink_code check_parameters(const pipelink_kernel *kernel, pipelink_error *error) {
  char list[512];
  size_t count = pl_kernel_list_fields(kernel, field_is_unset, NULL, list, sizeof list);
  return count ? pl_error_set(error, PIPELINK_ERROR_UNSET, "%s: not launched, %s %s not set", kernel->name, list,
                              count == 1 ? "is" : "are")
               : PIPELINK_OK;
}

pipelink_code pipelink_kernel_launch(pipelink_kernel *kernel, const pipelink_launch_options *callers_options,
                                     pipelink_error *error) {
  if (!kernel)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_launch: kernel is NULL");
  pipelink_launch_options options;
  pipelink_code code =
      pl_options_read(&options, sizeof options, callers_options, sizeof options, "pipelink_launch_options", error);
  if (!code)
    code = check_grid(kernel, options.grid, error);
  if (!code)
    code = check_residency(kernel, options.grid, error);
  if (!code)
    code = check_parameters(kernel, error);
  if (!code)
    code = pl_kernel_enter(kernel, error);
  if (code)
    return code;

  const pl_launch_file *file = &kernel->file;
  if ((code = pl_kernel_watch_launch(kernel, options.grid, error))) {
    pl_kernel_leave(kernel);
    return code;
  }
  CUlaunchAttribute attributes[2];
  unsigned attribute_count = 0;
  if (file->cluster[0] * file->cluster[1] * file->cluster[2] > 1 && !kernel->cluster_in_cubin)
    attributes[attribute_count++] =
        (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                            .value.clusterDim = {file->cluster[0], file->cluster[1], file->cluster[2]}};
  if (file->co_resident)
    attributes[attribute_count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
  CUlaunchConfig config = {
      .gridDimX = options.grid[0],
      .gridDimY = options.grid[1],
      .gridDimZ = options.grid[2],
      .blockDimX = file->block[0],
      .blockDimY = file->block[1],
      .blockDimZ = file->block[2],
      .sharedMemBytes = file->shared_dynamic,
      .hStream = options.stream,
      .attrs = attributes,
      .numAttrs = attribute_count,
  };
  void *parameters[] = {kernel->values};
  code = pl_cuda_check(
      &kernel->driver,
      kernel->driver.launch(&config, kernel->function, file->parameters_size ? parameters : NULL, NULL), error,
      "%s: launch of %ux%ux%u CTAs", kernel->name, options.grid[0], options.grid[1], options.grid[2]);
  pl_kernel_leave(kernel);
  return code;
}

pipelink_code pipelink_kernel_get_properties(const pipelink_kernel *kernel, pipelink_kernel_properties *properties,
                                             pipelink_error *error) {
  if (!kernel)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_get_properties: kernel is NULL");
  const pl_launch_file *file = &kernel->file;
  pipelink_kernel_properties filled = {
      .size = sizeof filled,
      .entry = kernel->entry,
      .profile = file->profile,
      .block = {file->block[0], file->block[1], file->block[2]},
      .cluster = {file->cluster[0], file->cluster[1], file->cluster[2]},
      .shared_dynamic = file->shared_dynamic,
      .shared_static = kernel->shared_static,
      .registers = kernel->registers,
      .local = kernel->local,
      .multiprocessors = kernel->multiprocessors,
      .ctas_per_multiprocessor = kernel->ctas_per_multiprocessor,
      .parameters_size = file->parameters_size,
      .parameter_count = file->field_count,
      .unsafe = file->unsafe,
  };
  return pl_options_write(properties, sizeof filled, &filled, sizeof filled, "pipelink_kernel_properties", error);
}
