/* nvvm_writer_memory.c - memcpy, memmove, memset.
 *
 * A small known size becomes loads and stores as wide as the alignment allows, all loads before all stores, so that
 * memmove is served too. libNVVM turns the rest into loops; it reads alignments from attributes of the arguments.
 */
#include "nvvm_writer.h"

#include <string.h>

enum { UNROLLED_MOST = 128 }; /* bytes; LLVM's NVPTX back end unrolls as much */

static uint64_t alignment_of(LLVMValueRef call, unsigned argument) {
  LLVMAttributeRef attribute = nvvm_attribute(call, argument + 1, "align");
  return attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
}

static bool is_volatile(LLVMValueRef call) {
  return LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3));
}

/* Type for the next piece: not beyond the end, not beyond the alignment at this offset. */
static unsigned piece_bytes(uint64_t alignment, uint64_t left) {
  unsigned bytes = 16;
  while (bytes > alignment || bytes > left)
    bytes /= 2;
  return bytes;
}

static const char *piece_type(unsigned bytes) {
  switch (bytes) {
  case 16:
    return "<4 x i32>";
  case 8:
    return "i64";
  case 4:
    return "i32";
  case 2:
    return "i16";
  default:
    return "i8";
  }
}

/* Alignment that holds at `offset` of an object aligned to `alignment`. */
static uint64_t at_offset(uint64_t alignment, uint64_t offset) {
  uint64_t lowest = offset & (~offset + 1);
  return offset && lowest < alignment ? lowest : alignment;
}

static const char *address_at(nvvm_writer *writer, LLVMValueRef pointer, uint64_t offset, const char *type) {
  const char *bytes = nvvm_operand(writer, pointer);
  const char *plain = nvvm_type(writer, LLVMTypeOf(pointer));
  if (offset)
    bytes = nvvm_assign(writer, "getelementptr inbounds i8, %s %s, i64 %llu", plain, bytes, (unsigned long long)offset);
  if (!strcmp(type, "i8"))
    return bytes;
  return nvvm_assign(writer, "bitcast %s %s to %s", plain, bytes,
                     nvvm_pointer_to(writer, type, nvvm_address_space(pointer)));
}

static void unroll_copy(nvvm_writer *writer, LLVMValueRef call, uint64_t size) {
  LLVMValueRef target = LLVMGetOperand(call, 0), source = LLVMGetOperand(call, 1);
  const char *word = is_volatile(call) ? "volatile " : "", *values[UNROLLED_MOST] = {0};
  uint64_t to = alignment_of(call, 0), from = alignment_of(call, 1), common = to < from ? to : from;
  unsigned pieces = 0;
  for (uint64_t offset = 0; offset < size; pieces++) {
    unsigned bytes = piece_bytes(at_offset(common, offset), size - offset);
    const char *type = piece_type(bytes), *pointer = address_at(writer, source, offset, type);
    values[pieces] = nvvm_assign(writer, "load %s%s, %s %s, align %u", word, type,
                                 nvvm_pointer_to(writer, type, nvvm_address_space(source)), pointer, bytes);
    offset += bytes;
  }
  pieces = 0;
  for (uint64_t offset = 0; offset < size; pieces++) {
    unsigned bytes = piece_bytes(at_offset(common, offset), size - offset);
    const char *type = piece_type(bytes), *pointer = address_at(writer, target, offset, type);
    nvvm_line(writer, "store %s%s %s, %s %s, align %u", word, type, values[pieces],
              nvvm_pointer_to(writer, type, nvvm_address_space(target)), pointer, bytes);
    offset += bytes;
  }
}

/* "p0i8", "p3i8": LLVM 7's mangling of a pointer. */
static const char *mangled(nvvm_writer *writer, LLVMValueRef pointer) {
  return nvvm_text(writer, "p%ui8", nvvm_address_space(pointer));
}

static const char *aligned(nvvm_writer *writer, LLVMValueRef call, unsigned argument) {
  LLVMValueRef pointer = LLVMGetOperand(call, argument);
  return nvvm_text(writer, "%s align %llu %s", nvvm_type(writer, LLVMTypeOf(pointer)),
                   (unsigned long long)alignment_of(call, argument), nvvm_operand(writer, pointer));
}

