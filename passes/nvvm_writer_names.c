/* nvvm_writer_names.c - types and values as text, and the small map that remembers them. */
#include "nvvm_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- the map ---- */

static size_t slot_of(const nvvm_map *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(hash >> 32) & (map->capacity - 1);
  while (map->keys[slot] && map->keys[slot] != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

const void *nvvm_map_get(const nvvm_map *map, const void *key) {
  return map->capacity ? map->values[slot_of(map, key)] : NULL;
}

static bool resize(nvvm_map *map, size_t capacity) {
  nvvm_map larger = {.capacity = capacity,
                     .keys = calloc(capacity, sizeof *larger.keys),
                     .values = calloc(capacity, sizeof *larger.values)};
  if (!larger.keys || !larger.values) {
    nvvm_map_free(&larger);
    return false;
  }
  for (size_t i = 0; i < map->capacity; i++)
    if (map->keys[i])
      nvvm_map_put(&larger, map->keys[i], map->values[i]);
  nvvm_map_free(map);
  *map = larger;
  return true;
}

bool nvvm_map_put(nvvm_map *map, const void *key, const void *value) {
  if (map->count * 4 >= map->capacity * 3 && !resize(map, map->capacity ? map->capacity * 2 : 64))
    return false;
  size_t slot = slot_of(map, key);
  map->count += !map->keys[slot];
  map->keys[slot] = key;
  map->values[slot] = value;
  return true;
}

void nvvm_map_free(nvvm_map *map) {
  free(map->keys);
  free(map->values);
  *map = (nvvm_map){0};
}

static void remember(nvvm_writer *writer, nvvm_map *map, const void *key, const void *value) {
  if (!nvvm_map_put(map, key, value))
    writer->failed = true;
}

/* ---- text ---- */

static const char *text_of(nvvm_writer *writer, const char *format, va_list arguments) {
  const char *text = pl_arena_vprintf(writer->scratch, format, arguments);
  if (text)
    return text;
  writer->failed = true;
  return "";
}

const char *nvvm_text(nvvm_writer *writer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = text_of(writer, format, arguments);
  va_end(arguments);
  return text;
}

void nvvm_line(nvvm_writer *writer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pl_buffer_puts(writer->out, "  ");
  pl_buffer_vprintf(writer->out, format, arguments);
  pl_buffer_puts(writer->out, "\n");
  va_end(arguments);
}

const char *nvvm_temporary(nvvm_writer *writer) {
  return nvvm_text(writer, "%%v%u", writer->next_value++);
}

const char *nvvm_assign(nvvm_writer *writer, const char *format, ...) {
  const char *name = nvvm_temporary(writer);
  va_list arguments;
  va_start(arguments, format);
  pl_buffer_printf(writer->out, "  %s = ", name);
  pl_buffer_vprintf(writer->out, format, arguments);
  pl_buffer_puts(writer->out, "\n");
  va_end(arguments);
  return name;
}

const char *nvvm_intern(nvvm_writer *writer, const char *text) {
  /* Keys are hashes of the text; a collision probes on by adding one. */
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *at = text; *at; at++)
    hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  for (;; hash++) {
    const void *key = (const void *)(uintptr_t)(hash ? hash : 1);
    const char *known = nvvm_map_get(&writer->strings, key);
    if (known && strcmp(known, text))
      continue;
    if (!known)
      remember(writer, &writer->strings, key, text);
    return known ? known : text;
  }
}

void nvvm_declare(nvvm_writer *writer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = nvvm_intern(writer, text_of(writer, format, arguments));
  va_end(arguments);
  if (nvvm_map_get(&writer->declarations, text))
    return;
  remember(writer, &writer->declarations, text, text);
  pl_buffer_printf(&writer->declared, "%s\n", text);
}

void nvvm_unknown(nvvm_writer *writer, const char *format, ...) {
  if (writer->unknown->construct)
    return;
  va_list arguments;
  va_start(arguments, format);
  writer->unknown->construct = pl_arena_vprintf(writer->arena, format, arguments);
  va_end(arguments);
  size_t length;
  if (writer->function) {
    const char *name = LLVMGetValueName2(writer->function, &length);
    writer->unknown->function = pl_arena_copy(writer->arena, name, length);
  }
  unsigned bytes = 0;
  const char *file = writer->instruction ? LLVMGetDebugLocFilename(writer->instruction, &bytes) : NULL;
  if (file && bytes) {
    writer->unknown->location.file = pl_arena_copy(writer->arena, file, bytes);
    writer->unknown->location.line = LLVMGetDebugLocLine(writer->instruction);
    writer->unknown->location.column = LLVMGetDebugLocColumn(writer->instruction);
  }
  if (!writer->unknown->construct)
    writer->failed = true;
}

bool nvvm_stopped(const nvvm_writer *writer) {
  return writer->failed || writer->out->failed || writer->unknown->construct;
}

const char *nvvm_quoted(nvvm_writer *writer, const char *text, size_t length) {
  char *quoted = pl_arena_array(writer->scratch, length + 1, 3), *at = quoted;
  if (!quoted) {
    writer->failed = true;
    return "";
  }
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\') {
      static const char digits[] = "0123456789ABCDEF";
      *at++ = '\\';
      *at++ = digits[byte >> 4];
      *at++ = digits[byte & 15];
    } else {
      *at++ = (char)byte;
    }
  }
  *at = 0;
  return quoted;
}

