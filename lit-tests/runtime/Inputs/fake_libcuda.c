/* fake_libcuda.c - a CUDA driver without a GPU, for the tests: PIPELINK_LIBCUDA names it.
 *
 * It implements the entry points of runtime/cuda_driver.h on host memory and is stricter than the real one: calls that
 * need a current context fail without one, every handle is checked, and at the end of the process what was left is
 * counted. A cubin for it (make_kernel.py) is an ELF header with text behind it that says what the kernel does:
 *
 *   kernel=NAME parameters=BYTES[,BYTES] program=none|scale|increment|half|fault|hang|stuck
 *   microseconds=N
 *   threads=N shared=N registers=N local=N cluster=X,Y,Z
 *
 * Environment: FAKE_CUDA_CUBIN (a text that counts instead, for real cubins), FAKE_CUDA_CAPABILITY (90),
 * FAKE_CUDA_VERSION (13000), FAKE_CUDA_SHARED (232448), FAKE_CUDA_CLUSTERS (1), FAKE_CUDA_DEVICES (1), FAKE_CUDA_LOG (a
 * file: one line per launch, and one at the end), FAKE_CUDA_GRAPH_LOG (a file: per launch of a graph the name of its
 * first kernel), FAKE_CUDA_FAIL=FUNCTION:RESULT (that function fails), FAKE_CUDA_FAIL_CALL=N (the Nth call fails; 0:
 * none). The program `hang` never ends by itself: it writes FAKE_CUDA_ENTRIES (INDEX:WAIT:WHAT,... in hexadecimal) into
 * its watchdog's report, ends when the report says so, and then counts as failed; `stuck` does not even end then.
 */
#include <cuda.h>
#include <cudaTypedefs.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { PARAMETERS_MAX = 4096, HEADER_BYTES = 64, MAGIC = 0x50494e4b, DEVICES_MAX = 4 };

/* ---- handles ---- */

struct CUctx_st {
  int device, references;
};

struct CUmod_st {
  int magic;
};

struct CUfunc_st {
  struct CUmod_st module;
  char kernel[128], program[32];
  size_t parameters[2], parameter_count;
  int threads, shared_static, registers, local;
  int cluster[3];
  int shared_dynamic_max, non_portable;
  double microseconds;
  CUdeviceptr watchdog; /* the variable of that name, made when it is asked for */
};

struct launch {
  struct CUfunc_st *function;
  unsigned char parameters[PARAMETERS_MAX];
  struct launch *next;
};

struct CUgraph_st {
  struct launch *first, **last;
  bool executable;
};

struct CUstream_st {
  struct CUgraph_st *capture;
};

struct CUevent_st {
  double time;
  bool recorded;
};

static struct CUctx_st contexts[DEVICES_MAX];
static __thread CUcontext stack[16];
static __thread int depth;
static double clock_microseconds;
static CUresult pending;           /* a fault on the device, reported when it is waited for */
static volatile uint32_t *hanging; /* the report of the kernel that does not end */
static bool is_stuck;
static int calls, contexts_made;
static struct {
  int modules, allocations, streams, events, graphs;
} left;

static const char *setting(const char *name, const char *otherwise) {
  const char *text = getenv(name);
  return text ? text : otherwise;
}

static void log_line_to(const char *variable, const char *line) {
  const char *path = getenv(variable);
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) {
    fprintf(file, "%s\n", line);
    fclose(file);
  }
}

static void log_line(const char *line) {
  log_line_to("FAKE_CUDA_LOG", line);
}

__attribute__((destructor)) static void count_what_is_left(void) {
  int references = 0;
  for (int i = 0; i < DEVICES_MAX; i++)
    references += contexts[i].references;
  char line[256];
  snprintf(line, sizeof line, "left: contexts=%d current=%d modules=%d allocations=%d streams=%d events=%d graphs=%d",
           references, depth, left.modules, left.allocations, left.streams, left.events, left.graphs);
  log_line(line);
}

