/* toolkit.c - see toolkit.h. A folder counts as a toolkit when one back end is complete in it: ptxas, or libNVVM
 * with nvJitLink. What is missing stays NULL and is reported by whoever needs it. */
#include "toolkit.h"

#include "process.h"
#include "vendor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REQUIRED_MAJOR = 13 };

struct search {
  pl_arena *arena;
  pl_buffer tried; /* one line per folder: where it came from and why it was passed over */
};

/* First of `names` that exists below `root`; the list ends with NULL. */
static const char *first_of(pl_arena *arena, const char *root, const char *const *names) {
  for (; *names; names++) {
    const char *path = pl_arena_printf(arena, "%s/%s", root, *names);
    if (path && !access(path, R_OK))
      return path;
  }
  return NULL;
}

static pl_status ptxas_version(const char *ptxas, unsigned *major, unsigned *minor) {
  const char *const argv[] = {ptxas, "--version", NULL};
  pl_buffer output = {0};
  int exit_code;
  pl_status status = pl_process_run(argv, &output, &exit_code);
  const char *release = !status && !exit_code && output.size ? strstr(output.data, "release ") : NULL;
  if (!release || sscanf(release, "release %u.%u", major, minor) != 2)
    status = -ELIBBAD;
  pl_buffer_free(&output);
  return status;
}

static bool accept(struct search *search, const char *origin, const char *root, pl_toolkit *toolkit) {
  if (!root || !*root)
    return false;
  static const char *const libnvvm[] = {"nvvm/lib64/libnvvm.so.4",
                                        "nvvm/lib64/libnvvm.so",
                                        "lib64/libnvvm.so.4",
                                        "lib64/libnvvm.so",
                                        "lib/libnvvm.so.4",
                                        "lib/libnvvm.so",
                                        NULL};
  static const char *const libnvjitlink[] = {"lib64/libnvJitLink.so.13",
                                             "lib64/libnvJitLink.so",
                                             "targets/x86_64-linux/lib/libnvJitLink.so.13",
                                             "targets/x86_64-linux/lib/libnvJitLink.so",
                                             "lib/libnvJitLink.so.13",
                                             "lib/libnvJitLink.so",
                                             NULL};
  static const char *const ptxas[] = {"bin/ptxas", NULL}, *const nvdisasm[] = {"bin/nvdisasm", NULL},
                           *const libdevice[] = {"nvvm/libdevice/libdevice.10.bc", NULL};
  pl_toolkit found = {
      .root = pl_arena_strdup(search->arena, root),
      .libnvvm = first_of(search->arena, root, libnvvm),
      .libnvjitlink = first_of(search->arena, root, libnvjitlink),
      .ptxas = first_of(search->arena, root, ptxas),
      .libdevice = first_of(search->arena, root, libdevice),
      .nvdisasm = first_of(search->arena, root, nvdisasm),
  };
  if (!found.root)
    return false;
  if (!found.ptxas && !(found.libnvvm && found.libnvjitlink)) {
    pl_buffer_printf(&search->tried, "%s: %s: neither bin/ptxas nor libnvvm.so with libnvJitLink.so below it\n", origin,
                     root);
    return false;
  }
  if ((!found.libnvjitlink || pl_nvjitlink_version(found.libnvjitlink, &found.major, &found.minor)) &&
      (!found.ptxas || ptxas_version(found.ptxas, &found.major, &found.minor))) {
    pl_buffer_printf(&search->tried, "%s: %s: neither libnvJitLink.so nor ptxas tells its version\n", origin, root);
    return false;
  }
  if (found.major < REQUIRED_MAJOR) {
    pl_buffer_printf(&search->tried, "%s: %s: version %u.%u is too old\n", origin, root, found.major, found.minor);
    return false;
  }
  *toolkit = found;
  return true;
}

/* The nvidia-* wheels share the namespace package `nvidia`; python3 knows every folder it is spread over. */
static bool accept_wheels(struct search *search, pl_toolkit *toolkit) {
  const char *python = pl_process_find("python3", search->arena);
  if (!python) {
    pl_buffer_puts(&search->tried, "wheels: no python3 on PATH\n");
    return false;
  }
  const char *const argv[] = {python, "-c", "import nvidia; print(*nvidia.__path__, sep='\\n')", NULL};
  pl_buffer output = {0};
  int exit_code;
  bool found = false, any = false;
  if (!pl_process_run(argv, &output, &exit_code) && !exit_code) {
    for (char *line = output.data, *rest; !found && line && *line; line = rest) {
      rest = strchr(line, '\n');
      if (rest)
        *rest++ = 0;
      const char *root = pl_arena_printf(search->arena, "%s/cu13", line);
      any = true;
      found = accept(search, "wheels", root, toolkit);
    }
  }
  if (!any)
    pl_buffer_printf(&search->tried, "wheels: %s has no nvidia-* wheels installed\n", python);
  pl_buffer_free(&output);
  return found;
}

pl_status pl_toolkit_find(const char *explicit_root, pl_arena *arena, pl_sink *sink, pl_toolkit *toolkit) {
  struct search search = {.arena = arena};
  *toolkit = (pl_toolkit){0};
  bool found = false;
  if (explicit_root) {
    found = accept(&search, "--cuda-path", explicit_root, toolkit);
  } else {
    static const char *const variables[] = {"CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH"};
    for (size_t i = 0; !found && i < sizeof variables / sizeof *variables; i++) {
      const char *root = getenv(variables[i]);
      if (root && *root)
        found = accept(&search, variables[i], root, toolkit);
      else
        pl_buffer_printf(&search.tried, "%s: not set\n", variables[i]);
    }
    found = found || accept(&search, "found when PipeLink was built", PIPELINK_CUDA_ROOT, toolkit) ||
            accept(&search, "usual place", "/usr/local/cuda", toolkit) || accept_wheels(&search, toolkit);
  }
  pl_status status = 0;
  if (search.tried.failed) {
    status = -ENOMEM;
  } else if (!found) {
    status = -ENOENT;
    pl_report(sink, PL_ERROR, "L-TOOLKIT", "no CUDA toolkit of version %d.0 or later found", REQUIRED_MAJOR);
    for (char *line = search.tried.data, *rest; line && *line; line = rest) {
      rest = strchr(line, '\n');
      *rest++ = 0;
      pl_detail(sink, "%s", line);
    }
    pl_fix(sink, explicit_root ? "give --cuda-path the folder that holds the toolkit's bin"
                               : "install CUDA 13 and set CUDA_HOME, or give --cuda-path");
  }
  pl_buffer_free(&search.tried);
  return status;
}
