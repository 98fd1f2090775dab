/* kernel_load.c - from a cubin and its launch file to a kernel that can be launched.
 *
 * In order: what can be checked in the files alone, the driver, the context, the GPU against the kernel's needs, the
 * module. Everything is checked here once, so that a launch only has to look at its grid and at unset parameters.
 */
#include "cubin_file.h"
#include "input.h"
#include "kernel.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pipelink_code out_of_memory(const char *name, pipelink_error *error) {
  return pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s: out of memory", name);
}

pipelink_code pl_kernel_enter(const pipelink_kernel *kernel, pipelink_error *error) {
  return pl_cuda_check(&kernel->driver, kernel->driver.context_push(kernel->context), error,
                       "%s: its CUDA context cannot be made current", kernel->name);
}

void pl_kernel_leave(const pipelink_kernel *kernel) {
  CUcontext context;
  kernel->driver.context_pop(&context);
}

/* ---- the context ---- */

/* The thread's current context and its device, else the primary context of device number `ordinal`. */
static pipelink_code choose_context(pipelink_kernel *kernel, int ordinal, pipelink_error *error) {
  const pl_cuda_driver *driver = &kernel->driver;
  pipelink_code code =
      pl_cuda_check(driver, driver->context_get_current(&kernel->context), error, "current CUDA context");
  if (code)
    return code;
  if (kernel->context)
    return pl_cuda_check(driver, driver->context_get_device(&kernel->device), error, "device of the CUDA context");
  code = pl_cuda_check(driver, driver->device_get(&kernel->device, ordinal), error, "device %d", ordinal);
  if (!code)
    code = pl_cuda_check(driver, driver->primary_context_retain(&kernel->context, kernel->device), error,
                         "context on device %d", ordinal);
  kernel->owns_context = !code;
  return code;
}

/* ---- the GPU against the kernel ---- */

static pipelink_code get_attribute(const pipelink_kernel *kernel, CUdevice_attribute attribute, int *value,
                                   pipelink_error *error) {
  return pl_cuda_check(&kernel->driver, kernel->driver.device_get_attribute(value, attribute, kernel->device), error,
                       "attribute %d of device %d", (int)attribute, kernel->device);
}

/* Where code of a profile runs (CUDA C++ programming guide 13.0, "compute capabilities"): sm_90a on 9.0 alone,
 * sm_100f on the same major number from 10.0 up, and without a suffix likewise. */
static bool profile_runs_on(const pl_launch_file *file, unsigned capability) {
  if (file->profile_suffix == 'a')
    return capability == file->capability;
  return capability / 10 == file->capability / 10 && capability >= file->capability;
}

static pipelink_code check_profile(const pipelink_kernel *kernel, pipelink_error *error) {
  int major, minor;
  pipelink_code code = get_attribute(kernel, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major, error);
  if (!code)
    code = get_attribute(kernel, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor, error);
  if (code)
    return code;
  const pl_launch_file *file = &kernel->file;
  unsigned capability = (unsigned)(major * 10 + minor);
  if (profile_runs_on(file, capability))
    return PIPELINK_OK;
  char device_name[128] = "unnamed GPU";
  kernel->driver.device_get_name(device_name, (int)sizeof device_name, kernel->device);
  return pl_error_set(error, PIPELINK_ERROR_DEVICE,
                      "%s: kernel is for %s (compute capability %s%u.%u), device %d is sm_%u (%s)", kernel->name,
                      file->profile, file->profile_suffix == 'a' ? "exactly " : "", file->capability / 10,
                      file->capability % 10, kernel->device, capability, device_name);
}

