// The front end's -O3 output, untouched by optional passes: calls, allocas, lifetimes and type tags are there, optnone is
// not. A file without a stage is optimised as ever, plugin or not.
// RUN: %stage-cc -S %s -DSTAGE -o - | FileCheck %s --check-prefix=RAW --implicit-check-not=optnone
// RUN: %stage-cc -S %s -o - | FileCheck %s --check-prefix=OPTIMISED --implicit-check-not=alloca --implicit-check-not=pipelink
#ifdef STAGE
struct [[pipelink::stage("org.raw", "1.0.0")]] stage;
[[pipelink::role("run", 1)]]
#endif
__device__ void run();

static __device__ int helper(int x) { int y = x * 2; return y; }
__device__ int result;
__device__ void run() { result = helper(21); }

// RAW: define {{.*}}void @_Z3runv()
// RAW: call {{.*}}i32 @_ZL6helperi(i32 noundef 21)
// RAW: define internal {{.*}}i32 @_ZL6helperi(
// RAW: alloca i32
// RAW: call void @llvm.lifetime.start
// RAW: !tbaa
// OPTIMISED: define {{.*}}void @_Z3runv()
// OPTIMISED-NEXT: store i32 42
