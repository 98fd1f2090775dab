/* nvvm_writer_metadata.c - annotations of kernels, metadata of instructions, line information.
 *
 * Kept on instructions: what libNVVM's optimiser can use and LLVM 7 spells alike. Line information is rebuilt from
 * scratch: per function one subprogram, per instruction one location with its inlining chain, and compile units
 * that emit directives only, so that the code is the same with and without.
 */
#include "nvvm_writer.h"

#include "llvm_ext.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kept[] = {"tbaa",        "range",   "invariant.load", "nontemporal",
                                   "alias.scope", "noalias", "llvm.loop"};
enum { KEPT = sizeof kept / sizeof *kept };

/* ---- numbered nodes ---- */

/* Numbers a node before its operands, since a node may contain itself. */
static const char *reserve(nvvm_writer *writer, const void *key) {
  const char *name = nvvm_text(writer, "!%u", writer->next_node++);
  if (!nvvm_map_put(&writer->nodes, key, name))
    writer->failed = true;
  return name;
}

static const char *node(nvvm_writer *writer, LLVMMetadataRef metadata);

static const char *operand_text(nvvm_writer *writer, LLVMValueRef operand) {
  if (!operand)
    return "null";
  unsigned length;
  const char *string = LLVMGetMDString(operand, &length);
  if (string)
    return nvvm_text(writer, "!\"%s\"", nvvm_quoted(writer, string, length));
  if (LLVMGetValueKind(operand) != LLVMMetadataAsValueValueKind) /* constants come back as themselves */
    return nvvm_typed(writer, operand);
  return node(writer, LLVMValueAsMetadata(operand));
}

static bool is_tuple(LLVMMetadataRef metadata) {
  return LLVMGetMetadataKind(metadata) == LLVMMDTupleMetadataKind;
}

/* A tuple's operands that LLVM 7 takes: debug locations inside !llvm.loop are left out. */
static const char *node(nvvm_writer *writer, LLVMMetadataRef metadata) {
  const char *known = nvvm_map_get(&writer->nodes, metadata);
  if (known)
    return known;
  if (!is_tuple(metadata)) {
    nvvm_unknown(writer, "metadata that is no plain node");
    return "";
  }
  LLVMValueRef value = LLVMMetadataAsValue(writer->context, metadata);
  unsigned count = LLVMGetMDNodeNumOperands(value);
  LLVMValueRef *operands = pl_arena_array(writer->scratch, count, sizeof *operands);
  const char *name = reserve(writer, metadata), *list = "";
  if (!operands) {
    writer->failed = true;
    return "";
  }
  LLVMGetMDNodeOperands(value, operands);
  bool distinct = false, first = true;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operand = operands[i];
    if (operand && LLVMIsAMDNode(operand)) {
      LLVMMetadataRef inner = LLVMValueAsMetadata(operand);
      if (!is_tuple(inner))
        continue;
      distinct = distinct || inner == metadata;
    }
    list = nvvm_text(writer, "%s%s%s", list, first ? "" : ", ", operand_text(writer, operand));
    first = false;
  }
  pl_buffer_printf(&writer->metadata, "%s = %s!{%s}\n", name, distinct ? "distinct " : "", list);
  return name;
}

/* ---- line information ---- */

static const char *file_node(nvvm_writer *writer, LLVMMetadataRef file) {
  const char *known = nvvm_map_get(&writer->nodes, file);
  if (known)
    return known;
  unsigned name_length, folder_length;
  const char *name = LLVMDIFileGetFilename(file, &name_length);
  const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
  const char *number = reserve(writer, file);
  pl_buffer_printf(&writer->metadata, "%s = !DIFile(filename: \"%s\", directory: \"%s\")\n", number,
                   nvvm_quoted(writer, name, name_length), nvvm_quoted(writer, folder, folder_length));
  return number;
}

