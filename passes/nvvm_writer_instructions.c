/* nvvm_writer_instructions.c - one instruction of LLVM 22 as lines of LLVM 7.
 *
 * Flags that LLVM 7 does not know only widen what an instruction may do, so they are left out: nneg, disjoint,
 * samesign, nuw/nsw on trunc, nusw/nuw on getelementptr, fast-math flags on phi, select and casts.
 */
#include "nvvm_writer.h"

#include <string.h>

bool nvvm_is_plain_space(unsigned space) {
  return space == 0 || space == 1 || space == 3 || space == 4 || space == 5;
}

unsigned nvvm_address_space(LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(pointer);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetPointerAddressSpace(type);
}

const char *nvvm_cast_pointer(nvvm_writer *writer, LLVMValueRef pointer, const char *element) {
  const char *operand = nvvm_operand(writer, pointer);
  if (!strcmp(element, "i8"))
    return operand;
  unsigned space = nvvm_address_space(pointer);
  return nvvm_assign(writer, "bitcast %s %s to %s", nvvm_pointer_to(writer, "i8", space), operand,
                     nvvm_pointer_to(writer, element, space));
}

const char *nvvm_fast_math(nvvm_writer *writer, LLVMValueRef instruction) {
  if (!LLVMCanValueUseFastMathFlags(instruction))
    return "";
  LLVMFastMathFlags flags = LLVMGetFastMathFlags(instruction);
  return nvvm_text(writer, "%s%s%s%s%s%s%s", flags & LLVMFastMathNoNaNs ? " nnan" : "",
                   flags & LLVMFastMathNoInfs ? " ninf" : "", flags & LLVMFastMathNoSignedZeros ? " nsz" : "",
                   flags & LLVMFastMathAllowReciprocal ? " arcp" : "",
                   flags & LLVMFastMathAllowContract && writer->options->fma ? " contract" : "",
                   flags & LLVMFastMathApproxFunc ? " afn" : "", flags & LLVMFastMathAllowReassoc ? " reassoc" : "");
}

const char *nvvm_constraint(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(type)) {
    case 1:
      return "b";
    case 16:
      return "h";
    case 32:
      return "r";
    case 64:
      return "l";
    case 128:
      return "q";
    default:
      return NULL;
    }
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return "h";
  case LLVMFloatTypeKind:
    return "f";
  case LLVMDoubleTypeKind:
    return "d";
  case LLVMPointerTypeKind:
    return "l";
  default:
    return NULL;
  }
}

const char *nvvm_asm_call(nvvm_writer *writer, enum nvvm_asm kind, const char *result_type, const char *text,
                          const char *constraints, const char *arguments) {
  static const char *const attributes[] = {
      [NVVM_ASM_PURE] = "nounwind readnone",
      [NVVM_ASM_PURE_CONVERGENT] = "convergent nounwind readnone",
      [NVVM_ASM_MEMORY] = "nounwind",
      [NVVM_ASM_CONVERGENT] = "convergent nounwind",
  };
  bool effects = kind == NVVM_ASM_MEMORY || kind == NVVM_ASM_CONVERGENT;
  return nvvm_text(writer, "call %s asm %s\"%s\", \"%s%s%s\"(%s) %s", result_type, effects ? "sideeffect " : "", text,
                   constraints, effects && *constraints ? "," : "", effects ? "~{memory}" : "", arguments,
                   attributes[kind]);
}

/* ---- arithmetic, comparisons, casts ---- */

