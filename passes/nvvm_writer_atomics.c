/* nvvm_writer_atomics.c - atomic loads, stores, read-modify-writes and fences, with ordering and scope.
 *
 * LLVM 7's instructions carry no scope and libNVVM ignores their ordering: they are relaxed at device scope. They
 * are used for exactly that, since libNVVM can then find the address space and drop unused results. Everything
 * else is PTX (PTX ISA 9.0, memory consistency model) as inline asm.
 *
 * CUDA's own atomicAdd() and its kin are relaxed at device scope by definition, but clang writes them as seq_cst at
 * system scope; LLVM's NVPTX back end translates every atomicrmw to the relaxed form for that reason. A seq_cst
 * system-scope atomicrmw is therefore taken as CUDA's. Weaker orderings and other scopes can only come from a
 * source that meant them, and are kept.
 */
#include "nvvm_writer.h"

#include <string.h>

struct scope {
  const char *ptx; /* "sys", "gpu", "cluster", "cta" */
  bool is_system, is_device;
};

static bool scope_of(nvvm_writer *writer, LLVMValueRef instruction, struct scope *scope) {
  static const struct {
    const char *name, *ptx;
  } scopes[] = {{"", "sys"}, {"device", "gpu"}, {"cluster", "cluster"}, {"block", "cta"}, {"singlethread", "cta"}};
  unsigned id = LLVMGetAtomicSyncScopeID(instruction);
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
    if (LLVMGetSyncScopeID(writer->context, scopes[i].name, strlen(scopes[i].name)) != id)
      continue;
    *scope = (struct scope){
        .ptx = scopes[i].ptx, .is_system = !strcmp(scopes[i].ptx, "sys"), .is_device = !strcmp(scopes[i].ptx, "gpu")};
    return true;
  }
  nvvm_unknown(writer, "a synchronisation scope that is none of system, device, cluster, block");
  return false;
}

static bool is_byval(LLVMValueRef argument) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == argument)
      return nvvm_byval_type(function, i);
  return false;
}

/* Where a generic pointer certainly points: what LLVM's back end and libNVVM also assume of a kernel's own pointer
 * parameters, and of pointers in a parameter passed by value. 0 when that is not known. */
static unsigned known_space(LLVMValueRef pointer) {
  enum { STEPS_MOST = 32 };
  for (unsigned step = 0; step < STEPS_MOST; step++) {
    unsigned space = nvvm_address_space(pointer);
    if (space)
      return space;
    if (LLVMIsAArgument(pointer))
      return nvvm_is_kernel(LLVMGetParamParent(pointer)) && !is_byval(pointer) ? 1 : 0;
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
        (LLVMIsAConstantExpr(pointer) &&
         (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr || LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast))) {
      pointer = LLVMGetOperand(pointer, 0);
      continue;
    }
    if (!LLVMIsALoadInst(pointer))
      return 0;
    LLVMValueRef place = LLVMGetOperand(pointer, 0);
    while (LLVMIsAGetElementPtrInst(place))
      place = LLVMGetOperand(place, 0);
    return LLVMIsAArgument(place) && nvvm_is_kernel(LLVMGetParamParent(place)) && is_byval(place) ? 1 : 0;
  }
  return 0;
}

/* A pointer for inline asm: typed operand, and ".global", ".shared" or "" for generic. False (and unknown) where
 * atomics are not possible. */
struct place {
  const char *typed, *suffix;
};

static bool place_of(nvvm_writer *writer, LLVMValueRef pointer, struct place *place) {
  unsigned space = nvvm_address_space(pointer), known = space ? space : known_space(pointer);
  place->typed = nvvm_typed(writer, pointer);
  place->suffix = known == 1 ? ".global" : known == 3 ? ".shared" : "";
  if (space && !*place->suffix) {
    nvvm_unknown(writer, "atomic access in address space %u", space);
    return false;
  }
  if (!space && *place->suffix) {
    const char *type = nvvm_pointer_to(writer, "i8", known);
    place->typed = nvvm_text(writer, "%s %s", type, nvvm_assign(writer, "addrspacecast %s to %s", place->typed, type));
  }
  return true;
}