/* One compile unit serves all: libNVVM reads nothing of it but how much to emit. */
static const char *unit_node(nvvm_writer *writer, const char *file) {
  const char *known = nvvm_map_get(&writer->nodes, &writer->unit);
  if (known)
    return known;
  const char *number = reserve(writer, &writer->unit);
  pl_buffer_printf(&writer->metadata,
                   "%s = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: %s, producer: \"PipeLink\", "
                   "isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)\n",
                   number, file);
  return number;
}

static const char *subprogram_node(nvvm_writer *writer, LLVMMetadataRef subprogram) {
  const char *known = nvvm_map_get(&writer->nodes, subprogram);
  if (known)
    return known;
  LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
  size_t length;
  const char *name = pl_llvm_subprogram_name(subprogram, &length);
  const char *number = reserve(writer, subprogram);
  if (!file) {
    nvvm_unknown(writer, "a subprogram without a file");
    return number;
  }
  const char *file_number = file_node(writer, file), *unit = unit_node(writer, file_number);
  unsigned line = LLVMDISubprogramGetLine(subprogram);
  pl_buffer_printf(&writer->metadata,
                   "%s = distinct !DISubprogram(name: \"%s\", scope: %s, file: %s, line: %u, type: !1, isLocal: false, "
                   "isDefinition: true, scopeLine: %u, isOptimized: true, unit: %s)\n",
                   number, nvvm_quoted(writer, name, length), file_number, file_number, line, line, unit);
  return number;
}

/* Lexical blocks only matter where they stand in another file than their function (an include in a body). */
static const char *scope_node(nvvm_writer *writer, LLVMMetadataRef scope) {
  const char *known = nvvm_map_get(&writer->nodes, scope);
  if (known)
    return known;
  LLVMMetadataRef subprogram = pl_llvm_scope_subprogram(scope);
  if (!subprogram) {
    nvvm_unknown(writer, "a debug location outside any function");
    return "";
  }
  const char *outer = subprogram_node(writer, subprogram);
  LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
  if (scope == subprogram || !file || file == LLVMDIScopeGetFile(subprogram)) {
    if (!nvvm_map_put(&writer->nodes, scope, outer))
      writer->failed = true;
    return outer;
  }
  const char *file_number = file_node(writer, file), *number = reserve(writer, scope);
  pl_buffer_printf(&writer->metadata, "%s = distinct !DILexicalBlockFile(scope: %s, file: %s, discriminator: 0)\n",
                   number, outer, file_number);
  return number;
}

static const char *location_node(nvvm_writer *writer, LLVMMetadataRef location) {
  const char *known = nvvm_map_get(&writer->nodes, location);
  if (known)
    return known;
  LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(location);
  const char *inlined = outer ? nvvm_text(writer, ", inlinedAt: %s", location_node(writer, outer)) : "";
  const char *scope = scope_node(writer, LLVMDILocationGetScope(location));
  const char *number = reserve(writer, location);
  /* Where code was inlined, the chain must not merge two calls on one line: distinct. */
  pl_buffer_printf(&writer->metadata, "%s = distinct !DILocation(line: %u, column: %u, scope: %s%s)\n", number,
                   LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location), scope, inlined);
  return number;
}

const char *nvvm_subprogram(nvvm_writer *writer, LLVMValueRef function) {
  LLVMMetadataRef subprogram = writer->options->lineinfo ? LLVMGetSubprogram(function) : NULL;
  return subprogram ? nvvm_text(writer, " !dbg %s", subprogram_node(writer, subprogram)) : "";
}

/* ---- instructions ---- */

/* LLVM-C hands out a node that holds one constant as that constant. */
static const char *constant_node(nvvm_writer *writer, LLVMMetadataRef metadata) {
  const char *known = nvvm_map_get(&writer->nodes, metadata);
  if (known)
    return known;
  LLVMValueRef wrapped = LLVMMetadataAsValue(writer->context, metadata), constant;
  LLVMGetMDNodeOperands(wrapped, &constant);
  const char *name = reserve(writer, metadata);
  pl_buffer_printf(&writer->metadata, "%s = !{%s}\n", name, nvvm_typed(writer, constant));
  return name;
}

