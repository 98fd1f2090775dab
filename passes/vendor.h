/* vendor.h - libNVVM and nvJitLink as tables of functions, loaded at run time from a toolkit.
 *
 * The signatures are those of nvvm.h and nvJitLink.h (CUDA 13.0); handles are opaque pointers and results are
 * ints, 0 for success. The libraries stay loaded until the process ends: unloading them is not supported.
 */
#ifndef PIPELINK_PASSES_VENDOR_H
#define PIPELINK_PASSES_VENDOR_H

#include "toolkit.h"

/* X(result, name without prefix, arguments) */
#define PL_LIBNVVM_FUNCTIONS(X)                                                                                        \
  X(int, Version, (int *major, int *minor))                                                                            \
  X(int, IRVersion, (int *major, int *minor, int *debug_major, int *debug_minor))                                      \
  X(const char *, GetErrorString, (int result))                                                                        \
  X(int, CreateProgram, (void **program))                                                                              \
  X(int, DestroyProgram, (void **program))                                                                             \
  X(int, AddModuleToProgram, (void *program, const char *buffer, size_t size, const char *name))                       \
  X(int, CompileProgram, (void *program, int option_count, const char **options))                                      \
  X(int, GetCompiledResultSize, (void *program, size_t *size))                                                         \
  X(int, GetCompiledResult, (void *program, char *buffer))                                                             \
  X(int, GetProgramLogSize, (void *program, size_t *size))                                                             \
  X(int, GetProgramLog, (void *program, char *buffer))

#define PL_NVJITLINK_FUNCTIONS(X)                                                                                      \
  X(int, Version, (unsigned *major, unsigned *minor))                                                                  \
  X(int, Create, (void **handle, uint32_t option_count, const char **options))                                         \
  X(int, Destroy, (void **handle))                                                                                     \
  X(int, AddData, (void *handle, int kind, const void *data, size_t size, const char *name))                           \
  X(int, Complete, (void *handle))                                                                                     \
  X(int, GetLinkedCubinSize, (void *handle, size_t *size))                                                             \
  X(int, GetLinkedCubin, (void *handle, void *cubin))                                                                  \
  X(int, GetErrorLogSize, (void *handle, size_t *size))                                                                \
  X(int, GetErrorLog, (void *handle, char *log))                                                                       \
  X(int, GetInfoLogSize, (void *handle, size_t *size))                                                                 \
  X(int, GetInfoLog, (void *handle, char *log))

#define PL_VENDOR_MEMBER(result, name, arguments) result(*name) arguments;
typedef struct pl_libnvvm {
  PL_LIBNVVM_FUNCTIONS(PL_VENDOR_MEMBER)
} pl_libnvvm;

typedef struct pl_nvjitlink {
  PL_NVJITLINK_FUNCTIONS(PL_VENDOR_MEMBER)
} pl_nvjitlink;
#undef PL_VENDOR_MEMBER

/* nvJitLinkInputType */
enum pl_nvjitlink_input {
  PL_NVJITLINK_CUBIN = 1,
  PL_NVJITLINK_PTX,
  PL_NVJITLINK_LTOIR,
  PL_NVJITLINK_FATBIN,
  PL_NVJITLINK_OBJECT,
};

/* Each fails with a diagnostic that names the file and what is missing. */
pl_status pl_libnvvm_open(const pl_toolkit *toolkit, pl_sink *sink, pl_libnvvm *library);
pl_status pl_nvjitlink_open(const pl_toolkit *toolkit, pl_sink *sink, pl_nvjitlink *library);

/* Without diagnostics, for the search itself: 0 when `path` is an nvJitLink and says its version. */
pl_status pl_nvjitlink_version(const char *path, unsigned *major, unsigned *minor);

/* The word of nvJitLink.h for a result, e.g. "PTX_COMPILE". */
const char *pl_nvjitlink_result_name(int result);

#endif
