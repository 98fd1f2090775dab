/* nvvm_writer_constants.c - constants and constant expressions.
 *
 * A global stands for its address: an `i8 addrspace(n)*`, so every use is a bitcast of the typed name. Floating
 * point is written as bits, exactly, NaN payloads included.
 */
#include "nvvm_writer.h"

#include <string.h>

static const char *typed_element(nvvm_writer *writer, LLVMValueRef constant, unsigned index) {
  LLVMValueRef element = LLVMGetAggregateElement(constant, index);
  if (!element) {
    nvvm_unknown(writer, "a constant whose element %u cannot be read", index);
    return "";
  }
  return nvvm_typed(writer, element);
}

static const char *aggregate(nvvm_writer *writer, LLVMValueRef constant, uint64_t count, const char *open,
                             const char *close) {
  pl_buffer text = {0};
  pl_buffer_puts(&text, open);
  for (uint64_t i = 0; i < count && !nvvm_stopped(writer); i++)
    pl_buffer_printf(&text, "%s%s", i ? ", " : "", typed_element(writer, constant, (unsigned)i));
  pl_buffer_puts(&text, close);
  const char *copy = text.failed ? NULL : pl_arena_copy(writer->scratch, text.data, text.size);
  writer->failed = writer->failed || !copy;
  pl_buffer_free(&text);
  return copy ? copy : "";
}

static const char *integer(nvvm_writer *writer, LLVMValueRef constant) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(constant));
  if (bits == 1)
    return LLVMConstIntGetZExtValue(constant) ? "true" : "false";
  if (bits <= 64)
    return nvvm_text(writer, "%lld", LLVMConstIntGetSExtValue(constant));
  char *printed = LLVMPrintValueToString(constant); /* "i128 123" */
  const char *digits = strchr(printed, ' ');
  const char *text = nvvm_text(writer, "%s", digits ? digits + 1 : "0");
  LLVMDisposeMessage(printed);
  return text;
}

/* LLVM writes a float as the double of the same value, in hexadecimal. */
static uint64_t widen(uint32_t bits) {
  uint64_t sign = (uint64_t)(bits >> 31) << 63, mantissa = bits & 0x7fffff;
  if ((bits & 0x7f800000) == 0x7f800000) /* infinity or NaN: keep the payload, signalling or not */
    return sign | UINT64_C(0x7ff0000000000000) | mantissa << 29;
  float narrow;
  memcpy(&narrow, &bits, sizeof narrow);
  double wide = (double)narrow;
  uint64_t result;
  memcpy(&result, &wide, sizeof result);
  return result;
}

static const char *floating(nvvm_writer *writer, LLVMValueRef constant) {
  nvvm_shape shape = nvvm_shape_of(LLVMTypeOf(constant));
  if (!shape.bits || shape.lanes) {
    nvvm_unknown(writer, "a floating-point constant of type %s", nvvm_type(writer, LLVMTypeOf(constant)));
    return "";
  }
  LLVMValueRef integer_constant = LLVMConstBitCast(constant, LLVMIntTypeInContext(writer->context, shape.bits));
  unsigned long long bits = LLVMConstIntGetZExtValue(integer_constant);
  switch (shape.kind) {
  case LLVMHalfTypeKind:
    return nvvm_text(writer, "0xH%04llX", bits);
  case LLVMBFloatTypeKind:
    return nvvm_text(writer, "%lld", LLVMConstIntGetSExtValue(integer_constant));
  case LLVMFloatTypeKind:
    return nvvm_text(writer, "0x%016llX", (unsigned long long)widen((uint32_t)bits));
  default:
    return nvvm_text(writer, "0x%016llX", bits);
  }
}

static LLVMValueRef aliased(LLVMValueRef value) {
  while (LLVMIsAGlobalAlias(value))
    value = LLVMAliasGetAliasee(value);
  return value;
}

static const char *address_of(nvvm_writer *writer, LLVMValueRef global) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  const char *element =
      LLVMIsAFunction(global) ? nvvm_signature(writer, global) : nvvm_type(writer, LLVMGlobalGetValueType(global));
  return nvvm_text(writer, "bitcast (%s %s to %s)", nvvm_pointer_to(writer, element, space),
                   nvvm_global_name(writer, global), nvvm_pointer_to(writer, "i8", space));
}

LLVMTypeRef nvvm_indexed_type(nvvm_writer *writer, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
      if (LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < LLVMCountStructElementTypes(type)) {
        type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
        break;
      }
      nvvm_unknown(writer, "getelementptr with a variable index into a struct");
      return NULL;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      type = LLVMGetElementType(type);
      break;
    default:
      nvvm_unknown(writer, "getelementptr into a type without elements");
      return NULL;
    }
  }
  return type;
}

static const char *element_pointer(nvvm_writer *writer, LLVMValueRef constant) {
  LLVMValueRef base = LLVMGetOperand(constant, 0);
  LLVMTypeRef reached = nvvm_indexed_type(writer, constant);
  if (!reached || LLVMGetTypeKind(LLVMTypeOf(constant)) != LLVMPointerTypeKind) {
    nvvm_unknown(writer, "a constant vector of pointers");
    return "";
  }
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(constant));
  const char *source = nvvm_type(writer, LLVMGetGEPSourceElementType(constant));
  const char *from = nvvm_pointer_to(writer, source, space), *bytes = nvvm_pointer_to(writer, "i8", space);
  const char *indices = "", *pointer = nvvm_operand(writer, base);
  for (int i = 1; i < LLVMGetNumOperands(constant); i++)
    indices = nvvm_text(writer, "%s, %s", indices, nvvm_typed(writer, LLVMGetOperand(constant, (unsigned)i)));
  if (strcmp(from, bytes))
    pointer = nvvm_text(writer, "bitcast (%s %s to %s)", bytes, pointer, from);
  const char *to = nvvm_pointer_to(writer, nvvm_type(writer, reached), space);
  const char *result = nvvm_text(writer, "getelementptr %s(%s, %s %s%s)", LLVMIsInBounds(constant) ? "inbounds " : "",
                                 source, from, pointer, indices);
  return strcmp(to, bytes) ? nvvm_text(writer, "bitcast (%s %s to %s)", to, result, bytes) : result;
}

