; libNVVM's own atomics are relaxed at device scope: they serve for exactly that, and for CUDA's atomicAdd() and its
; kin, which clang writes as seq_cst at system scope. Every other order and scope is PTX. A kernel's pointer parameters
; are global, so the asm says so.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @relaxed(
; CHECK: atomicrmw add i32* {{%v[0-9]+}}, i32 %a.{{[0-9]+}} monotonic
; CHECK: atomicrmw sub i64* {{%v[0-9]+}}, i64 %b.{{[0-9]+}} monotonic
; CHECK: atomicrmw umax i32 addrspace(3)*
; CHECK: atomicrmw min i32*
; CHECK: [[F:%v[0-9]+]] = bitcast float %f.{{[0-9]+}} to i32
; CHECK: atomicrmw xchg i32* {{%v[0-9]+}}, i32 [[F]] monotonic
; CHECK: call float @llvm.nvvm.atomic.load.add.f32.p0f32(
; CHECK: call double @llvm.nvvm.atomic.load.add.f64.p0f64(
; CHECK: call i32 @llvm.nvvm.atomic.load.inc.32.p0i32(
; CHECK: call i32 @llvm.nvvm.atomic.load.dec.32.p0i32(
define ptx_kernel void @relaxed(ptr %p, ptr addrspace(3) %s, i32 %a, i64 %b, float %f, double %d) #0 {
  %1 = atomicrmw add ptr %p, i32 %a syncscope("device") monotonic
  %2 = atomicrmw sub ptr %p, i64 %b seq_cst
  %3 = atomicrmw umax ptr addrspace(3) %s, i32 %a seq_cst
  %4 = atomicrmw min ptr %p, i32 %a seq_cst
  %5 = atomicrmw xchg ptr %p, float %f seq_cst
  %6 = atomicrmw fadd ptr %p, float %f seq_cst
  %7 = atomicrmw fadd ptr %p, double %d syncscope("device") monotonic
  %8 = atomicrmw uinc_wrap ptr %p, i32 %a seq_cst
  %9 = atomicrmw udec_wrap ptr %p, i32 %a seq_cst
  store float %6, ptr %p
  ret void
}

; CHECK-LABEL: define void @ordered(
; CHECK: "atom.acq_rel.gpu.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(i8 addrspace(1)* {{%v[0-9]+}}, i32 %a
; CHECK: "atom.relaxed.sys.global.add.u32
; CHECK: [[N:%v[0-9]+]] = sub i64 0, %b.{{[0-9]+}}
; CHECK: "atom.release.cta.shared.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(i8 addrspace(3)* %s.{{[0-9]+}}, i64 [[N]])
; CHECK: "atom.relaxed.cluster.global.max.s32
; CHECK: "atom.acquire.gpu.global.min.u64
; CHECK: "atom.acquire.gpu.global.exch.b64
; CHECK: "fence.sc.gpu;", "~{memory}"
; CHECK: "atom.acquire.gpu.global.and.b32
; CHECK: [[S:%v[0-9]+]] = xor i32 {{%v[0-9]+}}, -2147483648
; CHECK: "atom.release.gpu.global.add.f32 $0, [$1], $2;", "=r,l,r,~{memory}"({{.*}}, i32 [[S]])
; CHECK: "atom.relaxed.gpu.global.add.noftz.f16
; CHECK: "atom.acquire.cta.global.add.noftz.bf16
; CHECK: atom.relaxed.gpu.cas.b32 {{.*}} bra
define ptx_kernel void @ordered(ptr %p, ptr addrspace(3) %s, i32 %a, i64 %b, float %f, half %h, bfloat %e, i8 %c) #0 {
  %1 = atomicrmw add ptr %p, i32 %a syncscope("device") acq_rel
  %2 = atomicrmw add ptr %p, i32 %a monotonic
  %3 = atomicrmw sub ptr addrspace(3) %s, i64 %b syncscope("block") release
  %4 = atomicrmw max ptr %p, i32 %a syncscope("cluster") monotonic
  %5 = atomicrmw umin ptr %p, i64 %b syncscope("device") acquire
  %6 = atomicrmw xchg ptr %p, ptr %p syncscope("device") acquire
  %7 = atomicrmw and ptr %p, i32 %a syncscope("device") seq_cst
  %8 = atomicrmw fsub ptr %p, float %f syncscope("device") release
  %9 = atomicrmw fadd ptr %p, half %h syncscope("device") monotonic
  %10 = atomicrmw fadd ptr %p, bfloat %e syncscope("block") acquire
  %11 = atomicrmw nand ptr %p, i32 %a syncscope("device") monotonic
  %12 = atomicrmw add ptr %p, i8 %c syncscope("device") monotonic
  ret void
}

; CHECK-LABEL: define void @exchanged(
; CHECK: "fence.sc.sys;", "~{memory}"
; CHECK-NEXT: [[O:%v[0-9]+]] = call i32 asm sideeffect "atom.acquire.sys.global.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"({{.*}}, i32 %a.{{[0-9]+}}, i32 7)
; CHECK-NEXT: [[E:%v[0-9]+]] = icmp eq i32 [[O]], %a
; CHECK-NEXT: [[I:%v[0-9]+]] = insertvalue { i32, i1 } undef, i32 [[O]], 0
; CHECK-NEXT: insertvalue { i32, i1 } [[I]], i1 [[E]], 1
; CHECK: "atom.acq_rel.cta.shared.cas.b64
; CHECK: "atom.relaxed.gpu.global.cas.b16
; CHECK: "atom.release.cluster.global.cas.b64
; CHECK: "atom.acquire.gpu.global.cas.b128
; CHECK: atom.relaxed.gpu.cas.b32 {{.*}} bra
define ptx_kernel void @exchanged(ptr %p, ptr addrspace(3) %s, i32 %a, i64 %b, i16 %h, i128 %w, i8 %c) #0 {
  %1 = cmpxchg ptr %p, i32 %a, i32 7 seq_cst seq_cst
  %old = extractvalue { i32, i1 } %1, 0
  %2 = cmpxchg weak ptr addrspace(3) %s, i64 %b, i64 3 syncscope("block") release acquire
  %3 = cmpxchg ptr %p, i16 %h, i16 3 syncscope("device") monotonic monotonic
  %4 = cmpxchg ptr %p, ptr %p, ptr null syncscope("cluster") release monotonic
  %5 = cmpxchg ptr %p, i128 %w, i128 3 syncscope("device") acquire monotonic
  %6 = cmpxchg ptr %p, i8 %c, i8 3 syncscope("device") monotonic monotonic
  store i32 %old, ptr %p
  ret void
}

; CHECK-LABEL: define void @loaded_and_stored(
; CHECK: "ld.acquire.gpu.global.b32 $0, [$1];", "=r,l,~{memory}"
; CHECK: "ld.relaxed.sys.global.b64
; CHECK: "fence.sc.cta;"
; CHECK-NEXT: "ld.acquire.cta.shared.b32
; CHECK: "ld.relaxed.gpu.global.b8 $0, [$1];", "=h,l,~{memory}"
; CHECK-NEXT: trunc i16
; CHECK: bitcast i32 {{%v[0-9]+}} to float
; CHECK: "st.release.sys.global.b32 [$0], $1;", "l,r,~{memory}"
; CHECK: "st.relaxed.gpu.global.b64
; CHECK: "fence.sc.gpu;"
; CHECK: "st.relaxed.gpu.global.b32
; CHECK: "fence.acq_rel.gpu;", "~{memory}"
; CHECK: "fence.acq_rel.cta;"
; CHECK: "fence.sc.sys;"
; CHECK: call void asm sideeffect "", "~{memory}"()
define ptx_kernel void @loaded_and_stored(ptr %p, ptr addrspace(3) %s, ptr %q, float %f) #0 {
  %1 = load atomic i32, ptr %p syncscope("device") acquire, align 4
  %2 = load atomic ptr, ptr %p monotonic, align 8
  %3 = load atomic i32, ptr addrspace(3) %s syncscope("block") seq_cst, align 4
  %4 = load atomic i8, ptr %p syncscope("device") unordered, align 1
  %5 = load atomic float, ptr %p syncscope("device") monotonic, align 4
  store atomic i32 %1, ptr %q release, align 4
  store atomic ptr %2, ptr %q syncscope("device") monotonic, align 8
  store atomic i32 %3, ptr %q syncscope("device") seq_cst, align 4
  store i8 %4, ptr %q
  store float %5, ptr %q
  fence syncscope("device") acquire
  fence syncscope("block") release
  fence seq_cst
  fence syncscope("singlethread") acq_rel
  ret void
}

; A pointer that a parameter passed by value holds is global too; one from memory may be anything.
; CHECK-LABEL: define void @where(
; CHECK: "ld.acquire.gpu.global.b32
; CHECK: "ld.acquire.gpu.b32
define ptx_kernel void @where(ptr byval({ i64, ptr }) %parameters, ptr %out) #0 {
  %field = getelementptr i8, ptr %parameters, i64 8
  %p = load ptr, ptr %field, align 8
  %q = getelementptr i8, ptr %p, i64 64
  %1 = load atomic i32, ptr %q syncscope("device") acquire, align 4
  %r = load ptr, ptr %p, align 8
  %2 = load atomic i32, ptr %r syncscope("device") acquire, align 4
  %sum = add i32 %1, %2
  store i32 %sum, ptr %out
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