static const char *word_of(LLVMValueRef call) {
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  return !strncmp(name, "llvm.memmove", 12) ? "memmove" : !strncmp(name, "llvm.memcpy", 11) ? "memcpy" : "memset";
}

static bool is_small(LLVMValueRef size) {
  return LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= UNROLLED_MOST;
}

void nvvm_copy_memory(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  LLVMValueRef target = LLVMGetOperand(call, 0), source = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
  if (is_small(size)) {
    unroll_copy(writer, call, LLVMConstIntGetZExtValue(size));
    return;
  }
  const char *length = nvvm_type(writer, LLVMTypeOf(size));
  const char *name =
      nvvm_text(writer, "llvm.%s.%s.%s.%s", word_of(call), mangled(writer, target), mangled(writer, source), length);
  nvvm_declare(writer, "declare void @%s(%s, %s, %s, i1)", name, nvvm_type(writer, LLVMTypeOf(target)),
               nvvm_type(writer, LLVMTypeOf(source)), length);
  nvvm_line(writer, "call void @%s(%s, %s, %s, i1 %s)%s", name, aligned(writer, call, 0), aligned(writer, call, 1),
            nvvm_typed(writer, size), is_volatile(call) ? "true" : "false", nvvm_attachments(writer, call));
}

/* The byte repeated through a value of `bytes` bytes. */
static const char *spread(nvvm_writer *writer, LLVMValueRef byte, unsigned bytes) {
  if (LLVMIsAConstantInt(byte)) {
    uint64_t all = LLVMConstIntGetZExtValue(byte) * UINT64_C(0x0101010101010101);
    switch (bytes) {
    case 16:
      return nvvm_text(writer, "<i32 %d, i32 %d, i32 %d, i32 %d>", (int32_t)(uint32_t)all, (int32_t)(uint32_t)all,
                       (int32_t)(uint32_t)all, (int32_t)(uint32_t)all);
    case 8:
      return nvvm_text(writer, "%lld", (long long)all);
    case 4:
      return nvvm_text(writer, "%d", (int32_t)(uint32_t)all);
    case 2:
      return nvvm_text(writer, "%d", (int16_t)(uint16_t)all);
    default:
      return nvvm_text(writer, "%d", (int8_t)(uint8_t)all);
    }
  }
  const char *value = nvvm_operand(writer, byte);
  if (bytes == 1)
    return value;
  if (bytes == 16) {
    const char *word = spread(writer, byte, 4), *vector = "undef";
    for (unsigned i = 0; i < 4; i++)
      vector = nvvm_assign(writer, "insertelement <4 x i32> %s, i32 %s, i32 %u", vector, word, i);
    return vector;
  }
  const char *type = piece_type(bytes);
  const char *ones = bytes == 8 ? "72340172838076673" : bytes == 4 ? "16843009" : "257";
  return nvvm_assign(writer, "mul %s %s, %s", type, nvvm_assign(writer, "zext i8 %s to %s", value, type), ones);
}

void nvvm_set_memory(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  LLVMValueRef target = LLVMGetOperand(call, 0), byte = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
  if (is_small(size)) {
    uint64_t total = LLVMConstIntGetZExtValue(size), alignment = alignment_of(call, 0);
    for (uint64_t offset = 0; offset < total;) {
      unsigned bytes = piece_bytes(at_offset(alignment, offset), total - offset);
      const char *type = piece_type(bytes), *pointer = address_at(writer, target, offset, type);
      nvvm_line(writer, "store %s%s %s, %s %s, align %u", is_volatile(call) ? "volatile " : "", type,
                spread(writer, byte, bytes), nvvm_pointer_to(writer, type, nvvm_address_space(target)), pointer, bytes);
      offset += bytes;
    }
    return;
  }
  const char *length = nvvm_type(writer, LLVMTypeOf(size));
  const char *name = nvvm_text(writer, "llvm.memset.%s.%s", mangled(writer, target), length);
  nvvm_declare(writer, "declare void @%s(%s, i8, %s, i1)", name, nvvm_type(writer, LLVMTypeOf(target)), length);
  nvvm_line(writer, "call void @%s(%s, %s, %s, i1 %s)%s", name, aligned(writer, call, 0), nvvm_typed(writer, byte),
            nvvm_typed(writer, size), is_volatile(call) ? "true" : "false", nvvm_attachments(writer, call));
}
