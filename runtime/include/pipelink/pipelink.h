/* pipelink.h - load and launch kernels linked by PipeLink, from C or C++.
 *
 *   pipelink_error error = PIPELINK_ERROR_INIT;
 *   pipelink_kernel *kernel = NULL;
 *   pipelink_launch_options launch = {.size = sizeof launch, .grid = {264, 1, 1}, .stream = stream};
 *
 *   pipelink_kernel_load("hello.cubin", NULL, &kernel, &error);
 *   pipelink_kernel_set_pointer(kernel, "caller.output", output, &error);
 *   pipelink_kernel_set_pointer(kernel, "caller.input", input, &error);
 *   pipelink_kernel_set_unsigned(kernel, "count", 1048577, &error);
 *   pipelink_kernel_launch(kernel, &launch, &error);
 *   pipelink_kernel_free(kernel);
 *   if (error.code)
 *     fprintf(stderr, "%s\n", error.text);
 *
 * A kernel is two files that ld.pipelink wrote together: the cubin, and the launch file (hello.launch.json), which says
 * how the cubin is to be launched and what each byte of its parameter block means. The library needs neither the CUDA
 * toolkit nor libcuda at link time: it loads the driver, libcuda.so.1, when the first kernel is loaded. The environment
 * variable PIPELINK_LIBCUDA names another file to load instead.
 *
 * Errors. Every function that can fail returns a pipelink_code and fills the pipelink_error it was given, unless that
 * already holds an error: the first one wins, so a sequence of calls may be checked once, at its end. Functions accept
 * a NULL kernel by failing, which makes the sequence above safe when the load has failed. The library never prints,
 * exits or aborts.
 *
 * Ownership. Everything passed in is copied before the call returns: paths, names, options, cubin, launch file, bytes
 * of parameters. Device memory stays the caller's; the library keeps addresses only.
 *
 * Threads. The library has no global state. One kernel may be used by one thread at a time; different kernels may be
 * used by different threads at once. A launch has taken its parameters when it returns: they may be set anew for
 * the next launch while the first still runs. The calling thread's current CUDA context is the same after every call
 * as before.
 */
#ifndef PIPELINK_PIPELINK_H
#define PIPELINK_PIPELINK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PIPELINK_API __attribute__((visibility("default")))

/* What kind of failure; the error's text has the particulars. Values never change their meaning. */
typedef enum pipelink_code {
  PIPELINK_OK = 0,
  PIPELINK_ERROR_ARGUMENT = 1,  /* the call itself is wrong: NULL, a bad option, a grid of zero */
  PIPELINK_ERROR_MEMORY = 2,    /* host memory is exhausted */
  PIPELINK_ERROR_FILE = 3,      /* a file cannot be read */
  PIPELINK_ERROR_FORMAT = 4,    /* the launch file is not what ld.pipelink writes, or of another version */
  PIPELINK_ERROR_MISMATCH = 5,  /* cubin and launch file do not belong together */
  PIPELINK_ERROR_NO_DRIVER = 6, /* libcuda.so.1 is missing or older than driver 580 (CUDA 13.0) */
  PIPELINK_ERROR_DEVICE = 7,    /* the kernel is for another kind of GPU, or needs more than this one has */
  PIPELINK_ERROR_NAME = 8,      /* no parameter of this name, or several */
  PIPELINK_ERROR_TYPE = 9,      /* the value does not fit the parameter's type, size or range */
  PIPELINK_ERROR_UNSET = 10,    /* a launch with parameters that were never set */
  PIPELINK_ERROR_DRIVER = 11,   /* the CUDA driver refused; cuda_result says why */
  PIPELINK_ERROR_TIMEOUT = 12   /* the GPU did not finish in time */
} pipelink_code;