static const char *ordering_word(LLVMAtomicOrdering ordering) {
  switch (ordering) {
  case LLVMAtomicOrderingAcquire:
  case LLVMAtomicOrderingSequentiallyConsistent: /* behind a fence.sc */
    return "acquire";
  case LLVMAtomicOrderingRelease:
    return "release";
  case LLVMAtomicOrderingAcquireRelease:
    return "acq_rel";
  default:
    return "relaxed";
  }
}

static void write_sc_fence(nvvm_writer *writer, const struct scope *scope) {
  nvvm_line(writer, "%s",
            nvvm_asm_call(writer, NVVM_ASM_MEMORY, "void", nvvm_text(writer, "fence.sc.%s;", scope->ptx), "", ""));
}

/* How a value travels through a register: integers below 32 bits are widened, pointers and floats are bits. */
struct carrier {
  unsigned bits;          /* of memory */
  const char *type;       /* register type: i16, i32, i64, i128 */
  const char *constraint; /* "h", "r", "l", "q" */
};

static bool carrier_of(nvvm_writer *writer, LLVMTypeRef type, struct carrier *carrier) {
  nvvm_shape shape = nvvm_shape_of(type);
  unsigned bits = shape.lanes ? shape.bits * shape.lanes : shape.bits;
  if (shape.kind == LLVMPointerTypeKind && !shape.lanes)
    bits = 64;
  static const struct carrier carriers[] = {
      {8, "i16", "h"}, {16, "i16", "h"}, {32, "i32", "r"}, {64, "i64", "l"}, {128, "i128", "q"}};
  for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++) {
    if (carriers[i].bits == bits) {
      *carrier = carriers[i];
      return true;
    }
  }
  nvvm_unknown(writer, "an atomic access of type %s", nvvm_type(writer, type));
  return false;
}

/* The value as the carrier's register, and back. */
static const char *to_register(nvvm_writer *writer, LLVMTypeRef type, const char *value,
                               const struct carrier *carrier) {
  const char *text = nvvm_type(writer, type);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return nvvm_assign(writer, "ptrtoint %s %s to i64", text, value);
  if (carrier->bits == 8)
    return nvvm_assign(writer, "zext %s %s to i16", text, value);
  return strcmp(text, carrier->type) ? nvvm_assign(writer, "bitcast %s %s to %s", text, value, carrier->type) : value;
}

static const char *from_register(nvvm_writer *writer, LLVMTypeRef type, const char *value,
                                 const struct carrier *carrier) {
  const char *text = nvvm_type(writer, type);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return nvvm_assign(writer, "inttoptr i64 %s to %s", value, text);
  if (carrier->bits == 8)
    return nvvm_assign(writer, "trunc i16 %s to %s", value, text);
  return strcmp(text, carrier->type) ? nvvm_assign(writer, "bitcast %s %s to %s", carrier->type, value, text) : value;
}

void nvvm_write_atomic_load(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  struct scope scope;
  struct carrier carrier;
  struct place place;
  if (!scope_of(writer, instruction, &scope) || !carrier_of(writer, type, &carrier) ||
      !place_of(writer, pointer, &place))
    return;
  LLVMAtomicOrdering ordering = LLVMGetOrdering(instruction);
  bool sequential = ordering == LLVMAtomicOrderingSequentiallyConsistent;
  if (sequential)
    write_sc_fence(writer, &scope);
  bool acquires = sequential || ordering == LLVMAtomicOrderingAcquire;
  const char *text = nvvm_text(writer, "ld.%s.%s%s.b%u $0, [$1];", acquires ? "acquire" : "relaxed", scope.ptx,
                               place.suffix, carrier.bits);
  const char *value = nvvm_assign(writer, "%s",
                                  nvvm_asm_call(writer, NVVM_ASM_MEMORY, carrier.type, text,
                                                nvvm_text(writer, "=%s,l", carrier.constraint), place.typed));
  nvvm_bind(writer, instruction, from_register(writer, type, value, &carrier));
}

