/* cuda_driver.h - the CUDA driver as a table of functions, loaded at run time.
 *
 * One line per entry point: the member's name, the symbol in libcuda (its version is part of it, so that the prototype
 * is right with every driver that has the symbol), and the prototype of that version from cudaTypedefs.h.
 */
#ifndef PIPELINK_RUNTIME_CUDA_DRIVER_H
#define PIPELINK_RUNTIME_CUDA_DRIVER_H

#include "error.h"

#include <cuda.h>
#include <cudaTypedefs.h>

/* What the library uses. */
#define PL_DRIVER_LIBRARY_ENTRIES(ENTRY)                                                                               \
  ENTRY(get_error_name, cuGetErrorName, PFN_cuGetErrorName_v6000)                                                      \
  ENTRY(get_error_string, cuGetErrorString, PFN_cuGetErrorString_v6000)                                                \
  ENTRY(init, cuInit, PFN_cuInit_v2000)                                                                                \
  ENTRY(driver_get_version, cuDriverGetVersion, PFN_cuDriverGetVersion_v2020)                                          \
  ENTRY(device_get, cuDeviceGet, PFN_cuDeviceGet_v2000)                                                                \
  ENTRY(device_get_name, cuDeviceGetName, PFN_cuDeviceGetName_v2000)                                                   \
  ENTRY(device_get_attribute, cuDeviceGetAttribute, PFN_cuDeviceGetAttribute_v2000)                                    \
  ENTRY(primary_context_retain, cuDevicePrimaryCtxRetain, PFN_cuDevicePrimaryCtxRetain_v7000)                          \
  ENTRY(primary_context_release, cuDevicePrimaryCtxRelease_v2, PFN_cuDevicePrimaryCtxRelease_v11000)                   \
  ENTRY(context_get_current, cuCtxGetCurrent, PFN_cuCtxGetCurrent_v4000)                                               \
  ENTRY(context_get_device, cuCtxGetDevice, PFN_cuCtxGetDevice_v2000)                                                  \
  ENTRY(context_push, cuCtxPushCurrent_v2, PFN_cuCtxPushCurrent_v4000)                                                 \
  ENTRY(context_pop, cuCtxPopCurrent_v2, PFN_cuCtxPopCurrent_v4000)                                                    \
  ENTRY(module_load, cuModuleLoadData, PFN_cuModuleLoadData_v2000)                                                     \
  ENTRY(module_unload, cuModuleUnload, PFN_cuModuleUnload_v2000)                                                       \
  ENTRY(module_get_global, cuModuleGetGlobal_v2, PFN_cuModuleGetGlobal_v3020)                                          \
  ENTRY(module_get_function, cuModuleGetFunction, PFN_cuModuleGetFunction_v2000)                                       \
  ENTRY(function_get_attribute, cuFuncGetAttribute, PFN_cuFuncGetAttribute_v2020)                                      \
  ENTRY(function_set_attribute, cuFuncSetAttribute, PFN_cuFuncSetAttribute_v9000)                                      \
  ENTRY(function_get_parameter, cuFuncGetParamInfo, PFN_cuFuncGetParamInfo_v12040)                                     \
  ENTRY(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050) \
  ENTRY(cluster_occupancy, cuOccupancyMaxActiveClusters, PFN_cuOccupancyMaxActiveClusters_v11070)                      \
  ENTRY(launch, cuLaunchKernelEx, PFN_cuLaunchKernelEx_v11060)                                                         \
  ENTRY(encode_tensor_map, cuTensorMapEncodeTiled, PFN_cuTensorMapEncodeTiled_v12000)                                  \
  ENTRY(host_memory_allocate, cuMemHostAlloc, PFN_cuMemHostAlloc_v2020)                                                \
  ENTRY(host_memory_address, cuMemHostGetDevicePointer_v2, PFN_cuMemHostGetDevicePointer_v3020)                        \
  ENTRY(host_memory_free, cuMemFreeHost, PFN_cuMemFreeHost_v2000)                                                      \
  ENTRY(memory_upload, cuMemcpyHtoD_v2, PFN_cuMemcpyHtoD_v3020)                                                        \
  ENTRY(stream_query, cuStreamQuery, PFN_cuStreamQuery_v2000)

/* What `pipelink run` and `pipelink bench` use besides. */
#define PL_DRIVER_PROGRAM_ENTRIES(ENTRY)                                                                               \
  ENTRY(memory_allocate, cuMemAlloc_v2, PFN_cuMemAlloc_v3020)                                                          \
  ENTRY(memory_free, cuMemFree_v2, PFN_cuMemFree_v3020)                                                                \
  ENTRY(memory_download, cuMemcpyDtoH_v2, PFN_cuMemcpyDtoH_v3020)                                                      \
  ENTRY(stream_create, cuStreamCreate, PFN_cuStreamCreate_v2000)                                                       \
  ENTRY(stream_destroy, cuStreamDestroy_v2, PFN_cuStreamDestroy_v4000)                                                 \
  ENTRY(stream_synchronize, cuStreamSynchronize, PFN_cuStreamSynchronize_v2000)                                        \
  ENTRY(stream_begin_capture, cuStreamBeginCapture_v2, PFN_cuStreamBeginCapture_v10010)                                \
  ENTRY(stream_end_capture, cuStreamEndCapture, PFN_cuStreamEndCapture_v10000)                                         \
  ENTRY(graph_instantiate, cuGraphInstantiateWithFlags, PFN_cuGraphInstantiateWithFlags_v11040)                        \
  ENTRY(graph_launch, cuGraphLaunch, PFN_cuGraphLaunch_v10000)                                                         \
  ENTRY(graph_destroy, cuGraphDestroy, PFN_cuGraphDestroy_v10000)                                                      \
  ENTRY(graph_exec_destroy, cuGraphExecDestroy, PFN_cuGraphExecDestroy_v10000)                                         \
  ENTRY(event_create, cuEventCreate, PFN_cuEventCreate_v2000)                                                          \
  ENTRY(event_destroy, cuEventDestroy_v2, PFN_cuEventDestroy_v4000)                                                    \
  ENTRY(event_record, cuEventRecord, PFN_cuEventRecord_v2000)                                                          \
  ENTRY(event_elapsed, cuEventElapsedTime, PFN_cuEventElapsedTime_v2000)

#define PL_DRIVER_ENTRIES(ENTRY) PL_DRIVER_LIBRARY_ENTRIES(ENTRY) PL_DRIVER_PROGRAM_ENTRIES(ENTRY)

/* The least driver: CUDA 13.0, driver 580. */
#define PL_DRIVER_VERSION_MIN 13000

typedef struct pl_cuda_driver {
  void *library; /* dlopen's handle; NULL when not loaded */
  int version;   /* CUDA version the driver supports: 1000 * major + 10 * minor */
#define ENTRY(member, symbol, prototype) prototype member;
  PL_DRIVER_ENTRIES(ENTRY)
#undef ENTRY
} pl_cuda_driver;

/* Loads libcuda.so.1 (or what PIPELINK_LIBCUDA names), fills the table, checks the version and initialises the driver.
 * On failure *driver needs no unloading. */
pipelink_code pl_cuda_driver_load(pl_cuda_driver *driver, pipelink_error *error);
void pl_cuda_driver_unload(pl_cuda_driver *driver);

/* Turns a driver's result into an error: "WHAT: DESCRIPTION (CUDA_ERROR_...)"; PIPELINK_OK for CUDA_SUCCESS.
 * `what` is printf's. */
pipelink_code pl_cuda_check(const pl_cuda_driver *driver, CUresult result, pipelink_error *error, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

#endif
