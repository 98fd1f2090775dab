; Direct, indirect and recursive calls, structs by value, byval arguments, aliases. libNVVM for compute_90a loses half
; arguments and results of calls: they cross as i16.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %codegen %s --codegen=writer-only --arch=sm_100a | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, [3 x i32] }

@choices = internal addrspace(1) constant [2 x ptr] [ptr @add_one, ptr @add_two], align 8
; CHECK: @choices = internal addrspace(1) constant [2 x i8*] [i8* bitcast (i32 (i32)* @add_one to i8*), i8* bitcast (i32 (i32)* @add_two to i8*)], align 8

@nickname = internal alias i32 (i32), ptr @add_two

; CHECK: define internal i16 @halve(i16 %x.0.in, <2 x i16> %y.1.in) noinline nounwind {
; CHECK: %x.0 = bitcast i16 %x.0.in to half
; CHECK: %y.1 = bitcast <2 x i16> %y.1.in to <2 x half>
; CHECK: [[R:%v[0-9]+]] = bitcast half %r.{{[0-9]+}} to i16
; CHECK-NEXT: ret i16 [[R]]
define internal half @halve(half %x, <2 x half> %y) noinline nounwind {
  %first = extractelement <2 x half> %y, i32 1
  %p = fmul contract half %x, 0xH3800
  %r = fadd contract half %p, %first
  ret half %r
}

define internal bfloat @brain(bfloat %x) noinline nounwind {
  %r = fadd contract bfloat %x, %x
  ret bfloat %r
}

define internal i32 @add_one(i32 %x) noinline nounwind {
  %r = add i32 %x, 1
  ret i32 %r
}

define internal i32 @add_two(i32 %x) noinline nounwind {
  %r = add i32 %x, 2
  ret i32 %r
}

; CHECK: define internal i64 @factorial(i64 %n.0)
; CHECK: call i64 @factorial(i64
define internal i64 @factorial(i64 %n) noinline nounwind {
  %end = icmp ult i64 %n, 2
  br i1 %end, label %stop, label %go
go:
  %less = sub i64 %n, 1
  %rest = call i64 @factorial(i64 %less)
  %r = mul i64 %n, %rest
  ret i64 %r
stop:
  ret i64 1
}

; OLD: define internal { i32, double } @by_value({ i32, [3 x i32] }* byval align 4 %p.0.in, { i32, double } %s.1)
; NEW: define internal { i32, double } @by_value({ i32, [3 x i32] }* byval({ i32, [3 x i32] }) align 4 %p.0.in, { i32, double } %s.1)
define internal { i32, double } @by_value(ptr byval(%pair) align 4 %p, { i32, double } %s) noinline nounwind {
  %third = getelementptr %pair, ptr %p, i32 0, i32 1, i32 2
  %x = load i32, ptr %third, align 4
  %y = extractvalue { i32, double } %s, 0
  %z = add i32 %x, %y
  store i32 0, ptr %third, align 4
  %r = insertvalue { i32, double } %s, i32 %z, 0
  ret { i32, double } %r
}

; CHECK: define internal i1 @flag(i1 zeroext %a.0, i8 signext %b.1)
define internal i1 @flag(i1 zeroext %a, i8 signext %b) noinline nounwind {
  %c = icmp slt i8 %b, 0
  %d = xor i1 %a, %c
  ret i1 %d
}

; CHECK-LABEL: define void @calls(
; CHECK: [[H:%v[0-9]+]] = bitcast half %h.{{[0-9]+}} to i16
; CHECK-NEXT: [[W:%v[0-9]+]] = bitcast <2 x half> %w.{{[0-9]+}} to <2 x i16>
; CHECK-NEXT: [[C:%v[0-9]+]] = call i16 @halve(i16 [[H]], <2 x i16> [[W]])
; CHECK-NEXT: bitcast i16 [[C]] to half
; CHECK: call i16 @brain(i16
; CHECK: [[T:%v[0-9]+]] = bitcast i8* %chosen.{{[0-9]+}} to i32 (i32)*
; CHECK-NEXT: call i32 [[T]](i32 %a.{{[0-9]+}})
; CHECK: call i32 @add_two(i32
; CHECK: call { i32, double } @by_value({ i32, [3 x i32] }* byval
define ptx_kernel void @calls(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %h = load half, ptr %base, align 2
  %w = load <2 x half>, ptr %base, align 4
  %b = load bfloat, ptr %base, align 2
  %a = load i32, ptr %base, align 4
  %q = call half @halve(half %h, <2 x half> %w)
  store half %q, ptr %result, align 2
  %r = call bfloat @brain(bfloat %b)
  %o1 = getelementptr i8, ptr %result, i64 2
  store bfloat %r, ptr %o1, align 2
  %odd = and i32 %a, 1
  %odd.wide = zext i32 %odd to i64
  %choice = getelementptr [2 x ptr], ptr addrspace(1) @choices, i64 0, i64 %odd.wide
  %chosen = load ptr, ptr addrspace(1) %choice, align 8
  %i = call i32 %chosen(i32 %a)
  %o2 = getelementptr i8, ptr %result, i64 4
  store i32 %i, ptr %o2, align 4
  %n = call i32 @nickname(i32 %a)
  %o3 = getelementptr i8, ptr %result, i64 8
  store i32 %n, ptr %o3, align 4
  %few = and i64 %odd.wide, 1
  %more = add i64 %few, 9
  %f = call i64 @factorial(i64 %more)
  %o4 = getelementptr i8, ptr %result, i64 16
  store i64 %f, ptr %o4, align 8
  %room = alloca %pair, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %room, ptr align 4 %base, i64 16, i1 false)
  %s = call { i32, double } @by_value(ptr byval(%pair) align 4 %room, { i32, double } { i32 5, double 2.5 })
  %s0 = extractvalue { i32, double } %s, 0
  %o5 = getelementptr i8, ptr %result, i64 24
  store i32 %s0, ptr %o5, align 4
  %kept = getelementptr %pair, ptr %room, i32 0, i32 1, i32 2
  %k = load i32, ptr %kept, align 4
  %o6 = getelementptr i8, ptr %result, i64 28
  store i32 %k, ptr %o6, align 4
  %byte = trunc i32 %a to i8
  %bit = trunc i32 %i to i1
  %z = call i1 @flag(i1 zeroext %bit, i8 signext %byte)
  %z.wide = zext i1 %z to i32
  %o7 = getelementptr i8, ptr %result, i64 32
  store i32 %z.wide, ptr %o7, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