const char *nvvm_attachments(nvvm_writer *writer, LLVMValueRef instruction) {
  const char *text = "";
  if (LLVMHasMetadata(instruction)) {
    for (size_t i = 0; i < KEPT; i++) {
      LLVMValueRef value = LLVMGetMetadata(instruction, writer->kinds[i]);
      LLVMMetadataRef metadata = value ? LLVMValueAsMetadata(value) : NULL;
      bool constant = metadata && LLVMGetMetadataKind(metadata) == LLVMConstantAsMetadataMetadataKind;
      if (metadata && (constant || is_tuple(metadata)))
        text = nvvm_text(writer, "%s, !%s %s", text, kept[i],
                         constant ? constant_node(writer, metadata) : node(writer, metadata));
    }
  }
  LLVMMetadataRef location =
      writer->options->lineinfo && LLVMGetSubprogram(writer->function) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  return location ? nvvm_text(writer, "%s, !dbg %s", text, location_node(writer, location)) : text;
}

/* ---- kernels ---- */

/* "128,2,1" -> values; how many there are, or 0 when it is no such list. */
static unsigned parse_sizes(const char *text, unsigned long sizes[3]) {
  unsigned count = 0;
  while (text && *text && count < 3) {
    char *end;
    sizes[count] = strtoul(text, &end, 10);
    if (end == text)
      return 0;
    count++;
    text = *end == ',' ? end + 1 : *end ? NULL : end;
  }
  return text ? count : 0;
}

static const char *grid_constants(nvvm_writer *writer, LLVMValueRef function) {
  const char *list = "";
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (nvvm_string_attribute(writer, function, i + 1, "nvvm.grid_constant"))
      list = nvvm_text(writer, "%s%si32 %u", list, *list ? ", " : "", i + 1);
  return list;
}

static const struct {
  const char *attribute, *annotation;
  bool by_dimension; /* the annotation's name ends in x, y, z */
} limits[] = {
    {"nvvm.maxntid", "maxntid", true},          {"nvvm.reqntid", "reqntid", true},
    {"nvvm.minctasm", "minctasm", false},       {"nvvm.maxnreg", "maxnreg", false},
    {"nvvm.cluster_dim", "cluster_dim_", true}, {"nvvm.maxclusterrank", "cluster_max_blocks", false},
};

/* What a kernel says of its launch and is not in the table has no word here: it is not dropped in silence. */
static void refuse_other_attributes(nvvm_writer *writer, LLVMValueRef function) {
  unsigned count = LLVMGetAttributeCountAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  LLVMAttributeRef *attributes = pl_arena_array(writer->scratch, count, sizeof *attributes);
  if (!attributes) {
    writer->failed = true;
    return;
  }
  LLVMGetAttributesAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attributes);
  for (unsigned i = 0; i < count; i++) {
    unsigned length;
    const char *name = LLVMIsStringAttribute(attributes[i]) ? LLVMGetStringAttributeKind(attributes[i], &length) : "";
    bool is_known = strncmp(name, "nvvm.", 5) != 0;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
      is_known = is_known || !strcmp(name, limits[k].attribute);
    if (!is_known)
      nvvm_unknown(writer, "attribute %s", name);
  }
}

