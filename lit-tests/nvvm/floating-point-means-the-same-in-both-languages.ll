; Negation, division, square roots, comparisons, rounding, minima and maxima with their NaN rules, saturating conversions.
; libNVVM for compute_90a rounds llvm.round to even; it is not used for that.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @arithmetic(
; CHECK: fsub float -0.0, %a
; CHECK: fsub double -0.0, %x
; CHECK: fdiv contract float
; CHECK: call float @llvm.nvvm.div.approx.f(
; CHECK: fadd nnan ninf nsz arcp contract afn reassoc float
; CHECK: call float @llvm.nvvm.sqrt.f(
; CHECK: call float @llvm.nvvm.sqrt.approx.f(
; CHECK: fmul contract float %a.{{[0-9]+}}, 0x7FF0000000000000
; CHECK: fadd contract float %a.{{[0-9]+}}, 0x7FF8000020000000
; CHECK: fmul contract double %x.{{[0-9]+}}, 0x0000000000000001
; CHECK: fsub contract float 0x36A0000000000000, %b
define ptx_kernel void @arithmetic(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load float, ptr %b.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr i8, ptr %base, i64 16
  %y = load double, ptr %y.at, align 8
  %r0 = fneg float %a
  %r1 = fneg double %x
  %r2 = fdiv contract float %a, %b
  %r3 = fdiv contract double %x, %y
  %r4 = fdiv contract afn float %a, %b
  %r5 = fadd nnan ninf nsz arcp contract afn reassoc float %a, %b
  %r6 = call float @llvm.sqrt.f32(float %a)
  %r7 = call double @llvm.sqrt.f64(double %x)
  %r8 = call afn float @llvm.sqrt.f32(float %a)
  %r9 = fmul contract float %a, 0x7FF0000000000000
  %r10 = fadd contract float %a, 0x7FF8000020000000
  %r11 = fmul contract double %x, 0x0000000000000001
  %r12 = fsub contract float 0x36A0000000000000, %b
  %out.0 = getelementptr i8, ptr %result, i64 0
  store float %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 8
  store double %r1, ptr %out.1, align 8
  %out.2 = getelementptr i8, ptr %result, i64 16
  store float %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 24
  store double %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 32
  store float %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 36
  store float %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 40
  store float %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 48
  store double %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 56
  store float %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 60
  store float %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 64
  store float %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 72
  store double %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 80
  store float %r12, ptr %out.12, align 4
  ret void
}

; CHECK-LABEL: define void @comparisons(
; CHECK: fcmp oeq float
; CHECK: fcmp une double
; CHECK: = select i1 %c3
; CHECK: fcmp nnan olt float
define ptx_kernel void @comparisons(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load float, ptr %b.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr i8, ptr %base, i64 16
  %y = load double, ptr %y.at, align 8
  %c0 = fcmp oeq float %a, %b
  %d0 = fcmp oeq double %x, %y
  %z0 = zext i1 %c0 to i8
  %w0 = zext i1 %d0 to i8
  %c1 = fcmp ogt float %a, %b
  %d1 = fcmp ogt double %x, %y
  %z1 = zext i1 %c1 to i8
  %w1 = zext i1 %d1 to i8
  %c2 = fcmp oge float %a, %b
  %d2 = fcmp oge double %x, %y
  %z2 = zext i1 %c2 to i8
  %w2 = zext i1 %d2 to i8
  %c3 = fcmp olt float %a, %b
  %d3 = fcmp olt double %x, %y
  %z3 = zext i1 %c3 to i8
  %w3 = zext i1 %d3 to i8
  %c4 = fcmp ole float %a, %b
  %d4 = fcmp ole double %x, %y
  %z4 = zext i1 %c4 to i8
  %w4 = zext i1 %d4 to i8
  %c5 = fcmp one float %a, %b
  %d5 = fcmp one double %x, %y
  %z5 = zext i1 %c5 to i8
  %w5 = zext i1 %d5 to i8
  %c6 = fcmp ord float %a, %b
  %d6 = fcmp ord double %x, %y
  %z6 = zext i1 %c6 to i8
  %w6 = zext i1 %d6 to i8
  %c7 = fcmp uno float %a, %b
  %d7 = fcmp uno double %x, %y
  %z7 = zext i1 %c7 to i8
  %w7 = zext i1 %d7 to i8
  %c8 = fcmp ueq float %a, %b
  %d8 = fcmp ueq double %x, %y
  %z8 = zext i1 %c8 to i8
  %w8 = zext i1 %d8 to i8
  %c9 = fcmp ugt float %a, %b
  %d9 = fcmp ugt double %x, %y
  %z9 = zext i1 %c9 to i8
  %w9 = zext i1 %d9 to i8
  %c10 = fcmp uge float %a, %b
  %d10 = fcmp uge double %x, %y
  %z10 = zext i1 %c10 to i8
  %w10 = zext i1 %d10 to i8
  %c11 = fcmp ult float %a, %b
  %d11 = fcmp ult double %x, %y
  %z11 = zext i1 %c11 to i8
  %w11 = zext i1 %d11 to i8
  %c12 = fcmp ule float %a, %b
  %d12 = fcmp ule double %x, %y
  %z12 = zext i1 %c12 to i8
  %w12 = zext i1 %d12 to i8
  %c13 = fcmp une float %a, %b
  %d13 = fcmp une double %x, %y
  %z13 = zext i1 %c13 to i8
  %w13 = zext i1 %d13 to i8
  %s0 = select nnan nsz i1 %c3, float %a, float %b
  %s1 = fcmp nnan olt float %a, %b
  %s2 = zext i1 %s1 to i8
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i8 %z0, ptr %out.0, align 1
  %out.1 = getelementptr i8, ptr %result, i64 1
  store i8 %w0, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 2
  store i8 %z1, ptr %out.2, align 1
  %out.3 = getelementptr i8, ptr %result, i64 3
  store i8 %w1, ptr %out.3, align 1
  %out.4 = getelementptr i8, ptr %result, i64 4
  store i8 %z2, ptr %out.4, align 1
  %out.5 = getelementptr i8, ptr %result, i64 5
  store i8 %w2, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 6
  store i8 %z3, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 7
  store i8 %w3, ptr %out.7, align 1
  %out.8 = getelementptr i8, ptr %result, i64 8
  store i8 %z4, ptr %out.8, align 1
  %out.9 = getelementptr i8, ptr %result, i64 9
  store i8 %w4, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 10
  store i8 %z5, ptr %out.10, align 1
  %out.11 = getelementptr i8, ptr %result, i64 11
  store i8 %w5, ptr %out.11, align 1
  %out.12 = getelementptr i8, ptr %result, i64 12
  store i8 %z6, ptr %out.12, align 1
  %out.13 = getelementptr i8, ptr %result, i64 13
  store i8 %w6, ptr %out.13, align 1
  %out.14 = getelementptr i8, ptr %result, i64 14
  store i8 %z7, ptr %out.14, align 1
  %out.15 = getelementptr i8, ptr %result, i64 15
  store i8 %w7, ptr %out.15, align 1
  %out.16 = getelementptr i8, ptr %result, i64 16
  store i8 %z8, ptr %out.16, align 1
  %out.17 = getelementptr i8, ptr %result, i64 17
  store i8 %w8, ptr %out.17, align 1
  %out.18 = getelementptr i8, ptr %result, i64 18
  store i8 %z9, ptr %out.18, align 1
  %out.19 = getelementptr i8, ptr %result, i64 19
  store i8 %w9, ptr %out.19, align 1
  %out.20 = getelementptr i8, ptr %result, i64 20
  store i8 %z10, ptr %out.20, align 1
  %out.21 = getelementptr i8, ptr %result, i64 21
  store i8 %w10, ptr %out.21, align 1
  %out.22 = getelementptr i8, ptr %result, i64 22
  store i8 %z11, ptr %out.22, align 1
  %out.23 = getelementptr i8, ptr %result, i64 23
  store i8 %w11, ptr %out.23, align 1
  %out.24 = getelementptr i8, ptr %result, i64 24
  store i8 %z12, ptr %out.24, align 1
  %out.25 = getelementptr i8, ptr %result, i64 25
  store i8 %w12, ptr %out.25, align 1
  %out.26 = getelementptr i8, ptr %result, i64 26
  store i8 %z13, ptr %out.26, align 1
  %out.27 = getelementptr i8, ptr %result, i64 27
  store i8 %w13, ptr %out.27, align 1
  %out.28 = getelementptr i8, ptr %result, i64 28
  store float %s0, ptr %out.28, align 4
  ret void
}

; CHECK-LABEL: define void @rounding(
; CHECK-NOT: @llvm.round
; CHECK: ret void
define ptx_kernel void @rounding(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %h.at = getelementptr i8, ptr %base, i64 16
  %h = load half, ptr %h.at, align 2
  %v.at = getelementptr i8, ptr %base, i64 24
  %v = load <2 x float>, ptr %v.at, align 8
  %r0 = call float @llvm.floor.f32(float %a)
  %r1 = call double @llvm.floor.f64(double %x)
  %r2 = call half @llvm.floor.f16(half %h)
  %r3 = call <2 x float> @llvm.floor.v2f32(<2 x float> %v)
  %r4 = call float @llvm.ceil.f32(float %a)
  %r5 = call double @llvm.ceil.f64(double %x)
  %r6 = call half @llvm.ceil.f16(half %h)
  %r7 = call <2 x float> @llvm.ceil.v2f32(<2 x float> %v)
  %r8 = call float @llvm.trunc.f32(float %a)
  %r9 = call double @llvm.trunc.f64(double %x)
  %r10 = call half @llvm.trunc.f16(half %h)
  %r11 = call <2 x float> @llvm.trunc.v2f32(<2 x float> %v)
  %r12 = call float @llvm.rint.f32(float %a)
  %r13 = call double @llvm.rint.f64(double %x)
  %r14 = call half @llvm.rint.f16(half %h)
  %r15 = call <2 x float> @llvm.rint.v2f32(<2 x float> %v)
  %r16 = call float @llvm.nearbyint.f32(float %a)
  %r17 = call double @llvm.nearbyint.f64(double %x)
  %r18 = call half @llvm.nearbyint.f16(half %h)
  %r19 = call <2 x float> @llvm.nearbyint.v2f32(<2 x float> %v)
  %r20 = call float @llvm.round.f32(float %a)
  %r21 = call double @llvm.round.f64(double %x)
  %r22 = call half @llvm.round.f16(half %h)
  %r23 = call <2 x float> @llvm.round.v2f32(<2 x float> %v)
  %r24 = call float @llvm.roundeven.f32(float %a)
  %r25 = call double @llvm.roundeven.f64(double %x)
  %r26 = call half @llvm.roundeven.f16(half %h)
  %r27 = call <2 x float> @llvm.roundeven.v2f32(<2 x float> %v)
  %r28 = call float @llvm.fabs.f32(float %a)
  %r29 = call double @llvm.fabs.f64(double %x)
  %r30 = call half @llvm.fabs.f16(half %h)
  %r31 = call <2 x float> @llvm.fabs.v2f32(<2 x float> %v)
  %r32 = call float @llvm.canonicalize.f32(float %a)
  %r33 = call double @llvm.canonicalize.f64(double %x)
  %r34 = call half @llvm.canonicalize.f16(half %h)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store float %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 8
  store double %r1, ptr %out.1, align 8
  %out.2 = getelementptr i8, ptr %result, i64 16
  store half %r2, ptr %out.2, align 2
  %out.3 = getelementptr i8, ptr %result, i64 24
  store <2 x float> %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 32
  store float %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 40
  store double %r5, ptr %out.5, align 8
  %out.6 = getelementptr i8, ptr %result, i64 48
  store half %r6, ptr %out.6, align 2
  %out.7 = getelementptr i8, ptr %result, i64 56
  store <2 x float> %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 64
  store float %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 72
  store double %r9, ptr %out.9, align 8
  %out.10 = getelementptr i8, ptr %result, i64 80
  store half %r10, ptr %out.10, align 2
  %out.11 = getelementptr i8, ptr %result, i64 88
  store <2 x float> %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 96
  store float %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 104
  store double %r13, ptr %out.13, align 8
  %out.14 = getelementptr i8, ptr %result, i64 112
  store half %r14, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 120
  store <2 x float> %r15, ptr %out.15, align 8
  %out.16 = getelementptr i8, ptr %result, i64 128
  store float %r16, ptr %out.16, align 4
  %out.17 = getelementptr i8, ptr %result, i64 136
  store double %r17, ptr %out.17, align 8
  %out.18 = getelementptr i8, ptr %result, i64 144
  store half %r18, ptr %out.18, align 2
  %out.19 = getelementptr i8, ptr %result, i64 152
  store <2 x float> %r19, ptr %out.19, align 8
  %out.20 = getelementptr i8, ptr %result, i64 160
  store float %r20, ptr %out.20, align 4
  %out.21 = getelementptr i8, ptr %result, i64 168
  store double %r21, ptr %out.21, align 8
  %out.22 = getelementptr i8, ptr %result, i64 176
  store half %r22, ptr %out.22, align 2
  %out.23 = getelementptr i8, ptr %result, i64 184
  store <2 x float> %r23, ptr %out.23, align 8
  %out.24 = getelementptr i8, ptr %result, i64 192
  store float %r24, ptr %out.24, align 4
  %out.25 = getelementptr i8, ptr %result, i64 200
  store double %r25, ptr %out.25, align 8
  %out.26 = getelementptr i8, ptr %result, i64 208
  store half %r26, ptr %out.26, align 2
  %out.27 = getelementptr i8, ptr %result, i64 216
  store <2 x float> %r27, ptr %out.27, align 8
  %out.28 = getelementptr i8, ptr %result, i64 224
  store float %r28, ptr %out.28, align 4
  %out.29 = getelementptr i8, ptr %result, i64 232
  store double %r29, ptr %out.29, align 8
  %out.30 = getelementptr i8, ptr %result, i64 240
  store half %r30, ptr %out.30, align 2
  %out.31 = getelementptr i8, ptr %result, i64 248
  store <2 x float> %r31, ptr %out.31, align 8
  %out.32 = getelementptr i8, ptr %result, i64 256
  store float %r32, ptr %out.32, align 4
  %out.33 = getelementptr i8, ptr %result, i64 264
  store double %r33, ptr %out.33, align 8
  %out.34 = getelementptr i8, ptr %result, i64 272
  store half %r34, ptr %out.34, align 2
  ret void
}

; CHECK-LABEL: define void @extremes(
; CHECK: call float @llvm.minnum.f32(
; CHECK: min.f16
; CHECK: min.NaN.f32
define ptx_kernel void @extremes(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load float, ptr %b.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr i8, ptr %base, i64 16
  %y = load double, ptr %y.at, align 8
  %h.at = getelementptr i8, ptr %base, i64 24
  %h = load half, ptr %h.at, align 2
  %g.at = getelementptr i8, ptr %base, i64 26
  %g = load half, ptr %g.at, align 2
  %v.at = getelementptr i8, ptr %base, i64 28
  %v = load <2 x half>, ptr %v.at, align 4
  %w.at = getelementptr i8, ptr %base, i64 32
  %w = load <2 x half>, ptr %w.at, align 4
  %r0 = call float @llvm.minnum.f32(float %a, float %b)
  %r1 = call double @llvm.minnum.f64(double %x, double %y)
  %r2 = call half @llvm.minnum.f16(half %h, half %g)
  %r3 = call <2 x half> @llvm.minnum.v2f16(<2 x half> %v, <2 x half> %w)
  %r4 = call float @llvm.maxnum.f32(float %a, float %b)
  %r5 = call double @llvm.maxnum.f64(double %x, double %y)
  %r6 = call half @llvm.maxnum.f16(half %h, half %g)
  %r7 = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %v, <2 x half> %w)
  %r8 = call float @llvm.minimum.f32(float %a, float %b)
  %r9 = call double @llvm.minimum.f64(double %x, double %y)
  %r10 = call half @llvm.minimum.f16(half %h, half %g)
  %r11 = call <2 x half> @llvm.minimum.v2f16(<2 x half> %v, <2 x half> %w)
  %r12 = call float @llvm.maximum.f32(float %a, float %b)
  %r13 = call double @llvm.maximum.f64(double %x, double %y)
  %r14 = call half @llvm.maximum.f16(half %h, half %g)
  %r15 = call <2 x half> @llvm.maximum.v2f16(<2 x half> %v, <2 x half> %w)
  %r16 = call float @llvm.minimumnum.f32(float %a, float %b)
  %r17 = call double @llvm.minimumnum.f64(double %x, double %y)
  %r18 = call half @llvm.minimumnum.f16(half %h, half %g)
  %r19 = call <2 x half> @llvm.minimumnum.v2f16(<2 x half> %v, <2 x half> %w)
  %r20 = call float @llvm.maximumnum.f32(float %a, float %b)
  %r21 = call double @llvm.maximumnum.f64(double %x, double %y)
  %r22 = call half @llvm.maximumnum.f16(half %h, half %g)
  %r23 = call <2 x half> @llvm.maximumnum.v2f16(<2 x half> %v, <2 x half> %w)
  %r24 = call float @llvm.copysign.f32(float %a, float %b)
  %r25 = call double @llvm.copysign.f64(double %x, double %y)
  %r26 = call half @llvm.copysign.f16(half %h, half %g)
  %r27 = call <2 x half> @llvm.copysign.v2f16(<2 x half> %v, <2 x half> %w)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store float %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 8
  store double %r1, ptr %out.1, align 8
  %out.2 = getelementptr i8, ptr %result, i64 16
  store half %r2, ptr %out.2, align 2
  %out.3 = getelementptr i8, ptr %result, i64 20
  store <2 x half> %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 24
  store float %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 32
  store double %r5, ptr %out.5, align 8
  %out.6 = getelementptr i8, ptr %result, i64 40
  store half %r6, ptr %out.6, align 2
  %out.7 = getelementptr i8, ptr %result, i64 44
  store <2 x half> %r7, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 48
  store float %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 56
  store double %r9, ptr %out.9, align 8
  %out.10 = getelementptr i8, ptr %result, i64 64
  store half %r10, ptr %out.10, align 2
  %out.11 = getelementptr i8, ptr %result, i64 68
  store <2 x half> %r11, ptr %out.11, align 4
  %out.12 = getelementptr i8, ptr %result, i64 72
  store float %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 80
  store double %r13, ptr %out.13, align 8
  %out.14 = getelementptr i8, ptr %result, i64 88
  store half %r14, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 92
  store <2 x half> %r15, ptr %out.15, align 4
  %out.16 = getelementptr i8, ptr %result, i64 96
  store float %r16, ptr %out.16, align 4
  %out.17 = getelementptr i8, ptr %result, i64 104
  store double %r17, ptr %out.17, align 8
  %out.18 = getelementptr i8, ptr %result, i64 112
  store half %r18, ptr %out.18, align 2
  %out.19 = getelementptr i8, ptr %result, i64 116
  store <2 x half> %r19, ptr %out.19, align 4
  %out.20 = getelementptr i8, ptr %result, i64 120
  store float %r20, ptr %out.20, align 4
  %out.21 = getelementptr i8, ptr %result, i64 128
  store double %r21, ptr %out.21, align 8
  %out.22 = getelementptr i8, ptr %result, i64 136
  store half %r22, ptr %out.22, align 2
  %out.23 = getelementptr i8, ptr %result, i64 140
  store <2 x half> %r23, ptr %out.23, align 4
  %out.24 = getelementptr i8, ptr %result, i64 144
  store float %r24, ptr %out.24, align 4
  %out.25 = getelementptr i8, ptr %result, i64 152
  store double %r25, ptr %out.25, align 8
  %out.26 = getelementptr i8, ptr %result, i64 160
  store half %r26, ptr %out.26, align 2
  %out.27 = getelementptr i8, ptr %result, i64 164
  store <2 x half> %r27, ptr %out.27, align 4
  ret void
}

; CHECK-LABEL: define void @conversions(
; CHECK: cvt.rzi.s32.f32
; CHECK: cvt.rzi.u32.f32
define ptx_kernel void @conversions(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %h.at = getelementptr i8, ptr %base, i64 16
  %h = load half, ptr %h.at, align 2
  %r0 = call i32 @llvm.fptosi.sat.i32.f32(float %a)
  %r1 = call i32 @llvm.fptoui.sat.i32.f32(float %a)
  %r2 = call i64 @llvm.fptosi.sat.i64.f32(float %a)
  %r3 = call i64 @llvm.fptoui.sat.i64.f32(float %a)
  %r4 = call i16 @llvm.fptosi.sat.i16.f32(float %a)
  %r5 = call i16 @llvm.fptoui.sat.i16.f32(float %a)
  %r6 = call i8 @llvm.fptosi.sat.i8.f32(float %a)
  %r7 = call i8 @llvm.fptoui.sat.i8.f32(float %a)
  %k8.3 = call i1 @llvm.is.fpclass.f32(float %a, i32 3)
  %z8.3 = zext i1 %k8.3 to i8
  %k8.96 = call i1 @llvm.is.fpclass.f32(float %a, i32 96)
  %z8.96 = zext i1 %k8.96 to i8
  %k8.504 = call i1 @llvm.is.fpclass.f32(float %a, i32 504)
  %z8.504 = zext i1 %k8.504 to i8
  %k8.516 = call i1 @llvm.is.fpclass.f32(float %a, i32 516)
  %z8.516 = zext i1 %k8.516 to i8
  %k8.264 = call i1 @llvm.is.fpclass.f32(float %a, i32 264)
  %z8.264 = zext i1 %k8.264 to i8
  %r8 = call i32 @llvm.fptosi.sat.i32.f64(double %x)
  %r9 = call i32 @llvm.fptoui.sat.i32.f64(double %x)
  %r10 = call i64 @llvm.fptosi.sat.i64.f64(double %x)
  %r11 = call i64 @llvm.fptoui.sat.i64.f64(double %x)
  %r12 = call i16 @llvm.fptosi.sat.i16.f64(double %x)
  %r13 = call i16 @llvm.fptoui.sat.i16.f64(double %x)
  %r14 = call i8 @llvm.fptosi.sat.i8.f64(double %x)
  %r15 = call i8 @llvm.fptoui.sat.i8.f64(double %x)
  %k16.3 = call i1 @llvm.is.fpclass.f64(double %x, i32 3)
  %z16.3 = zext i1 %k16.3 to i8
  %k16.96 = call i1 @llvm.is.fpclass.f64(double %x, i32 96)
  %z16.96 = zext i1 %k16.96 to i8
  %k16.504 = call i1 @llvm.is.fpclass.f64(double %x, i32 504)
  %z16.504 = zext i1 %k16.504 to i8
  %k16.516 = call i1 @llvm.is.fpclass.f64(double %x, i32 516)
  %z16.516 = zext i1 %k16.516 to i8
  %k16.264 = call i1 @llvm.is.fpclass.f64(double %x, i32 264)
  %z16.264 = zext i1 %k16.264 to i8
  %r16 = call i32 @llvm.fptosi.sat.i32.f16(half %h)
  %r17 = call i32 @llvm.fptoui.sat.i32.f16(half %h)
  %r18 = call i64 @llvm.fptosi.sat.i64.f16(half %h)
  %r19 = call i64 @llvm.fptoui.sat.i64.f16(half %h)
  %r20 = call i16 @llvm.fptosi.sat.i16.f16(half %h)
  %r21 = call i16 @llvm.fptoui.sat.i16.f16(half %h)
  %r22 = call i8 @llvm.fptosi.sat.i8.f16(half %h)
  %r23 = call i8 @llvm.fptoui.sat.i8.f16(half %h)
  %k24.3 = call i1 @llvm.is.fpclass.f16(half %h, i32 3)
  %z24.3 = zext i1 %k24.3 to i8
  %k24.96 = call i1 @llvm.is.fpclass.f16(half %h, i32 96)
  %z24.96 = zext i1 %k24.96 to i8
  %k24.504 = call i1 @llvm.is.fpclass.f16(half %h, i32 504)
  %z24.504 = zext i1 %k24.504 to i8
  %k24.516 = call i1 @llvm.is.fpclass.f16(half %h, i32 516)
  %z24.516 = zext i1 %k24.516 to i8
  %k24.264 = call i1 @llvm.is.fpclass.f16(half %h, i32 264)
  %z24.264 = zext i1 %k24.264 to i8
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i32 %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store i32 %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store i64 %r2, ptr %out.2, align 8
  %out.3 = getelementptr i8, ptr %result, i64 16
  store i64 %r3, ptr %out.3, align 8
  %out.4 = getelementptr i8, ptr %result, i64 24
  store i16 %r4, ptr %out.4, align 2
  %out.5 = getelementptr i8, ptr %result, i64 26
  store i16 %r5, ptr %out.5, align 2
  %out.6 = getelementptr i8, ptr %result, i64 28
  store i8 %r6, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 29
  store i8 %r7, ptr %out.7, align 1
  %out.8 = getelementptr i8, ptr %result, i64 30
  store i8 %z8.3, ptr %out.8, align 1
  %out.9 = getelementptr i8, ptr %result, i64 31
  store i8 %z8.96, ptr %out.9, align 1
  %out.10 = getelementptr i8, ptr %result, i64 32
  store i8 %z8.504, ptr %out.10, align 1
  %out.11 = getelementptr i8, ptr %result, i64 33
  store i8 %z8.516, ptr %out.11, align 1
  %out.12 = getelementptr i8, ptr %result, i64 34
  store i8 %z8.264, ptr %out.12, align 1
  %out.13 = getelementptr i8, ptr %result, i64 36
  store i32 %r8, ptr %out.13, align 4
  %out.14 = getelementptr i8, ptr %result, i64 40
  store i32 %r9, ptr %out.14, align 4
  %out.15 = getelementptr i8, ptr %result, i64 48
  store i64 %r10, ptr %out.15, align 8
  %out.16 = getelementptr i8, ptr %result, i64 56
  store i64 %r11, ptr %out.16, align 8
  %out.17 = getelementptr i8, ptr %result, i64 64
  store i16 %r12, ptr %out.17, align 2
  %out.18 = getelementptr i8, ptr %result, i64 66
  store i16 %r13, ptr %out.18, align 2
  %out.19 = getelementptr i8, ptr %result, i64 68
  store i8 %r14, ptr %out.19, align 1
  %out.20 = getelementptr i8, ptr %result, i64 69
  store i8 %r15, ptr %out.20, align 1
  %out.21 = getelementptr i8, ptr %result, i64 70
  store i8 %z16.3, ptr %out.21, align 1
  %out.22 = getelementptr i8, ptr %result, i64 71
  store i8 %z16.96, ptr %out.22, align 1
  %out.23 = getelementptr i8, ptr %result, i64 72
  store i8 %z16.504, ptr %out.23, align 1
  %out.24 = getelementptr i8, ptr %result, i64 73
  store i8 %z16.516, ptr %out.24, align 1
  %out.25 = getelementptr i8, ptr %result, i64 74
  store i8 %z16.264, ptr %out.25, align 1
  %out.26 = getelementptr i8, ptr %result, i64 76
  store i32 %r16, ptr %out.26, align 4
  %out.27 = getelementptr i8, ptr %result, i64 80
  store i32 %r17, ptr %out.27, align 4
  %out.28 = getelementptr i8, ptr %result, i64 88
  store i64 %r18, ptr %out.28, align 8
  %out.29 = getelementptr i8, ptr %result, i64 96
  store i64 %r19, ptr %out.29, align 8
  %out.30 = getelementptr i8, ptr %result, i64 104
  store i16 %r20, ptr %out.30, align 2
  %out.31 = getelementptr i8, ptr %result, i64 106
  store i16 %r21, ptr %out.31, align 2
  %out.32 = getelementptr i8, ptr %result, i64 108
  store i8 %r22, ptr %out.32, align 1
  %out.33 = getelementptr i8, ptr %result, i64 109
  store i8 %r23, ptr %out.33, align 1
  %out.34 = getelementptr i8, ptr %result, i64 110
  store i8 %z24.3, ptr %out.34, align 1
  %out.35 = getelementptr i8, ptr %result, i64 111
  store i8 %z24.96, ptr %out.35, align 1
  %out.36 = getelementptr i8, ptr %result, i64 112
  store i8 %z24.504, ptr %out.36, align 1
  %out.37 = getelementptr i8, ptr %result, i64 113
  store i8 %z24.516, ptr %out.37, align 1
  %out.38 = getelementptr i8, ptr %result, i64 114
  store i8 %z24.264, ptr %out.38, align 1
  ret void
}

; CHECK-LABEL: define void @approximations(
; CHECK: ex2.approx.f32
; CHECK: sin.approx.f32
; CHECK: cos.approx.f32
; CHECK: call float @llvm.nvvm.ex2.approx.f(
; CHECK: call float @llvm.nvvm.ex2.approx.ftz.f(
; CHECK: call float @llvm.nvvm.fabs.f(
; CHECK: call float @llvm.nvvm.fabs.ftz.f(
define ptx_kernel void @approximations(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %h.at = getelementptr i8, ptr %base, i64 4
  %h = load half, ptr %h.at, align 2
  %r0 = call afn float @llvm.exp2.f32(float %a)
  %r1 = call afn float @llvm.sin.f32(float %a)
  %r2 = call afn float @llvm.cos.f32(float %a)
  %r3 = call float @llvm.nvvm.ex2.approx.f32(float %a)
  %r4 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %a)
  %r5 = call float @llvm.nvvm.fabs.f32(float %a)
  %r6 = call float @llvm.nvvm.fabs.ftz.f32(float %a)
  %r7 = call float @llvm.nvvm.sqrt.f(float %a)
  %r8 = call float @llvm.nvvm.rsqrt.approx.f(float %a)
  %r9 = call float @llvm.nvvm.rcp.approx.ftz.f(float %a)
  %r10 = call float @llvm.nvvm.lg2.approx.f(float %a)
  %r11 = call afn half @llvm.exp2.f16(half %h)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store float %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store float %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store float %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store float %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 16
  store float %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 20
  store float %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 24
  store float %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 28
  store float %r7, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 32
  store float %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 36
  store float %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 40
  store float %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 44
  store half %r11, ptr %out.11, align 2
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