static pipelink_code check_limits(pipelink_kernel *kernel, pipelink_error *error) {
  static const CUdevice_attribute grid_limits[3] = {
      CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z};
  const pl_launch_file *file = &kernel->file;
  int shared_max = 0, clusters = 0, multiprocessors = 0;
  pipelink_code code = get_attribute(kernel, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared_max, error);
  if (!code)
    code = get_attribute(kernel, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, &clusters, error);
  if (!code)
    code = get_attribute(kernel, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &multiprocessors, error);
  for (int i = 0; i < 3 && !code; i++) {
    int most = 0;
    code = get_attribute(kernel, grid_limits[i], &most, error);
    kernel->grid_max[i] = (uint32_t)most;
  }
  if (code)
    return code;
  kernel->multiprocessors = (uint32_t)multiprocessors;
  uint64_t shared = (uint64_t)file->shared_dynamic + kernel->shared_static;
  if (shared > (uint64_t)shared_max)
    return pl_error_set(error, PIPELINK_ERROR_DEVICE,
                        "%s: needs %llu bytes of shared memory per CTA (%u dynamic, %u static), device %d has %d",
                        kernel->name, (unsigned long long)shared, file->shared_dynamic, kernel->shared_static,
                        kernel->device, shared_max);
  if (file->cluster[0] * file->cluster[1] * file->cluster[2] > 1 && !clusters)
    return pl_error_set(error, PIPELINK_ERROR_DEVICE, "%s: needs clusters of %ux%ux%u CTAs, device %d has none",
                        kernel->name, file->cluster[0], file->cluster[1], file->cluster[2], kernel->device);
  return PIPELINK_OK;
}

/* ---- the cubin's own account of the kernel ---- */

static pipelink_code get_function_attribute(const pipelink_kernel *kernel, CUfunction_attribute attribute,
                                            uint32_t *value, pipelink_error *error) {
  int number = 0;
  pipelink_code code =
      pl_cuda_check(&kernel->driver, kernel->driver.function_get_attribute(&number, attribute, kernel->function), error,
                    "%s: attribute %d of the kernel", kernel->name, (int)attribute);
  *value = (uint32_t)number;
  return code;
}

static pipelink_code check_block(const pipelink_kernel *kernel, pipelink_error *error) {
  const uint32_t *block = kernel->file.block;
  uint32_t threads = block[0] * block[1] * block[2], most;
  pipelink_code code = get_function_attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most, error);
  if (!code && threads > most)
    code = pl_error_set(error, PIPELINK_ERROR_MISMATCH, "%s: launches %u threads per CTA, kernel %s takes %u",
                        kernel->name, threads, kernel->entry, most);
  return code;
}

/* A cubin may fix its cluster's shape (.reqnctapercluster); then a launch does not state it again. */
static pipelink_code check_cluster(pipelink_kernel *kernel, pipelink_error *error) {
  static const CUfunction_attribute attributes[3] = {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
                                                     CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
                                                     CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH};
  const uint32_t *cluster = kernel->file.cluster;
  uint32_t required[3];
  for (int i = 0; i < 3; i++) {
    pipelink_code code = get_function_attribute(kernel, attributes[i], &required[i], error);
    if (code)
      return code;
  }
  kernel->cluster_in_cubin = required[0] || required[1] || required[2];
  for (int i = 0; i < 3; i++)
    if (kernel->cluster_in_cubin && (required[i] ? required[i] : 1) != cluster[i])
      return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                          "%s: launch file says clusters of %ux%ux%u CTAs, kernel %s is compiled for %ux%ux%u",
                          kernel->name, cluster[0], cluster[1], cluster[2], kernel->entry, required[0], required[1],
                          required[2]);
  return PIPELINK_OK;
}

/* The kernel's one parameter is the block, by value. That there is no parameter behind it the driver tells as an error,
 * which is in the way of whoever looks for errors with compute-sanitizer: only a cubin that nobody vouches for is
 * asked, because the driver would read parameters that the launch does not pass. */
