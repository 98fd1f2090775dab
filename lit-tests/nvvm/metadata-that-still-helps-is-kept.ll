; Ranges, alias analysis, invariant and streaming accesses, loop hints; what LLVM 7 does not know is left out.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @kept(
; CHECK: load i32, i32* {{%v[0-9]+}}, align 4, !tbaa [[T:![0-9]+]], !range [[R:![0-9]+]]
; CHECK-NOT: !noundef
; CHECK: load i32, i32 addrspace(1)* {{%v[0-9]+}}, align 4, !invariant.load [[E:![0-9]+]]
; CHECK: store i32 {{.*}}, align 4, !nontemporal [[N:![0-9]+]]
; CHECK: load float, float* {{.*}}, !alias.scope [[S:![0-9]+]]
; CHECK: store float {{.*}}, !noalias [[S]]
; CHECK: br i1 {{.*}}, !llvm.loop [[L:![0-9]+]]
define ptx_kernel void @kept(ptr %in, ptr %out, i32 %n) #0 {
entry:
  %g = addrspacecast ptr %in to ptr addrspace(1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %place, align 4, !tbaa !1, !range !4, !noundef !5
  %b = load i32, ptr addrspace(1) %g, align 4, !invariant.load !5
  %sum = add i32 %a, %b
  %target = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %target, align 4, !nontemporal !6, !annotation !7
  %f = load float, ptr %place, align 4, !alias.scope !8
  store float %f, ptr %target, align 4, !noalias !8
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !11
done:
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }

; CHECK-DAG: [[T]] = !{[[I:![0-9]+]], [[I]], i64 0}
; CHECK-DAG: [[I]] = !{!"int", {{![0-9]+}}, i64 0}
; CHECK-DAG: [[R]] = !{i32 0, i32 1000}
; CHECK-DAG: [[E]] = !{}
; CHECK-DAG: [[N]] = !{i32 1}
; CHECK-DAG: [[SCOPE:![0-9]+]] = distinct !{[[SCOPE]], [[D:![0-9]+]], !"a \22scope\22"}
; CHECK-DAG: [[D]] = distinct !{[[D]]}
; CHECK-DAG: [[S]] = !{[[SCOPE]]}
; CHECK-DAG: [[L]] = distinct !{[[L]], {{![0-9]+}}}
; CHECK-DAG: !{!"llvm.loop.unroll.count", i32 2}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"omnipotent char"}
!4 = !{i32 0, i32 1000}
!5 = !{}
!6 = !{i32 1}
!7 = !{!"only for LLVM"}
!8 = !{!9}
!9 = distinct !{!9, !10, !"a \22scope\22"}
!10 = distinct !{!10}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.unroll.count", i32 2}
