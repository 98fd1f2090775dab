// RUN: not %stage-cc -c %s -DFIRST -DSECOND -o %t.bc 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not=error:
// RUN: not %stage-cc -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=error:
// RUN: %stage-cc -c %s -DFIRST -Werror -o %t.bc
#include <pipelink/stage.h>

#ifdef FIRST
PIPELINK_STAGE("org.first", "1.0.0");
#endif
#ifdef SECOND
// TWO: [[@LINE+1]]:1: error: a file declares one stage, this one has two
PIPELINK_STAGE("org.second", "1.0.0");
// TWO: [[@LINE-5]]:1: note: the other one is here
#endif

// NONE: [[@LINE+1]]:44: error: this file declares seams or roles but no stage; begin it with PIPELINK_STAGE("package.name", "1.0.0");
[[pipelink::role("a", 1)]] __device__ void a() {}
