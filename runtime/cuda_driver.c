/* cuda_driver.c - see cuda_driver.h. */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function's address as dlsym gives it, into a member of the table. */
static pipelink_code find_entry(const pl_cuda_driver *driver, const char *path, const char *symbol, void *member,
                                pipelink_error *error) {
  void *address = dlsym(driver->library, symbol);
  if (!address)
    return pl_error_set(error, PIPELINK_ERROR_NO_DRIVER, "%s has no function %s: driver 580 or newer is needed", path,
                        symbol);
  memcpy(member, &address, sizeof address);
  return PIPELINK_OK;
}

static pipelink_code fill(pl_cuda_driver *driver, const char *path, pipelink_error *error) {
  pipelink_code code = find_entry(driver, path, "cuDriverGetVersion", &driver->driver_get_version, error);
  if (code)
    return code;
  CUresult result = driver->driver_get_version(&driver->version);
  if (result)
    return pl_error_set(error, PIPELINK_ERROR_NO_DRIVER, "%s does not tell its version (CUDA result %d)", path,
                        (int)result);
  if (driver->version < PL_DRIVER_VERSION_MIN)
    return pl_error_set(error, PIPELINK_ERROR_NO_DRIVER,
                        "the driver supports CUDA %d.%d; CUDA %d.%d (driver 580) or newer is needed",
                        driver->version / 1000, driver->version % 1000 / 10, PL_DRIVER_VERSION_MIN / 1000,
                        PL_DRIVER_VERSION_MIN % 1000 / 10);
#define ENTRY(member, symbol, prototype)                                                                               \
  if (!code)                                                                                                           \
    code = find_entry(driver, path, #symbol, &driver->member, error);
  PL_DRIVER_ENTRIES(ENTRY)
#undef ENTRY
  return code ? code : pl_cuda_check(driver, driver->init(0), error, "the CUDA driver cannot be initialised");
}

pipelink_code pl_cuda_driver_load(pl_cuda_driver *driver, pipelink_error *error) {
  *driver = (pl_cuda_driver){0};
  const char *path = getenv("PIPELINK_LIBCUDA");
  if (!path || !*path)
    path = "libcuda.so.1";
  /* The driver keeps threads and state of its own: it stays in the process once loaded. */
  // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): to name the library is what the variable is for
  driver->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!driver->library) {
    const char *reason = dlerror();
    return pl_error_set(error, PIPELINK_ERROR_NO_DRIVER,
                        "the CUDA driver cannot be loaded (%s): NVIDIA driver 580 or newer is needed",
                        reason ? reason : path);
  }
  pipelink_code code = fill(driver, path, error);
  if (code)
    pl_cuda_driver_unload(driver);
  return code;
}

void pl_cuda_driver_unload(pl_cuda_driver *driver) {
  if (driver->library)
    dlclose(driver->library);
  *driver = (pl_cuda_driver){0};
}

pipelink_code pl_cuda_check(const pl_cuda_driver *driver, CUresult result, pipelink_error *error, const char *what,
                            ...) {
  if (result == CUDA_SUCCESS)
    return PIPELINK_OK;
  if (!error || error->code)
    return PIPELINK_ERROR_DRIVER;
  const char *name = NULL, *description = NULL;
  driver->get_error_name(result, &name);
  driver->get_error_string(result, &description);
  char subject[512];
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(subject, sizeof subject, what, arguments);
  va_end(arguments);
  pl_error_fill(error, PIPELINK_ERROR_DRIVER, "%s: %s (%s)", subject, description ? description : "unknown error",
                name ? name : "no name");
  error->cuda_result = (int)result;
  return PIPELINK_ERROR_DRIVER;
}
