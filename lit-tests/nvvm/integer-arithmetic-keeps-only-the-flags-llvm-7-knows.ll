; Integers of every width. nneg, disjoint, samesign and wrapping flags of trunc are left out; nuw, nsw and exact stay.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @arithmetic(
; CHECK: ashr i32
; CHECK: sdiv exact i64 %even.{{[0-9]+}}, 8
; CHECK: lshr exact i64
; CHECK: %r12.{{[0-9]+}} = or i32 %hi
; CHECK: add nuw nsw i32
define ptx_kernel void @arithmetic(ptr %in, ptr %out) #0 {
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
  %b31 = and i32 %b, 31
  %r0 = add i32 %a, %b
  %r1 = sub i32 %a, %b
  %r2 = mul i32 %a, %b
  %r3 = shl i32 %a, %b31
  %r4 = lshr i32 %a, %b31
  %r5 = ashr i32 %a, %b31
  %bd = or i32 %b, 1
  %r6 = udiv i32 %a, %bd
  %bp = and i32 %bd, 2147483647
  %r7 = sdiv i32 %a, %bp
  %r8 = urem i32 %a, %bd
  %r9 = srem i32 %a, %bp
  %even = and i64 %c, -8
  %r10 = sdiv exact i64 %even, 8
  %r11 = lshr exact i64 %even, 3
  %hi = and i32 %a, -65536
  %lo = and i32 %b, 65535
  %r12 = or disjoint i32 %hi, %lo
  %small = and i32 %a, 1023
  %r13 = add nuw nsw i32 %small, %lo
  %r14 = xor i64 %c, %d
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
  store i32 %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 28
  store i32 %r7, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 32
  store i32 %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 36
  store i32 %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 40
  store i64 %r10, ptr %out.10, align 8
  %out.11 = getelementptr i8, ptr %result, i64 48
  store i64 %r11, ptr %out.11, align 8
  %out.12 = getelementptr i8, ptr %result, i64 56
  store i32 %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 60
  store i32 %r13, ptr %out.13, align 4
  %out.14 = getelementptr i8, ptr %result, i64 64
  store i64 %r14, ptr %out.14, align 8
  ret void
}

