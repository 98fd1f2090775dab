; Saturation is spelt out; arithmetic with overflow LLVM 7 has.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @saturation(
; CHECK-NOT: .sat.
; CHECK: ret void
define ptx_kernel void @saturation(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load i32, ptr %b.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load i8, ptr %x.at, align 1
  %y.at = getelementptr i8, ptr %base, i64 9
  %y = load i8, ptr %y.at, align 1
  %v.at = getelementptr i8, ptr %base, i64 12
  %v = load <2 x i16>, ptr %v.at, align 4
  %w.at = getelementptr i8, ptr %base, i64 16
  %w = load <2 x i16>, ptr %w.at, align 4
  %c.at = getelementptr i8, ptr %base, i64 24
  %c = load i64, ptr %c.at, align 8
  %d.at = getelementptr i8, ptr %base, i64 32
  %d = load i64, ptr %d.at, align 8
  %r0 = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  %r1 = call i8 @llvm.sadd.sat.i8(i8 %x, i8 %y)
  %r2 = call <2 x i16> @llvm.sadd.sat.v2i16(<2 x i16> %v, <2 x i16> %w)
  %r3 = call i64 @llvm.sadd.sat.i64(i64 %c, i64 %d)
  %r4 = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  %r5 = call i8 @llvm.uadd.sat.i8(i8 %x, i8 %y)
  %r6 = call <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16> %v, <2 x i16> %w)
  %r7 = call i64 @llvm.uadd.sat.i64(i64 %c, i64 %d)
  %r8 = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  %r9 = call i8 @llvm.ssub.sat.i8(i8 %x, i8 %y)
  %r10 = call <2 x i16> @llvm.ssub.sat.v2i16(<2 x i16> %v, <2 x i16> %w)
  %r11 = call i64 @llvm.ssub.sat.i64(i64 %c, i64 %d)
  %r12 = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  %r13 = call i8 @llvm.usub.sat.i8(i8 %x, i8 %y)
  %r14 = call <2 x i16> @llvm.usub.sat.v2i16(<2 x i16> %v, <2 x i16> %w)
  %r15 = call i64 @llvm.usub.sat.i64(i64 %c, i64 %d)
  %s = and i32 %b, 31
  %r16 = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %s)
  %r17 = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %s)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store i8 %r1, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 8
  store <2 x i16> %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 16
  store i64 %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 24
  store i32 %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 28
  store i8 %r5, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 32
  store <2 x i16> %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 40
  store i64 %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 48
  store i32 %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 52
  store i8 %r9, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 56
  store <2 x i16> %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 64
  store i64 %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 72
  store i32 %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 76
  store i8 %r13, ptr %out.13, align 1
  %out.14 = getelementptr i8, ptr %result, i64 80
  store <2 x i16> %r14, ptr %out.14, align 4
  %out.15 = getelementptr i8, ptr %result, i64 88
  store i64 %r15, ptr %out.15, align 8
  %out.16 = getelementptr i8, ptr %result, i64 96
  store i32 %r16, ptr %out.16, align 4
  %out.17 = getelementptr i8, ptr %result, i64 100
  store i32 %r17, ptr %out.17, align 4
  ret void
}

