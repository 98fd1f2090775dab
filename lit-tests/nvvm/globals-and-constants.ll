; Global variables of every kind, initialisers that hold addresses, constant expressions, numbers to the last bit.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

%record = type { i32, ptr, [2 x i16], <2 x float> }

; CHECK: @plain = addrspace(1) externally_initialized global i32 5, align 4
@plain = hidden addrspace(1) externally_initialized global i32 5, align 4
; CHECK: @table = internal addrspace(4) constant [3 x double] [double 0x3FF0000000000000, double 0x0000000000000001, double 0xFFF8000000000000], align 8
@table = internal unnamed_addr addrspace(4) constant [3 x double] [double 1.0, double 0x1, double 0xFFF8000000000000], align 8
; CHECK: @floats = internal addrspace(4) constant [3 x float] [float 0x3FB99999A0000000, float 0x36A0000000000000, float 0x7FF8000020000000]
@floats = internal addrspace(4) constant [3 x float] [float 0x3FB99999A0000000, float 0x36A0000000000000, float 0x7FF8000020000000], align 4
; CHECK: @halves = internal addrspace(4) constant { half, i16, <2 x i16> } { half 0xH3E00, i16 16320, <2 x i16> <i16 16256, i16 -16384> }
@halves = internal addrspace(4) constant { half, bfloat, <2 x bfloat> } { half 1.5, bfloat 1.5, <2 x bfloat> <bfloat 1.0, bfloat -2.0> }, align 4
; CHECK: @shared = internal addrspace(3) global [64 x i32] undef, align 128
@shared = internal addrspace(3) global [64 x i32] undef, align 128
; CHECK: @dynamic = external addrspace(3) global [0 x i8], align 1024
@dynamic = external addrspace(3) global [0 x i8], align 1024
; CHECK: @.text = internal constant [8 x i8] c"a\22b\5C\0A\00\C3\01", align 1
@.text = private unnamed_addr constant [8 x i8] c"a\22b\5C\0A\00\C3\01", align 1
; CHECK: @record = internal addrspace(1) global { i32, i8*, [2 x i16], <2 x float> } { i32 7, i8* getelementptr inbounds (i8, i8* bitcast ([8 x i8]* @.text to i8*), i64 2), [2 x i16] [i16 1, i16 undef], <2 x float> zeroinitializer }, align 8
@record = internal addrspace(1) global %record { i32 7, ptr getelementptr inbounds (i8, ptr @.text, i64 2), [2 x i16] [i16 1, i16 poison], <2 x float> zeroinitializer }, align 8
; CHECK: @places = internal addrspace(1) global [3 x i8*] [i8* addrspacecast (i8 addrspace(1)* bitcast (i32 addrspace(1)* @plain to i8 addrspace(1)*) to i8*), i8* null, i8* addrspacecast (i8 addrspace(1)* bitcast ({ i32, i8*, [2 x i16], <2 x float> } addrspace(1)* @record to i8 addrspace(1)*) to i8*)]
@places = internal addrspace(1) global [3 x ptr] [ptr addrspacecast (ptr addrspace(1) @plain to ptr), ptr null, ptr getelementptr (%record, ptr addrspacecast (ptr addrspace(1) @record to ptr), i64 0)], align 8
; CHECK: @packed = internal addrspace(1) global <{ i8, i32, [0 x i64] }> <{ i8 -1, i32 -559038737, [0 x i64] zeroinitializer }>, align 1
@packed = internal addrspace(1) global <{ i8, i32, [0 x i64] }> <{ i8 255, i32 3735928559, [0 x i64] zeroinitializer }>, align 1
; CHECK: @wide = internal addrspace(1) global [2 x i128] [i128 170141183460469231731687303715884105727, i128 -1], align 16
@wide = internal addrspace(1) global [2 x i128] [i128 170141183460469231731687303715884105727, i128 -1], align 16
; CHECK: @distance = internal addrspace(1) global i64 sub (i64 ptrtoint (i8 addrspace(1)* {{.*}}@packed{{.*}} to i64), i64 ptrtoint ({{.*}}@packed{{.*}} to i64)), align 8
@distance = internal addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @packed, i64 3) to i64), i64 ptrtoint (ptr addrspace(1) @packed to i64)), align 8
; Names that PTX cannot spell; a global without a name.
; CHECK: @pipelink$0 = internal addrspace(1) global i32 1, align 4
@"two words" = internal addrspace(1) global i32 1, align 4
; CHECK: @pipelink$1 = internal addrspace(1) global i32 2, align 4
@0 = private addrspace(1) global i32 2, align 4
; CHECK: @"3d" = internal addrspace(1) global i32 3, align 4
@"3d" = internal addrspace(1) global i32 3, align 4
; Marks for LLVM are not data.
; CHECK-NOT: llvm.compiler.used
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @plain to ptr)], section "llvm.metadata"

; CHECK-LABEL: define void @uses(
; CHECK: load i32, i32 addrspace(1)* {{%v[0-9]+}}, align 4
; CHECK: bitcast i8 addrspace(3)* bitcast ([0 x i8] addrspace(3)* @dynamic to i8 addrspace(3)*) to i32 addrspace(3)*
define ptx_kernel void @uses(ptr %out, i64 %i, i32 %j) #0 {
  %1 = load i32, ptr addrspace(1) @plain, align 4
  %2 = load i32, ptr addrspace(3) @dynamic, align 4
  %slot = getelementptr [64 x i32], ptr addrspace(3) @shared, i32 0, i32 %j
  %3 = load i32, ptr addrspace(3) %slot, align 4
  %entry = getelementptr double, ptr addrspace(4) @table, i64 %i
  %4 = load double, ptr addrspace(4) %entry, align 8
  %5 = load ptr, ptr addrspace(1) getelementptr inbounds (%record, ptr addrspace(1) @record, i64 0, i32 1), align 8
  %6 = load i8, ptr %5, align 1
  %7 = load i32, ptr addrspace(1) @"two words", align 4
  %8 = load i32, ptr addrspace(1) @0, align 4
  %9 = load i32, ptr addrspace(1) @"3d", align 4
  %place = getelementptr [3 x ptr], ptr addrspace(1) @places, i64 0, i64 %i
  %10 = load ptr, ptr addrspace(1) %place, align 8
  %11 = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @packed, i64 1), align 1
  %12 = load i128, ptr addrspace(1) @wide, align 16
  %13 = load i64, ptr addrspace(1) @distance, align 8
  %14 = load half, ptr addrspace(4) @halves, align 2
  %float = getelementptr float, ptr addrspace(4) @floats, i64 %i
  %15 = load float, ptr addrspace(4) %float, align 4
  store volatile i32 %1, ptr %out
  store volatile i32 %2, ptr %out
  store volatile i32 %3, ptr %out
  store volatile double %4, ptr %out
  store volatile i8 %6, ptr %out
  store volatile i32 %7, ptr %out
  store volatile i32 %8, ptr %out
  store volatile i32 %9, ptr %out
  store volatile ptr %10, ptr %out
  store volatile i32 %11, ptr %out
  store volatile i128 %12, ptr %out
  store volatile i64 %13, ptr %out
  store volatile half %14, ptr %out
  store volatile float %15, ptr %out
  store volatile ptr getelementptr ([64 x i32], ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 0, i64 5), ptr %out
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