; CHECK-LABEL: define void @narrow(
define ptx_kernel void @narrow(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i8, ptr %base, align 1
  %b.at = getelementptr i8, ptr %base, i64 1
  %b = load i8, ptr %b.at, align 1
  %c.at = getelementptr i8, ptr %base, i64 2
  %c = load i16, ptr %c.at, align 2
  %d.at = getelementptr i8, ptr %base, i64 4
  %d = load i16, ptr %d.at, align 2
  %r0 = add i8 %a, %b
  %r1 = mul i8 %a, %b
  %s = and i8 %b, 7
  %r2 = shl i8 %a, %s
  %r3 = lshr i8 %a, %s
  %r4 = ashr i8 %a, %s
  %one = or i8 %b, 1
  %r5 = udiv i8 %a, %one
  %r6 = srem i8 %a, 7
  %r7 = sub i16 %c, %d
  %t = and i16 %d, 15
  %r8 = ashr i16 %c, %t
  %r9 = udiv i16 %c, 10
  %cc = icmp slt i8 %a, %b
  %r10 = zext i1 %cc to i8
  %cd = icmp ugt i16 %c, %d
  %r11 = sext i1 %cd to i16
  %both = xor i1 %cc, %cd
  %r12 = select i1 %both, i8 %a, i8 %b
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i8 %r0, ptr %out.0, align 1
  %out.1 = getelementptr i8, ptr %result, i64 1
  store i8 %r1, ptr %out.1, align 1
  %out.2 = getelementptr i8, ptr %result, i64 2
  store i8 %r2, ptr %out.2, align 1
  %out.3 = getelementptr i8, ptr %result, i64 3
  store i8 %r3, ptr %out.3, align 1
  %out.4 = getelementptr i8, ptr %result, i64 4
  store i8 %r4, ptr %out.4, align 1
  %out.5 = getelementptr i8, ptr %result, i64 5
  store i8 %r5, ptr %out.5, align 1
  %out.6 = getelementptr i8, ptr %result, i64 6
  store i8 %r6, ptr %out.6, align 1
  %out.7 = getelementptr i8, ptr %result, i64 8
  store i16 %r7, ptr %out.7, align 2
  %out.8 = getelementptr i8, ptr %result, i64 10
  store i16 %r8, ptr %out.8, align 2
  %out.9 = getelementptr i8, ptr %result, i64 12
  store i16 %r9, ptr %out.9, align 2
  %out.10 = getelementptr i8, ptr %result, i64 14
  store i8 %r10, ptr %out.10, align 1
  %out.11 = getelementptr i8, ptr %result, i64 16
  store i16 %r11, ptr %out.11, align 2
  %out.12 = getelementptr i8, ptr %result, i64 18
  store i8 %r12, ptr %out.12, align 1
  ret void
}

; CHECK-LABEL: define void @wide(
; CHECK: and i128 %a.{{[0-9]+}}, 36893488147419103233
; CHECK: trunc i128 %a.{{[0-9]+}} to i24
define ptx_kernel void @wide(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i128, ptr %base, align 16
  %b.at = getelementptr i8, ptr %base, i64 16
  %b = load i128, ptr %b.at, align 16
  %r0 = add i128 %a, %b
  %r1 = mul i128 %a, %b
  %s = and i128 %b, 127
  %r2 = shl i128 %a, %s
  %r3 = lshr i128 %a, %s
  %r4 = ashr i128 %a, %s
  %c = icmp ult i128 %a, %b
  %r5 = select i1 %c, i128 %a, i128 %b
  %r6 = and i128 %a, 36893488147419103233
  %r7 = trunc i128 %a to i24
  %r8 = sext i24 %r7 to i32
  %x = trunc i128 %b to i40
  %y = add i40 %x, 12345678901
  %r9 = zext i40 %y to i64
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i128 %r0, ptr %out.0, align 16
  %out.1 = getelementptr i8, ptr %result, i64 16
  store i128 %r1, ptr %out.1, align 16
  %out.2 = getelementptr i8, ptr %result, i64 32
  store i128 %r2, ptr %out.2, align 16
  %out.3 = getelementptr i8, ptr %result, i64 48
  store i128 %r3, ptr %out.3, align 16
  %out.4 = getelementptr i8, ptr %result, i64 64
  store i128 %r4, ptr %out.4, align 16
  %out.5 = getelementptr i8, ptr %result, i64 80
  store i128 %r5, ptr %out.5, align 16
  %out.6 = getelementptr i8, ptr %result, i64 96
  store i128 %r6, ptr %out.6, align 16
  %out.7 = getelementptr i8, ptr %result, i64 112
  store i32 %r8, ptr %out.7, align 4
  %out.8 = getelementptr i8, ptr %result, i64 120
  store i64 %r9, ptr %out.8, align 8
  ret void
}

; CHECK-LABEL: define void @casts(
; CHECK: %r0.{{[0-9]+}} = zext i32 %m.{{[0-9]+}} to i64
; CHECK: %r1.{{[0-9]+}} = trunc i64 %q.{{[0-9]+}} to i32
; CHECK: %r3.{{[0-9]+}} = uitofp i32 %m.{{[0-9]+}} to float
; CHECK: icmp ult i32 %m.{{[0-9]+}}, 77
define ptx_kernel void @casts(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 8
  %b = load i64, ptr %b.at, align 8
  %f.at = getelementptr i8, ptr %base, i64 16
  %f = load float, ptr %f.at, align 4
  %d.at = getelementptr i8, ptr %base, i64 24
  %d = load double, ptr %d.at, align 8
  %m = and i32 %a, 2147483647
  %r0 = zext nneg i32 %m to i64
  %q = and i64 %b, 65535
  %r1 = trunc nuw nsw i64 %q to i32
  %r2 = sext i32 %a to i64
  %r3 = uitofp nneg i32 %m to float
  %r4 = sitofp i64 %b to double
  %r5 = uitofp i64 %b to float
  %r6 = bitcast float %f to i32
  %r7 = fpext float %f to double
  %r8 = fptrunc double %d to float
  %fs = fmul float %f, 0x3F50000000000000
  %fi = bitcast float %f to i32
  %fm = and i32 %fi, 1073741823
  %fc = bitcast i32 %fm to float
  %r9 = fptosi float %fc to i32
  %r10 = fptoui float %fc to i64
  %cmp = icmp samesign ult i32 %m, 77
  %r11 = zext i1 %cmp to i32
  %r12 = uitofp i1 %cmp to float
  %r13 = sitofp i1 %cmp to double
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i64 %r0, ptr %out.0, align 8
  %out.1 = getelementptr i8, ptr %result, i64 8
  store i32 %r1, ptr %out.1, align 4
  %out.2 = getelementptr i8, ptr %result, i64 16
  store i64 %r2, ptr %out.2, align 8
  %out.3 = getelementptr i8, ptr %result, i64 24
  store float %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 32
  store double %r4, ptr %out.4, align 8
  %out.5 = getelementptr i8, ptr %result, i64 40
  store float %r5, ptr %out.5, align 4
  %out.6 = getelementptr i8, ptr %result, i64 44
  store i32 %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 48
  store double %r7, ptr %out.7, align 8
  %out.8 = getelementptr i8, ptr %result, i64 56
  store float %r8, ptr %out.8, align 4
  %out.9 = getelementptr i8, ptr %result, i64 60
  store i32 %r9, ptr %out.9, align 4
  %out.10 = getelementptr i8, ptr %result, i64 64
  store i64 %r10, ptr %out.10, align 8
  %out.11 = getelementptr i8, ptr %result, i64 72
  store i32 %r11, ptr %out.11, align 4
  %out.12 = getelementptr i8, ptr %result, i64 76
  store float %r12, ptr %out.12, align 4
  %out.13 = getelementptr i8, ptr %result, i64 80
  store double %r13, ptr %out.13, align 8
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
