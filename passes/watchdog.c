/* watchdog.c - see watchdog.h. Between relocate and generate, and only with --watchdog: the code is not the same then.
 */
#include "watchdog.h"

#include "llvm_ext.h"
#include "merge.h"
#include "skeleton.h"
#include "verify/operation.h"

#include <errno.h>
#include <string.h>

/* A role's function while its waits are being rewritten. */
typedef struct watch {
  pl_link *link;
  LLVMBuilderRef builder;
  LLVMValueRef report; /* global pointer, loaded at the start */
  LLVMValueRef entry;  /* this thread's */
  LLVMTypeRef i32, i64, global;
} watch;

static LLVMValueRef number(const watch *on, uint64_t value) {
  return LLVMConstInt(on->i32, value, false);
}

/* ---- the report ---- */

static LLVMValueRef special_register(const watch *on, const char *name) {
  LLVMValueRef read = LLVMGetIntrinsicDeclaration(on->link->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(on->builder, LLVMGlobalGetValueType(read), read, NULL, 0, "");
}

/* The variable, pointing to a report without entries; the host sees it under its name. */
static LLVMValueRef variable(const watch *on) {
  LLVMModuleRef module = on->link->module;
  LLVMValueRef found = LLVMGetNamedGlobal(module, PL_WATCHDOG_VARIABLE);
  if (found)
    return found;
  LLVMTypeRef words = LLVMArrayType2(on->i64, PL_WATCHDOG_HEADER / 8);
  LLVMValueRef silent = LLVMAddGlobalInAddressSpace(module, words, PL_WATCHDOG_VARIABLE "_silent", 1);
  LLVMSetInitializer(silent, LLVMConstNull(words));
  LLVMSetLinkage(silent, LLVMInternalLinkage);
  LLVMSetAlignment(silent, 8);
  found = LLVMAddGlobalInAddressSpace(module, on->i64, PL_WATCHDOG_VARIABLE, 1);
  LLVMSetInitializer(found, LLVMConstPtrToInt(silent, on->i64));
  LLVMSetExternallyInitialized(found, true);
  LLVMSetAlignment(found, 8);
  return found;
}

static LLVMValueRef load_word(const watch *on, LLVMTypeRef type, LLVMValueRef base, uint64_t offset) {
  LLVMValueRef at = LLVMConstInt(on->i64, offset, false);
  LLVMValueRef address =
      offset ? LLVMBuildInBoundsGEP2(on->builder, LLVMInt8TypeInContext(on->link->context), base, &at, 1, "") : base;
  LLVMValueRef load = LLVMBuildLoad2(on->builder, type, address, "");
  LLVMSetVolatile(load, true);
  return load;
}

/* At the start of the role: where this thread leaves word. */
static void find_entry(watch *on) {
  LLVMBuilderRef b = on->builder;
  LLVMValueRef address = load_word(on, on->i64, variable(on), 0);
  on->report = LLVMBuildIntToPtr(b, address, on->global, "report");
  LLVMValueRef ctas = load_word(on, on->i32, on->report, 4);
  LLVMValueRef x = special_register(on, "llvm.nvvm.read.ptx.sreg.ctaid.x");
  LLVMValueRef y = special_register(on, "llvm.nvvm.read.ptx.sreg.ctaid.y");
  LLVMValueRef z = special_register(on, "llvm.nvvm.read.ptx.sreg.ctaid.z");
  LLVMValueRef width = special_register(on, "llvm.nvvm.read.ptx.sreg.nctaid.x");
  LLVMValueRef height = special_register(on, "llvm.nvvm.read.ptx.sreg.nctaid.y");
  LLVMValueRef cta =
      LLVMBuildAdd(b, LLVMBuildMul(b, LLVMBuildAdd(b, LLVMBuildMul(b, z, height, ""), y, ""), width, ""), x, "");
  LLVMValueRef thread = special_register(on, "llvm.nvvm.read.ptx.sreg.tid.x");
  LLVMValueRef index = LLVMBuildAdd(b, LLVMBuildMul(b, cta, number(on, on->link->threads), ""), thread, "");
  LLVMValueRef own =
      LLVMBuildAdd(b, LLVMBuildMul(b, LLVMBuildZExt(b, index, on->i64, ""), LLVMConstInt(on->i64, 8, false), ""),
                   LLVMConstInt(on->i64, PL_WATCHDOG_HEADER, false), "");
  LLVMValueRef offset = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, cta, ctas, ""), own,
                                        LLVMConstInt(on->i64, PL_WATCHDOG_UNUSED_ENTRY, false), "");
  on->entry = LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(on->link->context), on->report, &offset, 1, "entry");
}

static void store_entry(const watch *on, LLVMValueRef value) {
  LLVMSetVolatile(LLVMBuildStore(on->builder, value, on->entry), true);
}

/* ---- waits ---- */