void nvvm_write_atomic_store(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef stored = LLVMGetOperand(instruction, 0), pointer = LLVMGetOperand(instruction, 1);
  struct scope scope;
  struct carrier carrier;
  struct place place;
  if (!scope_of(writer, instruction, &scope) || !carrier_of(writer, LLVMTypeOf(stored), &carrier) ||
      !place_of(writer, pointer, &place))
    return;
  LLVMAtomicOrdering ordering = LLVMGetOrdering(instruction);
  if (ordering == LLVMAtomicOrderingSequentiallyConsistent)
    write_sc_fence(writer, &scope);
  const char *text =
      nvvm_text(writer, "st.%s.%s%s.b%u [$0], $1;", ordering == LLVMAtomicOrderingRelease ? "release" : "relaxed",
                scope.ptx, place.suffix, carrier.bits);
  const char *value = to_register(writer, LLVMTypeOf(stored), nvvm_operand(writer, stored), &carrier);
  nvvm_line(writer, "%s",
            nvvm_asm_call(writer, NVVM_ASM_MEMORY, "void", text, nvvm_text(writer, "l,%s", carrier.constraint),
                          nvvm_text(writer, "%s, %s %s", place.typed, carrier.type, value)));
}

/* ---- read-modify-write ---- */

/* PTX operation and type letter for atom; NULL when PTX has none. */
static const char *ptx_operation(LLVMAtomicRMWBinOp operation, LLVMTypeKind kind, unsigned bits, char *letter) {
  bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  bool wide_enough = bits == 32 || bits == 64;
  *letter = 'b';
  switch (operation) {
  case LLVMAtomicRMWBinOpXchg:
    return wide_enough ? "exch" : NULL;
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
    *letter = 'u';
    return wide_enough ? "add" : NULL;
  case LLVMAtomicRMWBinOpAnd:
    return wide_enough ? "and" : NULL;
  case LLVMAtomicRMWBinOpOr:
    return wide_enough ? "or" : NULL;
  case LLVMAtomicRMWBinOpXor:
    return wide_enough ? "xor" : NULL;
  case LLVMAtomicRMWBinOpMax:
  case LLVMAtomicRMWBinOpMin:
    *letter = 's';
    return !wide_enough ? NULL : operation == LLVMAtomicRMWBinOpMax ? "max" : "min";
  case LLVMAtomicRMWBinOpUMax:
  case LLVMAtomicRMWBinOpUMin:
    *letter = 'u';
    return !wide_enough ? NULL : operation == LLVMAtomicRMWBinOpUMax ? "max" : "min";
  case LLVMAtomicRMWBinOpUIncWrap:
  case LLVMAtomicRMWBinOpUDecWrap:
    *letter = 'u';
    return bits != 32 ? NULL : operation == LLVMAtomicRMWBinOpUIncWrap ? "inc" : "dec";
  case LLVMAtomicRMWBinOpFAdd:
  case LLVMAtomicRMWBinOpFSub:
    *letter = 'f';
    return is_float ? "add" : kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? "add.noftz" : NULL;
  default:
    return NULL;
  }
}

/* Operations that libNVVM's atomicrmw has, with the same name. */
static const char *native_operation(LLVMAtomicRMWBinOp operation) {
  static const char *const words[] = {
      [LLVMAtomicRMWBinOpXchg] = "xchg", [LLVMAtomicRMWBinOpAdd] = "add", [LLVMAtomicRMWBinOpSub] = "sub",
      [LLVMAtomicRMWBinOpAnd] = "and",   [LLVMAtomicRMWBinOpOr] = "or",   [LLVMAtomicRMWBinOpXor] = "xor",
      [LLVMAtomicRMWBinOpMax] = "max",   [LLVMAtomicRMWBinOpMin] = "min", [LLVMAtomicRMWBinOpUMax] = "umax",
      [LLVMAtomicRMWBinOpUMin] = "umin",
  };
  return (size_t)operation < sizeof words / sizeof *words ? words[operation] : NULL;
}

static void write_native(nvvm_writer *writer, LLVMValueRef instruction, const char *word,
                         const struct carrier *carrier) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0), operand = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(operand);
  const char *to = nvvm_cast_pointer(writer, pointer, carrier->type);
  const char *value = to_register(writer, type, nvvm_operand(writer, operand), carrier);
  const char *old =
      nvvm_assign(writer, "atomicrmw %s%s %s %s, %s %s monotonic%s", LLVMGetVolatile(instruction) ? "volatile " : "",
                  word, nvvm_pointer_to(writer, carrier->type, nvvm_address_space(pointer)), to, carrier->type, value,
                  nvvm_attachments(writer, instruction));
  nvvm_bind(writer, instruction, from_register(writer, type, old, carrier));
}