/* ---- types ---- */

static const char *join_types(nvvm_writer *writer, LLVMTypeRef *types, unsigned count) {
  pl_buffer text = {0};
  for (unsigned i = 0; i < count; i++)
    pl_buffer_printf(&text, "%s%s", i ? ", " : "", nvvm_type(writer, types[i]));
  const char *joined = text.size ? pl_arena_copy(writer->scratch, text.data, text.size) : "";
  if (text.failed || !joined)
    writer->failed = true;
  pl_buffer_free(&text);
  return joined ? joined : "";
}

static LLVMTypeRef *type_array(nvvm_writer *writer, unsigned count) {
  LLVMTypeRef *types = pl_arena_array(writer->scratch, count, sizeof *types);
  writer->failed = writer->failed || !types;
  return types;
}

static const char *struct_text(nvvm_writer *writer, LLVMTypeRef type) {
  if (LLVMIsOpaqueStruct(type)) {
    nvvm_unknown(writer, "opaque struct type %s", LLVMGetStructName(type));
    return "";
  }
  unsigned count = LLVMCountStructElementTypes(type);
  LLVMTypeRef *types = type_array(writer, count);
  if (!types)
    return "";
  LLVMGetStructElementTypes(type, types);
  const char *fields = join_types(writer, types, count);
  return nvvm_text(writer, LLVMIsPackedStruct(type) ? "<{ %s }>" : "{ %s }", fields);
}

static const char *make_type(nvvm_writer *writer, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    return "void";
  case LLVMHalfTypeKind:
    return "half";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMDoubleTypeKind:
    return "double";
  case LLVMBFloatTypeKind:
    return "i16"; /* LLVM 7 has no bfloat: its bits travel as an integer */
  case LLVMIntegerTypeKind:
    if (LLVMGetIntTypeWidth(type) > 128) { /* laid out differently by LLVM 7 */
      nvvm_unknown(writer, "type i%u", LLVMGetIntTypeWidth(type));
      return "";
    }
    return nvvm_text(writer, "i%u", LLVMGetIntTypeWidth(type));
  case LLVMPointerTypeKind:
    return nvvm_pointer_to(writer, "i8", LLVMGetPointerAddressSpace(type));
  case LLVMStructTypeKind:
    return struct_text(writer, type);
  case LLVMArrayTypeKind:
    return nvvm_text(writer, "[%llu x %s]", (unsigned long long)LLVMGetArrayLength2(type),
                     nvvm_type(writer, LLVMGetElementType(type)));
  case LLVMVectorTypeKind:
    return nvvm_text(writer, "<%u x %s>", LLVMGetVectorSize(type), nvvm_type(writer, LLVMGetElementType(type)));
  default: {
    char *text = LLVMPrintTypeToString(type);
    nvvm_unknown(writer, "type %s", text);
    LLVMDisposeMessage(text);
    return "";
  }
  }
}

const char *nvvm_type(nvvm_writer *writer, LLVMTypeRef type) {
  const char *text = nvvm_map_get(&writer->types, type);
  if (!text) {
    text = make_type(writer, type);
    remember(writer, &writer->types, type, text);
  }
  return text;
}

static bool holds_half(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
    return true;
  case LLVMVectorTypeKind:
  case LLVMArrayTypeKind:
    return holds_half(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (holds_half(LLVMStructGetTypeAtIndex(type, i)))
        return true;
    return false;
  default:
    return false;
  }
}

const char *nvvm_crossing_type(nvvm_writer *writer, LLVMTypeRef type) {
  nvvm_shape shape = nvvm_shape_of(type);
  if (shape.kind == LLVMHalfTypeKind)
    return shape.lanes ? nvvm_text(writer, "<%u x i16>", shape.lanes) : "i16";
  if (holds_half(type))
    nvvm_unknown(writer, "half inside an aggregate that a function takes or returns");
  return nvvm_type(writer, type);
}

const char *nvvm_pointer_to(nvvm_writer *writer, const char *element, unsigned address_space) {
  return address_space ? nvvm_text(writer, "%s addrspace(%u)*", element, address_space)
                       : nvvm_text(writer, "%s*", element);
}

