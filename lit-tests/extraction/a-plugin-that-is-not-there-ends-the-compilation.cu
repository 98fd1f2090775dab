// A bare name is not looked for in the current folder, a wrong path is not passed over. An empty path loads nothing and
// clang goes on; then the module has no contract, and whoever wants one says so.
// RUN: rm -rf %t && mkdir -p %t && cp %plugin %t && cd %t && not %plain-cc -fplugin=PipeLinkClang.so -c %s -o %t/no.bc 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not %plain-cc -fplugin=/nowhere/PipeLinkClang.so -c %s -o %t/no.bc 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not test -e %t/no.bc
// RUN: %plain-cc -fplugin=./PipeLinkClang.so -fsyntax-only %s -working-directory %t || cd %t && %plain-cc -fplugin=./PipeLinkClang.so -c %s -o %t/yes.bc && %contract %t/yes.bc
// RUN: %plain-cc -fplugin= -c %s -o %t/empty.bc && not %contract %t/empty.bc 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %opt -load-pass-plugin= -passes=pipelink-contract -disable-output %t/yes.bc 2>&1 | FileCheck %s --check-prefix=OPT-EMPTY
// RUN: not %opt -load-pass-plugin=PipeLinkOpt.so -passes=pipelink-contract -disable-output %t/yes.bc 2>&1 | FileCheck %s --check-prefix=OPT-BARE
// BARE: error: unable to load plugin 'PipeLinkClang.so'
// PATH: error: unable to load plugin '/nowhere/PipeLinkClang.so'
// EMPTY: error: {{.*}}empty.bc' has no !pipelink.contract; was it compiled with -fplugin=PipeLinkClang.so?
// OPT-EMPTY: {{error|ERROR}}: {{.*}}''
// OPT-BARE: Could not load library 'PipeLinkOpt.so'
#include <pipelink/stage.h>
PIPELINK_STAGE("org.there", "1.0.0");
[[pipelink::role("run", 1)]] __device__ void run() {}