/* What every call begins with. */
static CUresult injected(const char *function) {
  const char *fail = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(function);
  calls++;
  if (calls == atoi(setting("FAKE_CUDA_FAIL_CALL", "0")))
    return CUDA_ERROR_UNKNOWN;
  return fail && !strncmp(fail, function, length) && fail[length] == ':' ? (CUresult)atoi(fail + length + 1)
                                                                         : CUDA_SUCCESS;
}
#define ENTER()                                                                                                        \
  do {                                                                                                                 \
    CUresult injected_result = injected(__func__);                                                                     \
    if (injected_result)                                                                                               \
      return injected_result;                                                                                          \
  } while (0)
#define ENTER_CONTEXT()                                                                                                \
  do {                                                                                                                 \
    ENTER();                                                                                                           \
    if (!depth || !stack[depth - 1])                                                                                   \
      return CUDA_ERROR_INVALID_CONTEXT;                                                                               \
  } while (0)

/* For tests in C: starts the count that FAKE_CUDA_FAIL_CALL refers to again; returns what it was. */
EXPORT int fake_cuda_reset_calls(void);
EXPORT int fake_cuda_reset_calls(void) {
  int before = calls;
  calls = 0;
  return before;
}

/* For tests in C: everything that is not yet given back. */
EXPORT int fake_cuda_left(void);
EXPORT int fake_cuda_left(void) {
  int references = 0;
  for (int i = 0; i < DEVICES_MAX; i++)
    references += contexts[i].references;
  return references + depth + left.modules + left.allocations + left.streams + left.events + left.graphs;
}

/* ---- driver, device, context ---- */

