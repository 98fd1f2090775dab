; Funnel shifts by every amount, 0 and more than the width included (libNVVM's own llvm.fshl is wrong for 0),
; and counting, reversing and swapping.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @shifts(
; CHECK-NOT: llvm.fsh
; CHECK: call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %b.{{[0-9]+}}, i32 %a.{{[0-9]+}}, i32 %n.{{[0-9]+}})
; CHECK: call i32 asm "shf.r.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %b.{{[0-9]+}}, i32 %a.{{[0-9]+}}, i32 %n.{{[0-9]+}})
; CHECK: ret void
define ptx_kernel void @shifts(ptr %in, ptr %out) #0 {
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
  %n.at = getelementptr i8, ptr %base, i64 28
  %n = load i32, ptr %n.at, align 4
  %v.at = getelementptr i8, ptr %base, i64 32
  %v = load <2 x i32>, ptr %v.at, align 8
  %w.at = getelementptr i8, ptr %base, i64 40
  %w = load <2 x i32>, ptr %w.at, align 8
  %n64 = zext i32 %n to i64
  %n8 = trunc i32 %n to i8
  %nv = insertelement <2 x i32> <i32 0, i32 32>, i32 %n, i32 0
  %r0 = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %n)
  %r1 = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 0)
  %r2 = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 37)
  %r3 = call i64 @llvm.fshl.i64(i64 %c, i64 %d, i64 %n64)
  %r4 = call i64 @llvm.fshl.i64(i64 %c, i64 %d, i64 64)
  %r5 = call i64 @llvm.fshl.i64(i64 %c, i64 %d, i64 13)
  %r6 = call i8 @llvm.fshl.i8(i8 %x, i8 %y, i8 %n8)
  %r7 = call <2 x i32> @llvm.fshl.v2i32(<2 x i32> %v, <2 x i32> %w, <2 x i32> %nv)
  %r8 = call i64 @llvm.fshl.i64(i64 %c, i64 %c, i64 %n64)
  %r9 = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %n)
  %r10 = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %n)
  %r11 = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 0)
  %r12 = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 37)
  %r13 = call i64 @llvm.fshr.i64(i64 %c, i64 %d, i64 %n64)
  %r14 = call i64 @llvm.fshr.i64(i64 %c, i64 %d, i64 64)
  %r15 = call i64 @llvm.fshr.i64(i64 %c, i64 %d, i64 13)
  %r16 = call i8 @llvm.fshr.i8(i8 %x, i8 %y, i8 %n8)
  %r17 = call <2 x i32> @llvm.fshr.v2i32(<2 x i32> %v, <2 x i32> %w, <2 x i32> %nv)
  %r18 = call i64 @llvm.fshr.i64(i64 %c, i64 %c, i64 %n64)
  %r19 = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 %n)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store i32 %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store i32 %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 16
  store i64 %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 24
  store i64 %r4, ptr %out.4, align 8
  %out.5 = getelementptr i8, ptr %result, i64 32
  store i64 %r5, ptr %out.5, align 8
  %out.6 = getelementptr i8, ptr %result, i64 40
  store i8 %r6, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 48
  store <2 x i32> %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 56
  store i64 %r8, ptr %out.8, align 8
  %out.9 = getelementptr i8, ptr %result, i64 64
  store i32 %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 68
  store i32 %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 72
  store i32 %r11, ptr %out.11, align 4
  %out.12 = getelementptr i8, ptr %result, i64 76
  store i32 %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 80
  store i64 %r13, ptr %out.13, align 8
  %out.14 = getelementptr i8, ptr %result, i64 88
  store i64 %r14, ptr %out.14, align 8
  %out.15 = getelementptr i8, ptr %result, i64 96
  store i64 %r15, ptr %out.15, align 8
  %out.16 = getelementptr i8, ptr %result, i64 104
  store i8 %r16, ptr %out.16, align 1
  %out.17 = getelementptr i8, ptr %result, i64 112
  store <2 x i32> %r17, ptr %out.17, align 8
  %out.18 = getelementptr i8, ptr %result, i64 120
  store i64 %r18, ptr %out.18, align 8
  %out.19 = getelementptr i8, ptr %result, i64 128
  store i32 %r19, ptr %out.19, align 4
  ret void
}

