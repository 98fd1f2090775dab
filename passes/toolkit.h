/* toolkit.h - the CUDA toolkit at run time: libNVVM, nvJitLink, ptxas, libdevice and their versions.
 *
 * Libraries are loaded with dlopen so that packing and inspecting need no toolkit. Searched in this order:
 * the option --cuda-path, CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, the path found when PipeLink was built,
 * /usr/local/cuda, then the layout of the nvidia-* wheels (nvidia/cu13) of python3 on the PATH.
 */
#ifndef PIPELINK_PASSES_TOOLKIT_H
#define PIPELINK_PASSES_TOOLKIT_H

#include "diagnostics.h"

typedef struct pl_toolkit {
  const char *root;                                                  /* e.g. "/usr/local/cuda" */
  unsigned major, minor;                                             /* 13, 0 */
  const char *libnvvm, *libnvjitlink, *ptxas, *libdevice, *nvdisasm; /* full paths; NULL when missing */
} pl_toolkit;

/* `explicit_root` may be NULL. Fails with a diagnostic that lists the paths tried. */
pl_status pl_toolkit_find(const char *explicit_root, pl_arena *arena, pl_sink *sink, pl_toolkit *toolkit);

#endif