typedef struct pipelink_error {
  pipelink_code code; /* PIPELINK_OK: no error yet */
  int cuda_result;    /* the driver's CUresult with PIPELINK_ERROR_DRIVER, else 0 */
  char text[1024];    /* one sentence without a full stop or a newline; "" when there is no error */
} pipelink_error;

#define PIPELINK_ERROR_INIT {PIPELINK_OK, 0, {0}}

/* A kernel in a CUDA context, with the values of its parameters. */
typedef struct pipelink_kernel pipelink_kernel;

/* The driver's and CUDA runtime's stream: CUstream and cudaStream_t are pointers to this. */
struct CUstream_st;

/* The library's version, "MAJOR.MINOR.PATCH"; static storage. */
PIPELINK_API const char *pipelink_version(void);

/* A code's name, e.g. "PIPELINK_ERROR_UNSET"; static storage, "unknown" for a number that is no code. */
PIPELINK_API const char *pipelink_code_name(pipelink_code code);

/* Options begin with their own size, so that a program built against an older header keeps working with a newer
 * library: what it did not know of takes its default. Zero is every other member's default. */
typedef struct pipelink_load_options {
  size_t size;             /* sizeof(pipelink_load_options) */
  const char *launch_path; /* launch file; NULL: the cubin's path with ".cubin" replaced by ".launch.json" */
  const char *entry;       /* kernel in the cubin; NULL: the one that the launch file names */
  int device;              /* ordinal, used when the calling thread has no current context */
  int other_cubin;         /* non-zero: the cubin is not the one that the launch file was written for but takes the same
                              parameter block and block shape (a unit build): its size and hash are not compared */
} pipelink_load_options;

/* Loads a kernel into the calling thread's current CUDA context; without one, into the primary context of
 * options->device, which is kept until the kernel is freed. `options` may be NULL.
 *
 * Checked here, so that a launch need not: the launch file, the cubin's size and SHA-256 against it, the GPU against
 * the kernel's profile ("sm_90a" runs on compute capability 9.0 only: the suffix counts), threads, shared memory and
 * cluster against the GPU's limits, and the size of the parameter block against the cubin's own.
 *
 * On success *kernel is to be freed with pipelink_kernel_free; on failure it is NULL. */
PIPELINK_API pipelink_code pipelink_kernel_load(const char *cubin_path, const pipelink_load_options *options,
                                                pipelink_kernel **kernel, pipelink_error *error);

/* The same from memory: `launch` is the launch file's text, without need of a final NUL. options->launch_path must be
 * NULL. `name` stands for the kernel in messages; NULL: "kernel". */
PIPELINK_API pipelink_code pipelink_kernel_load_memory(const char *name, const void *cubin, size_t cubin_size,
                                                       const char *launch, size_t launch_size,
                                                       const pipelink_load_options *options, pipelink_kernel **kernel,
                                                       pipelink_error *error);

/* Unloads the kernel. Its launches must have finished and the context it was loaded into must still exist.
 * NULL is accepted. */
PIPELINK_API void pipelink_kernel_free(pipelink_kernel *kernel);

/* ---- parameters ----
 *
 * A parameter is named "INSTANCE.FIELD", e.g. "caller.count", where the instance is that of a stage in the linked
 * kernel; the field alone, "count", is enough when only one instance has it. Values stay set from launch to launch. A
 * setter that fails changes nothing. */

/* For integers of every width and bool (0 or 1). PIPELINK_ERROR_TYPE when the value is outside the type's range. */
PIPELINK_API pipelink_code pipelink_kernel_set_integer(pipelink_kernel *kernel, const char *name, int64_t value,
                                                       pipelink_error *error);
PIPELINK_API pipelink_code pipelink_kernel_set_unsigned(pipelink_kernel *kernel, const char *name, uint64_t value,
                                                        pipelink_error *error);

/* For double, float, half and bfloat16: rounded to nearest, ties to even. PIPELINK_ERROR_TYPE when a finite value
 * would become infinite. */