static const struct {
  CUresult result;
  const char *name, *text;
} results[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

EXPORT CUresult cuGetErrorName(CUresult result, const char **text) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (results[i].result == result) {
      *text = results[i].name;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGetErrorString(CUresult result, const char **text) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (results[i].result == result) {
      *text = results[i].text;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuInit(unsigned flags) {
  ENTER();
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version) {
  ENTER();
  *version = atoi(setting("FAKE_CUDA_VERSION", "13000"));
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  ENTER();
  if (ordinal < 0 || ordinal >= atoi(setting("FAKE_CUDA_DEVICES", "1")))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  ENTER();
  snprintf(name, (size_t)size, "Fake GPU %d", device);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  ENTER();
  (void)device;
  int capability = atoi(setting("FAKE_CUDA_CAPABILITY", "90"));
  switch ((int)attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = capability / 10;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = capability % 10;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = atoi(setting("FAKE_CUDA_SHARED", "232448"));
    break;
  case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
    *value = atoi(setting("FAKE_CUDA_CLUSTERS", "1"));
    break;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = 132;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    *value = INT32_MAX;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
    *value = 65535;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  ENTER();
  contexts[device].device = device;
  contexts[device].references++;
  contexts_made++;
  *context = &contexts[device];
  return CUDA_SUCCESS;
}

#undef cuDevicePrimaryCtxRelease
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER();
  if (!contexts[device].references)
    return CUDA_ERROR_INVALID_CONTEXT;
  contexts[device].references--;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER();
  *context = depth ? stack[depth - 1] : NULL;
  return CUDA_SUCCESS;
}

#undef cuCtxGetDevice
EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
  ENTER_CONTEXT();
  *device = stack[depth - 1]->device;
  return CUDA_SUCCESS;
}

#undef cuCtxPushCurrent
EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER();
  if (!context || !context->references || depth == sizeof stack / sizeof *stack)
    return CUDA_ERROR_INVALID_CONTEXT;
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

/* Never made to fail: nothing could be done about it. */
#undef cuCtxPopCurrent
EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (!depth)
    return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack[--depth];
  return CUDA_SUCCESS;
}

/* ---- modules ---- */

/* The value of KEY=VALUE in a cubin's text, or `otherwise`. */
static const char *find_value(const char *text, const char *key, const char *otherwise) {
  size_t length = strlen(key);
  for (const char *at = text; (at = strstr(at, key)); at++)
    if ((at == text || at[-1] == ' ') && at[length] == '=')
      return at + length + 1;
  return otherwise;
}

static void copy_word(const char *word, char *copy, size_t size) {
  size_t length = strcspn(word, " ");
  snprintf(copy, size, "%.*s", (int)length, word);
}

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  ENTER_CONTEXT();
  if (memcmp(image, "\177ELF", 4))
    return CUDA_ERROR_INVALID_IMAGE;
  const char *text = setting("FAKE_CUDA_CUBIN", (const char *)image + HEADER_BYTES);
  struct CUfunc_st *function = calloc(1, sizeof *function);
  if (!function)
    return CUDA_ERROR_OUT_OF_MEMORY;
  function->module.magic = MAGIC;
  copy_word(find_value(text, "kernel", "pipelink_kernel"), function->kernel, sizeof function->kernel);
  copy_word(find_value(text, "program", "none"), function->program, sizeof function->program);
  const char *sizes = find_value(text, "parameters", "");
  for (char *end; function->parameter_count < 2 && *sizes >= '0' && *sizes <= '9';
       sizes = *end == ',' ? end + 1 : end) {
    size_t size = strtoul(sizes, &end, 10);
    if (size)
      function->parameters[function->parameter_count++] = size;
  }
  function->threads = atoi(find_value(text, "threads", "1024"));
  function->shared_static = atoi(find_value(text, "shared", "0"));
  function->registers = atoi(find_value(text, "registers", "32"));
  function->local = atoi(find_value(text, "local", "0"));
  sscanf(find_value(text, "cluster", "0,0,0"), "%d,%d,%d", &function->cluster[0], &function->cluster[1],
         &function->cluster[2]);
  function->microseconds = atof(find_value(text, "microseconds", "10"));
  function->shared_dynamic_max = -1;
  left.modules++;
  *module = &function->module;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module) {
  ENTER_CONTEXT();
  if (module->magic != MAGIC)
    return CUDA_ERROR_INVALID_VALUE;
  CUdeviceptr watchdog = ((struct CUfunc_st *)module)->watchdog;
  if (watchdog) {
    cuMemFree_v2(watchdog);
  }
  module->magic = 0;
  free(module);
  left.modules--;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  ENTER_CONTEXT();
  struct CUfunc_st *found = (struct CUfunc_st *)module;
  if (strcmp(found->kernel, name))
    return CUDA_ERROR_NOT_FOUND;
  *function = found;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  ENTER();
  switch ((int)attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = function->threads;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = function->shared_static;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = function->registers;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = function->local;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    *value = function->cluster[0];
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    *value = function->cluster[1];
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    *value = function->cluster[2];
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  ENTER();
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function->shared_dynamic_max = value;
  else if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    function->non_portable = value;
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
  ENTER();
  if (index >= function->parameter_count)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = index ? function->parameters[0] : 0;
  *size = function->parameters[index];
  return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                            size_t shared) {
  ENTER_CONTEXT();
  (void)function, (void)shared;
  *blocks = 2048 / threads;
  return CUDA_SUCCESS;
}

/* One cluster less than there would be room for: GPUs have clusters' multiprocessors in groups that they don't fill. */
EXPORT CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config) {
  ENTER_CONTEXT();
  (void)function;
  unsigned size = 1;
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      size = config->attrs[i].value.clusterDim.x * config->attrs[i].value.clusterDim.y *
             config->attrs[i].value.clusterDim.z;
  *clusters = (int)(132 * (2048 / (config->blockDimX * config->blockDimY * config->blockDimZ)) / size) - 1;
  return CUDA_SUCCESS;
}

/* ---- memory ---- */

struct allocation {
  size_t size;
  _Alignas(16) unsigned char data[]; /* as tensor maps want it */
};

#undef cuMemAlloc
EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *device, size_t size) {
  ENTER_CONTEXT();
  struct allocation *allocation = size ? malloc(sizeof *allocation + size) : NULL;
  if (!allocation)
    return size ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
  allocation->size = size;
  memset(allocation->data, 0x5a, size);
  left.allocations++;
  *device = (CUdeviceptr)(uintptr_t)allocation->data;
  return CUDA_SUCCESS;
}

static struct allocation *allocation_of(CUdeviceptr device) {
  return (struct allocation *)((char *)(uintptr_t)device - sizeof(struct allocation));
}