/* libNVVM's intrinsics for what LLVM 7's atomicrmw lacks; NULL when there is none. */
static const char *native_intrinsic(LLVMAtomicRMWBinOp operation, LLVMTypeKind kind, unsigned bits) {
  if (operation == LLVMAtomicRMWBinOpFAdd && kind == LLVMFloatTypeKind)
    return "add.f32";
  if (operation == LLVMAtomicRMWBinOpFAdd && kind == LLVMDoubleTypeKind)
    return "add.f64";
  if (operation == LLVMAtomicRMWBinOpUIncWrap && bits == 32)
    return "inc.32";
  return operation == LLVMAtomicRMWBinOpUDecWrap && bits == 32 ? "dec.32" : NULL;
}

static void write_native_intrinsic(nvvm_writer *writer, LLVMValueRef instruction, const char *word) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0), operand = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(operand);
  unsigned space = nvvm_address_space(pointer);
  const char *text = nvvm_type(writer, type), *pointer_type = nvvm_pointer_to(writer, text, space);
  nvvm_shape shape = nvvm_shape_of(type);
  const char *name = nvvm_text(writer, "@llvm.nvvm.atomic.load.%s.p%u%c%u", word, space,
                               shape.kind == LLVMIntegerTypeKind ? 'i' : 'f', shape.bits);
  const char *to = nvvm_cast_pointer(writer, pointer, text);
  nvvm_declare(writer, "declare %s %s(%s, %s)", text, name, pointer_type, text);
  nvvm_line(writer, "%s = call %s %s(%s %s, %s)%s", nvvm_local(writer, instruction), text, name, pointer_type, to,
            nvvm_typed(writer, operand), nvvm_attachments(writer, instruction));
}

void nvvm_write_atomic_rmw(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0), operand = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(operand);
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
  LLVMAtomicOrdering ordering = LLVMGetOrdering(instruction);
  struct scope scope;
  struct carrier carrier;
  char letter;
  struct place place;
  if (!scope_of(writer, instruction, &scope) || !carrier_of(writer, type, &carrier) ||
      !place_of(writer, pointer, &place))
    return;
  nvvm_shape shape = nvvm_shape_of(type);
  const char *ptx = shape.lanes ? NULL : ptx_operation(operation, shape.kind, carrier.bits, &letter);
  if (!ptx) { /* a loop around cmpxchg, or masks around a narrow value: LLVM knows how */
    if (!nvvm_write_selected(writer, instruction))
      nvvm_unknown(writer, "atomicrmw number %d on %s", (int)operation, nvvm_type(writer, type));
    return;
  }
  bool is_cuda = ordering == LLVMAtomicOrderingSequentiallyConsistent && scope.is_system;
  bool relaxed_device = is_cuda || (ordering == LLVMAtomicOrderingMonotonic && scope.is_device);
  const char *word = native_operation(operation);
  if (relaxed_device && word) {
    write_native(writer, instruction, word, &carrier);
    return;
  }
  word = native_intrinsic(operation, shape.kind, carrier.bits);
  if (relaxed_device && word) {
    write_native_intrinsic(writer, instruction, word);
    return;
  }
  if (ordering == LLVMAtomicOrderingSequentiallyConsistent && !is_cuda)
    write_sc_fence(writer, &scope);
  const char *value = to_register(writer, type, nvvm_operand(writer, operand), &carrier);
  if (operation == LLVMAtomicRMWBinOpSub)
    value = nvvm_assign(writer, "sub %s 0, %s", carrier.type, value);
  if (operation == LLVMAtomicRMWBinOpFSub) /* flip the sign bit */
    value = nvvm_assign(writer, "xor %s %s, %s", carrier.type, value,
                        carrier.bits == 16   ? "-32768"
                        : carrier.bits == 32 ? "-2147483648"
                                             : "-9223372036854775808");
  const char *name = shape.kind == LLVMBFloatTypeKind ? "bf"
                     : letter == 'f'                  ? "f"
                     : letter == 's'                  ? "s"
                     : letter == 'u'                  ? "u"
                                                      : "b";
  const char *text =
      nvvm_text(writer, "atom.%s.%s%s.%s.%s%u $0, [$1], $2;", is_cuda ? "relaxed" : ordering_word(ordering),
                is_cuda ? "gpu" : scope.ptx, place.suffix, ptx, name, carrier.bits);
  const char *old = nvvm_assign(writer, "%s",
                                nvvm_asm_call(writer, NVVM_ASM_MEMORY, carrier.type, text,
                                              nvvm_text(writer, "=%s,l,%s", carrier.constraint, carrier.constraint),
                                              nvvm_text(writer, "%s, %s %s", place.typed, carrier.type, value)));
  nvvm_bind(writer, instruction, from_register(writer, type, old, &carrier));
}