/* "managed", "texture" and the like, which make a variable another thing than memory of its type. */
static void refuse_variable_annotations(nvvm_writer *writer) {
  static const char list[] = "nvvm.annotations";
  unsigned count = LLVMGetNamedMetadataNumOperands(writer->module, list);
  LLVMValueRef *nodes = pl_arena_array(writer->scratch, count, sizeof *nodes);
  if (!nodes) {
    writer->failed = true;
    return;
  }
  LLVMGetNamedMetadataOperands(writer->module, list, nodes);
  for (unsigned i = 0; i < count; i++) {
    unsigned operand_count = LLVMGetMDNodeNumOperands(nodes[i]), length;
    LLVMValueRef *operands = pl_arena_array(writer->scratch, operand_count, sizeof *operands);
    if (!operands) {
      writer->failed = true;
      return;
    }
    LLVMGetMDNodeOperands(nodes[i], operands);
    if (operand_count < 2 || !operands[0] || !operands[1] || !LLVMIsAGlobalVariable(operands[0]))
      continue;
    const char *key = LLVMGetMDString(operands[1], &length);
    nvvm_unknown(writer, "annotation %s of variable %s", key ? key : "?", nvvm_global_name(writer, operands[0]));
  }
}

void nvvm_annotate_kernel(nvvm_writer *writer, LLVMValueRef function) {
  refuse_other_attributes(writer, function);
  const char *pointer =
      nvvm_text(writer, "%s* %s", nvvm_signature(writer, function), nvvm_global_name(writer, function));
  const char *text = nvvm_text(writer, "%s, !\"kernel\", i32 1", pointer);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    const char *value = nvvm_string_attribute(writer, function, LLVMAttributeFunctionIndex, limits[i].attribute);
    if (!value)
      continue;
    unsigned long sizes[3];
    unsigned count = parse_sizes(value, sizes);
    if (!count)
      nvvm_unknown(writer, "attribute %s=\"%s\"", limits[i].attribute, value);
    for (unsigned k = 0; k < (limits[i].by_dimension ? count : count > 0); k++)
      text = nvvm_text(writer, "%s, !\"%s%.1s\", i32 %lu", text, limits[i].annotation,
                       limits[i].by_dimension ? &"xyz"[k] : "", sizes[k]);
  }
  const char *constants = grid_constants(writer, function);
  if (*constants) {
    unsigned number = writer->next_node++;
    pl_buffer_printf(&writer->metadata, "!%u = !{%s}\n", number, constants);
    text = nvvm_text(writer, "%s, !\"grid_constant\", !%u", text, number);
  }
  unsigned number = writer->next_node++;
  pl_buffer_printf(&writer->metadata, "!%u = !{%s}\n", number, text);
  pl_buffer_printf(&writer->annotations, "%s!%u", writer->annotations.size ? ", " : "", number);
  pl_buffer_printf(&writer->used, "%si8* bitcast (%s to i8*)", writer->used_count++ ? ", " : "", pointer);
}

/* ---- the module's named nodes ---- */

void nvvm_metadata_begin(nvvm_writer *writer) {
  for (size_t i = 0; i < KEPT; i++)
    writer->kinds[i] = LLVMGetMDKindIDInContext(writer->context, kept[i], (unsigned)strlen(kept[i]));
  /* Node 0 is the version: NVVM IR 2.0, debug information 3.1; node 1 the type of every subprogram. */
  writer->next_node = 2;
  refuse_variable_annotations(writer);
  pl_buffer_puts(&writer->metadata, "!0 = !{i32 2, i32 0, i32 3, i32 1}\n");
}

void nvvm_metadata_end(nvvm_writer *writer) {
  pl_buffer_puts(&writer->metadata, "!nvvmir.version = !{!0}\n");
  if (writer->annotations.size)
    pl_buffer_printf(&writer->metadata, "!nvvm.annotations = !{%s}\n", writer->annotations.data);
  const char *unit = nvvm_map_get(&writer->nodes, &writer->unit);
  if (!unit)
    return;
  unsigned flag = writer->next_node++;
  pl_buffer_puts(&writer->metadata, "!1 = !DISubroutineType(types: !{})\n");
  pl_buffer_printf(&writer->metadata, "!%u = !{i32 2, !\"Debug Info Version\", i32 3}\n", flag);
  pl_buffer_printf(&writer->metadata, "!llvm.module.flags = !{!%u}\n!llvm.dbg.cu = !{%s}\n", flag, unit);
}