static LLVMValueRef operand(const watch *on, const pl_operand *operand) {
  LLVMValueRef offset = number(on, (uint64_t)operand->integer);
  if (operand->kind != PL_OPERAND_VALUE || !operand->value)
    return offset;
  LLVMTypeRef type = LLVMTypeOf(operand->value);
  LLVMValueRef value = operand->value;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value = LLVMBuildPtrToInt(on->builder, value, on->i64, "");
  value = LLVMBuildIntCast2(on->builder, value, on->i32, false, "");
  return operand->integer ? LLVMBuildAdd(on->builder, value, offset, "") : value;
}

/* What the thread waits for, as the report's high half: the arena's start is taken off an mbarrier's address, of which
 * the low 24 bits are the same in the shared window and as a generic address. */
static LLVMValueRef what(const watch *on, const pl_operation *wait) {
  LLVMBuilderRef b = on->builder;
  if (wait->kind != PL_OP_MBARRIER_WAIT && wait->kind != PL_OP_MBARRIER_TEST)
    return operand(on, &wait->id);
  LLVMValueRef arena = LLVMGetNamedGlobal(on->link->module, "pipelink_shared"), address = operand(on, &wait->address);
  if (arena)
    address = LLVMBuildSub(b, address, LLVMBuildPtrToInt(b, arena, on->i32, ""), "");
  address = LLVMBuildAnd(b, address, number(on, 0xffffff), "");
  LLVMValueRef parity = LLVMBuildShl(b, operand(on, &wait->parity), number(on, 31), "");
  return LLVMBuildOr(b, address, parity, "");
}

static pl_status add_place(pl_link *link, size_t role, const pl_operation *wait) {
  pl_wait *larger = pl_arena_array(link->arena, link->wait_count + 1, sizeof *larger);
  if (!larger)
    return pl_out_of_memory(link->sink);
  if (link->wait_count)
    memcpy(larger, link->waits, link->wait_count * sizeof *larger);
  link->waits = larger;
  pl_wait *place = &link->waits[link->wait_count++];
  *place = (pl_wait){.role = role,
                     .is_mbarrier = wait->kind == PL_OP_MBARRIER_WAIT || wait->kind == PL_OP_MBARRIER_TEST,
                     .is_cluster = wait->kind == PL_OP_CLUSTER_WAIT};
  const char *file;
  if (pl_llvm_source_line(wait->instruction, &file, &place->location.line))
    place->location.file = pl_arena_strdup(link->arena, file);
  return 0;
}

/* One look at a time, and one at the host's word between two. Milliseconds apart: it comes over the bus. */
static void wait_until_stopped(const watch *on, const pl_operation *wait) {
  LLVMValueRef arguments[] = {operand(on, &wait->address), operand(on, &wait->parity), on->report};
  pl_skeleton_asm(on->link, on->builder,
                  "{\n\t.reg .pred done, stopped;\n\t.reg .b32 word;\n"
                  "wait:\n\t"
                  "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1, 1000000;\n\t"
                  "@done bra leave;\n\t"
                  "ld.volatile.global.u32 word, [$2];\n\t"
                  "setp.ne.u32 stopped, word, 0;\n\t"
                  "@stopped trap;\n\t"
                  "bra wait;\n"
                  "leave:\n\t}",
                  "r,r,l,~{memory}", arguments, 3);
}

/* A loop of its own makes the test wait: it sees the host's word each time round. */
static void stop_if_told(const watch *on) {
  LLVMValueRef arguments[] = {on->report};
  pl_skeleton_asm(on->link, on->builder,
                  "{\n\t.reg .pred stopped;\n\t.reg .b32 word;\n\t"
                  "ld.volatile.global.u32 word, [$0];\n\t"
                  "setp.ne.u32 stopped, word, 0;\n\t"
                  "@stopped trap;\n\t}",
                  "l,~{memory}", arguments, 1);
}

static pl_status rewrite(watch *on, size_t role, const pl_operation *wait, bool is_alone) {
  pl_status status = add_place(on->link, role, wait);
  if (status)
    return status;
  LLVMBuilderRef b = on->builder;
  LLVMValueRef instruction = wait->instruction, nothing = LLVMConstNull(on->i64);
  LLVMPositionBuilderBefore(b, instruction);
  LLVMValueRef high =
      LLVMBuildShl(b, LLVMBuildZExt(b, what(on, wait), on->i64, ""), LLVMConstInt(on->i64, 32, false), "");
  store_entry(on, LLVMBuildOr(b, high, LLVMConstInt(on->i64, on->link->wait_count, false), ""));
  bool replaces = is_alone && wait->kind == PL_OP_MBARRIER_WAIT && !LLVMGetFirstUse(instruction) &&
                  wait->parity.kind != PL_OPERAND_ABSENT;
  if (replaces)
    wait_until_stopped(on, wait);
  else
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(instruction));
  if (wait->kind == PL_OP_MBARRIER_TEST)
    stop_if_told(on);
  store_entry(on, nothing);
  if (replaces)
    LLVMInstructionEraseFromParent(instruction);
  return 0;
}