; CHECK-LABEL: define void @overflow32(
; CHECK: call { i32, i1 } @llvm.sadd.with.overflow.i32(
define ptx_kernel void @overflow32(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load i32, ptr %b.at, align 4
  %o0 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %v0 = extractvalue { i32, i1 } %o0, 0
  %f0 = extractvalue { i32, i1 } %o0, 1
  %z0 = zext i1 %f0 to i8
  %o1 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %v1 = extractvalue { i32, i1 } %o1, 0
  %f1 = extractvalue { i32, i1 } %o1, 1
  %z1 = zext i1 %f1 to i8
  %o2 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %v2 = extractvalue { i32, i1 } %o2, 0
  %f2 = extractvalue { i32, i1 } %o2, 1
  %z2 = zext i1 %f2 to i8
  %o3 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %v3 = extractvalue { i32, i1 } %o3, 0
  %f3 = extractvalue { i32, i1 } %o3, 1
  %z3 = zext i1 %f3 to i8
  %o4 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %v4 = extractvalue { i32, i1 } %o4, 0
  %f4 = extractvalue { i32, i1 } %o4, 1
  %z4 = zext i1 %f4 to i8
  %o5 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %v5 = extractvalue { i32, i1 } %o5, 0
  %f5 = extractvalue { i32, i1 } %o5, 1
  %z5 = zext i1 %f5 to i8
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %v0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store i8 %z0, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 8
  store i32 %v1, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store i8 %z1, ptr %out.3, align 1
  %out.4 = getelementptr i8, ptr %result, i64 16
  store i32 %v2, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 20
  store i8 %z2, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 24
  store i32 %v3, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 28
  store i8 %z3, ptr %out.7, align 1
  %out.8 = getelementptr i8, ptr %result, i64 32
  store i32 %v4, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 36
  store i8 %z4, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 40
  store i32 %v5, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 44
  store i8 %z5, ptr %out.11, align 1
  ret void
}

define ptx_kernel void @overflow64(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %c = load i64, ptr %base, align 8
  %d.at = getelementptr i8, ptr %base, i64 8
  %d = load i64, ptr %d.at, align 8
  %o0 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %c, i64 %d)
  %v0 = extractvalue { i64, i1 } %o0, 0
  %f0 = extractvalue { i64, i1 } %o0, 1
  %z0 = zext i1 %f0 to i8
  %o1 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %c, i64 %d)
  %v1 = extractvalue { i64, i1 } %o1, 0
  %f1 = extractvalue { i64, i1 } %o1, 1
  %z1 = zext i1 %f1 to i8
  %o2 = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %c, i64 %d)
  %v2 = extractvalue { i64, i1 } %o2, 0
  %f2 = extractvalue { i64, i1 } %o2, 1
  %z2 = zext i1 %f2 to i8
  %o3 = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %c, i64 %d)
  %v3 = extractvalue { i64, i1 } %o3, 0
  %f3 = extractvalue { i64, i1 } %o3, 1
  %z3 = zext i1 %f3 to i8
  %o4 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %c, i64 %d)
  %v4 = extractvalue { i64, i1 } %o4, 0
  %f4 = extractvalue { i64, i1 } %o4, 1
  %z4 = zext i1 %f4 to i8
  %o5 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %c, i64 %d)
  %v5 = extractvalue { i64, i1 } %o5, 0
  %f5 = extractvalue { i64, i1 } %o5, 1
  %z5 = zext i1 %f5 to i8
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i64 %v0, ptr %out.0, align 8
  %out.1 = getelementptr i8, ptr %result, i64 8
  store i8 %z0, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 16
  store i64 %v1, ptr %out.2, align 8
  %out.3 = getelementptr i8, ptr %result, i64 24
  store i8 %z1, ptr %out.3, align 1
  %out.4 = getelementptr i8, ptr %result, i64 32
  store i64 %v2, ptr %out.4, align 8
  %out.5 = getelementptr i8, ptr %result, i64 40
  store i8 %z2, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 48
  store i64 %v3, ptr %out.6, align 8
  %out.7 = getelementptr i8, ptr %result, i64 56
  store i8 %z3, ptr %out.7, align 1
  %out.8 = getelementptr i8, ptr %result, i64 64
  store i64 %v4, ptr %out.8, align 8
  %out.9 = getelementptr i8, ptr %result, i64 72
  store i8 %z4, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 80
  store i64 %v5, ptr %out.10, align 8
  %out.11 = getelementptr i8, ptr %result, i64 88
  store i8 %z5, ptr %out.11, align 1
  ret void
}

define ptx_kernel void @overflow8(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %x = load i8, ptr %base, align 1
  %y.at = getelementptr i8, ptr %base, i64 1
  %y = load i8, ptr %y.at, align 1
  %o0 = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %x, i8 %y)
  %v0 = extractvalue { i8, i1 } %o0, 0
  %f0 = extractvalue { i8, i1 } %o0, 1
  %z0 = zext i1 %f0 to i8
  %o1 = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %x, i8 %y)
  %v1 = extractvalue { i8, i1 } %o1, 0
  %f1 = extractvalue { i8, i1 } %o1, 1
  %z1 = zext i1 %f1 to i8
  %o2 = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %x, i8 %y)
  %v2 = extractvalue { i8, i1 } %o2, 0
  %f2 = extractvalue { i8, i1 } %o2, 1
  %z2 = zext i1 %f2 to i8
  %o3 = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %x, i8 %y)
  %v3 = extractvalue { i8, i1 } %o3, 0
  %f3 = extractvalue { i8, i1 } %o3, 1
  %z3 = zext i1 %f3 to i8
  %o4 = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %x, i8 %y)
  %v4 = extractvalue { i8, i1 } %o4, 0
  %f4 = extractvalue { i8, i1 } %o4, 1
  %z4 = zext i1 %f4 to i8
  %o5 = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %x, i8 %y)
  %v5 = extractvalue { i8, i1 } %o5, 0
  %f5 = extractvalue { i8, i1 } %o5, 1
  %z5 = zext i1 %f5 to i8
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i8 %v0, ptr %out.0, align 1
  %out.1 = getelementptr i8, ptr %result, i64 1
  store i8 %z0, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 2
  store i8 %v1, ptr %out.2, align 1
  %out.3 = getelementptr i8, ptr %result, i64 3
  store i8 %z1, ptr %out.3, align 1
  %out.4 = getelementptr i8, ptr %result, i64 4
  store i8 %v2, ptr %out.4, align 1
  %out.5 = getelementptr i8, ptr %result, i64 5
  store i8 %z2, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 6
  store i8 %v3, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 7
  store i8 %z3, ptr %out.7, align 1
  %out.8 = getelementptr i8, ptr %result, i64 8
  store i8 %v4, ptr %out.8, align 1
  %out.9 = getelementptr i8, ptr %result, i64 9
  store i8 %z4, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 10
  store i8 %v5, ptr %out.10, align 1
  %out.11 = getelementptr i8, ptr %result, i64 11
  store i8 %z5, ptr %out.11, align 1
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
