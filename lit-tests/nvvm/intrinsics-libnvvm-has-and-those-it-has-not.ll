; What libNVVM has is kept under its name there. Everything else comes from LLVM's own instruction selection: a block of
; inline asm with registers of its own, effects as the intrinsic has them.
; RUN: %codegen %s --codegen=writer-only --arch=sm_90a | FileCheck %s
; RUN: %codegen %s

target triple = "nvptx64-nvidia-cuda"

@tile = external addrspace(3) global [0 x i8], align 128

; CHECK-LABEL: define void @kept(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1,
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1
; CHECK: call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(
; CHECK: call void @llvm.nvvm.barrier0()
; CHECK: call void @llvm.nvvm.barrier.n(i32 3)
; CHECK: call void @llvm.nvvm.barrier.sync(i32 2)
; CHECK: call void @llvm.nvvm.barrier.sync.cnt(i32 4, i32 64)
; CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK: call i64 @llvm.nvvm.read.ptx.sreg.clock64()
; CHECK: call void @llvm.nvvm.membar.gl()
; CHECK: call i32 @llvm.nvvm.prmt(
; CHECK: call float @llvm.nvvm.fma.rz.f(
; CHECK: call void @llvm.trap()
define ptx_kernel void @kept(ptr %out, i32 %a, float %f) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %a, i32 %tid, i32 31)
  %odd = trunc i32 %1 to i1
  %2 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %3 = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %a)
  %4 = extractvalue { i32, i1 } %3, 0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  call void @llvm.nvvm.barrier.cta.sync.all(i32 2)
  call void @llvm.nvvm.barrier.cta.sync.count(i32 4, i32 64)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %5 = call i64 @llvm.readcyclecounter()
  call void @llvm.nvvm.membar.gl()
  %6 = call i32 @llvm.nvvm.prmt(i32 %2, i32 %4, i32 %a)
  %7 = call float @llvm.nvvm.fma.rz.f(float %f, float %f, float %f)
  store volatile i32 %6, ptr %out
  store volatile i64 %5, ptr %out
  store volatile float %7, ptr %out
  %wrong = icmp eq i32 %6, 77
  br i1 %wrong, label %trap, label %done
trap:
  call void @llvm.trap()
  unreachable
done:
  ret void
}

; CHECK-LABEL: define void @selected(
; CHECK: call i32 asm sideeffect "{ .reg .b32  %pl_r<{{[0-9]+}}>; mov.b32 %pl_r1, $1; mov.b32 %pl_r2, $2; redux.sync.add.s32  %pl_r3, %pl_r1, %pl_r2; mov.b32 $0, %pl_r3; }", "=r,r,r,~{memory}"(i32 %a.{{[0-9]+}}, i32 -1) convergent nounwind
; CHECK: activemask.b32
; CHECK: call { i32, i32 } asm sideeffect "{ {{.*}}elect.sync {{.*}} convergent nounwind
; CHECK: call i32 asm "{ .reg .b32  %pl_r<2>; mov.u32  %pl_r1, %cluster_ctarank; mov.b32 $0, %pl_r1; }", "=r"() nounwind readnone
; CHECK: %globaltimer
; CHECK: call i32 asm "{ {{.*}}dp4a.s32.s32 {{.*}}", "=r,r,r,r"({{.*}}) nounwind readnone
; CHECK: call i32 asm "{ {{.*}}cvt.rn.bf16x2.f32 {{.*}}", "=r,r,r"
; CHECK-NEXT: bitcast i32 {{%v[0-9]+}} to <2 x i16>
; CHECK: fma.rn.relu.bf16x2
; CHECK: prmt.b32.f4e
; CHECK: call void asm sideeffect "{ {{.*}}bar.sync {{.*}} convergent nounwind
; CHECK: {{barrier.cta|bar}}.red.popc.u32
define ptx_kernel void @selected(ptr %out, i32 %a, float %f) #0 {
  %1 = call i32 @llvm.nvvm.redux.sync.add(i32 %a, i32 -1)
  %2 = call i32 @llvm.nvvm.activemask()
  %3 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %2)
  %4 = extractvalue { i32, i1 } %3, 1
  %5 = zext i1 %4 to i32
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %7 = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %8 = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %1, i32 %5)
  %9 = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float %f, float 1.0)
  %10 = call <2 x bfloat> @llvm.nvvm.fma.rn.relu.bf16x2(<2 x bfloat> %9, <2 x bfloat> %9, <2 x bfloat> %9)
  %11 = call i32 @llvm.nvvm.prmt.f4e(i32 %a, i32 %8, i32 %6)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 %a)
  %12 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %4)
  store volatile i32 %11, ptr %out
  store volatile i64 %7, ptr %out
  store volatile <2 x bfloat> %10, ptr %out
  store volatile i32 %12, ptr %out
  ret void
}

