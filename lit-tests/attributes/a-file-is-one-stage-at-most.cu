// Two are refused. None is a file of a stage that another file declares: its contract has everything else.
// RUN: not %stage-cc -c %s -DFIRST -DSECOND -o %t.bc 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not=error:
// RUN: %stage-cc -c %s -DFIRST -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefixes=ONE,ALL
// RUN: %stage-cc -c %s -Werror -o %t.bc && %contract %t.bc | FileCheck %s --check-prefix=ALL --implicit-check-not='"kind":"stage"'
#include <pipelink/stage.h>

#ifdef FIRST
// ONE: "kind":"stage"
PIPELINK_STAGE("org.first", "1.0.0");
#endif
#ifdef SECOND
// TWO: [[@LINE+1]]:1: error: a file declares one stage, this one has two
PIPELINK_STAGE("org.second", "1.0.0");
// TWO: [[@LINE-5]]:1: note: the other one is here
#endif

// ALL: @_Z1av {"kind":"role"
[[pipelink::role("a", 1)]] __device__ void a() {}
