/* nvvm_writer_select.c - an instruction that libNVVM lacks, as LLVM's own NVPTX back end would spell it.
 *
 * Most of LLVM's 2,500 NVVM intrinsics are unknown to libNVVM, and no table of ours could keep up with how each is
 * written in PTX. LLVM knows (nvvm_writer_probe.c). Its text becomes one block of inline asm; equal instructions of
 * the module share it.
 *
 *     call void asm sideeffect "{ .reg .b32 %pl_r<3>;
 *                                 mov.b32 %pl_r1, $1;
 *                                 redux.sync.add.s32 %pl_r2, %pl_r1, -1;
 *                                 mov.b32 $0, %pl_r2; }", "=r,r"(...)
 */
#include "nvvm_writer_select.h"

#include <string.h>

/* ---- how a type falls into pieces ---- */

/* Bits of a pointer in LLVM 22's layout: tensor memory has 32. */
static unsigned pointer_bits(LLVMTypeRef type) {
  return LLVMGetPointerAddressSpace(type) == 6 ? 32 : 64;
}

unsigned nvvm_scalar_bits(LLVMTypeRef type) {
  nvvm_shape shape = nvvm_shape_of(type);
  if (shape.kind == LLVMPointerTypeKind)
    return pointer_bits(type);
  return shape.lanes ? shape.bits * shape.lanes : shape.bits;
}

/* A vector that fills one 32-bit register is one piece (half2 and its like). */
static bool is_packed(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && nvvm_shape_of(type).bits >= 8 && nvvm_scalar_bits(type) == 32;
}

bool nvvm_has_parts(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || (kind == LLVMVectorTypeKind && !is_packed(type));
}

unsigned nvvm_part_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  default:
    return LLVMGetVectorSize(type);
  }
}

LLVMTypeRef nvvm_part_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index) : LLVMGetElementType(type);
}

unsigned nvvm_piece_bits(unsigned bits) {
  return bits <= 16 ? (bits == 16 ? 16 : 32) : bits <= 32 ? 32 : 64;
}

static const char *register_type(unsigned bits) {
  return bits == 16 ? "i16" : bits == 32 ? "i32" : "i64";
}

const char *nvvm_piece_constraint(unsigned bits) {
  return bits == 16 ? "h" : bits == 32 ? "r" : "l";
}

unsigned nvvm_selected_operands(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) ? LLVMGetNumArgOperands(instruction) : (unsigned)LLVMGetNumOperands(instruction);
}

bool nvvm_stays_constant(LLVMValueRef instruction, unsigned index) {
  LLVMValueRef operand = LLVMGetOperand(instruction, index);
  if (LLVMGetValueKind(operand) == LLVMMetadataAsValueValueKind)
    return true;
  if (!LLVMIsACallInst(instruction) || !LLVMIsAConstantInt(operand))
    return false;
  return nvvm_has_attribute(LLVMGetCalledValue(instruction), index + 1, "immarg") ||
         LLVMGetIntTypeWidth(LLVMTypeOf(operand)) == 1;
}

/* ---- equal instructions share a text ---- */

/* What makes two instructions select alike, as text. */
static const char *key_of(nvvm_writer *writer, LLVMValueRef call, LLVMValueRef callee) {
  size_t length;
  const char *key = LLVMGetValueName2(callee, &length);
  const char *mode =
      nvvm_string_attribute(writer, writer->function, LLVMAttributeFunctionIndex, "denormal-fp-math-f32");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (nvvm_stays_constant(call, i)) {
      char *printed = LLVMPrintValueToString(LLVMGetOperand(call, i));
      key = nvvm_text(writer, "%s|%u:%s", key, i, printed);
      LLVMDisposeMessage(printed);
    }
  return nvvm_text(writer, "%s|%s|%x", key, mode ? mode : "",
                   LLVMCanValueUseFastMathFlags(call) ? LLVMGetFastMathFlags(call) : 0);
}

static const nvvm_selection *selection_of(nvvm_writer *writer, LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return nvvm_probe(writer, instruction);
  const char *key = nvvm_intern(writer, key_of(writer, instruction, LLVMGetCalledValue(instruction)));
  const nvvm_selection *known = nvvm_map_get(&writer->selections, key);
  if (known)
    return known;
  known = nvvm_probe(writer, instruction);
  if (known && !nvvm_map_put(&writer->selections, key, known))
    writer->failed = true;
  return known;
}

/* ---- the call of the asm block ---- */

/* A piece and the text of its value. */
typedef struct register_piece {
  unsigned bits;
  const char *value;
} register_piece;

/* Takes an operand apart into pieces. */
static void split(nvvm_writer *writer, LLVMTypeRef type, const char *value, register_piece *pieces, unsigned *count) {
  const char *text = nvvm_type(writer, type);
  if (nvvm_has_parts(type)) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    for (unsigned i = 0; i < nvvm_part_count(type); i++)
      split(writer, nvvm_part_type(type, i),
            vector ? nvvm_assign(writer, "extractelement %s %s, i32 %u", text, value, i)
                   : nvvm_assign(writer, "extractvalue %s %s, %u", text, value, i),
            pieces, count);
    return;
  }
  unsigned bits = nvvm_scalar_bits(type), width = nvvm_piece_bits(bits);
  const char *plain = nvvm_text(writer, "i%u", bits);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value = nvvm_assign(writer, "ptrtoint %s %s to %s", text, value, plain);
  else if (strcmp(text, plain))
    value = nvvm_assign(writer, "bitcast %s %s to %s", text, value, plain);
  if (bits == 128) {
    pieces[(*count)++] = (register_piece){64, nvvm_assign(writer, "trunc i128 %s to i64", value)};
    value = nvvm_assign(writer, "lshr i128 %s, 64", value);
    pieces[(*count)++] = (register_piece){64, nvvm_assign(writer, "trunc i128 %s to i64", value)};
    return;
  }
  if (width != bits)
    value = nvvm_assign(writer, "zext %s %s to %s", plain, value, register_type(width));
  pieces[(*count)++] = (register_piece){width, value};
}