; CHECK-LABEL: define void @asynchronous(
; CHECK: mbarrier.init.shared.b64
; CHECK: fence.mbarrier_init.release.cluster
; CHECK: cp.async.cg.shared.global
; CHECK: cp.async.commit_group
; CHECK: cp.async.wait_group  0;
; CHECK: mbarrier.arrive.shared{{.*}}.b64
; CHECK: mbarrier.test_wait.shared.b64
; CHECK: fence.proxy.async;
; CHECK: mapa.shared::cluster.u64
; CHECK: inttoptr i64 {{%v[0-9]+}} to i8 addrspace(7)*
; CHECK: prefetch.L2
; CHECK: nanosleep.u32
define ptx_kernel void @asynchronous(ptr %out, ptr addrspace(1) %in) #0 {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @tile, i32 128)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  %target = getelementptr i8, ptr addrspace(3) @tile, i32 128
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %target, ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %token = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @tile)
  %ready = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @tile, i64 %token)
  call void @llvm.nvvm.fence.proxy.async()
  %remote = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %target, i32 0)
  %address = ptrtoint ptr addrspace(7) %remote to i64
  %generic = addrspacecast ptr addrspace(1) %in to ptr
  call void @llvm.nvvm.prefetch.L2(ptr %generic)
  call void @llvm.nvvm.nanosleep(i32 20)
  %wide = zext i1 %ready to i64
  %sum = add i64 %wide, %address
  store i64 %sum, ptr %out
  ret void
}

; CHECK-LABEL: define void @tensor_cores(
; CHECK: call { i32, i32, i32, i32 } asm sideeffect "{ {{.*}}ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}}", "=r,=r,=r,=r,l,~{memory}"({{.*}}) convergent nounwind
; CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{.*}} convergent nounwind readnone
; CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
; CHECK: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {{.*}} convergent nounwind
define ptx_kernel void @tensor_cores(ptr %out, float %c) #0 {
  %m = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) @tile)
  %m0 = extractvalue { i32, i32, i32, i32 } %m, 0
  %m1 = extractvalue { i32, i32, i32, i32 } %m, 1
  %m2 = extractvalue { i32, i32, i32, i32 } %m, 2
  %m3 = extractvalue { i32, i32, i32, i32 } %m, 3
  %h0 = bitcast i32 %m0 to <2 x half>
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %h0, <2 x half> %h0, <2 x half> %h0, <2 x half> %h0, <2 x half> %h0, <2 x half> %h0, float %c, float %c, float %c, float %c)
  %d0 = extractvalue { float, float, float, float } %d, 0
  %d3 = extractvalue { float, float, float, float } %d, 3
  %e = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %m0, i32 %m1, i32 %m2, i32 %m3, i32 %m0, i32 %m1, float %d0, float %d0, float %d3, float %d3)
  %e1 = extractvalue { float, float, float, float } %e, 1
  %w = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3(ptr addrspace(3) @tile, i32 16)
  %w5 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %w, 5
  store volatile float %e1, ptr %out
  store volatile <2 x half> %w5, ptr %out
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="1" }
