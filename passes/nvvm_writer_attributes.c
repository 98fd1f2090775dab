/* nvvm_writer_attributes.c - attributes of functions, parameters and calls in LLVM 7's words.
 *
 * Only attributes that LLVM 7 knows are kept; what is left out only tells the optimiser less. captures(none) was
 * nocapture, memory(...) was a handful of words.
 */
#include "nvvm_writer.h"

#include <string.h>

LLVMAttributeRef nvvm_attribute(LLVMValueRef function_or_call, LLVMAttributeIndex index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMIsAFunction(function_or_call) ? LLVMGetEnumAttributeAtIndex(function_or_call, index, kind)
                                           : LLVMGetCallSiteEnumAttribute(function_or_call, index, kind);
}

bool nvvm_has_attribute(LLVMValueRef function_or_call, LLVMAttributeIndex index, const char *name) {
  return nvvm_attribute(function_or_call, index, name);
}

LLVMTypeRef nvvm_byval_type(LLVMValueRef function_or_call, unsigned parameter) {
  LLVMAttributeRef attribute = nvvm_attribute(function_or_call, parameter + 1, "byval");
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* libNVVM reads LLVM 7's dialect below compute_100 and LLVM 20's from there on. Typed pointers it takes in both;
 * this is the one word that differs. */
const char *nvvm_byval_word(nvvm_writer *writer, const char *type) {
  return writer->options->profile->capability < 100 ? "byval" : nvvm_text(writer, "byval(%s)", type);
}

const char *nvvm_string_attribute(nvvm_writer *writer, LLVMValueRef function, LLVMAttributeIndex index,
                                  const char *name) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, index, name, (unsigned)strlen(name));
  if (!attribute)
    return NULL;
  unsigned length;
  const char *value = LLVMGetStringAttributeValue(attribute, &length);
  return nvvm_text(writer, "%.*s", (int)length, value);
}

bool nvvm_is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
}

const char *nvvm_parameter_attributes(nvvm_writer *writer, LLVMValueRef function, unsigned parameter) {
  /* The last three only of declarations: see nvvm_function_attributes. */
  static const char *const kept[] = {"zeroext", "signext", "noalias", "nonnull", "readonly", "readnone", "writeonly"};
  LLVMAttributeIndex index = parameter + 1;
  size_t count = sizeof kept / sizeof *kept - (LLVMIsDeclaration(function) ? 0 : 3);
  const char *text = "";
  for (size_t i = 0; i < count; i++)
    if (nvvm_has_attribute(function, index, kept[i]) && (strcmp(kept[i], "writeonly") || LLVMIsDeclaration(function)))
      text = nvvm_text(writer, "%s%s ", text, kept[i]);
  LLVMAttributeRef captures = nvvm_attribute(function, index, "captures");
  if (captures && !LLVMGetEnumAttributeValue(captures))
    text = nvvm_text(writer, "%snocapture ", text);
  LLVMAttributeRef align = nvvm_attribute(function, index, "align");
  if (align)
    text = nvvm_text(writer, "%salign %llu ", text, (unsigned long long)LLVMGetEnumAttributeValue(align));
  LLVMAttributeRef bytes = nvvm_attribute(function, index, "dereferenceable");
  if (bytes)
    text = nvvm_text(writer, "%sdereferenceable(%llu) ", text, (unsigned long long)LLVMGetEnumAttributeValue(bytes));
  return text;
}

/* memory(...) holds two bits for each kind of memory, lowest first: what pointer arguments point to, memory that
 * the module cannot see, everything else (in more than one kind). Bit 0 is reading, bit 1 writing. */
static const char *memory_words(uint64_t effects) {
  const uint64_t reads = UINT64_C(0x5555555555555555), arguments = 3, hidden = 12;
  bool reads_only = !(effects & ~reads), writes_only = !(effects & reads);
  if (!effects)
    return " readnone";
  if (!(effects & ~arguments))
    return reads_only ? " argmemonly readonly" : writes_only ? " argmemonly writeonly" : " argmemonly";
  if (!(effects & ~hidden))
    return reads_only ? " inaccessiblememonly readonly" : " inaccessiblememonly";
  if (!(effects & ~(arguments | hidden)))
    return reads_only ? " inaccessiblemem_or_argmemonly readonly" : " inaccessiblemem_or_argmemonly";
  return reads_only ? " readonly" : writes_only ? " writeonly" : "";
}

const char *nvvm_memory_attribute(LLVMValueRef function_or_call) {
  LLVMAttributeRef memory = nvvm_attribute(function_or_call, LLVMAttributeFunctionIndex, "memory");
  return memory ? memory_words(LLVMGetEnumAttributeValue(memory)) : "";
}

const char *nvvm_function_attributes(nvvm_writer *writer, LLVMValueRef function) {
  static const char *const kept[] = {"alwaysinline", "inlinehint", "noinline",  "convergent",
                                     "nounwind",     "noreturn",   "norecurse", "cold"};
  const char *text = "";
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    bool is_noise = nvvm_is_kernel(function) && !strcmp(kept[i], "noinline"); /* libNVVM warns that nobody calls it */
    if (!is_noise && nvvm_has_attribute(function, LLVMAttributeFunctionIndex, kept[i]))
      text = nvvm_text(writer, "%s %s", text, kept[i]);
  }
  /* Only of declarations: LLVM 7 infers the rest itself, and calls a function broken that it finds to be readnone
   * where writeonly stands already. */
  return LLVMIsDeclaration(function) ? nvvm_text(writer, "%s%s", text, nvvm_memory_attribute(function)) : text;
}