/* Shared memory of the CTA lies in that of the cluster, at the same addresses (PTX ISA 9.0, "State Spaces"); LLVM 7
 * knows nothing of the cluster. */
static const char *space_cast(nvvm_writer *writer, LLVMValueRef constant) {
  LLVMValueRef operand = LLVMGetOperand(constant, 0);
  unsigned from = nvvm_address_space(operand), to = nvvm_address_space(constant);
  const char *first = nvvm_typed(writer, operand), *type = nvvm_type(writer, LLVMTypeOf(constant));
  if (nvvm_is_plain_space(from) && nvvm_is_plain_space(to))
    return nvvm_text(writer, "addrspacecast (%s to %s)", first, type);
  if (from == 3 && to == 7)
    return nvvm_text(writer, "inttoptr (i64 ptrtoint (%s to i64) to %s)", first, type);
  nvvm_unknown(writer, "constant addrspacecast from %u to %u", from, to);
  return "";
}

static const char *expression(nvvm_writer *writer, LLVMValueRef constant) {
  static const char *const casts[] = {
      [LLVMTrunc] = "trunc",       [LLVMZExt] = "zext",       [LLVMSExt] = "sext",          [LLVMPtrToInt] = "ptrtoint",
      [LLVMIntToPtr] = "inttoptr", [LLVMBitCast] = "bitcast", [LLVMPtrToAddr] = "ptrtoint",
  };
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  const char *type = nvvm_type(writer, LLVMTypeOf(constant));
  if (opcode == LLVMGetElementPtr)
    return element_pointer(writer, constant);
  if (opcode == LLVMAddrSpaceCast)
    return space_cast(writer, constant);
  const char *first = nvvm_typed(writer, LLVMGetOperand(constant, 0));
  if ((size_t)opcode < sizeof casts / sizeof *casts && casts[opcode])
    return nvvm_text(writer, "%s (%s to %s)", casts[opcode], first, type);
  switch (opcode) {
  case LLVMAdd:
    return nvvm_text(writer, "add (%s, %s)", first, nvvm_typed(writer, LLVMGetOperand(constant, 1)));
  case LLVMSub:
    return nvvm_text(writer, "sub (%s, %s)", first, nvvm_typed(writer, LLVMGetOperand(constant, 1)));
  case LLVMXor:
    return nvvm_text(writer, "xor (%s, %s)", first, nvvm_typed(writer, LLVMGetOperand(constant, 1)));
  default: {
    char *printed = LLVMPrintValueToString(constant);
    nvvm_unknown(writer, "constant expression %s", printed);
    LLVMDisposeMessage(printed);
    return "";
  }
  }
}

static const char *array_data(nvvm_writer *writer, LLVMValueRef constant) {
  size_t length;
  if (!LLVMIsConstantString(constant))
    return aggregate(writer, constant, LLVMGetArrayLength2(LLVMTypeOf(constant)), "[", "]");
  const char *bytes = LLVMGetAsString(constant, &length);
  return nvvm_text(writer, "c\"%s\"", nvvm_quoted(writer, bytes, length));
}

const char *nvvm_constant(nvvm_writer *writer, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  switch (LLVMGetValueKind(constant)) {
  case LLVMFunctionValueKind:
  case LLVMGlobalVariableValueKind:
    return address_of(writer, constant);
  case LLVMGlobalAliasValueKind:
    return nvvm_constant(writer, aliased(constant));
  case LLVMConstantIntValueKind:
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
      return integer(writer, constant);
    break;
  case LLVMConstantFPValueKind:
    return floating(writer, constant);
  case LLVMConstantPointerNullValueKind:
    return "null";
  case LLVMConstantAggregateZeroValueKind:
    return "zeroinitializer";
  case LLVMUndefValueValueKind:
  case LLVMPoisonValueValueKind:
    return "undef";
  case LLVMConstantDataArrayValueKind:
    return array_data(writer, constant);
  case LLVMConstantArrayValueKind:
    return aggregate(writer, constant, LLVMGetArrayLength2(type), "[", "]");
  case LLVMConstantStructValueKind:
    return aggregate(writer, constant, LLVMCountStructElementTypes(type), LLVMIsPackedStruct(type) ? "<{ " : "{ ",
                     LLVMIsPackedStruct(type) ? " }>" : " }");
  case LLVMConstantVectorValueKind:
  case LLVMConstantDataVectorValueKind:
    return aggregate(writer, constant, LLVMGetVectorSize(type), "<", ">");
  case LLVMConstantExprValueKind:
    return expression(writer, constant);
  default:
    break;
  }
  char *printed = LLVMPrintValueToString(constant);
  nvvm_unknown(writer, "constant %s", printed);
  LLVMDisposeMessage(printed);
  return "";
}
