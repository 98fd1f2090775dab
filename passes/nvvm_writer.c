/* nvvm_writer.c - the module as NVVM IR text: globals, functions, what they need, metadata. See nvvm_writer.h.
 *
 * Functions are written into a buffer of their own, since writing them finds out which declarations and metadata
 * the text needs.
 */
#include "nvvm_writer.h"

#include <errno.h>
#include <string.h>

/* libNVVM wants exactly its own layout for 64-bit code. Sizes and alignments agree with LLVM 22's. */
static const char header[] =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n";

/* ---- globals ---- */

/* Names that speak to LLVM's own passes and linkers, not of data. */
static bool is_for_llvm(LLVMValueRef global) {
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  const char *section = LLVMGetSection(global);
  return !strncmp(name, "llvm.", 5) || (section && !strcmp(section, "llvm.metadata"));
}

static const char *linkage_word(nvvm_writer *writer, LLVMValueRef global) {
  switch (LLVMGetLinkage(global)) {
  case LLVMExternalLinkage:
    return "";
  case LLVMAvailableExternallyLinkage:
    return "available_externally ";
  case LLVMLinkOnceAnyLinkage:
    return "linkonce ";
  case LLVMLinkOnceODRLinkage:
    return "linkonce_odr ";
  case LLVMWeakAnyLinkage:
    return "weak ";
  case LLVMWeakODRLinkage:
    return "weak_odr ";
  case LLVMInternalLinkage:
  case LLVMPrivateLinkage:
    return "internal ";
  case LLVMCommonLinkage:
    return "common ";
  default:
    nvvm_unknown(writer, "linkage of %s", nvvm_global_name(writer, global));
    return "";
  }
}

static void write_global(nvvm_writer *writer, LLVMValueRef global) {
  if (is_for_llvm(global)) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    if (!strncmp(name, "llvm.global_ctors", length) || !strncmp(name, "llvm.global_dtors", length))
      nvvm_unknown(writer, "constructors that run before the kernel (%s)", name);
    return;
  }
  if (LLVMIsThreadLocal(global)) {
    nvvm_unknown(writer, "thread-local variable %s", nvvm_global_name(writer, global));
    return;
  }
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global)), alignment = LLVMGetAlignment(global);
  LLVMValueRef initialiser = LLVMGetInitializer(global);
  const char *type = nvvm_type(writer, LLVMGlobalGetValueType(global));
  pl_buffer_printf(writer->out, "%s = %s", nvvm_global_name(writer, global),
                   initialiser ? linkage_word(writer, global) : "external ");
  if (space)
    pl_buffer_printf(writer->out, "addrspace(%u) ", space);
  pl_buffer_printf(writer->out, "%s%s %s", LLVMIsExternallyInitialized(global) ? "externally_initialized " : "",
                   LLVMIsGlobalConstant(global) ? "constant" : "global", type);
  if (initialiser)
    pl_buffer_printf(writer->out, " %s", nvvm_constant(writer, initialiser));
  if (alignment)
    pl_buffer_printf(writer->out, ", align %u", alignment);
  pl_buffer_puts(writer->out, "\n");
  if (initialiser && LLVMGetLinkage(global) == LLVMExternalLinkage && space == 1) /* the host looks for it by name */
    pl_buffer_printf(&writer->used, "%si8* addrspacecast (%s %s to i8*)", writer->used_count++ ? ", " : "",
                     nvvm_pointer_to(writer, type, space), nvvm_global_name(writer, global));
}

/* ---- functions ---- */

static const char *parameter_type(nvvm_writer *writer, LLVMValueRef function, unsigned index) {
  LLVMValueRef parameter = LLVMGetParam(function, index);
  LLVMTypeRef byval = nvvm_byval_type(function, index);
  return byval ? nvvm_pointer_to(writer, nvvm_type(writer, byval), nvvm_address_space(parameter))
               : nvvm_crossing_type(writer, LLVMTypeOf(parameter));
}

const char *nvvm_signature(nvvm_writer *writer, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  const char *parameters = "";
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count; i++)
    parameters = nvvm_text(writer, "%s%s%s", parameters, i ? ", " : "", parameter_type(writer, function, i));
  if (LLVMIsFunctionVarArg(type))
    parameters = nvvm_text(writer, "%s%s...", parameters, count ? ", " : "");
  return nvvm_text(writer, "%s (%s)", nvvm_crossing_type(writer, LLVMGetReturnType(type)), parameters);
}

/* A parameter that comes in under another type than it has inside. */
static bool is_cast(nvvm_writer *writer, LLVMValueRef function, unsigned index) {
  return strcmp(parameter_type(writer, function, index), nvvm_type(writer, LLVMTypeOf(LLVMGetParam(function, index))));
}

/* Parameters of a definition, named; those of a declaration are not. */
static const char *parameters_of(nvvm_writer *writer, LLVMValueRef function, bool named) {
  const char *text = "";
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef byval = nvvm_byval_type(function, i);
    const char *type = parameter_type(writer, function, i);
    const char *word = byval ? nvvm_text(writer, " %s", nvvm_byval_word(writer, nvvm_type(writer, byval))) : "";
    const char *name = named ? nvvm_local(writer, LLVMGetParam(function, i)) : "";
    text = nvvm_text(writer, "%s%s%s%s %s%s%s", text, i ? ", " : "", type, word,
                     nvvm_parameter_attributes(writer, function, i), name,
                     named && is_cast(writer, function, i) ? ".in" : "");
  }
  return text;
}

