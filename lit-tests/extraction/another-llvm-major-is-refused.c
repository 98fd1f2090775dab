// A host of another major is told both versions and ends, before anything of the plugin's C++ runs, whatever symbols it
// lacks. Here the host is a program with LLVM 19's answer to LLVMGetVersion; with 22's it goes on, and without any it
// is told so. Clang 14, where there is one, is told the name of its library.
// RUN: %cc -rdynamic -DVERSION=19,1,7 %s -o %t.host -ldl
// RUN: not %t.host %plugin 2>&1 | FileCheck %s --check-prefix=CLANG
// RUN: not %t.host %optplugin 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: %cc -rdynamic -DVERSION=22,9,9 %s -o %t.host -ldl
// RUN: %t.host %plugin 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %t.host %optplugin 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %cc -rdynamic %s -o %t.host -ldl
// RUN: not %t.host %plugin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: if test -x /usr/bin/clang-14; then not clang-14 -fplugin=%plugin -x c -c /dev/null -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOURTEEN; fi
//
// CLANG: PipeLinkClang.so: error: this plugin is for LLVM 22.{{[0-9.]+}}, and was loaded into LLVM 19.1.7
// CLANG-NOT: survived
// OPT: PipeLinkOpt.so: error: this plugin is for LLVM 22.{{[0-9.]+}}, and was loaded into LLVM 19.1.7
// OPT-NOT: survived
// SAME-NOT: error
// SAME: survived: loaded
// NONE: PipeLinkClang.so: error: this plugin is for LLVM 22.{{[0-9.]+}}, and was loaded into a program without LLVM
// NONE-NOT: survived
// FOURTEEN: PipeLinkClang.so: error: this plugin is for LLVM 22.{{[0-9.]+}}, and was loaded into libLLVM-14
#include <dlfcn.h>
#include <stdio.h>

#ifdef VERSION
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  const unsigned version[] = {VERSION};
  *major = version[0];
  *minor = version[1];
  *patch = version[2];
}
#endif

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL) : NULL;
  printf("survived: %s\n", plugin ? "loaded" : dlerror());
  return plugin ? 0 : 1;
}
