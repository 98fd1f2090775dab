; half is a type of LLVM 7, bfloat is not: its bits are i16, its arithmetic PTX. Conversions round once.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @half_scalars(
; CHECK: fadd contract half
; CHECK: fdiv contract half
; CHECK: fsub half 0xH8000
; CHECK: fptrunc float %f.{{[0-9]+}} to half
; CHECK: fadd contract half %a.{{[0-9]+}}, 0xH3E00
define ptx_kernel void @half_scalars(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load half, ptr %base, align 2
  %b.at = getelementptr i8, ptr %base, i64 2
  %b = load half, ptr %b.at, align 2
  %f.at = getelementptr i8, ptr %base, i64 4
  %f = load float, ptr %f.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %n.at = getelementptr i8, ptr %base, i64 16
  %n = load i32, ptr %n.at, align 4
  %m.at = getelementptr i8, ptr %base, i64 24
  %m = load i64, ptr %m.at, align 8
  %s.at = getelementptr i8, ptr %base, i64 32
  %s = load i16, ptr %s.at, align 2
  %q.at = getelementptr i8, ptr %base, i64 34
  %q = load i8, ptr %q.at, align 1
  %r0 = fadd contract half %a, %b
  %r1 = fsub contract half %a, %b
  %r2 = fmul contract half %a, %b
  %r3 = fdiv contract half %a, %b
  %r4 = fneg half %a
  %r5 = fptrunc float %f to half
  %r6 = sitofp i32 %n to half
  %r7 = uitofp i64 %m to half
  %r8 = sitofp i16 %s to half
  %r9 = sitofp i8 %q to half
  %r10 = call half @llvm.fabs.f16(half %a)
  %r11 = call half @llvm.copysign.f16(half %a, half %b)
  %r12 = call half @llvm.fma.f16(half %a, half %b, half %a)
  %r13 = call half @llvm.minnum.f16(half %a, half %b)
  %r14 = call half @llvm.maximum.f16(half %a, half %b)
  %r15 = call half @llvm.sqrt.f16(half %a)
  %r16 = fptrunc double %x to half
  %e0 = fpext half %a to float
  %e1 = fpext half %a to double
  %bits = bitcast half %a to i16
  %small.bits = and i16 %bits, 20479
  %small = bitcast i16 %small.bits to half
  %i0 = fptosi half %small to i32
  %i1 = fptoui half %small to i64
  %i2 = fptosi half %small to i16
  %c0 = fcmp olt half %a, %b
  %z0 = zext i1 %c0 to i8
  %c1 = fcmp une half %a, %b
  %z1 = zext i1 %c1 to i8
  %c2 = fcmp ord half %a, %b
  %z2 = zext i1 %c2 to i8
  %c3 = fcmp uge half %a, %b
  %z3 = zext i1 %c3 to i8
  %sel = select i1 %c0, half %a, half %b
  %con = fadd contract half %a, 0xH3E00
  %out.0 = getelementptr i8, ptr %result, i64 0
  store half %r0, ptr %out.0, align 2
  %out.1 = getelementptr i8, ptr %result, i64 2
  store half %r1, ptr %out.1, align 2
  %out.2 = getelementptr i8, ptr %result, i64 4
  store half %r2, ptr %out.2, align 2
  %out.3 = getelementptr i8, ptr %result, i64 6
  store half %r3, ptr %out.3, align 2
  %out.4 = getelementptr i8, ptr %result, i64 8
  store half %r4, ptr %out.4, align 2
  %out.5 = getelementptr i8, ptr %result, i64 10
  store half %r5, ptr %out.5, align 2
  %out.6 = getelementptr i8, ptr %result, i64 12
  store half %r6, ptr %out.6, align 2
  %out.7 = getelementptr i8, ptr %result, i64 14
  store half %r7, ptr %out.7, align 2
  %out.8 = getelementptr i8, ptr %result, i64 16
  store half %r8, ptr %out.8, align 2
  %out.9 = getelementptr i8, ptr %result, i64 18
  store half %r9, ptr %out.9, align 2
  %out.10 = getelementptr i8, ptr %result, i64 20
  store half %r10, ptr %out.10, align 2
  %out.11 = getelementptr i8, ptr %result, i64 22
  store half %r11, ptr %out.11, align 2
  %out.12 = getelementptr i8, ptr %result, i64 24
  store half %r12, ptr %out.12, align 2
  %out.13 = getelementptr i8, ptr %result, i64 26
  store half %r13, ptr %out.13, align 2
  %out.14 = getelementptr i8, ptr %result, i64 28
  store half %r14, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 30
  store half %r15, ptr %out.15, align 2
  %out.16 = getelementptr i8, ptr %result, i64 32
  store half %r16, ptr %out.16, align 2
  %out.17 = getelementptr i8, ptr %result, i64 36
  store float %e0, ptr %out.17, align 4
  %out.18 = getelementptr i8, ptr %result, i64 40
  store double %e1, ptr %out.18, align 8
  %out.19 = getelementptr i8, ptr %result, i64 48
  store i32 %i0, ptr %out.19, align 4
  %out.20 = getelementptr i8, ptr %result, i64 56
  store i64 %i1, ptr %out.20, align 8
  %out.21 = getelementptr i8, ptr %result, i64 64
  store i16 %i2, ptr %out.21, align 2
  %out.22 = getelementptr i8, ptr %result, i64 66
  store i8 %z0, ptr %out.22, align 1
  %out.23 = getelementptr i8, ptr %result, i64 67
  store i8 %z1, ptr %out.23, align 1
  %out.24 = getelementptr i8, ptr %result, i64 68
  store i8 %z2, ptr %out.24, align 1
  %out.25 = getelementptr i8, ptr %result, i64 69
  store i8 %z3, ptr %out.25, align 1
  %out.26 = getelementptr i8, ptr %result, i64 70
  store half %sel, ptr %out.26, align 2
  %out.27 = getelementptr i8, ptr %result, i64 72
  store half %con, ptr %out.27, align 2
  ret void
}

define ptx_kernel void @half_vectors(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load <2 x half>, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load <2 x half>, ptr %b.at, align 4
  %w.at = getelementptr i8, ptr %base, i64 8
  %w = load <4 x half>, ptr %w.at, align 8
  %f.at = getelementptr i8, ptr %base, i64 16
  %f = load <2 x float>, ptr %f.at, align 8
  %r0 = fadd contract <2 x half> %a, %b
  %r1 = fsub contract <2 x half> %a, %b
  %r2 = fmul contract <2 x half> %a, %b
  %r3 = fneg <2 x half> %a
  %r4 = fptrunc <2 x float> %f to <2 x half>
  %r5 = call <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %a)
  %r6 = call <2 x half> @llvm.fabs.v2f16(<2 x half> %a)
  %r7 = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %a, <2 x half> %b)
  %r8 = shufflevector <2 x half> %a, <2 x half> %b, <2 x i32> <i32 1, i32 2>
  %r9 = insertelement <2 x half> %a, half 0xHC000, i32 1
  %r10 = fadd contract <2 x half> %a, <half 0xH3C00, half 0xH4000>
  %e = fpext <2 x half> %a to <2 x float>
  %q = fmul contract <4 x half> %w, %w
  %p = bitcast <2 x half> %r0 to i32
  %p1 = xor i32 %p, 1
  %x1 = extractelement <2 x half> %a, i32 1
  %cv = fcmp ogt <2 x half> %a, %b
  %sv = select <2 x i1> %cv, <2 x half> %a, <2 x half> %b
  %out.0 = getelementptr i8, ptr %result, i64 0
  store <2 x half> %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store <2 x half> %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store <2 x half> %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store <2 x half> %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 16
  store <2 x half> %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 20
  store <2 x half> %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 24
  store <2 x half> %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 28
  store <2 x half> %r7, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 32
  store <2 x half> %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 36
  store <2 x half> %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 40
  store <2 x half> %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 48
  store <2 x float> %e, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 56
  store <4 x half> %q, ptr %out.12, align 8
  %out.13 = getelementptr i8, ptr %result, i64 64
  store i32 %p1, ptr %out.13, align 4
  %out.14 = getelementptr i8, ptr %result, i64 68
  store half %x1, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 72
  store <2 x half> %sv, ptr %out.15, align 4
  ret void
}