/* Puts the value of `type` together from pieces. */
static const char *join(nvvm_writer *writer, LLVMTypeRef type, const register_piece *pieces, unsigned *next) {
  const char *text = nvvm_type(writer, type);
  if (nvvm_has_parts(type)) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    const char *value = "undef";
    for (unsigned i = 0; i < nvvm_part_count(type); i++) {
      LLVMTypeRef part = nvvm_part_type(type, i);
      const char *element = nvvm_text(writer, "%s %s", nvvm_type(writer, part), join(writer, part, pieces, next));
      value = vector ? nvvm_assign(writer, "insertelement %s %s, %s, i32 %u", text, value, element, i)
                     : nvvm_assign(writer, "insertvalue %s %s, %s, %u", text, value, element, i);
    }
    return value;
  }
  unsigned bits = nvvm_scalar_bits(type), width = nvvm_piece_bits(bits);
  const char *plain = nvvm_text(writer, "i%u", bits), *value = pieces[(*next)++].value;
  if (bits == 128) {
    const char *low = nvvm_assign(writer, "zext i64 %s to i128", value);
    const char *high = nvvm_assign(writer, "zext i64 %s to i128", pieces[(*next)++].value);
    value = nvvm_assign(writer, "or i128 %s, %s", low, nvvm_assign(writer, "shl i128 %s, 64", high));
  } else if (width != bits) {
    value = nvvm_assign(writer, "trunc %s %s to %s", register_type(width), value, plain);
  }
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return nvvm_assign(writer, "inttoptr %s %s to %s", plain, value, text);
  return strcmp(text, plain) ? nvvm_assign(writer, "bitcast %s %s to %s", plain, value, text) : value;
}

static bool is_pure(LLVMValueRef instruction, LLVMValueRef callee) {
  if (!callee)
    return LLVMGetInstructionOpcode(instruction) == LLVMAddrSpaceCast;
  LLVMAttributeRef memory = nvvm_attribute(callee, LLVMAttributeFunctionIndex, "memory");
  return memory && !LLVMGetEnumAttributeValue(memory);
}

/* LLVM forgets to say of mma.sync and its kin that threads run them together. */
static enum nvvm_asm kind_of(LLVMValueRef instruction, LLVMValueRef callee, const char *text) {
  bool together = (callee && nvvm_has_attribute(callee, LLVMAttributeFunctionIndex, "convergent")) ||
                  strstr(text, ".sync") || strstr(text, ".aligned");
  if (is_pure(instruction, callee))
    return together ? NVVM_ASM_PURE_CONVERGENT : NVVM_ASM_PURE;
  return together ? NVVM_ASM_CONVERGENT : NVVM_ASM_MEMORY;
}

bool nvvm_write_selected(nvvm_writer *writer, LLVMValueRef instruction) {
  const nvvm_selection *selection = selection_of(writer, instruction);
  if (!selection)
    return false;
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  register_piece operands[NVVM_PIECES_MOST] = {0};
  unsigned operand_count = 0;
  for (unsigned i = 0; i < nvvm_selected_operands(instruction); i++)
    if (!nvvm_stays_constant(instruction, i))
      split(writer, LLVMTypeOf(LLVMGetOperand(instruction, i)), nvvm_operand(writer, LLVMGetOperand(instruction, i)),
            operands, &operand_count);

  const char *constraints = "", *arguments = "", *types = "";
  for (unsigned i = 0; i < selection->result_count; i++) {
    unsigned bits = selection->result_bits[i];
    constraints = nvvm_text(writer, "%s%s=%s", constraints, i ? "," : "", nvvm_piece_constraint(bits));
    types = nvvm_text(writer, "%s%s%s", types, i ? ", " : "", register_type(bits));
  }
  for (unsigned i = 0; i < operand_count; i++) {
    constraints =
        nvvm_text(writer, "%s%s%s", constraints, *constraints ? "," : "", nvvm_piece_constraint(operands[i].bits));
    arguments =
        nvvm_text(writer, "%s%s%s %s", arguments, i ? ", " : "", register_type(operands[i].bits), operands[i].value);
  }
  bool several = selection->result_count > 1;
  const char *type = !selection->result_count ? "void" : several ? nvvm_text(writer, "{ %s }", types) : types;
  const char *call = nvvm_asm_call(writer, kind_of(instruction, callee, selection->text), type, selection->text,
                                   constraints, arguments);
  if (!selection->result_count) {
    nvvm_line(writer, "%s%s", call, nvvm_attachments(writer, instruction));
    return true;
  }
  const char *whole = nvvm_assign(writer, "%s%s", call, nvvm_attachments(writer, instruction));
  register_piece results[NVVM_PIECES_MOST] = {0};
  for (unsigned i = 0; i < selection->result_count; i++)
    results[i].value = several ? nvvm_assign(writer, "extractvalue %s %s, %u", type, whole, i) : whole;
  unsigned next = 0;
  nvvm_bind(writer, instruction, join(writer, LLVMTypeOf(instruction), results, &next));
  return true;
}