/* Binary operators, with the flags that LLVM 7 has for each. */
static const struct {
  const char *word;
  bool wraps; /* nuw, nsw */
  bool exact;
  bool is_float;
} binaries[] = {
    [LLVMAdd] = {"add", .wraps = true},
    [LLVMFAdd] = {"fadd", .is_float = true},
    [LLVMSub] = {"sub", .wraps = true},
    [LLVMFSub] = {"fsub", .is_float = true},
    [LLVMMul] = {"mul", .wraps = true},
    [LLVMFMul] = {"fmul", .is_float = true},
    [LLVMUDiv] = {"udiv", .exact = true},
    [LLVMSDiv] = {"sdiv", .exact = true},
    [LLVMFDiv] = {"fdiv", .is_float = true},
    [LLVMURem] = {"urem"},
    [LLVMSRem] = {"srem"},
    [LLVMFRem] = {"frem", .is_float = true},
    [LLVMShl] = {"shl", .wraps = true},
    [LLVMLShr] = {"lshr", .exact = true},
    [LLVMAShr] = {"ashr", .exact = true},
    [LLVMAnd] = {"and"},
    [LLVMOr] = {"or"},
    [LLVMXor] = {"xor"},
};

static bool write_binary(nvvm_writer *writer, LLVMValueRef instruction, LLVMOpcode opcode) {
  if ((size_t)opcode >= sizeof binaries / sizeof *binaries || !binaries[opcode].word)
    return false;
  if (binaries[opcode].is_float && nvvm_write_float_operation(writer, instruction))
    return true;
  bool wraps = binaries[opcode].wraps;
  nvvm_line(writer, "%s = %s%s%s%s%s %s, %s%s", nvvm_local(writer, instruction), binaries[opcode].word,
            nvvm_fast_math(writer, instruction), wraps && LLVMGetNUW(instruction) ? " nuw" : "",
            wraps && LLVMGetNSW(instruction) ? " nsw" : "",
            binaries[opcode].exact && LLVMGetExact(instruction) ? " exact" : "",
            nvvm_typed(writer, LLVMGetOperand(instruction, 0)), nvvm_operand(writer, LLVMGetOperand(instruction, 1)),
            nvvm_attachments(writer, instruction));
  return true;
}