/* ---- compare and exchange ---- */

static LLVMAtomicOrdering stronger(LLVMAtomicOrdering success, LLVMAtomicOrdering failure) {
  if (failure == LLVMAtomicOrderingSequentiallyConsistent)
    return failure;
  if (failure != LLVMAtomicOrderingAcquire || success == LLVMAtomicOrderingSequentiallyConsistent)
    return success;
  return success == LLVMAtomicOrderingRelease || success == LLVMAtomicOrderingAcquireRelease
             ? LLVMAtomicOrderingAcquireRelease
             : LLVMAtomicOrderingAcquire;
}

void nvvm_write_compare_exchange(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0), expected = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(expected);
  LLVMAtomicOrdering ordering =
      stronger(LLVMGetCmpXchgSuccessOrdering(instruction), LLVMGetCmpXchgFailureOrdering(instruction));
  struct scope scope;
  struct carrier carrier;
  struct place place;
  if (!scope_of(writer, instruction, &scope) || !carrier_of(writer, type, &carrier) ||
      !place_of(writer, pointer, &place))
    return;
  if (carrier.bits < 16) {
    if (!nvvm_write_selected(writer, instruction))
      nvvm_unknown(writer, "cmpxchg of %u bits", carrier.bits);
    return;
  }
  const char *before = to_register(writer, type, nvvm_operand(writer, expected), &carrier);
  const char *after = to_register(writer, type, nvvm_operand(writer, LLVMGetOperand(instruction, 2)), &carrier);
  if (ordering == LLVMAtomicOrderingSequentiallyConsistent)
    write_sc_fence(writer, &scope);
  const char *text = nvvm_text(writer, "atom.%s.%s%s.cas.b%u $0, [$1], $2, $3;", ordering_word(ordering), scope.ptx,
                               place.suffix, carrier.bits);
  const char *old = nvvm_assign(
      writer, "%s",
      nvvm_asm_call(writer, NVVM_ASM_MEMORY, carrier.type, text,
                    nvvm_text(writer, "=%s,l,%s,%s", carrier.constraint, carrier.constraint, carrier.constraint),
                    nvvm_text(writer, "%s, %s %s, %s %s", place.typed, carrier.type, before, carrier.type, after)));
  const char *same = nvvm_assign(writer, "icmp eq %s %s, %s", carrier.type, old, before);
  const char *result = nvvm_type(writer, LLVMTypeOf(instruction));
  const char *value = nvvm_assign(writer, "insertvalue %s undef, %s %s, 0", result, nvvm_type(writer, type),
                                  from_register(writer, type, old, &carrier));
  nvvm_bind(writer, instruction, nvvm_assign(writer, "insertvalue %s %s, i1 %s, 1", result, value, same));
}

/* ---- fences ---- */

void nvvm_write_fence(nvvm_writer *writer, LLVMValueRef instruction) {
  struct scope scope;
  if (LLVMIsAtomicSingleThread(instruction)) { /* orders the compiler only */
    nvvm_line(writer, "%s", nvvm_asm_call(writer, NVVM_ASM_MEMORY, "void", "", "", ""));
    return;
  }
  if (!scope_of(writer, instruction, &scope))
    return;
  if (LLVMGetOrdering(instruction) == LLVMAtomicOrderingSequentiallyConsistent)
    write_sc_fence(writer, &scope);
  else
    nvvm_line(
        writer, "%s",
        nvvm_asm_call(writer, NVVM_ASM_MEMORY, "void", nvvm_text(writer, "fence.acq_rel.%s;", scope.ptx), "", ""));
}