static bool is_wait(const pl_operation *operation) {
  return operation->kind == PL_OP_MBARRIER_WAIT || operation->kind == PL_OP_MBARRIER_TEST ||
         operation->kind == PL_OP_BARRIER_SYNC || operation->kind == PL_OP_CLUSTER_WAIT;
}

static pl_status watch_instruction(watch *on, size_t role, LLVMValueRef instruction, pl_arena *scratch) {
  const pl_operation *operations;
  size_t count;
  if (LLVMGetInstructionOpcode(instruction) == LLVMRet) { /* the role has ended */
    LLVMPositionBuilderBefore(on->builder, instruction);
    store_entry(on, LLVMConstInt(on->i64, 0xffffffff, false));
    return 0;
  }
  if (!LLVMIsACallInst(instruction))
    return 0;
  pl_status status = pl_operations_decode(instruction, scratch, &operations, &count);
  for (size_t i = 0; i < count && !status; i++)
    if (is_wait(&operations[i]))
      return rewrite(on, role, &operations[i], count == 1); /* one entry tells of one wait */
  return status ? pl_out_of_memory(on->link->sink) : 0;
}

static pl_status watch_role(pl_link *link, size_t role, LLVMValueRef function, pl_arena *scratch) {
  watch on = {.link = link,
              .builder = LLVMCreateBuilderInContext(link->context),
              .i32 = LLVMInt32TypeInContext(link->context),
              .i64 = LLVMInt64TypeInContext(link->context),
              .global = LLVMPointerTypeInContext(link->context, 1)};
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (first && LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(on.builder, first);
  find_entry(&on);
  pl_status status = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !status;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef next, instruction = LLVMGetFirstInstruction(block); instruction && !status; instruction = next) {
      next = LLVMGetNextInstruction(instruction);
      status = watch_instruction(&on, role, instruction, scratch);
    }
  }
  LLVMDisposeBuilder(on.builder);
  return status;
}

/* The host looks the variable up by its name. */
static pl_status keep_variable(pl_link *link) {
  const char **keep = pl_arena_array(link->arena, link->options.keep_count + 1, sizeof *keep);
  if (!keep)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->options.keep_count; i++)
    keep[i] = link->options.keep[i];
  keep[link->options.keep_count++] = PL_WATCHDOG_VARIABLE;
  link->options.keep = keep;
  return 0;
}

pl_status pl_watchdog_add(pl_link *link) {
  pl_arena *scratch = pl_arena_create();
  if (!scratch)
    return pl_out_of_memory(link->sink);
  pl_status status = 0;
  for (size_t i = 0; i < link->role_count && !status; i++) {
    LLVMValueRef function = pl_merged_role(link, &link->roles[i]);
    status = function ? watch_role(link, i, function, scratch) : pl_out_of_memory(link->sink);
  }
  pl_arena_free(scratch);
  return status ? status : keep_variable(link);
}

/* ---- for the runtime ---- */

static void append_places(const pl_link *link, json_t *places) {
  for (size_t i = 0; i < link->ring_count; i++) {
    const pl_joined_ring *ring = &link->rings[i];
    bool is_named = ring->producer.ring->protocol == PL_RING_NAMED;
    const uint64_t first[] = {ring->full, ring->empty};
    static const char *const sides[] = {"full", "empty"};
    for (size_t side = 0; side < 2; side++)
      json_array_append_new(places, json_pack("{s:s, s:s, s:s, s:b, s:I, s:i}", "resource", "ring", "name", ring->name,
                                              "side", sides[side], "named", is_named, "first", (json_int_t)first[side],
                                              "count", (int)ring->depth));
  }
  for (size_t i = 0; i < link->barrier_count; i++)
    json_array_append_new(places, json_pack("{s:s, s:s, s:s, s:b, s:i, s:i}", "resource", "barrier", "name",
                                            link->barriers[i].name, "side", "", "named", 1, "first",
                                            (int)link->barriers[i].id, "count", 1));
}

json_t *pl_watchdog_json(const pl_link *link) {
  json_t *waits = json_array(), *places = json_array();
  for (size_t i = 0; i < link->wait_count; i++) {
    const pl_wait *wait = &link->waits[i];
    const pl_placed_role *role = &link->roles[wait->role];
    const char *kind = wait->is_mbarrier ? "mbarrier" : wait->is_cluster ? "cluster" : "barrier";
    const char *file = wait->location.file ? pl_path_base(wait->location.file) : "";
    json_array_append_new(waits, json_pack("{s:s, s:s, s:s, s:i}", "role", role->role->name, "kind", kind, "file", file,
                                           "line", (int)wait->location.line));
  }
  append_places(link, places);
  return json_pack("{s:s, s:o, s:o}", "variable", PL_WATCHDOG_VARIABLE, "waits", waits, "places", places);
}