static pipelink_code check_parameters(const pipelink_kernel *kernel, pipelink_error *error) {
  const pl_launch_file *file = &kernel->file;
  size_t offset = 0, size = 0, next_size = 0;
  if (file->parameters_size) {
    CUresult result = kernel->driver.function_get_parameter(kernel->function, 0, &offset, &size);
    if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_SUCCESS)
      return pl_cuda_check(&kernel->driver, result, error, "%s: parameters of kernel %s", kernel->name, kernel->entry);
    if (size != file->parameters_size)
      return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                          "%s: launch file describes a parameter block of %zu bytes, kernel %s takes %zu", kernel->name,
                          file->parameters_size, kernel->entry, size);
  }
  if (kernel->is_other_cubin && kernel->driver.function_get_parameter(kernel->function, file->parameters_size ? 1 : 0,
                                                                      &offset, &next_size) == CUDA_SUCCESS)
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                        "%s: kernel %s takes more than the parameter block of %zu bytes", kernel->name, kernel->entry,
                        file->parameters_size);
  return PIPELINK_OK;
}

static pipelink_code set_function_attributes(const pipelink_kernel *kernel, pipelink_error *error) {
  const pl_launch_file *file = &kernel->file;
  /* Always, not only above 48 KiB: the limit without it counts static shared memory too. */
  pipelink_code code =
      pl_cuda_check(&kernel->driver,
                    kernel->driver.function_set_attribute(
                        kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)file->shared_dynamic),
                    error, "%s: %u bytes of dynamic shared memory", kernel->name, file->shared_dynamic);
  enum { CLUSTER_PORTABLE = 8 }; /* CTAs that every GPU with clusters takes; CUDA C++ programming guide 13.0 */
  if (!code && file->cluster[0] * file->cluster[1] * file->cluster[2] > CLUSTER_PORTABLE)
    code = pl_cuda_check(
        &kernel->driver,
        kernel->driver.function_set_attribute(kernel->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        error, "%s: clusters of more than %d CTAs", kernel->name, CLUSTER_PORTABLE);
  return code;
}

/* ---- how many CTAs the GPU holds at once ---- */

static pipelink_code count_resident_clusters(pipelink_kernel *kernel, pipelink_error *error) {
  const pl_launch_file *file = &kernel->file;
  const uint32_t *block = file->block, *cluster = file->cluster;
  CUlaunchAttribute shape = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                             .value.clusterDim = {cluster[0], cluster[1], cluster[2]}};
  CUlaunchConfig config = {.gridDimX = cluster[0],
                           .gridDimY = cluster[1],
                           .gridDimZ = cluster[2],
                           .blockDimX = block[0],
                           .blockDimY = block[1],
                           .blockDimZ = block[2],
                           .sharedMemBytes = file->shared_dynamic,
                           .attrs = &shape,
                           .numAttrs = 1};
  int clusters = 0;
  pipelink_code code =
      pl_cuda_check(&kernel->driver, kernel->driver.cluster_occupancy(&clusters, kernel->function, &config), error,
                    "%s: clusters that the GPU holds at once", kernel->name);
  uint64_t ctas = (uint64_t)clusters * cluster[0] * cluster[1] * cluster[2];
  if (ctas < kernel->resident_ctas)
    kernel->resident_ctas = ctas;
  return code;
}

/* Of the GPU at hand, never assumed: how many multiprocessors it has differs between boards of one name. */
static pipelink_code count_residents(pipelink_kernel *kernel, pipelink_error *error) {
  const pl_launch_file *file = &kernel->file;
  const uint32_t *block = file->block;
  int ctas = 0;
  pipelink_code code = pl_cuda_check(
      &kernel->driver,
      kernel->driver.occupancy(&ctas, kernel->function, (int)(block[0] * block[1] * block[2]), file->shared_dynamic),
      error, "%s: CTAs per multiprocessor", kernel->name);
  uint32_t most = file->ctas_per_multiprocessor_max;
  kernel->ctas_per_multiprocessor = most && (uint32_t)ctas > most ? most : (uint32_t)ctas;
  kernel->resident_ctas = (uint64_t)kernel->ctas_per_multiprocessor * kernel->multiprocessors;
  bool is_cluster = file->cluster[0] * file->cluster[1] * file->cluster[2] > 1;
  return !code && file->co_resident && is_cluster ? count_resident_clusters(kernel, error) : code;
}