static void write_comparison(nvvm_writer *writer, LLVMValueRef instruction) {
  static const char *const integer[] = {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};
  static const char *const real[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                     "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
  if (LLVMGetInstructionOpcode(instruction) == LLVMICmp) {
    nvvm_line(writer, "%s = icmp %s %s, %s%s", nvvm_local(writer, instruction),
              integer[LLVMGetICmpPredicate(instruction) - LLVMIntEQ], nvvm_typed(writer, left),
              nvvm_operand(writer, right), nvvm_attachments(writer, instruction));
    return;
  }
  if (!nvvm_write_float_operation(writer, instruction))
    nvvm_line(writer, "%s = fcmp%s %s %s, %s%s", nvvm_local(writer, instruction), nvvm_fast_math(writer, instruction),
              real[LLVMGetFCmpPredicate(instruction)], nvvm_typed(writer, left), nvvm_operand(writer, right),
              nvvm_attachments(writer, instruction));
}

static const char *const casts[] = {
    [LLVMTrunc] = "trunc",        [LLVMZExt] = "zext",
    [LLVMSExt] = "sext",          [LLVMFPToUI] = "fptoui",
    [LLVMFPToSI] = "fptosi",      [LLVMUIToFP] = "uitofp",
    [LLVMSIToFP] = "sitofp",      [LLVMFPTrunc] = "fptrunc",
    [LLVMFPExt] = "fpext",        [LLVMPtrToInt] = "ptrtoint",
    [LLVMPtrToAddr] = "ptrtoint", [LLVMIntToPtr] = "inttoptr",
    [LLVMBitCast] = "bitcast",    [LLVMAddrSpaceCast] = "addrspacecast",
};

/* A cast between address spaces of which LLVM 7 lacks one. */
static bool write_space_cast(nvvm_writer *writer, LLVMValueRef instruction) {
  unsigned from = nvvm_address_space(LLVMGetOperand(instruction, 0)), to = nvvm_address_space(instruction);
  if (nvvm_is_plain_space(from) && nvvm_is_plain_space(to))
    return false;
  if (!nvvm_write_selected(writer, instruction))
    nvvm_unknown(writer, "addrspacecast from %u to %u", from, to);
  return true;
}

static bool write_cast(nvvm_writer *writer, LLVMValueRef instruction, LLVMOpcode opcode) {
  if ((size_t)opcode >= sizeof casts / sizeof *casts || !casts[opcode])
    return false;
  if (opcode == LLVMAddrSpaceCast ? write_space_cast(writer, instruction) : nvvm_write_float_cast(writer, instruction))
    return true;
  nvvm_line(writer, "%s = %s %s to %s%s", nvvm_local(writer, instruction), casts[opcode],
            nvvm_typed(writer, LLVMGetOperand(instruction, 0)), nvvm_type(writer, LLVMTypeOf(instruction)),
            nvvm_attachments(writer, instruction));
  return true;
}

/* ---- memory ---- */

static const char *alignment(nvvm_writer *writer, LLVMValueRef instruction) {
  unsigned bytes = LLVMGetAlignment(instruction);
  return bytes ? nvvm_text(writer, ", align %u", bytes) : "";
}

/* Memory of the cluster is beyond LLVM 7: LLVM's own selection reaches it. True when that was so. */
static bool write_foreign_access(nvvm_writer *writer, LLVMValueRef instruction, LLVMValueRef pointer) {
  unsigned space = nvvm_address_space(pointer);
  if (nvvm_is_plain_space(space))
    return false;
  if (!nvvm_write_selected(writer, instruction))
    nvvm_unknown(writer, "memory access in address space %u", space);
  return true;
}

static void write_load(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  if (write_foreign_access(writer, instruction, pointer))
    return;
  if (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) {
    nvvm_write_atomic_load(writer, instruction);
    return;
  }
  const char *type = nvvm_type(writer, LLVMTypeOf(instruction));
  const char *from = nvvm_cast_pointer(writer, pointer, type);
  nvvm_line(writer, "%s = load %s%s, %s %s%s%s", nvvm_local(writer, instruction),
            LLVMGetVolatile(instruction) ? "volatile " : "", type,
            nvvm_pointer_to(writer, type, nvvm_address_space(pointer)), from, alignment(writer, instruction),
            nvvm_attachments(writer, instruction));
}

static void write_store(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef value = LLVMGetOperand(instruction, 0), pointer = LLVMGetOperand(instruction, 1);
  if (write_foreign_access(writer, instruction, pointer))
    return;
  if (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) {
    nvvm_write_atomic_store(writer, instruction);
    return;
  }
  const char *type = nvvm_type(writer, LLVMTypeOf(value));
  const char *to = nvvm_cast_pointer(writer, pointer, type);
  nvvm_line(writer, "store %s%s, %s %s%s%s", LLVMGetVolatile(instruction) ? "volatile " : "", nvvm_typed(writer, value),
            nvvm_pointer_to(writer, type, nvvm_address_space(pointer)), to, alignment(writer, instruction),
            nvvm_attachments(writer, instruction));
}

static void write_alloca(nvvm_writer *writer, LLVMValueRef instruction) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(instruction));
  const char *type = nvvm_type(writer, LLVMGetAllocatedType(instruction));
  LLVMValueRef count = LLVMGetOperand(instruction, 0);
  if (!LLVMIsAConstantInt(count)) {
    nvvm_unknown(writer, "alloca of a variable size");
    return;
  }
  unsigned long long elements = LLVMConstIntGetZExtValue(count);
  if (elements != 1)
    type = nvvm_text(writer, "[%llu x %s]", elements, type);
  const char *slot = nvvm_assign(writer, "alloca %s%s", type, alignment(writer, instruction));
  /* libNVVM's own stack objects are generic; LLVM may say "local" outright. */
  if (space == 0)
    nvvm_line(writer, "%s = bitcast %s* %s to i8*", nvvm_local(writer, instruction), type, slot);
  else if (space == 5)
    nvvm_line(writer, "%s = addrspacecast i8* %s to i8 addrspace(5)*", nvvm_local(writer, instruction),
              nvvm_assign(writer, "bitcast %s* %s to i8*", type, slot));
  else
    nvvm_unknown(writer, "alloca in address space %u", space);
}

