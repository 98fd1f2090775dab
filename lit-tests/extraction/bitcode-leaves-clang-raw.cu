// The front end's -O3 output, untouched by optional passes: calls, allocas, lifetimes and type tags are there, optnone is
// not; so for every file of a stage, with or without attributes. PTX and objects are optimised as ever.
// RUN: %stage-cc -S %s -DSTAGE -o - | FileCheck %s --check-prefixes=RAW,CONTRACT --implicit-check-not=optnone
// RUN: %stage-cc -S %s -o - | FileCheck %s --check-prefix=RAW --implicit-check-not=optnone --implicit-check-not=pipelink
// RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90a --cuda-path=%cuda -Wno-unknown-cuda-version -O3 -fplugin=%plugin -S %s -DSTAGE -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=call --implicit-check-not=.local
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
// CONTRACT: !pipelink.contract = !{
// PTX: .func{{.*}}_Z3runv
// PTX: st.global.b32 [result], 42;