; CHECK-LABEL: define void @bfloat_scalars(
; CHECK-NOT: bfloat %
; CHECK: load i16, i16*
; CHECK: call i16 asm "add.rn.bf16 $0, $1, $2;", "=h,h,h"(i16
; CHECK: call i16 asm "sub.rn.bf16
; CHECK: call i16 asm "mul.rn.bf16
; CHECK: fdiv float
; CHECK: cvt.rn.bf16.f32
; CHECK: xor i16 %a.{{[0-9]+}}, -32768
; CHECK: "cvt.rn.bf16.s32 $0, $1;", "=h,r"
; CHECK: "cvt.rn.bf16.u64 $0, $1;", "=h,l"
; CHECK: and i16 {{%v[0-9]+}}, 32767
; CHECK: fma.rn.bf16
; CHECK: min.bf16
; CHECK: max.NaN.bf16
; CHECK: "cvt.rn.bf16.f64 $0, $1;", "=h,d"
; CHECK: fcmp olt float
define ptx_kernel void @bfloat_scalars(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load bfloat, ptr %base, align 2
  %b.at = getelementptr i8, ptr %base, i64 2
  %b = load bfloat, ptr %b.at, align 2
  %f.at = getelementptr i8, ptr %base, i64 4
  %f = load float, ptr %f.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 8
  %x = load double, ptr %x.at, align 8
  %n.at = getelementptr i8, ptr %base, i64 16
  %n = load i32, ptr %n.at, align 4
  %m.at = getelementptr i8, ptr %base, i64 24
  %m = load i64, ptr %m.at, align 8
  %s.at = getelementptr i8, ptr %base, i64 32
  %s = load i16, ptr %s.at, align 2
  %q.at = getelementptr i8, ptr %base, i64 34
  %q = load i8, ptr %q.at, align 1
  %r0 = fadd contract bfloat %a, %b
  %r1 = fsub contract bfloat %a, %b
  %r2 = fmul contract bfloat %a, %b
  %r3 = fdiv contract bfloat %a, %b
  %r4 = fneg bfloat %a
  %r5 = fptrunc float %f to bfloat
  %r6 = sitofp i32 %n to bfloat
  %r7 = uitofp i64 %m to bfloat
  %r8 = sitofp i16 %s to bfloat
  %r9 = sitofp i8 %q to bfloat
  %r10 = call bfloat @llvm.fabs.bf16(bfloat %a)
  %r11 = call bfloat @llvm.copysign.bf16(bfloat %a, bfloat %b)
  %r12 = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %a)
  %r13 = call bfloat @llvm.minnum.bf16(bfloat %a, bfloat %b)
  %r14 = call bfloat @llvm.maximum.bf16(bfloat %a, bfloat %b)
  %r15 = call bfloat @llvm.sqrt.bf16(bfloat %a)
  %r16 = fptrunc double %x to bfloat
  %e0 = fpext bfloat %a to float
  %e1 = fpext bfloat %a to double
  %bits = bitcast bfloat %a to i16
  %small.bits = and i16 %bits, 17535
  %small = bitcast i16 %small.bits to bfloat
  %i0 = fptosi bfloat %small to i32
  %i1 = fptoui bfloat %small to i64
  %i2 = fptosi bfloat %small to i16
  %c0 = fcmp olt bfloat %a, %b
  %z0 = zext i1 %c0 to i8
  %c1 = fcmp une bfloat %a, %b
  %z1 = zext i1 %c1 to i8
  %c2 = fcmp ord bfloat %a, %b
  %z2 = zext i1 %c2 to i8
  %c3 = fcmp uge bfloat %a, %b
  %z3 = zext i1 %c3 to i8
  %sel = select i1 %c0, bfloat %a, bfloat %b
  %con = fadd contract bfloat %a, 0xR3FC0
  %out.0 = getelementptr i8, ptr %result, i64 0
  store bfloat %r0, ptr %out.0, align 2
  %out.1 = getelementptr i8, ptr %result, i64 2
  store bfloat %r1, ptr %out.1, align 2
  %out.2 = getelementptr i8, ptr %result, i64 4
  store bfloat %r2, ptr %out.2, align 2
  %out.3 = getelementptr i8, ptr %result, i64 6
  store bfloat %r3, ptr %out.3, align 2
  %out.4 = getelementptr i8, ptr %result, i64 8
  store bfloat %r4, ptr %out.4, align 2
  %out.5 = getelementptr i8, ptr %result, i64 10
  store bfloat %r5, ptr %out.5, align 2
  %out.6 = getelementptr i8, ptr %result, i64 12
  store bfloat %r6, ptr %out.6, align 2
  %out.7 = getelementptr i8, ptr %result, i64 14
  store bfloat %r7, ptr %out.7, align 2
  %out.8 = getelementptr i8, ptr %result, i64 16
  store bfloat %r8, ptr %out.8, align 2
  %out.9 = getelementptr i8, ptr %result, i64 18
  store bfloat %r9, ptr %out.9, align 2
  %out.10 = getelementptr i8, ptr %result, i64 20
  store bfloat %r10, ptr %out.10, align 2
  %out.11 = getelementptr i8, ptr %result, i64 22
  store bfloat %r11, ptr %out.11, align 2
  %out.12 = getelementptr i8, ptr %result, i64 24
  store bfloat %r12, ptr %out.12, align 2
  %out.13 = getelementptr i8, ptr %result, i64 26
  store bfloat %r13, ptr %out.13, align 2
  %out.14 = getelementptr i8, ptr %result, i64 28
  store bfloat %r14, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 30
  store bfloat %r15, ptr %out.15, align 2
  %out.16 = getelementptr i8, ptr %result, i64 32
  store bfloat %r16, ptr %out.16, align 2
  %out.17 = getelementptr i8, ptr %result, i64 36
  store float %e0, ptr %out.17, align 4
  %out.18 = getelementptr i8, ptr %result, i64 40
  store double %e1, ptr %out.18, align 8
  %out.19 = getelementptr i8, ptr %result, i64 48
  store i32 %i0, ptr %out.19, align 4
  %out.20 = getelementptr i8, ptr %result, i64 56
  store i64 %i1, ptr %out.20, align 8
  %out.21 = getelementptr i8, ptr %result, i64 64
  store i16 %i2, ptr %out.21, align 2
  %out.22 = getelementptr i8, ptr %result, i64 66
  store i8 %z0, ptr %out.22, align 1
  %out.23 = getelementptr i8, ptr %result, i64 67
  store i8 %z1, ptr %out.23, align 1
  %out.24 = getelementptr i8, ptr %result, i64 68
  store i8 %z2, ptr %out.24, align 1
  %out.25 = getelementptr i8, ptr %result, i64 69
  store i8 %z3, ptr %out.25, align 1
  %out.26 = getelementptr i8, ptr %result, i64 70
  store bfloat %sel, ptr %out.26, align 2
  %out.27 = getelementptr i8, ptr %result, i64 72
  store bfloat %con, ptr %out.27, align 2
  ret void
}

; CHECK-LABEL: define void @bfloat_vectors(
; CHECK: call i32 asm "add.rn.bf16x2 $0, $1, $2;", "=r,r,r"(i32
; CHECK: xor <2 x i16> %a.{{[0-9]+}}, <i16 -32768, i16 -32768>
; CHECK: [[LOW:%v[0-9]+]] = extractelement <2 x float> %f.{{[0-9]+}}, i32 0
; CHECK-NEXT: [[HIGH:%v[0-9]+]] = extractelement <2 x float> %f.{{[0-9]+}}, i32 1
; CHECK-NEXT: call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float [[HIGH]], float [[LOW]])
; CHECK: fma.rn.bf16x2
define ptx_kernel void @bfloat_vectors(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load <2 x bfloat>, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load <2 x bfloat>, ptr %b.at, align 4
  %w.at = getelementptr i8, ptr %base, i64 8
  %w = load <4 x bfloat>, ptr %w.at, align 8
  %f.at = getelementptr i8, ptr %base, i64 16
  %f = load <2 x float>, ptr %f.at, align 8
  %r0 = fadd contract <2 x bfloat> %a, %b
  %r1 = fsub contract <2 x bfloat> %a, %b
  %r2 = fmul contract <2 x bfloat> %a, %b
  %r3 = fneg <2 x bfloat> %a
  %r4 = fptrunc <2 x float> %f to <2 x bfloat>
  %r5 = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %a)
  %r6 = call <2 x bfloat> @llvm.fabs.v2bf16(<2 x bfloat> %a)
  %r7 = call <2 x bfloat> @llvm.maxnum.v2bf16(<2 x bfloat> %a, <2 x bfloat> %b)
  %r8 = shufflevector <2 x bfloat> %a, <2 x bfloat> %b, <2 x i32> <i32 1, i32 2>
  %r9 = insertelement <2 x bfloat> %a, bfloat 0xRC000, i32 1
  %r10 = fadd contract <2 x bfloat> %a, <bfloat 0xR3F80, bfloat 0xR4000>
  %e = fpext <2 x bfloat> %a to <2 x float>
  %q = fmul contract <4 x bfloat> %w, %w
  %p = bitcast <2 x bfloat> %r0 to i32
  %p1 = xor i32 %p, 1
  %x1 = extractelement <2 x bfloat> %a, i32 1
  %cv = fcmp ogt <2 x bfloat> %a, %b
  %sv = select <2 x i1> %cv, <2 x bfloat> %a, <2 x bfloat> %b
  %out.0 = getelementptr i8, ptr %result, i64 0
  store <2 x bfloat> %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store <2 x bfloat> %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store <2 x bfloat> %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store <2 x bfloat> %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 16
  store <2 x bfloat> %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 20
  store <2 x bfloat> %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 24
  store <2 x bfloat> %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 28
  store <2 x bfloat> %r7, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 32
  store <2 x bfloat> %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 36
  store <2 x bfloat> %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 40
  store <2 x bfloat> %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 48
  store <2 x float> %e, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 56
  store <4 x bfloat> %q, ptr %out.12, align 8
  %out.13 = getelementptr i8, ptr %result, i64 64
  store i32 %p1, ptr %out.13, align 4
  %out.14 = getelementptr i8, ptr %result, i64 68
  store bfloat %x1, ptr %out.14, align 2
  %out.15 = getelementptr i8, ptr %result, i64 72
  store <2 x bfloat> %sv, ptr %out.15, align 4
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