static void write_getelementptr(nvvm_writer *writer, LLVMValueRef instruction) {
  LLVMValueRef base = LLVMGetOperand(instruction, 0);
  LLVMTypeRef reached = nvvm_indexed_type(writer, instruction);
  if (!reached)
    return;
  nvvm_shape shape = nvvm_shape_of(LLVMTypeOf(instruction));
  unsigned space = LLVMGetPointerAddressSpace(shape.element);
  const char *source = nvvm_type(writer, LLVMGetGEPSourceElementType(instruction));
  const char *target = nvvm_type(writer, reached);
  const char *from = nvvm_pointer_to(writer, source, space), *to = nvvm_pointer_to(writer, target, space);
  const char *plain = nvvm_pointer_to(writer, "i8", space), *plain_from = plain;
  if (shape.lanes) { /* a base that is one pointer stands for every lane */
    if (nvvm_shape_of(LLVMTypeOf(base)).lanes) {
      from = nvvm_text(writer, "<%u x %s>", shape.lanes, from);
      plain_from = nvvm_text(writer, "<%u x %s>", shape.lanes, plain);
    }
    to = nvvm_text(writer, "<%u x %s>", shape.lanes, to);
    plain = nvvm_text(writer, "<%u x %s>", shape.lanes, plain);
  }
  const char *pointer = nvvm_operand(writer, base);
  if (strcmp(source, "i8"))
    pointer = nvvm_assign(writer, "bitcast %s %s to %s", plain_from, pointer, from);
  const char *indices = "";
  for (int i = 1; i < LLVMGetNumOperands(instruction); i++)
    indices = nvvm_text(writer, "%s, %s", indices, nvvm_typed(writer, LLVMGetOperand(instruction, (unsigned)i)));
  bool is_plain = !strcmp(target, "i8");
  const char *result = is_plain ? nvvm_local(writer, instruction) : nvvm_temporary(writer);
  nvvm_line(writer, "%s = getelementptr %s%s, %s %s%s%s", result, LLVMIsInBounds(instruction) ? "inbounds " : "",
            source, from, pointer, indices, nvvm_attachments(writer, instruction));
  if (!is_plain)
    nvvm_line(writer, "%s = bitcast %s %s to %s", nvvm_local(writer, instruction), to, result, plain);
}

/* ---- control flow ---- */

static void write_branch(nvvm_writer *writer, LLVMValueRef instruction) {
  const char *attachments = nvvm_attachments(writer, instruction);
  if (LLVMIsConditional(instruction))
    nvvm_line(writer, "br i1 %s, label %s, label %s%s", nvvm_operand(writer, LLVMGetCondition(instruction)),
              nvvm_block(writer, LLVMGetSuccessor(instruction, 0)),
              nvvm_block(writer, LLVMGetSuccessor(instruction, 1)), attachments);
  else
    nvvm_line(writer, "br label %s%s", nvvm_block(writer, LLVMGetSuccessor(instruction, 0)), attachments);
}

static void write_switch(nvvm_writer *writer, LLVMValueRef instruction) {
  nvvm_line(writer, "switch %s, label %s [", nvvm_typed(writer, LLVMGetOperand(instruction, 0)),
            nvvm_block(writer, LLVMGetSwitchDefaultDest(instruction)));
  for (unsigned i = 1; i < LLVMGetNumSuccessors(instruction); i++)
    nvvm_line(writer, "  %s, label %s", nvvm_typed(writer, LLVMGetSwitchCaseValue(instruction, i)),
              nvvm_block(writer, LLVMGetSuccessor(instruction, i)));
  nvvm_line(writer, "]%s", nvvm_attachments(writer, instruction));
}