PIPELINK_API pipelink_code pipelink_kernel_set_float(pipelink_kernel *kernel, const char *name, double value,
                                                     pipelink_error *error);

/* For pointers: an address that the GPU can reach, i.e. a CUdeviceptr, or a pointer from cudaMalloc cast to uintptr_t.
 * It is not looked at; 0 is a null pointer. */
PIPELINK_API pipelink_code pipelink_kernel_set_pointer(pipelink_kernel *kernel, const char *name, uint64_t address,
                                                       pipelink_error *error);

/* For a parameter of any type, or, with an instance's name ("caller"), for its whole params struct: the bytes as the
 * device sees them. This is how an opaque params struct is set. `size` must be exactly the parameter's. */
PIPELINK_API pipelink_code pipelink_kernel_set_bytes(pipelink_kernel *kernel, const char *name, const void *bytes,
                                                     size_t size, pipelink_error *error);

/* A tensor in GPU memory, for TMA. Dimensions count from the contiguous one: a row-major matrix of M rows and K columns
 * has extents {K, M}. */
enum { PIPELINK_TENSOR_RANK_MAX = 5 };

typedef struct pipelink_tensor {
  size_t size;                                    /* sizeof(pipelink_tensor) */
  uint64_t address;                               /* as for pipelink_kernel_set_pointer, a multiple of 16 */
  uint32_t rank;                                  /* dimensions, as many as the tensor map was declared with */
  uint64_t extents[PIPELINK_TENSOR_RANK_MAX];     /* elements in each dimension, 1 to 2^32 */
  uint64_t strides[PIPELINK_TENSOR_RANK_MAX - 1]; /* bytes from one element to the next in dimensions 1, 2, ...:
                                                     multiples of 16 below 2^40; 0: no gap after the dimension before */
} pipelink_tensor;

/* For pipelink::tensor_map: encodes the TMA descriptor of the tensor, with element type, box and swizzle as the stage
 * declares them; outside of the tensor copies read zeros. PIPELINK_ERROR_TYPE when the tensor is not as described
 * above, PIPELINK_ERROR_DRIVER when the driver refuses it. A descriptor that was encoded otherwise is set as 128 bytes.
 */
PIPELINK_API pipelink_code pipelink_kernel_set_tensor(pipelink_kernel *kernel, const char *name,
                                                      const pipelink_tensor *tensor, pipelink_error *error);

/* ---- launch ---- */

typedef struct pipelink_launch_options {
  size_t size;                /* sizeof(pipelink_launch_options) */
  uint32_t grid[3];           /* CTAs in x, y, z; each at least 1 and a multiple of the cluster's */
  struct CUstream_st *stream; /* of the kernel's context; NULL: its default stream */
} pipelink_launch_options;

/* Queues the kernel on the stream, with block, cluster and dynamic shared memory as the launch file says, and does not
 * wait for it. PIPELINK_ERROR_UNSET names parameters that were never set; nothing is launched then. May be captured
 * into a CUDA graph. */
PIPELINK_API pipelink_code pipelink_kernel_launch(pipelink_kernel *kernel, const pipelink_launch_options *options,
                                                  pipelink_error *error);

/* Waits until everything queued on `stream` (of the kernel's context; NULL: its default stream) is done, at most for
 * `milliseconds`. PIPELINK_ERROR_TIMEOUT when it is not.
 *
 * For a kernel linked with `ld.pipelink --watchdog` the error then says which roles wait, on which barriers of which
 * rings, in which phase, and from which line; and the launch is ended, which the driver reports as a failed launch: the
 * context can only be destroyed afterwards. Threads that wait on named barriers alone cannot be ended: the kernel then
 * stays, pipelink_kernel_free leaves its module to the driver, and the end of the process ends it. Such kernels
 * take one launch at a time. Kernels linked without it are not touched: the wait may be repeated. */