; CHECK-LABEL: define void @counts(
; CHECK: call i32 @llvm.ctpop.i32(
; CHECK: call i32 @llvm.ctlz.i32(i32 %a.{{[0-9]+}}, i1 false)
; CHECK: [[R:%v[0-9]+]] = call i32 @llvm.bitreverse.i32(i32 %a.{{[0-9]+}})
; CHECK-NEXT: call i32 @llvm.ctlz.i32(i32 [[R]], i1 false)
; CHECK: call i32 @llvm.nvvm.prmt(i32 %a.{{[0-9]+}}, i32 0, i32 291)
define ptx_kernel void @counts(ptr %in, ptr %out) #0 {
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
  %x = load i8, ptr %x.at, align 1
  %h.at = getelementptr i8, ptr %base, i64 18
  %h = load i16, ptr %h.at, align 2
  %v.at = getelementptr i8, ptr %base, i64 24
  %v = load <2 x i32>, ptr %v.at, align 8
  %r0 = call i32 @llvm.ctpop.i32(i32 %a)
  %r1 = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %r2 = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %nz3 = or i32 %a, 1
  %r3 = call i32 @llvm.ctlz.i32(i32 %nz3, i1 true)
  %r4 = call i32 @llvm.bitreverse.i32(i32 %a)
  %r5 = call i32 @llvm.bswap.i32(i32 %a)
  %r6 = call i64 @llvm.ctpop.i64(i64 %c)
  %r7 = call i64 @llvm.ctlz.i64(i64 %c, i1 false)
  %r8 = call i64 @llvm.cttz.i64(i64 %c, i1 false)
  %nz9 = or i64 %c, 1
  %r9 = call i64 @llvm.ctlz.i64(i64 %nz9, i1 true)
  %r10 = call i64 @llvm.bitreverse.i64(i64 %c)
  %r11 = call i64 @llvm.bswap.i64(i64 %c)
  %r12 = call i8 @llvm.ctpop.i8(i8 %x)
  %r13 = call i8 @llvm.ctlz.i8(i8 %x, i1 false)
  %r14 = call i8 @llvm.cttz.i8(i8 %x, i1 false)
  %nz15 = or i8 %x, 1
  %r15 = call i8 @llvm.ctlz.i8(i8 %nz15, i1 true)
  %r16 = call i8 @llvm.bitreverse.i8(i8 %x)
  %r17 = call i16 @llvm.ctpop.i16(i16 %h)
  %r18 = call i16 @llvm.ctlz.i16(i16 %h, i1 false)
  %r19 = call i16 @llvm.cttz.i16(i16 %h, i1 false)
  %nz20 = or i16 %h, 1
  %r20 = call i16 @llvm.ctlz.i16(i16 %nz20, i1 true)
  %r21 = call i16 @llvm.bitreverse.i16(i16 %h)
  %r22 = call i16 @llvm.bswap.i16(i16 %h)
  %r23 = call <2 x i32> @llvm.ctpop.v2i32(<2 x i32> %v)
  %r24 = call <2 x i32> @llvm.ctlz.v2i32(<2 x i32> %v, i1 false)
  %r25 = call <2 x i32> @llvm.cttz.v2i32(<2 x i32> %v, i1 false)
  %nz26 = or <2 x i32> %v, <i32 1, i32 1>
  %r26 = call <2 x i32> @llvm.ctlz.v2i32(<2 x i32> %nz26, i1 true)
  %r27 = call <2 x i32> @llvm.bitreverse.v2i32(<2 x i32> %v)
  %r28 = call <2 x i32> @llvm.bswap.v2i32(<2 x i32> %v)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store i32 %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store i32 %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store i32 %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 16
  store i32 %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 20
  store i32 %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 24
  store i64 %r6, ptr %out.6, align 8
  %out.7 = getelementptr i8, ptr %result, i64 32
  store i64 %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 40
  store i64 %r8, ptr %out.8, align 8
  %out.9 = getelementptr i8, ptr %result, i64 48
  store i64 %r9, ptr %out.9, align 8
  %out.10 = getelementptr i8, ptr %result, i64 56
  store i64 %r10, ptr %out.10, align 8
  %out.11 = getelementptr i8, ptr %result, i64 64
  store i64 %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 72
  store i8 %r12, ptr %out.12, align 1
  %out.13 = getelementptr i8, ptr %result, i64 73
  store i8 %r13, ptr %out.13, align 1
  %out.14 = getelementptr i8, ptr %result, i64 74
  store i8 %r14, ptr %out.14, align 1
  %out.15 = getelementptr i8, ptr %result, i64 75
  store i8 %r15, ptr %out.15, align 1
  %out.16 = getelementptr i8, ptr %result, i64 76
  store i8 %r16, ptr %out.16, align 1
  %out.17 = getelementptr i8, ptr %result, i64 78
  store i16 %r17, ptr %out.17, align 2
  %out.18 = getelementptr i8, ptr %result, i64 80
  store i16 %r18, ptr %out.18, align 2
  %out.19 = getelementptr i8, ptr %result, i64 82
  store i16 %r19, ptr %out.19, align 2
  %out.20 = getelementptr i8, ptr %result, i64 84
  store i16 %r20, ptr %out.20, align 2
  %out.21 = getelementptr i8, ptr %result, i64 86
  store i16 %r21, ptr %out.21, align 2
  %out.22 = getelementptr i8, ptr %result, i64 88
  store i16 %r22, ptr %out.22, align 2
  %out.23 = getelementptr i8, ptr %result, i64 96
  store <2 x i32> %r23, ptr %out.23, align 8
  %out.24 = getelementptr i8, ptr %result, i64 104
  store <2 x i32> %r24, ptr %out.24, align 8
  %out.25 = getelementptr i8, ptr %result, i64 112
  store <2 x i32> %r25, ptr %out.25, align 8
  %out.26 = getelementptr i8, ptr %result, i64 120
  store <2 x i32> %r26, ptr %out.26, align 8
  %out.27 = getelementptr i8, ptr %result, i64 128
  store <2 x i32> %r27, ptr %out.27, align 8
  %out.28 = getelementptr i8, ptr %result, i64 136
  store <2 x i32> %r28, ptr %out.28, align 8
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
