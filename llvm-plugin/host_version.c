/* host_version.c - refuses a host of another LLVM major before any of its C++ is called.
 *
 * A plugin takes LLVM and Clang from the program that loads it and fits one major only. Neither clang nor opt asks
 * a plugin which; without this file they would crash, or go on without the contract.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_of(void *symbol) {
  Dl_info info;
  const char *path = symbol && dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "a program without LLVM";
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* 101: the first that a program may use, so before the registration of the C++ part. */
__attribute__((constructor(101))) static void check_host(void) {
  void *version = dlsym(RTLD_DEFAULT, "LLVMGetVersion"); /* since LLVM 16 */
  char host[64] = "";
  if (version) {
    unsigned major, minor, patch;
    void (*get_version)(unsigned *, unsigned *, unsigned *);
    memcpy(&get_version, &version, sizeof get_version);
    get_version(&major, &minor, &patch);
    if (major == PIPELINK_LLVM_MAJOR)
      return;
    snprintf(host, sizeof host, "LLVM %u.%u.%u", major, minor, patch);
  } else {
    snprintf(host, sizeof host, "%.60s", file_of(dlsym(RTLD_DEFAULT, "LLVMContextCreate")));
  }
  static const char here;
  fprintf(stderr, "%s: error: this plugin is for LLVM %s, and was loaded into %s\n", file_of((void *)&here),
          PIPELINK_LLVM_VERSION, host);
  /* A constructor cannot refuse to be loaded, and to go on would be to compile without the contract. */
  _Exit(1);
}
