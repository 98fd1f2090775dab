; Branches, switches, phis, blocks in any order; freeze is a move that the optimiser cannot see through.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @flow(
; CHECK: switch i32 %which.{{[0-9]+}}, label %other.{{[0-9]+}} [
; CHECK-NEXT: i32 1, label %one.{{[0-9]+}}
; CHECK-NEXT: i32 -5, label %five.{{[0-9]+}}
; CHECK-NEXT: i32 100, label %one.{{[0-9]+}}
; CHECK-NEXT: ]
; CHECK: unreachable
; CHECK: %sum.{{[0-9]+}} = phi i32 [ 0, %one.{{[0-9]+}} ], [ %next.{{[0-9]+}}, %loop.{{[0-9]+}} ]
; CHECK: !llvm.loop
; CHECK: %early.{{[0-9]+}} = bitcast i32 {{%v[0-9]+}} to i32
define ptx_kernel void @flow(ptr %in, ptr %out) #0 {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %raw = load i32, ptr %base, align 4
  %which.wide = urem i32 %raw, 7
  %which = sub i32 %which.wide, 5
  %bound = and i32 %raw, 15
  switch i32 %which, label %other [
    i32 1, label %one
    i32 -5, label %five
    i32 100, label %one
  ]

never:
  unreachable

uses:
  %used = phi i32 [ %early, %defines ]
  store i32 %used, ptr %result, align 4
  br label %done

one:
  br label %loop

loop:
  %sum = phi i32 [ 0, %one ], [ %next, %loop ]
  %i = phi i32 [ 0, %one ], [ %i.next, %loop ]
  %next = add i32 %sum, %i
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i, %bound
  br i1 %again, label %loop, label %store, !llvm.loop !1

store:
  %total = phi i32 [ %next, %loop ], [ 55, %five ]
  store i32 %total, ptr %result, align 4
  br label %done

five:
  %odd = icmp eq i32 %raw, -1
  br i1 %odd, label %store, label %defines

defines:
  %early = freeze i32 %raw
  br label %uses

other:
  store i32 %which, ptr %result, align 4
  br label %done

done:
  ret void
}

; CHECK-LABEL: define void @frozen(
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %a.{{[0-9]+}}) nounwind readnone
; CHECK: [[W:%v[0-9]+]] = zext i1 %c.{{[0-9]+}} to i16
; CHECK-NEXT: [[M:%v[0-9]+]] = call i16 asm "mov.b16 $0, $1;", "=h,h"(i16 [[W]])
; CHECK-NEXT: trunc i16 [[M]] to i1
; CHECK: call float asm "mov.f32 $0, $1;", "=f,f"
; CHECK: extractelement <2 x i32>
; CHECK: extractvalue { i32, double }
; CHECK: call i8* asm "mov.b64 $0, $1;", "=l,l"
define ptx_kernel void @frozen(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %c = icmp slt i32 %a, 17
  %v = load <2 x i32>, ptr %base, align 8
  %s = load { i32, double }, ptr %base, align 8
  %h = load half, ptr %base, align 2
  %l = load i128, ptr %base, align 16
  %fl = bitcast i32 %a to float
  %a.frozen = freeze i32 %a
  %c.frozen = freeze i1 %c
  %f.frozen = freeze float %fl
  %v.frozen = freeze <2 x i32> %v
  %s.frozen = freeze { i32, double } %s
  %h.frozen = freeze half %h
  %l.frozen = freeze i128 %l
  %p.frozen = freeze ptr %result
  %c.wide = zext i1 %c.frozen to i32
  store i32 %a.frozen, ptr %p.frozen, align 4
  %o1 = getelementptr i8, ptr %result, i64 4
  store i32 %c.wide, ptr %o1, align 4
  %o2 = getelementptr i8, ptr %result, i64 8
  store float %f.frozen, ptr %o2, align 4
  %o3 = getelementptr i8, ptr %result, i64 16
  store <2 x i32> %v.frozen, ptr %o3, align 8
  %o4 = getelementptr i8, ptr %result, i64 24
  store { i32, double } %s.frozen, ptr %o4, align 8
  %o5 = getelementptr i8, ptr %result, i64 40
  store half %h.frozen, ptr %o5, align 2
  %o6 = getelementptr i8, ptr %result, i64 48
  store i128 %l.frozen, ptr %o6, align 16
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }

!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