/* With the kernel's context current. */
static pipelink_code load_module(pipelink_kernel *kernel, const void *cubin, pipelink_error *error) {
  const pl_cuda_driver *driver = &kernel->driver;
  pipelink_code code = pl_cuda_check(driver, driver->module_load(&kernel->module, cubin), error,
                                     "%s: the driver does not take this cubin", kernel->name);
  if (code) {
    kernel->module = NULL;
    return code;
  }
  CUresult result = driver->module_get_function(&kernel->function, kernel->module, kernel->entry);
  if (result == CUDA_ERROR_NOT_FOUND)
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH, "%s: has no kernel named %s", kernel->name, kernel->entry);
  code = pl_cuda_check(driver, result, error, "%s: kernel %s", kernel->name, kernel->entry);
  if (!code)
    code = get_function_attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &kernel->shared_static, error);
  if (!code)
    code = get_function_attribute(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS, &kernel->registers, error);
  if (!code)
    code = get_function_attribute(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &kernel->local, error);
  if (!code)
    code = check_limits(kernel, error);
  if (!code)
    code = check_block(kernel, error);
  if (!code)
    code = check_cluster(kernel, error);
  if (!code)
    code = check_parameters(kernel, error);
  if (!code)
    code = set_function_attributes(kernel, error);
  if (!code)
    code = pl_kernel_watch_load(kernel, error);
  if (code)
    return code;
  return count_residents(kernel, error);
}

/* ---- loading ---- */

static pipelink_code load_onto_device(pipelink_kernel *kernel, const void *cubin, int ordinal, pipelink_error *error) {
  pipelink_code code = pl_cuda_driver_load(&kernel->driver, error);
  if (!code)
    code = choose_context(kernel, ordinal, error);
  if (!code)
    code = check_profile(kernel, error);
  if (!code)
    code = pl_kernel_enter(kernel, error);
  if (code)
    return code;
  code = load_module(kernel, cubin, error);
  pl_kernel_leave(kernel);
  return code;
}

static pipelink_code allocate(pipelink_kernel *kernel, const char *name, const char *entry, pipelink_error *error) {
  size_t size = kernel->file.parameters_size ? kernel->file.parameters_size : 1;
  kernel->name = strdup(name);
  kernel->entry = strdup(entry ? entry : kernel->file.entry);
  kernel->values = calloc(size, 1);
  kernel->is_set = calloc(size, 1);
  return kernel->name && kernel->entry && kernel->values && kernel->is_set ? PIPELINK_OK : out_of_memory(name, error);
}

/* `name` is for messages on the cubin, `launch_name` for those on the launch file. */
static pipelink_code load(const char *name, const void *cubin, size_t cubin_size, const char *launch_name,
                          const char *launch, size_t launch_size, const pipelink_load_options *options,
                          pipelink_kernel **loaded, pipelink_error *error) {
  pipelink_kernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel)
    return out_of_memory(name, error);
  kernel->is_other_cubin = options->other_cubin;
  pipelink_code code = pl_launch_file_parse(launch, launch_size, launch_name, &kernel->file, error);
  if (!code)
    code = options->other_cubin ? pl_cubin_file_check_elf(cubin, cubin_size, name, error)
                                : pl_cubin_file_check(cubin, cubin_size, name, &kernel->file, error);
  if (!code)
    code = allocate(kernel, name, options->entry, error);
  if (!code)
    code = load_onto_device(kernel, cubin, options->device, error);
  if (code) {
    pipelink_kernel_free(kernel);
    return code;
  }
  *loaded = kernel;
  return PIPELINK_OK;
}