static void write_phi(nvvm_writer *writer, LLVMValueRef instruction) {
  const char *incoming = "";
  pl_buffer text = {0};
  for (unsigned i = 0; i < LLVMCountIncoming(instruction); i++)
    pl_buffer_printf(&text, "%s [ %s, %s ]", i ? "," : "", nvvm_operand(writer, LLVMGetIncomingValue(instruction, i)),
                     nvvm_block(writer, LLVMGetIncomingBlock(instruction, i)));
  writer->failed = writer->failed || text.failed;
  if (text.size)
    incoming = text.data;
  nvvm_line(writer, "%s = phi %s%s%s", nvvm_local(writer, instruction), nvvm_type(writer, LLVMTypeOf(instruction)),
            incoming, nvvm_attachments(writer, instruction));
  pl_buffer_free(&text);
}

/* ---- vectors and aggregates ---- */

static void write_shuffle(nvvm_writer *writer, LLVMValueRef instruction) {
  const char *mask = "";
  unsigned lanes = LLVMGetNumMaskElements(instruction);
  for (unsigned i = 0; i < lanes; i++) {
    int lane = LLVMGetMaskValue(instruction, i);
    mask = lane == LLVMGetUndefMaskElem() ? nvvm_text(writer, "%s%si32 undef", mask, i ? ", " : "")
                                          : nvvm_text(writer, "%s%si32 %d", mask, i ? ", " : "", lane);
  }
  nvvm_line(writer, "%s = shufflevector %s, %s, <%u x i32> <%s>%s", nvvm_local(writer, instruction),
            nvvm_typed(writer, LLVMGetOperand(instruction, 0)), nvvm_typed(writer, LLVMGetOperand(instruction, 1)),
            lanes, mask, nvvm_attachments(writer, instruction));
}

static const char *index_list(nvvm_writer *writer, LLVMValueRef instruction) {
  const unsigned *indices = LLVMGetIndices(instruction);
  const char *text = "";
  for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++)
    text = nvvm_text(writer, "%s, %u", text, indices[i]);
  return text;
}

/* Instructions whose operands are simply listed. */
static void write_listed(nvvm_writer *writer, LLVMValueRef instruction, const char *word, const char *after) {
  const char *operands = "";
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    operands = nvvm_text(writer, "%s%s%s", operands, i ? ", " : "",
                         nvvm_typed(writer, LLVMGetOperand(instruction, (unsigned)i)));
  nvvm_line(writer, "%s = %s %s%s%s", nvvm_local(writer, instruction), word, operands, after,
            nvvm_attachments(writer, instruction));
}

/* ---- calls ---- */

/* In the words of the call itself; what its function says is said where that is declared. Memory only of asm. */
static const char *call_attributes(nvvm_writer *writer, LLVMValueRef call) {
  static const char *const kept[] = {"alwaysinline", "convergent", "noinline", "noreturn", "nounwind"};
  const char *text = "";
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (nvvm_has_attribute(call, LLVMAttributeFunctionIndex, kept[i]))
      text = nvvm_text(writer, "%s %s", text, kept[i]);
  return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? nvvm_text(writer, "%s%s", text, nvvm_memory_attribute(call))
                                                    : text;
}

static const char *result_prefix(nvvm_writer *writer, LLVMValueRef call) {
  return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? ""
                                                               : nvvm_text(writer, "%s = ", nvvm_local(writer, call));
}