static void write_parameter_casts(nvvm_writer *writer, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (is_cast(writer, function, i))
      nvvm_line(writer, "%s = bitcast %s %s.in to %s", nvvm_local(writer, parameter),
                parameter_type(writer, function, i), nvvm_local(writer, parameter),
                nvvm_type(writer, LLVMTypeOf(parameter)));
  }
}

static void write_body(nvvm_writer *writer, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !nvvm_stopped(writer);
       block = LLVMGetNextBasicBlock(block)) {
    pl_buffer_printf(writer->out, "%s:\n", nvvm_block(writer, block) + 1);
    if (block == LLVMGetEntryBasicBlock(function))
      write_parameter_casts(writer, function);
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction && !nvvm_stopped(writer);
         instruction = LLVMGetNextInstruction(instruction))
      nvvm_write_instruction(writer, instruction);
  }
}

static void write_function(nvvm_writer *writer, LLVMValueRef function) {
  if (LLVMGetIntrinsicID(function))
    return;
  writer->function = function;
  writer->instruction = NULL;
  writer->next_value = 0;
  nvvm_map_free(&writer->locals);
  bool declaration = LLVMIsDeclaration(function);
  const char *result = nvvm_crossing_type(writer, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  if (declaration && !LLVMGetFirstUse(function))
    return;
  if (declaration) {
    bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
    pl_buffer_printf(writer->out, "\ndeclare %s %s(%s%s)%s\n", result, nvvm_global_name(writer, function),
                     parameters_of(writer, function, false),
                     !variadic                   ? ""
                     : LLVMCountParams(function) ? ", ..."
                                                 : "...",
                     nvvm_function_attributes(writer, function));
    return;
  }
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
    nvvm_unknown(writer, "a function with a variable number of arguments");
  bool kernel = nvvm_is_kernel(function);
  pl_buffer_printf(writer->out, "\ndefine %s%s %s(%s)%s%s {\n", kernel ? "" : linkage_word(writer, function), result,
                   nvvm_global_name(writer, function), parameters_of(writer, function, true),
                   nvvm_function_attributes(writer, function), nvvm_subprogram(writer, function));
  write_body(writer, function);
  pl_buffer_puts(writer->out, "}\n");
  if (kernel)
    nvvm_annotate_kernel(writer, function);
}

/* ---- the module ---- */

static void write_module(nvvm_writer *writer) {
  size_t length;
  LLVMGetModuleInlineAsm(writer->module, &length);
  if (length)
    nvvm_unknown(writer, "assembly at module level");
  if (LLVMGetFirstGlobalIFunc(writer->module))
    nvvm_unknown(writer, "an indirect function (ifunc)");
  nvvm_metadata_begin(writer);
  for (LLVMValueRef global = LLVMGetFirstGlobal(writer->module); global && !nvvm_stopped(writer);
       global = LLVMGetNextGlobal(global))
    write_global(writer, global);
  for (LLVMValueRef function = LLVMGetFirstFunction(writer->module); function && !nvvm_stopped(writer);
       function = LLVMGetNextFunction(function))
    write_function(writer, function);
  nvvm_metadata_end(writer);
}

static void assemble(nvvm_writer *writer, const pl_buffer *body, pl_buffer *text) {
  pl_buffer_puts(text, header);
  pl_buffer_puts(text, "\n");
  pl_buffer_append(text, body->data, body->size);
  pl_buffer_puts(text, "\n");
  pl_buffer_append(text, writer->declared.data, writer->declared.size);
  if (writer->used_count)
    pl_buffer_printf(text, "\n@llvm.used = appending global [%u x i8*] [%s], section \"llvm.metadata\"\n",
                     writer->used_count, writer->used.data);
  pl_buffer_puts(text, "\n");
  pl_buffer_append(text, writer->metadata.data, writer->metadata.size);
}

static void free_writer(nvvm_writer *writer, pl_buffer *body) {
  nvvm_map *maps[] = {&writer->types,   &writer->globals, &writer->locals, &writer->declarations,
                      &writer->strings, &writer->nodes,   &writer->rules,  &writer->selections};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    nvvm_map_free(maps[i]);
  pl_buffer_free(&writer->declared);
  pl_buffer_free(&writer->metadata);
  pl_buffer_free(&writer->annotations);
  pl_buffer_free(&writer->used);
  pl_buffer_free(body);
  if (writer->machine)
    LLVMDisposeTargetMachine(writer->machine);
  pl_arena_free(writer->scratch);
}

pl_status pl_nvvm_write(LLVMModuleRef module, const pl_nvvm_options *options, pl_arena *arena, pl_buffer *text,
                        pl_nvvm_unknown *unknown) {
  pl_buffer body = {0};
  *unknown = (pl_nvvm_unknown){0};
  nvvm_writer writer = {.module = module,
                        .context = LLVMGetModuleContext(module),
                        .options = options,
                        .arena = arena,
                        .scratch = pl_arena_create(),
                        .out = &body,
                        .unknown = unknown};
  if (!writer.scratch)
    return -ENOMEM;
  write_module(&writer);
  bool failed = writer.failed || body.failed || writer.declared.failed || writer.metadata.failed ||
                writer.annotations.failed || writer.used.failed;
  if (!failed && !unknown->construct)
    assemble(&writer, &body, text);
  free_writer(&writer, &body);
  return failed || text->failed ? -ENOMEM : unknown->construct ? -ENOTSUP : 0;
}