#undef cuMemFree
EXPORT CUresult cuMemFree_v2(CUdeviceptr device) {
  ENTER_CONTEXT();
  free(allocation_of(device));
  left.allocations--;
  return CUDA_SUCCESS;
}

#undef cuMemcpyHtoD
EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr device, const void *host, size_t size) {
  ENTER_CONTEXT();
  if (size > allocation_of(device)->size)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy((void *)(uintptr_t)device, host, size);
  return CUDA_SUCCESS;
}

#undef cuMemcpyDtoH
EXPORT CUresult cuMemcpyDtoH_v2(void *host, CUdeviceptr device, size_t size) {
  ENTER_CONTEXT();
  if (size > allocation_of(device)->size)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(host, (const void *)(uintptr_t)device, size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostAlloc(void **host, size_t size, unsigned flags) {
  ENTER_CONTEXT();
  CUdeviceptr device = 0;
  if (!(flags & CU_MEMHOSTALLOC_DEVICEMAP))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuMemAlloc_v2(&device, size);
  *host = (void *)(uintptr_t)device;
  return result;
}

#undef cuMemHostGetDevicePointer
EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags) {
  ENTER_CONTEXT();
  *device = (CUdeviceptr)(uintptr_t)host;
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuMemFreeHost(void *host) {
  return cuMemFree_v2((CUdeviceptr)(uintptr_t)host);
}

#undef cuModuleGetGlobal
EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  ENTER_CONTEXT();
  struct CUfunc_st *function = (struct CUfunc_st *)module;
  if (strcmp(name, "pipelink_watchdog"))
    return CUDA_ERROR_NOT_FOUND;
  CUresult result = function->watchdog ? CUDA_SUCCESS : cuMemAlloc_v2(&function->watchdog, sizeof(uint64_t));
  *address = function->watchdog;
  *bytes = sizeof(uint64_t);
  return result;
}

/* ---- tensor maps ---- */

/* A descriptor of this driver says in text what it was encoded from; log_launch shows the text. */
EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                       const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box,
                                       const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                       CUtensorMapFloatOOBfill fill) {
  ENTER_CONTEXT();
  static const char *const types[] = {
      [CU_TENSOR_MAP_DATA_TYPE_UINT8] = "u8",    [CU_TENSOR_MAP_DATA_TYPE_UINT16] = "u16",
      [CU_TENSOR_MAP_DATA_TYPE_UINT32] = "u32",  [CU_TENSOR_MAP_DATA_TYPE_INT32] = "i32",
      [CU_TENSOR_MAP_DATA_TYPE_UINT64] = "u64",  [CU_TENSOR_MAP_DATA_TYPE_INT64] = "i64",
      [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = "f16", [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = "f32",
      [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = "f64", [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = "bf16",
  };
  if ((uintptr_t)map % 64 || (uintptr_t)address % 16 || !rank || rank > 5 || type >= sizeof types / sizeof *types)
    return CUDA_ERROR_INVALID_VALUE;
  char text[sizeof *map + 1];
  int used = snprintf(text, sizeof text, "<%s", types[type]);
  for (cuuint32_t i = 0; i < rank; i++) {
    if (!extents[i] || extents[i] > (cuuint64_t)1 << 32 || !box[i] || box[i] > 256 || steps[i] != 1)
      return CUDA_ERROR_INVALID_VALUE;
    used += snprintf(text + used, sizeof text - (size_t)used, "%c%llu", i ? 'x' : ' ', (unsigned long long)extents[i]);
  }
  for (cuuint32_t i = 0; i + 1 < rank; i++) {
    if (strides[i] % 16 || strides[i] >= (cuuint64_t)1 << 40)
      return CUDA_ERROR_INVALID_VALUE;
    used += snprintf(text + used, sizeof text - (size_t)used, " +%llu", (unsigned long long)strides[i]);
  }
  for (cuuint32_t i = 0; i < rank; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%s%u", i ? "x" : " box ", box[i]);
  used += snprintf(text + used, sizeof text - (size_t)used, " %d %d %d %d>", interleave, swizzle, promotion, fill);
  if ((size_t)used >= sizeof text)
    return CUDA_ERROR_INVALID_VALUE;
  memset(map, 0, sizeof *map);
  memcpy(map, text, (size_t)used);
  return CUDA_SUCCESS;
}

/* ---- launches ---- */

struct scale_parameters {
  float *output;
  const float *input;
  uint64_t count;
};

struct increment_parameters {
  float *data;
  uint64_t count;
};

static void execute(const struct launch *launch) {
  const char *program = launch->function->program;
  clock_microseconds += launch->function->microseconds;
  if (!strcmp(program, "scale") || !strcmp(program, "half")) {
    struct scale_parameters scale;
    memcpy(&scale, launch->parameters, sizeof scale);
    uint64_t count = *program == 'h' ? scale.count / 2 : scale.count;
    for (uint64_t i = 0; i < count; i++)
      scale.output[i] = 2 * scale.input[i];
  } else if (!strcmp(program, "increment")) {
    struct increment_parameters increment;
    memcpy(&increment, launch->parameters, sizeof increment);
    for (uint64_t i = 0; i < increment.count; i++)
      increment.data[i] += 1;
  } else if (!strcmp(program, "hang") || !strcmp(program, "stuck")) {
    uint64_t report = 0;
    if (launch->function->watchdog)
      memcpy(&report, (const void *)(uintptr_t)launch->function->watchdog, sizeof report);
    is_stuck = !report || *program == 's';
    static uint32_t no_report;
    hanging = report ? (uint32_t *)(uintptr_t)report : &no_report;
    const char *entries = setting("FAKE_CUDA_ENTRIES", "");
    unsigned index, wait, what, length;
    while (report && sscanf(entries, "%x:%x:%x%n", &index, &wait, &what, (int *)&length) == 3) {
      ((uint64_t *)(uintptr_t)(report + 64))[index] = (uint64_t)what << 32 | wait;
      entries += length + (entries[length] == ',');
    }
  } else if (!strcmp(program, "fault")) {
    pending = CUDA_ERROR_ILLEGAL_ADDRESS;
  }
}

static void log_launch(const CUlaunchConfig *config, const struct launch *launch) {
  char line[2 * PARAMETERS_MAX + 512];
  int used = snprintf(line, sizeof line, "launch %s device=%d grid=%u,%u,%u block=%u,%u,%u shared=%u stream=%s",
                      launch->function->kernel, stack[depth - 1]->device, config->gridDimX, config->gridDimY,
                      config->gridDimZ, config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes,
                      config->hStream ? "own" : "default");
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      used +=
          snprintf(line + used, sizeof line - (size_t)used, " cluster=%u,%u,%u", config->attrs[i].value.clusterDim.x,
                   config->attrs[i].value.clusterDim.y, config->attrs[i].value.clusterDim.z);
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && config->attrs[i].value.cooperative)
      used += snprintf(line + used, sizeof line - (size_t)used, " cooperative");
  used += snprintf(line + used, sizeof line - (size_t)used,
                   " shared_max=%d non_portable=%d parameters=", launch->function->shared_dynamic_max,
                   launch->function->non_portable);
  for (size_t i = 0; i < launch->function->parameters[0]; i++)
    used += snprintf(line + used, sizeof line - (size_t)used, "%02x", launch->parameters[i]);
  for (size_t i = 0; i + sizeof(CUtensorMap) <= launch->function->parameters[0]; i += 64)
    if (launch->parameters[i] == '<')
      used += snprintf(line + used, sizeof line - (size_t)used, " %zu:%.128s", i, (const char *)launch->parameters + i);
  log_line(line);
}

#undef cuLaunchKernelEx
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  ENTER_CONTEXT();
  if (extra || function->parameter_count > 1 || (function->parameter_count == 1) != (parameters != NULL) ||
      config->blockDimX * config->blockDimY * config->blockDimZ > (unsigned)function->threads ||
      (int)config->sharedMemBytes > function->shared_dynamic_max || function->parameters[0] > PARAMETERS_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  struct launch *launch = calloc(1, sizeof *launch);
  if (!launch)
    return CUDA_ERROR_OUT_OF_MEMORY;
  launch->function = function;
  if (parameters)
    memcpy(launch->parameters, parameters[0], function->parameters[0]);
  log_launch(config, launch);
  if (config->hStream && config->hStream->capture) {
    *config->hStream->capture->last = launch;
    config->hStream->capture->last = &launch->next;
    return CUDA_SUCCESS;
  }
  execute(launch);
  free(launch);
  return CUDA_SUCCESS;
}

/* ---- streams, graphs, events ---- */

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  ENTER_CONTEXT();
  (void)flags;
  *stream = calloc(1, sizeof **stream);
  if (!*stream)
    return CUDA_ERROR_OUT_OF_MEMORY;
  left.streams++;
  return CUDA_SUCCESS;
}

#undef cuStreamDestroy
EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER_CONTEXT();
  free(stream);
  left.streams--;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  ENTER_CONTEXT();
  if (stream && stream->capture)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return pending;
}

EXPORT CUresult cuStreamQuery(CUstream stream) {
  ENTER_CONTEXT();
  (void)stream;
  if (hanging && (is_stuck || !*hanging))
    return CUDA_ERROR_NOT_READY;
  return hanging ? CUDA_ERROR_LAUNCH_FAILED : pending;
}

static void free_graph(CUgraph graph) {
  for (struct launch *launch = graph->first, *next; launch; launch = next) {
    next = launch->next;
    free(launch);
  }
  free(graph);
  left.graphs--;
}

#undef cuStreamBeginCapture
EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  ENTER_CONTEXT();
  (void)mode;
  if (!stream || stream->capture)
    return CUDA_ERROR_INVALID_VALUE;
  stream->capture = calloc(1, sizeof *stream->capture);
  if (!stream->capture)
    return CUDA_ERROR_OUT_OF_MEMORY;
  stream->capture->last = &stream->capture->first;
  left.graphs++;
  return CUDA_SUCCESS;
}

/* A capture that fails to end gives no graph. */
EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  if (!stream->capture)
    return CUDA_ERROR_INVALID_VALUE;
  CUgraph captured = stream->capture;
  stream->capture = NULL;
  *graph = NULL;
  CUresult result = injected("cuStreamEndCapture");
  if (result)
    free_graph(captured);
  else
    *graph = captured;
  return result;
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long flags) {
  ENTER_CONTEXT();
  (void)flags;
  struct CUgraph_st *copy = calloc(1, sizeof *copy);
  if (!copy)
    return CUDA_ERROR_OUT_OF_MEMORY;
  copy->executable = true;
  copy->last = &copy->first;
  for (const struct launch *launch = graph->first; launch; launch = launch->next) {
    struct launch *again = malloc(sizeof *again);
    if (!again)
      abort();
    *again = *launch;
    again->next = NULL;
    *copy->last = again;
    copy->last = &again->next;
  }
  left.graphs++;
  *executable = (CUgraphExec)copy;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  ENTER_CONTEXT();
  struct CUgraph_st *graph = (struct CUgraph_st *)executable;
  if (!graph->executable || (stream && stream->capture))
    return CUDA_ERROR_INVALID_VALUE;
  if (graph->first)
    log_line_to("FAKE_CUDA_GRAPH_LOG", graph->first->function->kernel);
  for (const struct launch *launch = graph->first; launch; launch = launch->next)
    execute(launch);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  ENTER();
  free_graph(graph);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphExecDestroy(CUgraphExec executable) {
  ENTER();
  free_graph((CUgraph)executable);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
  ENTER_CONTEXT();
  (void)flags;
  *event = calloc(1, sizeof **event);
  if (!*event)
    return CUDA_ERROR_OUT_OF_MEMORY;
  left.events++;
  return CUDA_SUCCESS;
}

#undef cuEventDestroy
EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  ENTER();
  free(event);
  left.events--;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  ENTER_CONTEXT();
  (void)stream;
  event->time = clock_microseconds;
  event->recorded = true;
  return CUDA_SUCCESS;
}

#undef cuEventElapsedTime
EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  ENTER();
  if (!start->recorded || !end->recorded)
    return CUDA_ERROR_INVALID_VALUE;
  *milliseconds = (float)((end->time - start->time) / 1000);
  return CUDA_SUCCESS;
}
