; What launch bounds, clusters and grid constants are called in NVVM; the kernel is kept by @llvm.used; parameters passed
; by value keep type and alignment.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %codegen %s --codegen=writer-only --arch=sm_120a | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: %codegen %s --log | FileCheck %s --check-prefix=LOG

target triple = "nvptx64-nvidia-cuda"

%block = type { [64 x i8], ptr, i32 }

; OLD: define void @bounded({ [64 x i8], i8*, i32 }* byval nocapture align 64 %parameters.0.in, i8* noalias nocapture %out.1)
; NEW: define void @bounded({ [64 x i8], i8*, i32 }* byval({ [64 x i8], i8*, i32 }) nocapture align 64 %parameters.0.in, i8* noalias nocapture %out.1)
; CHECK: %parameters.0 = bitcast { [64 x i8], i8*, i32 }* %parameters.0.in to i8*
define hidden ptx_kernel void @bounded(ptr noundef readonly byval(%block) align 64 captures(none) "nvvm.grid_constant" %parameters, ptr noalias captures(none) %out) #0 {
  %field = getelementptr %block, ptr %parameters, i32 0, i32 2
  %value = load i32, ptr %field, align 8
  store i32 %value, ptr %out, align 4
  ret void
}

define ptx_kernel void @plain(ptr %out) {
  store i32 1, ptr %out, align 4
  ret void
}

define ptx_kernel void @exact(ptr %out) #1 {
  store i32 1, ptr %out, align 4
  ret void
}

attributes #0 = { convergent noinline nounwind "nvvm.maxntid"="128,2,1" "nvvm.minctasm"="2" "nvvm.cluster_dim"="1,1,1" "nvvm.maxnreg"="40" }
attributes #1 = { "nvvm.reqntid"="32" "nvvm.maxclusterrank"="4" }

; CHECK: @llvm.used = appending global [3 x i8*] [i8* bitcast (void ({ [64 x i8], i8*, i32 }*, i8*)* @bounded to i8*), i8* bitcast (void (i8*)* @plain to i8*), i8* bitcast (void (i8*)* @exact to i8*)], section "llvm.metadata"
; CHECK: [[G:![0-9]+]] = !{i32 1}
; CHECK: [[B:![0-9]+]] = !{void ({ [64 x i8], i8*, i32 }*, i8*)* @bounded, !"kernel", i32 1, !"maxntidx", i32 128, !"maxntidy", i32 2, !"maxntidz", i32 1, !"minctasm", i32 2, !"maxnreg", i32 40, !"cluster_dim_x", i32 1, !"cluster_dim_y", i32 1, !"cluster_dim_z", i32 1, !"grid_constant", [[G]]}
; CHECK: [[P:![0-9]+]] = !{void (i8*)* @plain, !"kernel", i32 1}
; CHECK: [[E:![0-9]+]] = !{void (i8*)* @exact, !"kernel", i32 1, !"reqntidx", i32 32, !"cluster_max_blocks", i32 4}
; CHECK: !nvvmir.version = !{!0}
; CHECK: !nvvm.annotations = !{[[B]], [[P]], [[E]]}

; LOG-NOT: {{[Ww]arning}}
; LOG: Compiling entry function 'bounded'