static pipelink_code read_options(const pipelink_load_options *callers, pipelink_load_options *options,
                                  pipelink_error *error) {
  *options = (pipelink_load_options){0};
  return callers ? pl_options_read(options, sizeof *options, callers, sizeof *options, "pipelink_load_options", error)
                 : PIPELINK_OK;
}

/* hello.cubin -> hello.launch.json; the caller frees. NULL when out of memory. */
static char *launch_path_beside(const char *cubin_path) {
  static const char cubin[] = ".cubin", launch[] = ".launch.json";
  size_t length = strlen(cubin_path), stem = length;
  if (length >= sizeof cubin && !strcmp(cubin_path + length - (sizeof cubin - 1), cubin))
    stem = length - (sizeof cubin - 1);
  char *path = malloc(stem + sizeof launch);
  if (path) {
    memcpy(path, cubin_path, stem);
    memcpy(path + stem, launch, sizeof launch);
  }
  return path;
}

pipelink_code pipelink_kernel_load(const char *cubin_path, const pipelink_load_options *callers_options,
                                   pipelink_kernel **kernel, pipelink_error *error) {
  if (kernel)
    *kernel = NULL;
  if (!cubin_path || !kernel)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_load: %s is NULL",
                        cubin_path ? "kernel" : "cubin_path");
  pipelink_load_options options;
  pipelink_code code = read_options(callers_options, &options, error);
  if (code)
    return code;

  char *cubin = NULL, *launch = NULL;
  size_t cubin_size = 0, launch_size = 0;
  char *beside = options.launch_path ? NULL : launch_path_beside(cubin_path);
  const char *launch_path = options.launch_path ? options.launch_path : beside;
  if (!launch_path)
    code = out_of_memory(cubin_path, error);
  if (!code)
    code = pl_input_read(cubin_path, PL_CUBIN_MAX, &cubin, &cubin_size, error);
  if (!code)
    code = pl_input_read(launch_path, PL_LAUNCH_FILE_MAX, &launch, &launch_size, error);
  if (!code)
    code = load(cubin_path, cubin, cubin_size, launch_path, launch, launch_size, &options, kernel, error);
  free(beside);
  free(cubin);
  free(launch);
  return code;
}

pipelink_code pipelink_kernel_load_memory(const char *name, const void *cubin, size_t cubin_size, const char *launch,
                                          size_t launch_size, const pipelink_load_options *callers_options,
                                          pipelink_kernel **kernel, pipelink_error *error) {
  if (kernel)
    *kernel = NULL;
  if (!cubin || !launch || !kernel)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_load_memory: %s is NULL",
                        !cubin    ? "cubin"
                        : !launch ? "launch"
                                  : "kernel");
  pipelink_load_options options;
  pipelink_code code = read_options(callers_options, &options, error);
  if (!code && options.launch_path)
    code = pl_error_set(error, PIPELINK_ERROR_ARGUMENT,
                        "pipelink_kernel_load_memory: options->launch_path is set beside a launch file in memory");
  if (code)
    return code;
  if (!name)
    name = "kernel";
  return load(name, cubin, cubin_size, name, launch, launch_size, &options, kernel, error);
}

void pipelink_kernel_free(pipelink_kernel *kernel) {
  if (!kernel)
    return;
  /* Of a kernel that nothing ends the driver would wait for the end. */
  if (kernel->module && !kernel->watch.is_stuck && !pl_kernel_enter(kernel, NULL)) {
    pl_kernel_watch_free(kernel);
    kernel->driver.module_unload(kernel->module);
    pl_kernel_leave(kernel);
  }
  if (kernel->owns_context && !kernel->watch.is_stuck)
    kernel->driver.primary_context_release(kernel->device);
  pl_cuda_driver_unload(&kernel->driver);
  pl_launch_file_free(&kernel->file);
  free(kernel->name);
  free(kernel->entry);
  free(kernel->values);
  free(kernel->is_set);
  free(kernel);
}