static void write_asm(nvvm_writer *writer, LLVMValueRef call, LLVMValueRef callee) {
  size_t text_length, constraint_length;
  const char *text = LLVMGetInlineAsmAsmString(callee, &text_length);
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_length);
  if (memchr(constraints, '*', constraint_length)) {
    nvvm_unknown(writer, "inline asm with a memory operand (constraints \"%.*s\")", (int)constraint_length,
                 constraints);
    return;
  }
  if (LLVMGetInlineAsmCanUnwind(callee)) {
    nvvm_unknown(writer, "inline asm that may unwind");
    return;
  }
  const char *arguments = "";
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments = nvvm_text(writer, "%s%s%s", arguments, i ? ", " : "", nvvm_typed(writer, LLVMGetOperand(call, i)));
  nvvm_line(writer, "%scall %s asm %s%s%s\"%s\", \"%s\"(%s)%s%s", result_prefix(writer, call),
            nvvm_type(writer, LLVMTypeOf(call)), LLVMGetInlineAsmHasSideEffects(callee) ? "sideeffect " : "",
            LLVMGetInlineAsmNeedsAlignedStack(callee) ? "alignstack " : "",
            LLVMGetInlineAsmDialect(callee) == LLVMInlineAsmDialectIntel ? "inteldialect " : "",
            nvvm_quoted(writer, text, text_length), nvvm_quoted(writer, constraints, constraint_length), arguments,
            call_attributes(writer, call), nvvm_attachments(writer, call));
}

/* A value as it crosses a call: "i16 %v3" for a half. */
static const char *crossing(nvvm_writer *writer, LLVMValueRef value) {
  const char *type = nvvm_type(writer, LLVMTypeOf(value)), *outer = nvvm_crossing_type(writer, LLVMTypeOf(value));
  const char *typed = nvvm_typed(writer, value);
  return strcmp(type, outer) ? nvvm_text(writer, "%s %s", outer, nvvm_assign(writer, "bitcast %s to %s", typed, outer))
                             : typed;
}

/* Arguments of a call; a byval one is cast to the pointer type of the callee's parameter. */
static const char *call_arguments(nvvm_writer *writer, LLVMValueRef call) {
  const char *arguments = "";
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    LLVMTypeRef byval = nvvm_byval_type(call, i);
    const char *text;
    if (byval) {
      const char *type = nvvm_type(writer, byval);
      text = nvvm_text(writer, "%s %s %s", nvvm_pointer_to(writer, type, nvvm_address_space(argument)),
                       nvvm_byval_word(writer, type), nvvm_cast_pointer(writer, argument, type));
    } else {
      text = crossing(writer, argument);
    }
    arguments = nvvm_text(writer, "%s%s%s", arguments, i ? ", " : "", text);
  }
  return arguments;
}

/* Type of the callee as the call sees it. */
static const char *called_type(nvvm_writer *writer, LLVMValueRef call) {
  const char *parameters = "";
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    LLVMTypeRef byval = nvvm_byval_type(call, i);
    const char *text = byval ? nvvm_pointer_to(writer, nvvm_type(writer, byval), nvvm_address_space(argument))
                             : nvvm_crossing_type(writer, LLVMTypeOf(argument));
    parameters = nvvm_text(writer, "%s%s%s", parameters, i ? ", " : "", text);
  }
  return nvvm_text(writer, "%s (%s)", nvvm_crossing_type(writer, LLVMTypeOf(call)), parameters);
}

/* Bundles say more about a call than LLVM 7 can; only what llvm.assume carries may be forgotten. */
static bool has_bundle(nvvm_writer *writer, LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMGetNumOperandBundles(call) ||
      (LLVMIsAFunction(callee) && !strcmp(LLVMGetValueName2(callee, &length), "llvm.assume")))
    return false;
  LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, 0);
  const char *tag = LLVMGetOperandBundleTag(bundle, &length);
  nvvm_unknown(writer, "a call with the operand bundle \"%.*s\"", (int)length, tag);
  LLVMDisposeOperandBundle(bundle);
  return true;
}

