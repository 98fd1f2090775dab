; LLVM 7 has no smin, smax, umin, umax, abs, scmp, ucmp: comparisons and selects, of the right signedness, on vectors too.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @extremes(
; CHECK: [[C:%v[0-9]+]] = icmp slt i32 [[A:%a.[0-9]+]], [[B:%b.[0-9]+]]
; CHECK-NEXT: select i1 [[C]], i32 [[A]], i32 [[B]]
; CHECK: icmp slt i64
; CHECK: icmp slt i8
; CHECK: [[C:%v[0-9]+]] = icmp slt <2 x i32>
; CHECK-NEXT: select <2 x i1> [[C]]
; CHECK: [[C:%v[0-9]+]] = icmp sgt i32 [[A:%a.[0-9]+]], [[B:%b.[0-9]+]]
; CHECK-NEXT: select i1 [[C]], i32 [[A]], i32 [[B]]
; CHECK: icmp sgt i64
; CHECK: icmp sgt i8
; CHECK: [[C:%v[0-9]+]] = icmp sgt <2 x i32>
; CHECK-NEXT: select <2 x i1> [[C]]
; CHECK: [[C:%v[0-9]+]] = icmp ult i32 [[A:%a.[0-9]+]], [[B:%b.[0-9]+]]
; CHECK-NEXT: select i1 [[C]], i32 [[A]], i32 [[B]]
; CHECK: icmp ult i64
; CHECK: icmp ult i8
; CHECK: [[C:%v[0-9]+]] = icmp ult <2 x i32>
; CHECK-NEXT: select <2 x i1> [[C]]
; CHECK: [[C:%v[0-9]+]] = icmp ugt i32 [[A:%a.[0-9]+]], [[B:%b.[0-9]+]]
; CHECK-NEXT: select i1 [[C]], i32 [[A]], i32 [[B]]
; CHECK: icmp ugt i64
; CHECK: icmp ugt i8
; CHECK: [[C:%v[0-9]+]] = icmp ugt <2 x i32>
; CHECK-NEXT: select <2 x i1> [[C]]
define ptx_kernel void @extremes(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load i32, ptr %b.at, align 4
  %c.at = getelementptr i8, ptr %base, i64 8
  %c = load i64, ptr %c.at, align 8
  %d.at = getelementptr i8, ptr %base, i64 16
  %d = load i64, ptr %d.at, align 8
  %x.at = getelementptr i8, ptr %base, i64 24
  %x = load i8, ptr %x.at, align 1
  %y.at = getelementptr i8, ptr %base, i64 25
  %y = load i8, ptr %y.at, align 1
  %v.at = getelementptr i8, ptr %base, i64 32
  %v = load <2 x i32>, ptr %v.at, align 8
  %w.at = getelementptr i8, ptr %base, i64 40
  %w = load <2 x i32>, ptr %w.at, align 8
  %r0 = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %r1 = call i64 @llvm.smin.i64(i64 %c, i64 %d)
  %r2 = call i8 @llvm.smin.i8(i8 %x, i8 %y)
  %r3 = call <2 x i32> @llvm.smin.v2i32(<2 x i32> %v, <2 x i32> %w)
  %r4 = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %r5 = call i64 @llvm.smax.i64(i64 %c, i64 %d)
  %r6 = call i8 @llvm.smax.i8(i8 %x, i8 %y)
  %r7 = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %v, <2 x i32> %w)
  %r8 = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %r9 = call i64 @llvm.umin.i64(i64 %c, i64 %d)
  %r10 = call i8 @llvm.umin.i8(i8 %x, i8 %y)
  %r11 = call <2 x i32> @llvm.umin.v2i32(<2 x i32> %v, <2 x i32> %w)
  %r12 = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %r13 = call i64 @llvm.umax.i64(i64 %c, i64 %d)
  %r14 = call i8 @llvm.umax.i8(i8 %x, i8 %y)
  %r15 = call <2 x i32> @llvm.umax.v2i32(<2 x i32> %v, <2 x i32> %w)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 8
  store i64 %r1, ptr %out.1, align 8
  %out.2 = getelementptr i8, ptr %result, i64 16
  store i8 %r2, ptr %out.2, align 1
  %out.3 = getelementptr i8, ptr %result, i64 24
  store <2 x i32> %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 32
  store i32 %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 40
  store i64 %r5, ptr %out.5, align 8
  %out.6 = getelementptr i8, ptr %result, i64 48
  store i8 %r6, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 56
  store <2 x i32> %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 64
  store i32 %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 72
  store i64 %r9, ptr %out.9, align 8
  %out.10 = getelementptr i8, ptr %result, i64 80
  store i8 %r10, ptr %out.10, align 1
  %out.11 = getelementptr i8, ptr %result, i64 88
  store <2 x i32> %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 96
  store i32 %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 104
  store i64 %r13, ptr %out.13, align 8
  %out.14 = getelementptr i8, ptr %result, i64 112
  store i8 %r14, ptr %out.14, align 1
  %out.15 = getelementptr i8, ptr %result, i64 120
  store <2 x i32> %r15, ptr %out.15, align 8
  ret void
}

; CHECK-LABEL: define void @magnitude(
; CHECK: [[N:%v[0-9]+]] = icmp slt i32 [[A:%a.[0-9]+]], 0
; CHECK-NEXT: [[M:%v[0-9]+]] = sub i32 0, [[A]]
; CHECK-NEXT: select i1 [[N]], i32 [[M]], i32 [[A]]
; CHECK: icmp sgt i32
; CHECK: icmp slt i32
; CHECK: icmp ugt i32
; CHECK: icmp ult i32
define ptx_kernel void @magnitude(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %c.at = getelementptr i8, ptr %base, i64 8
  %c = load i64, ptr %c.at, align 8
  %x.at = getelementptr i8, ptr %base, i64 16
  %x = load i16, ptr %x.at, align 2
  %v.at = getelementptr i8, ptr %base, i64 20
  %v = load <4 x i8>, ptr %v.at, align 4
  %b.at = getelementptr i8, ptr %base, i64 24
  %b = load i32, ptr %b.at, align 4
  %r0 = call i32 @llvm.abs.i32(i32 %a, i1 false)
  %r1 = call i64 @llvm.abs.i64(i64 %c, i1 false)
  %r2 = call i16 @llvm.abs.i16(i16 %x, i1 false)
  %r3 = call <4 x i8> @llvm.abs.v4i8(<4 x i8> %v, i1 false)
  %r4 = call i8 @llvm.scmp.i8.i32(i32 %a, i32 %b)
  %r5 = call i32 @llvm.ucmp.i32.i32(i32 %a, i32 %b)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 8
  store i64 %r1, ptr %out.1, align 8
  %out.2 = getelementptr i8, ptr %result, i64 16
  store i16 %r2, ptr %out.2, align 2
  %out.3 = getelementptr i8, ptr %result, i64 20
  store <4 x i8> %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 24
  store i8 %r4, ptr %out.4, align 1
  %out.5 = getelementptr i8, ptr %result, i64 28
  store i32 %r5, ptr %out.5, align 4
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
