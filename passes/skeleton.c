/* skeleton.c - the parts of the kernel that no stage may own, as IR for generate.c.
 *
 * Before the roles, in this order: prefetch tensor maps; one thread initialises every mbarrier and makes that visible;
 * a warp allocates tensor memory; the only barrier of the whole CTA. The instructions are those that a kernel written
 * by hand would hold; runtime/include/pipelink/unit.h writes the same ones in CUDA C++ for unit builds.
 */
#include "skeleton.h"

#include <stdio.h>
#include <string.h>

/* ---- inline PTX ---- */

void pl_skeleton_asm(pl_link *link, LLVMBuilderRef builder, const char *text, const char *constraints,
                     LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[4];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(link->context), types, count, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                       LLVMInlineAsmDialectATT, false);
  LLVMValueRef call = LLVMBuildCall2(builder, type, code, arguments, count, "");
  static const char *const attributes[] = {"convergent", "nounwind"};
  for (size_t i = 0; i < 2; i++)
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(link->context, LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])),
                                0));
}

static void emit(pl_link *link, LLVMBuilderRef builder, const char *text) {
  pl_skeleton_asm(link, builder, text, "~{memory}", NULL, 0);
}

/* The shared-memory address of a byte of the arena, as instructions take it. */
static LLVMValueRef arena_address(pl_link *link, uint64_t offset) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(link->context), i32 = LLVMInt32TypeInContext(link->context);
  LLVMValueRef arena = LLVMGetNamedGlobal(link->module, "pipelink_shared");
  if (!arena) { /* no stage looks at it itself */
    arena = LLVMAddGlobalInAddressSpace(link->module, LLVMArrayType2(byte, 0), "pipelink_shared", 3);
    LLVMSetAlignment(arena, (unsigned)link->shared_align);
  }
  return LLVMConstAdd(LLVMConstPtrToInt(arena, i32), LLVMConstInt(i32, offset, false));
}

/* ---- what there is ---- */

static bool has_mbarriers(const pl_link *link) {
  for (size_t i = 0; i < link->ring_count; i++)
    if (link->rings[i].producer.ring->protocol != PL_RING_NAMED)
      return true;
  return false;
}

/* Calls `visit` for each tensor map of the parameter block, with its offset. */
static size_t count_tensor_maps(const pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; i < link->params_count; i++)
    for (size_t k = 0; k < link->params[i].params->field_count; k++)
      count += link->params[i].params->fields[k].type->kind == PL_TYPE_TENSOR_MAP;
  return count;
}

static bool is_cluster(const pl_link *link) {
  return link->cluster[0] * link->cluster[1] * link->cluster[2] > 1;
}

bool pl_skeleton_is_needed(const pl_link *link) {
  return has_mbarriers(link) || link->tmem_count || count_tensor_maps(link);
}

/* ---- set-up by one thread ---- */

static void prefetch_tensor_maps(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(link->context), i64 = LLVMInt64TypeInContext(link->context);
  for (size_t i = 0; i < link->params_count; i++) {
    for (size_t k = 0; k < link->params[i].params->field_count; k++) {
      const pl_field *field = &link->params[i].params->fields[k];
      if (field->type->kind != PL_TYPE_TENSOR_MAP)
        continue;
      LLVMValueRef offset = LLVMConstInt(i64, link->params[i].offset + field->offset, false);
      LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, byte, LLVMGetParam(kernel, 0), &offset, 1, "");
      pl_skeleton_asm(link, builder, "prefetch.tensormap [$0];", "l,~{memory}", &address, 1);
    }
  }
}

static void initialise_mbarrier(pl_link *link, LLVMBuilderRef builder, uint64_t offset, unsigned arrivals) {
  LLVMValueRef arguments[] = {arena_address(link, offset),
                              LLVMConstInt(LLVMInt32TypeInContext(link->context), arrivals, false)};
  pl_skeleton_asm(link, builder, "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}", arguments, 2);
}

/* Credits given beforehand: as many arrivals as a consumer's release of the slot would make. */
static void prime(pl_link *link, LLVMBuilderRef builder, uint64_t offset, unsigned arrivals) {
  LLVMValueRef arguments[] = {arena_address(link, offset),
                              LLVMConstInt(LLVMInt32TypeInContext(link->context), arrivals, false)};
  pl_skeleton_asm(link, builder, "{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [$0], $1; }",
                  "r,r,~{memory}", arguments, 2);
}

static void initialise_rings(pl_link *link, LLVMBuilderRef builder) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    if (ring->producer.ring->protocol == PL_RING_NAMED)
      continue;
    for (unsigned slot = 0; slot < ring->depth; slot++) {
      initialise_mbarrier(link, builder, ring->full + 8 * slot, ring->full_arrivals);
      initialise_mbarrier(link, builder, ring->empty + 8 * slot, ring->empty_arrivals);
    }
    if (ring->producer.ring->credit == PL_CREDIT_PRE_ARRIVE)
      for (unsigned slot = 0; slot < ring->depth; slot++)
        prime(link, builder, ring->empty + 8 * slot, ring->empty_arrivals);
  }
  /* To the other CTAs of the cluster and to the async proxy, which TMA uses (PTX ISA 9.0, fence.mbarrier_init). */
  emit(link, builder, "fence.mbarrier_init.release.cluster;");
  emit(link, builder, "fence.proxy.async.shared::cta;");
}

