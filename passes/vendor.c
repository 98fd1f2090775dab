/* vendor.c - see vendor.h. */
#include "vendor.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct entry {
  const char *name;
  void *slot; /* the address of a function pointer */
};

static void *load(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static pl_status fill(const char *what, const char *path, const pl_toolkit *toolkit, const struct entry *entries,
                      size_t count, pl_sink *sink) {
  if (!path) {
    pl_report(sink, PL_ERROR, "L-TOOLKIT", "%s is not part of the CUDA toolkit in %s", what, toolkit->root);
    pl_fix(sink, "install the toolkit's %s, or choose another toolkit with --cuda-path", what);
    return -ENOENT;
  }
  void *library = load(path);
  if (!library) {
    pl_report(sink, PL_ERROR, "L-TOOLKIT", "cannot load %s: %s", what, dlerror());
    return -ELIBACC;
  }
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(library, entries[i].name);
    if (!address) {
      pl_report(sink, PL_ERROR, "L-TOOLKIT", "%s has no function %s", path, entries[i].name);
      pl_fix(sink, "use a CUDA toolkit of version 13.0 or later");
      return -ELIBBAD;
    }
    memcpy(entries[i].slot, &address, sizeof address);
  }
  return 0;
}

pl_status pl_libnvvm_open(const pl_toolkit *toolkit, pl_sink *sink, pl_libnvvm *library) {
#define ENTRY(result, name, arguments) {"nvvm" #name, &library->name},
  const struct entry entries[] = {PL_LIBNVVM_FUNCTIONS(ENTRY)};
#undef ENTRY
  return fill("libNVVM", toolkit->libnvvm, toolkit, entries, sizeof entries / sizeof *entries, sink);
}

pl_status pl_nvjitlink_open(const pl_toolkit *toolkit, pl_sink *sink, pl_nvjitlink *library) {
#define ENTRY(result, name, arguments) {"nvJitLink" #name, &library->name},
  const struct entry entries[] = {PL_NVJITLINK_FUNCTIONS(ENTRY)};
#undef ENTRY
  return fill("nvJitLink", toolkit->libnvjitlink, toolkit, entries, sizeof entries / sizeof *entries, sink);
}

pl_status pl_nvjitlink_version(const char *path, unsigned *major, unsigned *minor) {
  void *library = load(path);
  void *address = library ? dlsym(library, "nvJitLinkVersion") : NULL;
  if (!address)
    return -ELIBACC;
  int (*version)(unsigned *, unsigned *);
  memcpy(&version, &address, sizeof version);
  return version(major, minor) ? -ELIBBAD : 0;
}

const char *pl_nvjitlink_result_name(int result) {
  static const char *const names[] = {"SUCCESS",
                                      "UNRECOGNIZED_OPTION",
                                      "MISSING_ARCH",
                                      "INVALID_INPUT",
                                      "PTX_COMPILE",
                                      "NVVM_COMPILE",
                                      "INTERNAL",
                                      "THREADPOOL",
                                      "UNRECOGNIZED_INPUT",
                                      "FINALIZE",
                                      "NULL_INPUT",
                                      "INCOMPATIBLE_OPTIONS",
                                      "INCORRECT_INPUT_TYPE",
                                      "ARCH_MISMATCH",
                                      "OUTDATED_LIBRARY",
                                      "MISSING_FATBIN",
                                      "UNRECOGNIZED_ARCH",
                                      "UNSUPPORTED_ARCH",
                                      "LTO_NOT_ENABLED"};
  return result >= 0 && (size_t)result < sizeof names / sizeof *names ? names[result] : "unknown result";
}
