// Every attribute in its C++ and in its GNU spelling, on C++ and on extern "C" code: two files, one contract.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && %stage-cc -c cxx/stage.cu -o cxx.bc && %stage-cc -c gnu/stage.cu -o gnu.bc
// RUN: cd %t && %contract cxx.bc | sed 's/"loc":{[^}]*}//' > cxx.txt && %contract gnu.bc | sed 's/"loc":{[^}]*}//' > gnu.txt
// RUN: diff %t/cxx.txt %t/gnu.txt
// RUN: FileCheck %s < %t/cxx.txt
//
// CHECK:      "kind":"stage"{{.*}}"name":"org.two","version":"1.2.3-rc.1"
// CHECK-NEXT: "align":8,"fields":[{"name":"x"{{.*}}"kind":"params"{{.*}}"opaque":false,"size":8,"struct":"Params"
// CHECK-NEXT: "align":8,"fields":[],"kind":"params"{{.*}}"opaque":true,"size":8,"struct":"Opaque"
// CHECK-NEXT: @_Z5scalef {{.*}}"kind":"import"{{.*}}"name":"scale"
// CHECK-NEXT: @bias {{.*}}"function":"float bias(float)","kind":"import"{{.*}}"name":"bias"
// CHECK-NEXT: @relu {{.*}}"kind":"export"{{.*}}"name":"relu"
// CHECK-NEXT: @buffer {"align":128,"bytes":1024,"kind":"shared"{{.*}}"name":"buffer"
// CHECK-NEXT: @_Z3runRK6Params {"cluster":[2,1,1],"kind":"role"{{.*}}"name":"run","params":"Params","symbol":"_Z3runRK6Params","warps":4}
// CHECK-NEXT: @wide {"kind":"role"{{.*}}"registers":[24,40,48],"symbol":"wide","warps":4,"warps_max":8,"warps_min":4,"warps_multiple":4}
// CHECK-NEXT: @thing {"kind":"thing"{{.*}}"name":"thing","symbol":"thing"}
// CHECK-NEXT: @plain {"kind":"role"{{.*}}"name":"plain","params":null,"symbol":"plain","warps":1}

//--- cxx/stage.cu
struct [[pipelink::stage("org.two", "1.2.3-rc.1")]] stage;
struct [[pipelink::params]] Params { int *x; };
struct [[pipelink::params("opaque")]] Opaque { int *x; };
[[pipelink::import("scale")]] __device__ float scale(float);
extern "C" [[pipelink::import("bias")]] __device__ float bias(float);
extern "C" { [[pipelink::export("relu")]] __device__ float relu(float x) { return x > 0 ? x : 0; } }
[[pipelink::shared("buffer", 1024, 128)]] extern __shared__ int buffer[];
[[pipelink::role("run", 4), pipelink::cluster(2)]] __device__ void run(const Params &p) { *p.x = buffer[0]; }
extern "C" [[pipelink::role("wide", 4), pipelink::warps(4, 8, 4), pipelink::registers(24, 40, 48)]] __device__ void wide() {}
struct Thing { struct contract { static constexpr const char *kind = "thing"; }; };
[[pipelink::resource("thing")]] extern __device__ const Thing thing;
extern "C" [[pipelink::role("plain", 1)]] __device__ void plain() {}

//--- gnu/stage.cu
struct __attribute__((pipelink_stage("org.two", "1.2.3-rc.1"))) stage;
struct __attribute__((pipelink_params)) Params { int *x; };
struct __attribute__((pipelink_params("opaque"))) Opaque { int *x; };
__attribute__((pipelink_import("scale"))) __device__ float scale(float);
extern "C" __device__ float bias(float) __attribute__((pipelink_import("bias")));
extern "C" { __device__ __attribute__((pipelink_export("relu"))) float relu(float x) { return x > 0 ? x : 0; } }
extern __shared__ int buffer[] __attribute__((pipelink_shared("buffer", 1024, 128)));
__device__ __attribute__((pipelink_role("run", 4), pipelink_cluster(2))) void run(const Params &p) { *p.x = buffer[0]; }
extern "C" __device__ __attribute__((pipelink_role("wide", 4), pipelink_warps(4, 8, 4), pipelink_registers(24, 40, 48))) void wide() {}
struct Thing { struct contract { static constexpr const char *kind = "thing"; }; };
extern __device__ const Thing thing __attribute__((pipelink_resource("thing")));
extern "C" __attribute__((pipelink_role("plain", 1))) __device__ void plain() {}