static bool takes_part(const pl_ring_side *side, const pl_placed_role *role) {
  return side->instance == role->instance && side->role == role->role;
}

void pl_skeleton_prime(pl_link *link, LLVMBuilderRef builder, const pl_placed_role *role) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    bool is_consumer = false;
    for (size_t k = 0; k < ring->consumer_count; k++)
      is_consumer |= takes_part(&ring->consumers[k], role);
    for (unsigned slot = 0; slot < ring->depth && is_consumer && ring->producer.ring->protocol == PL_RING_NAMED;
         slot++) {
      char text[64];
      snprintf(text, sizeof text, "barrier.cta.arrive.aligned %u, %u;", (unsigned)ring->empty + slot,
               pl_ring_threads(link, ring));
      emit(link, builder, text);
    }
  }
}

/* ---- tensor memory ---- */

static void allocate_tensor_memory(pl_link *link, LLVMBuilderRef builder) {
  char text[160];
  snprintf(text, sizeof text,
           "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], %u;\n\t"
           "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
           link->tmem_columns);
  LLVMValueRef address = arena_address(link, link->tmem_base);
  pl_skeleton_asm(link, builder, text, "r,~{memory}", &address, 1);
}

static void free_tensor_memory(pl_link *link, LLVMBuilderRef builder) {
  char text[160];
  snprintf(text, sizeof text,
           "{ .reg .b32 columns; ld.shared.b32 columns, [$0]; "
           "tcgen05.dealloc.cta_group::1.sync.aligned.b32 columns, %u; }",
           link->tmem_columns);
  LLVMValueRef address = arena_address(link, link->tmem_base);
  pl_skeleton_asm(link, builder, text, "r,~{memory}", &address, 1);
}

/* ---- in order ---- */

/* Runs what follows only where thread < limit; returns the block in which all go on. */
static LLVMBasicBlockRef begin_if_below(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef thread,
                                        unsigned limit, const char *name) {
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(link->context, kernel, name);
  LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(link->context, kernel, "ready");
  LLVMValueRef bound = LLVMConstInt(LLVMInt32TypeInContext(link->context), limit, false);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, thread, bound, ""), body, rest);
  LLVMPositionBuilderAtEnd(builder, body);
  return rest;
}

static void end_if(LLVMBuilderRef builder, LLVMBasicBlockRef rest) {
  LLVMBuildBr(builder, rest);
  LLVMPositionBuilderAtEnd(builder, rest);
}

static void synchronise(pl_link *link, LLVMBuilderRef builder) {
  if (is_cluster(link)) {
    emit(link, builder, "barrier.cluster.arrive.release.aligned;");
    emit(link, builder, "barrier.cluster.wait.acquire.aligned;");
    return;
  }
  static const char name[] = "llvm.nvvm.barrier.cta.sync.aligned.all";
  LLVMValueRef barrier =
      LLVMGetIntrinsicDeclaration(link->module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
  LLVMValueRef id = LLVMConstInt(LLVMInt32TypeInContext(link->context), 0, false);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(barrier), barrier, &id, 1, "");
}

void pl_skeleton_begin(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef thread) {
  if (!pl_skeleton_is_needed(link))
    return;
  LLVMBasicBlockRef rest = begin_if_below(link, builder, kernel, thread, 1, "initialise");
  prefetch_tensor_maps(link, builder, kernel);
  if (has_mbarriers(link))
    initialise_rings(link, builder);
  end_if(builder, rest);
  if (link->tmem_count) {
    rest = begin_if_below(link, builder, kernel, thread, 32, "allocate");
    allocate_tensor_memory(link, builder);
    end_if(builder, rest);
  }
  if (has_mbarriers(link) || link->tmem_count)
    synchronise(link, builder);
}

void pl_skeleton_set_registers(pl_link *link, LLVMBuilderRef builder, unsigned launch, unsigned wanted) {
  if (!launch || !wanted || wanted == launch)
    return;
  char text[64];
  snprintf(text, sizeof text, "setmaxnreg.%s.sync.aligned.u32 %u;", wanted < launch ? "dec" : "inc", wanted);
  emit(link, builder, text);
}

void pl_skeleton_end(pl_link *link, LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef thread) {
  bool leaves_together = is_cluster(link) && has_mbarriers(link);
  if (leaves_together || link->tmem_count)
    synchronise(link, builder);
  if (link->tmem_count) {
    LLVMBasicBlockRef rest = begin_if_below(link, builder, kernel, thread, 32, "free");
    free_tensor_memory(link, builder);
    end_if(builder, rest);
  }
}