nvvm_shape nvvm_shape_of(LLVMTypeRef type) {
  nvvm_shape shape = {.element = type, .kind = LLVMGetTypeKind(type)};
  if (shape.kind == LLVMVectorTypeKind) {
    shape.lanes = LLVMGetVectorSize(type);
    shape.element = LLVMGetElementType(type);
    shape.kind = LLVMGetTypeKind(shape.element);
  }
  switch (shape.kind) {
  case LLVMIntegerTypeKind:
    shape.bits = LLVMGetIntTypeWidth(shape.element);
    break;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    shape.bits = 16;
    break;
  case LLVMFloatTypeKind:
    shape.bits = 32;
    break;
  case LLVMDoubleTypeKind:
    shape.bits = 64;
    break;
  default:
    break;
  }
  return shape;
}

const char *nvvm_splat(nvvm_writer *writer, unsigned lanes, const char *element, const char *scalar) {
  if (!lanes)
    return scalar;
  const char *text = "";
  for (unsigned i = 0; i < lanes; i++)
    text = nvvm_text(writer, "%s%s%s %s", text, i ? ", " : "", element, scalar);
  return nvvm_text(writer, "<%s>", text);
}

const char *nvvm_condition_type(nvvm_writer *writer, LLVMTypeRef type) {
  nvvm_shape shape = nvvm_shape_of(type);
  return shape.lanes ? nvvm_text(writer, "<%u x i1>", shape.lanes) : "i1";
}

/* ---- values ---- */

static bool is_plain(const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)name[i];
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$' ||
                  byte == '.' || byte == '-';
    if (!letter && (i == 0 || byte < '0' || byte > '9'))
      return false;
  }
  return length > 0;
}

/* libNVVM takes letters, digits, '_', '$' and '.' in names of globals, and refuses the module for any other. */
static bool is_speakable(const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)name[i];
    if (!((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
          byte == '$' || byte == '.'))
      return false;
  }
  return length > 0;
}

static bool is_taken(nvvm_writer *writer, const char *name) {
  return LLVMGetNamedGlobal(writer->module, name) || LLVMGetNamedFunction(writer->module, name);
}

/* A name of our own for a global that nobody else can refer to by name. */
static const char *local_global_name(nvvm_writer *writer, LLVMValueRef global, const char *name, size_t length) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) {
    nvvm_unknown(writer, length ? "symbol name \"%s\", which PTX cannot spell" : "a global without a name", name);
    return "";
  }
  const char *candidate;
  do
    candidate = nvvm_text(writer, "pipelink$%u", writer->next_global++);
  while (is_taken(writer, candidate));
  return candidate;
}

const char *nvvm_global_name(nvvm_writer *writer, LLVMValueRef global) {
  const char *known = nvvm_map_get(&writer->globals, global);
  if (known)
    return known;
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  if (!is_speakable(name, length))
    name = local_global_name(writer, global, name, length);
  const char *text = nvvm_text(writer, is_plain(name, strlen(name)) ? "@%s" : "@\"%s\"", name);
  remember(writer, &writer->globals, global, text);
  return text;
}

/* Local names are NAME.NUMBER or vNUMBER; the number makes them unique, the name is for the reader. */
static const char *local_name(nvvm_writer *writer, LLVMValueRef value, const char *letter) {
  enum { LONGEST = 48 };
  const char *known = nvvm_map_get(&writer->locals, value);
  if (known)
    return known;
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  unsigned number = writer->next_value++;
  const char *text = length <= LONGEST && is_plain(name, length)
                         ? nvvm_text(writer, "%%%.*s.%u", (int)length, name, number)
                         : nvvm_text(writer, "%%%s%u", letter, number);
  remember(writer, &writer->locals, value, text);
  return text;
}

const char *nvvm_local(nvvm_writer *writer, LLVMValueRef value) {
  return local_name(writer, value, "v");
}

const char *nvvm_block(nvvm_writer *writer, LLVMBasicBlockRef block) {
  return local_name(writer, LLVMBasicBlockAsValue(block), "b");
}

void nvvm_bind(nvvm_writer *writer, LLVMValueRef instruction, const char *value) {
  const char *name = nvvm_map_get(&writer->locals, instruction);
  if (!name) {
    remember(writer, &writer->locals, instruction, value);
    return;
  }
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const char *text = nvvm_type(writer, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
    nvvm_line(writer, "%s = select i1 true, %s %s, %s undef", name, text, value, text);
  else
    nvvm_line(writer, "%s = bitcast %s %s to %s", name, text, value, text);
}

const char *nvvm_operand(nvvm_writer *writer, LLVMValueRef value) {
  switch (LLVMGetValueKind(value)) {
  case LLVMArgumentValueKind:
  case LLVMInstructionValueKind:
    return nvvm_local(writer, value);
  default:
    return nvvm_constant(writer, value);
  }
}

const char *nvvm_typed(nvvm_writer *writer, LLVMValueRef value) {
  return nvvm_text(writer, "%s %s", nvvm_type(writer, LLVMTypeOf(value)), nvvm_operand(writer, value));
}
