; Every pointer is i8*; it is cast to what is loaded or stored. Address spaces, alignment, volatile stay; memory in bulk
; is unrolled when small, with pieces as wide as the alignment allows.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [128 x i32] undef, align 16
@table = internal addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 4
!0 = !{}

; CHECK: @tile = internal addrspace(3) global [128 x i32] undef, align 16
; CHECK: @table = internal addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 4
; CHECK-LABEL: define void @loads_and_stores(i8* %in.0, i8* %out.1)
; CHECK: [[P:%v[0-9]+]] = bitcast i8* %base.{{[0-9]+}} to i32*
; CHECK-NEXT: load i32, i32* [[P]], align
; CHECK: load volatile i32, i32*
; CHECK: load { i32, float }, { i32, float }*
; CHECK: getelementptr { i32, [4 x { i16, i64 }], float }, { i32, [4 x { i16, i64 }], float }* %v{{[0-9]+}}, i64 0, i32 1, i64 2, i32 1
; CHECK: store volatile i64 77
; CHECK: shufflevector <4 x float> %v2.{{[0-9]+}}, <4 x float> %v.{{[0-9]+}}, <4 x i32> <i32 7, i32 undef, i32 0, i32 4>
define ptx_kernel void @loads_and_stores(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %v.at = getelementptr i8, ptr %base, i64 16
  %v = load <4 x float>, ptr %v.at, align 16
  %d.at = getelementptr i8, ptr %base, i64 32
  %d = load double, ptr %d.at, align 8
  %p.at = getelementptr i8, ptr %base, i64 40
  %p = load ptr, ptr %p.at, align 8
  %bytes = getelementptr i8, ptr %base, i64 4
  %r0 = load i8, ptr %bytes, align 1
  %r1 = load i16, ptr %bytes, align 2
  %r2 = load volatile i32, ptr %base, align 4
  %w = load <2 x i32>, ptr %base, align 8
  %r3 = extractelement <2 x i32> %w, i32 1
  %agg = load { i32, float }, ptr %base, align 4
  %r4 = extractvalue { i32, float } %agg, 1
  %arr = load [2 x i16], ptr %base, align 2
  %r5 = extractvalue [2 x i16] %arr, 1
  %agg2 = insertvalue { i32, float } %agg, i32 %a, 0
  %spot = getelementptr i8, ptr %result, i64 256
  store { i32, float } %agg2, ptr %spot, align 4
  %spot2 = getelementptr { i32, [4 x { i16, i64 }], float }, ptr %spot, i64 0, i32 1, i64 2, i32 1
  store volatile i64 77, ptr %spot2, align 8
  %idx = and i32 %a, 3
  %r6 = extractelement <4 x float> %v, i32 %idx
  %v2 = insertelement <4 x float> %v, float 2.0, i32 %idx
  %r7 = shufflevector <4 x float> %v2, <4 x float> %v, <4 x i32> <i32 7, i32 poison, i32 0, i32 4>
  %r8 = extractelement <4 x float> %r7, i32 0
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i8 %r0, ptr %out.0, align 1
  %out.1 = getelementptr i8, ptr %result, i64 2
  store i16 %r1, ptr %out.1, align 2
  %out.2 = getelementptr i8, ptr %result, i64 4
  store i32 %r2, ptr %out.2, align 4
  %out.3 = getelementptr i8, ptr %result, i64 8
  store i32 %r3, ptr %out.3, align 4
  %out.4 = getelementptr i8, ptr %result, i64 12
  store float %r4, ptr %out.4, align 4
  %out.5 = getelementptr i8, ptr %result, i64 16
  store i16 %r5, ptr %out.5, align 2
  %out.6 = getelementptr i8, ptr %result, i64 20
  store float %r6, ptr %out.6, align 4
  %out.7 = getelementptr i8, ptr %result, i64 24
  store float %r8, ptr %out.7, align 4
  ret void
}

