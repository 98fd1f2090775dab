; Inline asm of the source: text, constraints, clobbers, several results, immediates, predicates, 128 bits; what it does
; to memory and whether threads must run it together.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @asm(
; CHECK: call i32 asm "add.s32 $0, $1, $2;", "=r,r,n"(i32 %a.{{[0-9]+}}, i32 7) nounwind readnone
; CHECK: call { i32, float } asm "mov.b32 $0, $2;\0A\09mov.b32 $1, $3;", "=r,=f,r,f"(i32 %{{.*}}, float 0x3FF8000000000000) convergent nounwind readnone
; CHECK: call void asm sideeffect "{\0A .reg .pred p;\0A setp.ne.b32 p, $0, 0;\0A @p bar.sync 0;\0A}", "r,~{memory}"(i32 %{{.*}}) convergent nounwind
; CHECK: call i32 asm sideeffect "mov.u32 $0, %clock; // \22quoted\22 \5C", "=r"() nounwind
; CHECK: call i32 asm "selp.b32 $0, 1, 2, $1;", "=r,b"(i1 %c.{{[0-9]+}})
; CHECK: call i32 asm "mad.lo.s32 $0, $1, $1, $0;", "=r,r,0"(
; CHECK: call half asm "neg.f16 $0, $1;", "=h,h"(half
; CHECK: call i16 asm "neg.bf16 $0, $1;", "=h,h"(i16
; CHECK: call <2 x half> asm "neg.f16x2 $0, $1;", "=r,r"(<2 x half>
; CHECK: call i64 asm sideeffect "{ .reg .b64 lo, hi; mov.b128 {lo, hi}, $1; add.s64 $0, lo, hi; }", "=l,q"(i128
; CHECK: call i32 asm sideeffect "ld.shared.b32 $0, [$1];", "=r,l,~{memory}"(i8 addrspace(3)* %s
define ptx_kernel void @asm(ptr %out, ptr addrspace(3) %s, i32 %a, half %h, bfloat %b, <2 x half> %v, i128 %w) #0 {
  %1 = call i32 asm "add.s32 $0, $1, $2;", "=r,r,n"(i32 %a, i32 7) #1
  %2 = call { i32, float } asm "mov.b32 $0, $2;\0A\09mov.b32 $1, $3;", "=r,=f,r,f"(i32 %1, float 1.5) #2
  %3 = extractvalue { i32, float } %2, 0
  %4 = extractvalue { i32, float } %2, 1
  call void asm sideeffect "{\0A .reg .pred p;\0A setp.ne.b32 p, $0, 0;\0A @p bar.sync 0;\0A}", "r,~{memory}"(i32 %3) #3
  %5 = call i32 asm sideeffect "mov.u32 $0, %clock; // \22quoted\22 \5C", "=r"() #4
  %c = icmp slt i32 %a, 5
  %6 = call i32 asm "selp.b32 $0, 1, 2, $1;", "=r,b"(i1 %c) #1
  %7 = call i32 asm "mad.lo.s32 $0, $1, $1, $0;", "=r,r,0"(i32 %6, i32 %5) #1
  %8 = call half asm "neg.f16 $0, $1;", "=h,h"(half %h) #1
  %9 = call bfloat asm "neg.bf16 $0, $1;", "=h,h"(bfloat %b) #1
  %10 = call <2 x half> asm "neg.f16x2 $0, $1;", "=r,r"(<2 x half> %v) #1
  %11 = call i64 asm sideeffect "{ .reg .b64 lo, hi; mov.b128 {lo, hi}, $1; add.s64 $0, lo, hi; }", "=l,q"(i128 %w) #4
  %12 = call i32 asm sideeffect "ld.shared.b32 $0, [$1];", "=r,l,~{memory}"(ptr addrspace(3) %s) #4
  store volatile i32 %7, ptr %out
  store volatile float %4, ptr %out
  store volatile half %8, ptr %out
  store volatile bfloat %9, ptr %out
  store volatile <2 x half> %10, ptr %out
  store volatile i64 %11, ptr %out
  store volatile i32 %12, ptr %out
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
attributes #1 = { nounwind memory(none) }
attributes #2 = { convergent nounwind memory(none) }
attributes #3 = { convergent nounwind }
attributes #4 = { nounwind }