static void write_call(nvvm_writer *writer, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (has_bundle(writer, call))
    return;
  if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail) {
    nvvm_unknown(writer, "a call that must be a tail call");
    return;
  }
  if (LLVMIsAInlineAsm(callee)) {
    write_asm(writer, call, callee);
    return;
  }
  if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)) {
    nvvm_write_intrinsic(writer, call, callee);
    return;
  }
  if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))) {
    nvvm_unknown(writer, "a call with a variable number of arguments");
    return;
  }
  while (LLVMIsAGlobalAlias(callee))
    callee = LLVMAliasGetAliasee(callee);
  const char *type = called_type(writer, call);
  const char *arguments = call_arguments(writer, call);
  const char *target;
  if (LLVMIsAFunction(callee) && !strcmp(type, nvvm_signature(writer, callee))) {
    target = nvvm_global_name(writer, callee);
  } else {
    unsigned space = nvvm_address_space(callee);
    target = nvvm_assign(writer, "bitcast %s to %s", nvvm_typed(writer, callee), nvvm_pointer_to(writer, type, space));
  }
  const char *inner = nvvm_type(writer, LLVMTypeOf(call)), *outer = nvvm_crossing_type(writer, LLVMTypeOf(call));
  const char *text = nvvm_text(writer, "call %s %s(%s)%s%s", outer, target, arguments, call_attributes(writer, call),
                               nvvm_attachments(writer, call));
  if (strcmp(inner, outer))
    nvvm_bind(writer, call, nvvm_assign(writer, "bitcast %s %s to %s", outer, nvvm_assign(writer, "%s", text), inner));
  else
    nvvm_line(writer, "%s%s", result_prefix(writer, call), text);
}

/* ---- the switch ---- */

static void write_return(nvvm_writer *writer, LLVMValueRef instruction) {
  const char *attachments = nvvm_attachments(writer, instruction);
  if (LLVMGetNumOperands(instruction))
    nvvm_line(writer, "ret %s%s", crossing(writer, LLVMGetOperand(instruction, 0)), attachments);
  else
    nvvm_line(writer, "ret void%s", attachments);
}

void nvvm_write_instruction(nvvm_writer *writer, LLVMValueRef instruction) {
  writer->instruction = instruction;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (write_binary(writer, instruction, opcode) || write_cast(writer, instruction, opcode))
    return;
  switch (opcode) {
  case LLVMRet:
    write_return(writer, instruction);
    break;
  case LLVMBr:
    write_branch(writer, instruction);
    break;
  case LLVMSwitch:
    write_switch(writer, instruction);
    break;
  case LLVMUnreachable:
    nvvm_line(writer, "unreachable");
    break;
  case LLVMFNeg:
    nvvm_write_float_operation(writer, instruction);
    break;
  case LLVMICmp:
  case LLVMFCmp:
    write_comparison(writer, instruction);
    break;
  case LLVMAlloca:
    write_alloca(writer, instruction);
    break;
  case LLVMLoad:
    write_load(writer, instruction);
    break;
  case LLVMStore:
    write_store(writer, instruction);
    break;
  case LLVMGetElementPtr:
    write_getelementptr(writer, instruction);
    break;
  case LLVMPHI:
    write_phi(writer, instruction);
    break;
  case LLVMSelect:
    write_listed(writer, instruction, "select", "");
    break;
  case LLVMFreeze:
    nvvm_write_freeze(writer, instruction);
    break;
  case LLVMExtractElement:
    write_listed(writer, instruction, "extractelement", "");
    break;
  case LLVMInsertElement:
    write_listed(writer, instruction, "insertelement", "");
    break;
  case LLVMShuffleVector:
    write_shuffle(writer, instruction);
    break;
  case LLVMExtractValue:
    write_listed(writer, instruction, "extractvalue", index_list(writer, instruction));
    break;
  case LLVMInsertValue:
    write_listed(writer, instruction, "insertvalue", index_list(writer, instruction));
    break;
  case LLVMCall:
    write_call(writer, instruction);
    break;
  case LLVMAtomicRMW:
    nvvm_write_atomic_rmw(writer, instruction);
    break;
  case LLVMAtomicCmpXchg:
    nvvm_write_compare_exchange(writer, instruction);
    break;
  case LLVMFence:
    nvvm_write_fence(writer, instruction);
    break;
  default: {
    char *text = LLVMPrintValueToString(instruction);
    nvvm_unknown(writer, "instruction %.120s", text + strspn(text, " "));
    LLVMDisposeMessage(text);
  }
  }
}
