; A multiplication and an addition become one fused operation only where both say `contract`. libNVVM fuses any two;
; what must stay two is written in the form that neither it nor ptxas touches. With --no-fma nothing says contract.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a --no-fma | FileCheck %s --check-prefix=APART
; RUN: %codegen %s
; RUN: %codegen %s --arch=sm_90a -o %t && %nvdisasm %t | FileCheck %s --check-prefix=SASS

target triple = "nvptx64-nvidia-cuda"

; APART-NOT: contract
; CHECK-LABEL: define void @fusion(
; CHECK: %m0.{{[0-9]+}} = fmul contract float
; CHECK: %r0.{{[0-9]+}} = fadd contract float
; CHECK: [[M:%v[0-9]+]] = call float @llvm.nvvm.mul.rn.f(float %a.{{[0-9]+}}, float %b.{{[0-9]+}})
; CHECK-NEXT: call float @llvm.nvvm.add.rn.f(float [[M]], float %c.{{[0-9]+}})
; CHECK-NEXT: fadd contract float [[M]], %b
; CHECK: [[N:%v[0-9]+]] = fsub float -0.0, %a.{{[0-9]+}}
; CHECK-NEXT: call float @llvm.nvvm.add.rn.f(float %m3.{{[0-9]+}}, float [[N]])
; CHECK: call double @llvm.nvvm.mul.rn.d(
; CHECK: call double @llvm.nvvm.add.rn.d(
; CHECK: call half asm "mul.rn.f16 $0, $1, $2;", "=h,h,h"
; CHECK: call half asm "add.rn.f16 $0, $1, $2;", "=h,h,h"
; CHECK: fmul contract half
; CHECK: call float @llvm.fma.f32(
; CHECK: call double @llvm.fma.f64(
; SASS-DAG: FFMA
; SASS-DAG: FMUL
; SASS-DAG: FADD
; SASS-DAG: DFMA
; SASS-DAG: DMUL
; SASS-DAG: DADD
; SASS-DAG: HFMA2
; SASS-DAG: HMUL2
; SASS-DAG: HADD2
define ptx_kernel void @fusion(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load float, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 4
  %b = load float, ptr %b.at, align 4
  %c.at = getelementptr i8, ptr %base, i64 8
  %c = load float, ptr %c.at, align 4
  %x.at = getelementptr i8, ptr %base, i64 16
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr i8, ptr %base, i64 24
  %y = load double, ptr %y.at, align 8
  %h.at = getelementptr i8, ptr %base, i64 32
  %h = load half, ptr %h.at, align 2
  %g.at = getelementptr i8, ptr %base, i64 34
  %g = load half, ptr %g.at, align 2
  %v.at = getelementptr i8, ptr %base, i64 40
  %v = load <2 x float>, ptr %v.at, align 8
  %w.at = getelementptr i8, ptr %base, i64 48
  %w = load <2 x float>, ptr %w.at, align 8
  %m0 = fmul contract float %a, %b
  %r0 = fadd contract float %m0, %c
  %m1 = fmul float %a, %b
  %r1 = fadd float %m1, %c
  %r2 = fadd contract float %m1, %b
  %m3 = fmul contract float %b, %c
  %r3 = fsub float %m3, %a
  %m4 = fmul double %x, %y
  %r4 = fsub double %m4, %x
  %m5 = fmul contract double %x, %y
  %r5 = fsub contract double %y, %m5
  %m6 = fmul half %h, %g
  %r6 = fadd half %m6, %h
  %m7 = fmul contract half %h, %g
  %r7 = fadd contract half %m7, %g
  %m8 = fmul <2 x float> %v, %w
  %r8 = fadd <2 x float> %m8, %v
  %m9 = fmul contract <2 x float> %v, %w
  %r9 = fsub contract <2 x float> %m9, %v
  %r10 = call float @llvm.fma.f32(float %a, float %b, float %c)
  %r11 = call double @llvm.fmuladd.f64(double %x, double %y, double %x)
  %r12 = call half @llvm.fma.f16(half %h, half %g, half %h)
  %r13 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v, <2 x float> %w, <2 x float> %v)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store float %r0, ptr %out.0, align 4
  %out.1 = getelementptr i8, ptr %result, i64 4
  store float %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 8
  store float %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 12
  store float %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 16
  store double %r4, ptr %out.4, align 8
  %out.5 = getelementptr i8, ptr %result, i64 24
  store double %r5, ptr %out.5, align 8
  %out.6 = getelementptr i8, ptr %result, i64 32
  store half %r6, ptr %out.6, align 2
  %out.7 = getelementptr i8, ptr %result, i64 34
  store half %r7, ptr %out.7, align 2
  %out.8 = getelementptr i8, ptr %result, i64 40
  store <2 x float> %r8, ptr %out.8, align 8
  %out.9 = getelementptr i8, ptr %result, i64 48
  store <2 x float> %r9, ptr %out.9, align 8
  %out.10 = getelementptr i8, ptr %result, i64 56
  store float %r10, ptr %out.10, align 4
  %out.11 = getelementptr i8, ptr %result, i64 64
  store double %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 72
  store half %r12, ptr %out.12, align 2
  %out.13 = getelementptr i8, ptr %result, i64 80
  store <2 x float> %r13, ptr %out.13, align 8
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