PIPELINK_API pipelink_code pipelink_kernel_wait(pipelink_kernel *kernel, struct CUstream_st *stream,
                                                uint32_t milliseconds, pipelink_error *error);

/* ---- what a kernel is ---- */

typedef struct pipelink_kernel_properties {
  size_t size;                      /* sizeof(pipelink_kernel_properties), set by the caller */
  const char *entry;                /* name of the kernel in the cubin; lives as long as the pipelink_kernel */
  const char *profile;              /* e.g. "sm_90a"; likewise */
  uint32_t block[3];                /* threads per CTA */
  uint32_t cluster[3];              /* CTAs per cluster; 1, 1, 1 without clusters */
  uint32_t shared_dynamic;          /* bytes per CTA asked for at launch */
  uint32_t shared_static;           /* bytes per CTA that the cubin declares */
  uint32_t registers;               /* per thread at entry */
  uint32_t local;                   /* bytes per thread; spills are in here */
  uint32_t multiprocessors;         /* of the GPU the kernel was loaded on */
  uint32_t ctas_per_multiprocessor; /* resident at once, by the driver's occupancy calculation and what the launch file
                                       allows; times multiprocessors it is the grid that fills the GPU once */
  size_t parameters_size;           /* bytes of the parameter block */
  size_t parameter_count;           /* for pipelink_kernel_parameter */
  const char *unsafe;               /* codes of errors that the linker was made to pass over (--force-unsafe), e.g.
                                       "L-PHASE, L-TX": the kernel may hang or compute something else. NULL: none.
                                       Lives as long as the pipelink_kernel */
} pipelink_kernel_properties;

/* Fills as much of *properties as its size says. */
PIPELINK_API pipelink_code pipelink_kernel_get_properties(const pipelink_kernel *kernel,
                                                          pipelink_kernel_properties *properties,
                                                          pipelink_error *error);

typedef enum pipelink_parameter_kind {
  PIPELINK_PARAMETER_INTEGER = 0,
  PIPELINK_PARAMETER_FLOAT = 1,
  PIPELINK_PARAMETER_BOOL = 2,
  PIPELINK_PARAMETER_POINTER = 3,
  PIPELINK_PARAMETER_BYTES = 4 /* an array, a vector, a tensor map, or a whole opaque params struct */
} pipelink_parameter_kind;

typedef struct pipelink_parameter {
  size_t size;          /* sizeof(pipelink_parameter), set by the caller */
  const char *instance; /* "caller"; strings live as long as the pipelink_kernel */
  const char *field;    /* "count"; NULL for a whole opaque params struct */
  const char *type;     /* as the source spells it, e.g. "const float *" */
  size_t offset, bytes; /* in the parameter block */
  pipelink_parameter_kind kind;
  uint32_t bits;         /* of an integer or a float, else 0 */
  int is_signed;         /* of an integer */
  int is_bfloat;         /* of a 16-bit float: bfloat16, else IEEE half */
  int is_set;            /* every byte was set */
  int points_to_numbers; /* a pointer to integers or floats: the next four describe them */
  pipelink_parameter_kind element_kind;
  uint32_t element_bits;
  int element_is_signed, element_is_bfloat;
  uint32_t tensor_rank; /* dimensions of a tensor map, whose elements the four above and whose declaration the two below
                           describe; else 0 */
  uint32_t tensor_box[PIPELINK_TENSOR_RANK_MAX]; /* elements that one copy takes, the contiguous dimension first */
  uint32_t tensor_swizzle;                       /* bytes: 0 (none), 32, 64 or 128 */
} pipelink_parameter;

/* Parameter number `index` in the order of the parameter block. Fills as much of *parameter as its size says. */
PIPELINK_API pipelink_code pipelink_kernel_get_parameter(const pipelink_kernel *kernel, size_t index,
                                                         pipelink_parameter *parameter, pipelink_error *error);

#ifdef __cplusplus
}
#endif
#endif