; CHECK-LABEL: define void @address_spaces(
; CHECK: getelementptr inbounds [128 x i32], [128 x i32] addrspace(3)*
; CHECK: call void @llvm.nvvm.barrier0()
; CHECK: bitcast i8* addrspacecast (i8 addrspace(3)* bitcast ([128 x i32] addrspace(3)* @tile to i8 addrspace(3)*) to i8*) to [128 x i32]*
; CHECK: load i32, i32 addrspace(1)* {{%v[0-9]+}}, align 4, !invariant.load
; CHECK: load i32, i32 addrspace(4)*
; CHECK: inttoptr i32 %n2.{{[0-9]+}} to i8 addrspace(3)*
define ptx_kernel void @address_spaces(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i32, ptr %base, align 4
  %b.at = getelementptr i8, ptr %base, i64 8
  %b = load i64, ptr %b.at, align 8
  %idx = and i32 %thread, 127
  %slot = getelementptr inbounds nuw [128 x i32], ptr addrspace(3) @tile, i32 0, i32 %idx
  store i32 %a, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = xor i32 %idx, 1
  %slot2 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %other
  %r0 = load i32, ptr %slot2, align 4
  %g = addrspacecast ptr %base to ptr addrspace(1)
  %r1 = load i32, ptr addrspace(1) %g, align 4, !invariant.load !0
  %r2 = load i32, ptr addrspace(4) @table, align 4
  %c = getelementptr i32, ptr addrspace(4) @table, i32 2
  %r3 = load i32, ptr addrspace(4) %c, align 4
  %n = ptrtoint ptr addrspace(3) %slot to i32
  %n2 = add i32 %n, 4
  %back = inttoptr i32 %n2 to ptr addrspace(3)
  %bi = ptrtoint ptr addrspace(3) %back to i32
  %r4 = sub i32 %bi, %n
  %q = ptrtoint ptr %base to i64
  %q2 = inttoptr i64 %q to ptr
  %r5 = load i32, ptr %q2, align 4
  %local = alloca [4 x i32], align 16
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %local, align 16
  %li = and i32 %a, 3
  %le = getelementptr [4 x i32], ptr %local, i64 0, i32 %li
  store i32 %a, ptr %le, align 4
  %l3 = getelementptr i8, ptr %local, i64 12
  %r6 = load i32, ptr %l3, align 4
  %mask = call ptr @llvm.ptrmask.p0.i64(ptr %base, i64 -64)
  %r7 = load i32, ptr %mask, align 4
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
  ret void
}

; CHECK-LABEL: define void @in_bulk(
; CHECK: load <4 x i32>, <4 x i32>* {{.*}}, align 16
; CHECK: load i8, i8* {{.*}}, align 1
; CHECK: store <4 x i32>
; CHECK: mul i32 {{%v[0-9]+}}, 16843009
; CHECK: store i64 -4340410370284600381, i64*
; CHECK: call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 1 %t3
; CHECK: call void @llvm.memmove.p0i8.p0i8.i64(i8* align 1 %t5.{{[0-9]+}}, i8* align 1 %from.{{[0-9]+}}, i64 %ml.{{[0-9]+}}, i1 true)
; CHECK-NOT: lifetime
define ptx_kernel void @in_bulk(ptr %in, ptr %out) #0 {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread.wide = zext i32 %thread to i64
  %in.offset = mul i64 %thread.wide, 128
  %out.offset = mul i64 %thread.wide, 512
  %base = getelementptr i8, ptr %in, i64 %in.offset
  %result = getelementptr i8, ptr %out, i64 %out.offset
  %a = load i64, ptr %base, align 8
  %n8.at = getelementptr i8, ptr %base, i64 8
  %n8 = load i8, ptr %n8.at, align 1
  %len.at = getelementptr i8, ptr %base, i64 12
  %len = load i32, ptr %len.at, align 4
  %from = getelementptr i8, ptr %base, i64 0
  %t0 = getelementptr i8, ptr %result, i64 256
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %t0, ptr align 16 %from, i64 47, i1 false)
  %t1 = getelementptr i8, ptr %result, i64 304
  call void @llvm.memset.p0.i64(ptr align 4 %t1, i8 %n8, i64 23, i1 false)
  %t2 = getelementptr i8, ptr %result, i64 328
  call void @llvm.memset.p0.i64(ptr align 8 %t2, i8 -61, i64 16, i1 false)
  %t3 = getelementptr i8, ptr %result, i64 352
  %m = and i32 %len, 31
  %ml = zext i32 %m to i64
  call void @llvm.memset.p0.i64(ptr align 1 %t3, i8 0, i64 48, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %t3, ptr align 1 %from, i64 %ml, i1 false)
  %t4 = getelementptr i8, ptr %result, i64 257
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %t4, ptr align 16 %t0, i64 9, i1 false)
  %t5 = getelementptr i8, ptr %result, i64 400
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %t5, ptr align 1 %from, i64 %ml, i1 true)
  %l0 = alloca [32 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr %l0)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %l0, ptr align 16 %from, i64 32, i1 false)
  %l1 = getelementptr i8, ptr %l0, i32 %m
  %r0 = load i8, ptr %l1, align 1
  call void @llvm.lifetime.end.p0(ptr %l0)
  %t6 = getelementptr i8, ptr %result, i64 440
  call void @llvm.memset.p0.i64(ptr align 8 %t6, i8 %n8, i64 64, i1 false)
  %out.0 = getelementptr i8, ptr %result, i64 0
  store i8 %r0, ptr %out.0, align 1
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
