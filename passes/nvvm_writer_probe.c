/* nvvm_writer_probe.c - how LLVM's own NVPTX back end writes one instruction in PTX.
 *
 * The instruction alone is put into a small function, between marks that name the registers of its operands and
 * results, and compiled; what stands between the marks is its PTX. With registers of its own it becomes a block of
 * inline asm. What would not survive the move is refused: calls, stack memory, parameters.
 */
#include "nvvm_writer_select.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

/* ---- the small function ---- */

typedef struct selection_probe {
  nvvm_writer *writer;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  nvvm_selection *selection;
  bool failed;
} selection_probe;

static LLVMTypeRef integer_type(const selection_probe *probe, unsigned bits) {
  return LLVMIntTypeInContext(probe->writer->context, bits);
}

static LLVMValueRef call_mark(selection_probe *probe, const char *text, unsigned bits, LLVMValueRef value) {
  const char *constraint = nvvm_text(probe->writer, "%s%s", value ? "" : "=", nvvm_piece_constraint(bits));
  LLVMTypeRef type = integer_type(probe, bits), nothing = LLVMVoidTypeInContext(probe->writer->context);
  LLVMTypeRef function = LLVMFunctionType(value ? nothing : type, &type, value != NULL, false);
  LLVMValueRef mark = LLVMGetInlineAsm(function, text, strlen(text), constraint, strlen(constraint), true, false,
                                       LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(probe->builder, function, mark, &value, value != NULL, "");
}

static LLVMValueRef operand_mark(selection_probe *probe, unsigned bits) {
  unsigned index = probe->selection->operand_count++;
  probe->selection->operand_bits[index] = bits;
  return call_mark(probe, nvvm_text(probe->writer, "//operand %u $0", index), bits, NULL);
}

/* A value of `type` made of marked registers. */
static LLVMValueRef probe_operand(selection_probe *probe, LLVMTypeRef type) {
  LLVMBuilderRef builder = probe->builder;
  if (probe->selection->operand_count + 2 > NVVM_PIECES_MOST) {
    probe->failed = true;
    return LLVMGetUndef(type);
  }
  if (nvvm_has_parts(type)) {
    LLVMValueRef value = LLVMGetUndef(type);
    for (unsigned i = 0; i < nvvm_part_count(type); i++) {
      LLVMValueRef part = probe_operand(probe, nvvm_part_type(type, i));
      value = LLVMGetTypeKind(type) == LLVMVectorTypeKind
                  ? LLVMBuildInsertElement(builder, value, part, LLVMConstInt(integer_type(probe, 32), i, false), "")
                  : LLVMBuildInsertValue(builder, value, part, i, "");
    }
    return value;
  }
  unsigned bits = nvvm_scalar_bits(type);
  if (!bits || (bits > 64 && bits != 128)) {
    probe->failed = true;
    return LLVMGetUndef(type);
  }
  if (bits == 128) {
    LLVMTypeRef wide = integer_type(probe, 128);
    LLVMValueRef low = LLVMBuildZExt(builder, operand_mark(probe, 64), wide, "");
    LLVMValueRef high = LLVMBuildZExt(builder, operand_mark(probe, 64), wide, "");
    high = LLVMBuildShl(builder, high, LLVMConstInt(wide, 64, false), "");
    return LLVMBuildBitCast(builder, LLVMBuildOr(builder, low, high, ""), type, "");
  }
  LLVMValueRef value = operand_mark(probe, nvvm_piece_bits(bits));
  if (nvvm_piece_bits(bits) != bits)
    value = LLVMBuildTrunc(builder, value, integer_type(probe, bits), "");
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(builder, value, type, "")
                                                      : LLVMBuildBitCast(builder, value, type, "");
}

static void probe_result(selection_probe *probe, LLVMValueRef value) {
  nvvm_selection *selection = probe->selection;
  LLVMBuilderRef builder = probe->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (nvvm_has_parts(type)) {
    for (unsigned i = 0; i < nvvm_part_count(type); i++)
      probe_result(probe,
                   LLVMGetTypeKind(type) == LLVMVectorTypeKind
                       ? LLVMBuildExtractElement(builder, value, LLVMConstInt(integer_type(probe, 32), i, false), "")
                       : LLVMBuildExtractValue(builder, value, i, ""));
    return;
  }
  unsigned bits = nvvm_scalar_bits(type);
  if (!bits || (bits > 64 && bits != 128) || selection->result_count + 2 > NVVM_PIECES_MOST) {
    probe->failed = true;
    return;
  }
  LLVMTypeRef plain = integer_type(probe, bits);
  value = LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(builder, value, plain, "")
                                                       : LLVMBuildBitCast(builder, value, plain, "");
  for (unsigned done = 0; done < bits; done += 64) {
    LLVMValueRef part = done ? LLVMBuildLShr(builder, value, LLVMConstInt(plain, done, false), "") : value;
    unsigned width = bits > 64 ? 64 : nvvm_piece_bits(bits);
    LLVMTypeRef target = integer_type(probe, width);
    part = width > bits ? LLVMBuildZExt(builder, part, target, "") : LLVMBuildTrunc(builder, part, target, "");
    call_mark(probe, nvvm_text(probe->writer, "//result %u $0", selection->result_count), width, part);
    selection->result_bits[selection->result_count++] = width;
  }
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index) {
  LLVMAttributeRef attributes[64];
  unsigned count = LLVMGetAttributeCountAtIndex(from, index);
  if (count > sizeof attributes / sizeof *attributes)
    return;
  LLVMGetAttributesAtIndex(from, index, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(to, index, attributes[i]);
}

/* Only what is true of every function of the module may change the selection: how denormals are treated. */
static void copy_float_mode(LLVMValueRef from, LLVMValueRef to) {
  static const char *const modes[] = {"denormal-fp-math", "denormal-fp-math-f32"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    LLVMAttributeRef mode =
        LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, modes[i], (unsigned)strlen(modes[i]));
    if (mode)
      LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, mode);
  }
}

static void build_probe(selection_probe *probe, LLVMValueRef instruction) {
  nvvm_writer *writer = probe->writer;
  LLVMTypeRef nothing = LLVMFunctionType(LLVMVoidTypeInContext(writer->context), NULL, 0, false);
  LLVMValueRef function = LLVMAddFunction(probe->module, "probe", nothing);
  copy_float_mode(writer->function, function);
  LLVMPositionBuilderAtEnd(probe->builder, LLVMAppendBasicBlockInContext(writer->context, function, ""));
  LLVMValueRef clone = LLVMInstructionClone(instruction);
  LLVMInstructionSetDebugLoc(clone, NULL);
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  for (unsigned i = 0; i < nvvm_selected_operands(instruction); i++)
    if (!nvvm_stays_constant(instruction, i))
      LLVMSetOperand(clone, i, probe_operand(probe, LLVMTypeOf(LLVMGetOperand(instruction, i))));
  if (callee) {
    size_t length;
    LLVMValueRef copy =
        LLVMAddFunction(probe->module, LLVMGetValueName2(callee, &length), LLVMGlobalGetValueType(callee));
    copy_attributes(callee, copy, LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= LLVMCountParams(callee); i++)
      copy_attributes(callee, copy, i);
    LLVMSetOperand(clone, (unsigned)LLVMGetNumOperands(clone) - 1, copy);
  }
  LLVMInsertIntoBuilder(probe->builder, clone);
  if (LLVMGetTypeKind(LLVMTypeOf(clone)) != LLVMVoidTypeKind)
    probe_result(probe, clone);
  LLVMBuildRetVoid(probe->builder);
}

static LLVMTargetMachineRef machine_of(nvvm_writer *writer) {
  if (writer->machine)
    return writer->machine;
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, &message)) {
    LLVMDisposeMessage(message);
    return NULL;
  }
  writer->machine = LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", writer->options->profile->name, "+ptx90",
                                            LLVMCodeGenLevelAggressive, LLVMRelocDefault, LLVMCodeModelDefault);
  return writer->machine;
}

/* What LLVM cannot select it reports to the context, whose own way of handling errors is to exit. */
static void on_message(LLVMDiagnosticInfoRef info, void *failed) {
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    *(bool *)failed = true;
}

static bool compile_probe(selection_probe *probe, LLVMTargetMachineRef machine, pl_buffer *ptx) {
  LLVMContextRef context = probe->writer->context;
  LLVMDiagnosticHandler old_handler = LLVMContextGetDiagnosticHandler(context);
  void *old_user = LLVMContextGetDiagnosticContext(context);
  LLVMMemoryBufferRef memory = NULL;
  char *message = NULL;
  LLVMContextSetDiagnosticHandler(context, on_message, &probe->failed);
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, probe->module, LLVMAssemblyFile, &message, &memory))
    probe->failed = true;
  LLVMContextSetDiagnosticHandler(context, old_handler, old_user);
  if (!probe->failed)
    pl_buffer_append(ptx, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
  if (memory)
    LLVMDisposeMemoryBuffer(memory);
  LLVMDisposeMessage(message);
  return !probe->failed && !ptx->failed;
}

/* ---- the PTX between the marks ---- */

/* Register families that the function declares, e.g. 'r', "rd". */
typedef struct register_families {
  char names[8][8];
  unsigned count;
} register_families;

static bool is_family(const register_families *families, const char *name, size_t length) {
  for (unsigned i = 0; i < families->count; i++)
    if (strlen(families->names[i]) == length && !memcmp(families->names[i], name, length))
      return true;
  return false;
}

static size_t letters(const char *text) {
  size_t length = 0;
  while (text[length] >= 'a' && text[length] <= 'z')
    length++;
  return length;
}

/* `.reg .b32 %r<3>;` */
static bool note_family(register_families *families, const char *line) {
  const char *name = strchr(line, '%');
  size_t length = name ? letters(name + 1) : 0;
  if (!length || length >= sizeof *families->names ||
      families->count == sizeof families->names / sizeof *families->names)
    return false;
  memcpy(families->names[families->count++], name + 1, length);
  return true;
}

/* Copies a line, registers renamed so that they cannot hide an operand's, labels made local names. */
static void copy_line(const register_families *families, const char *line, size_t length, pl_buffer *text) {
  for (const char *at = line, *end = line + length; at < end; at++) {
    if (*at == '$') {
      pl_buffer_puts(text, "pl_");
    } else if (*at == '%' && is_family(families, at + 1, letters(at + 1)) &&
               (at[1 + letters(at + 1)] == '<' || (at[1 + letters(at + 1)] >= '0' && at[1 + letters(at + 1)] <= '9'))) {
      pl_buffer_puts(text, "%pl_");
    } else {
      pl_buffer_append(text, at, 1);
    }
  }
  pl_buffer_puts(text, " ");
}

static bool is_refused(const char *line, size_t length) {
  static const char *const refused[] = {".param", "call", "%SP", "depot", "prototype"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (memmem(line, length, refused[i], strlen(refused[i])))
      return true;
  return false;
}

/* "//operand 3 %r5" -> "mov.b32 %pl_r5, $N;" */
static bool copy_mark(const register_families *families, const char *line, size_t length,
                      const nvvm_selection *selection, pl_buffer *text) {
  bool is_result = !strncmp(line, "//result", 8);
  char *end;
  unsigned long index = strtoul(line + (is_result ? 9 : 10), &end, 10);
  if (*end != ' ' || index >= NVVM_PIECES_MOST)
    return false;
  unsigned bits = is_result ? selection->result_bits[index] : selection->operand_bits[index];
  const char *name = end + 1;
  if (is_result)
    pl_buffer_printf(text, "mov.b%u $%lu, ", bits, index);
  else
    pl_buffer_printf(text, "mov.b%u ", bits);
  pl_buffer name_text = {0};
  copy_line(families, name, length - (size_t)(name - line), &name_text);
  if (name_text.size)
    pl_buffer_append(text, name_text.data, name_text.size - 1);
  text->failed = text->failed || name_text.failed;
  pl_buffer_free(&name_text);
  if (is_result)
    pl_buffer_puts(text, "; ");
  else
    pl_buffer_printf(text, ", $%lu; ", selection->result_count + index);
  return true;
}

static bool extract(const char *ptx, const nvvm_selection *selection, pl_buffer *text) {
  const char *line = strstr(ptx, "\n{\n");
  register_families families = {0};
  if (!line)
    return false;
  pl_buffer_puts(text, "{ ");
  for (line += 3; *line; line += strcspn(line, "\n") + 1) {
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\n");
    if (!strncmp(line, "//operand", 9) || !strncmp(line, "//result", 8)) {
      if (!copy_mark(&families, line, length, selection, text))
        return false;
      continue;
    }
    const char *comment = memmem(line, length, "//", 2);
    size_t code = comment ? (size_t)(comment - line) : length;
    while (code && (line[code - 1] == ' ' || line[code - 1] == '\t'))
      code--;
    if (code == 4 && !strncmp(line, "ret;", 4)) {
      pl_buffer_puts(text, "}");
      return true;
    }
    if (is_refused(line, code) || (!strncmp(line, ".reg", 4) && !note_family(&families, line)))
      return false;
    if (code)
      copy_line(&families, line, code, text);
  }
  return false;
}

static char *tabs_to_spaces(char *text) {
  for (char *at = text; *at; at++)
    if (*at == '\t')
      *at = ' ';
  return text;
}

/* ---- one instruction ---- */

const nvvm_selection *nvvm_probe(nvvm_writer *writer, LLVMValueRef instruction) {
  nvvm_selection *selection = pl_arena_alloc(writer->scratch, sizeof *selection);
  LLVMTargetMachineRef machine = machine_of(writer);
  if (!selection || !machine) {
    writer->failed = writer->failed || !selection;
    return NULL;
  }
  selection_probe probe = {.writer = writer,
                           .selection = selection,
                           .module = LLVMModuleCreateWithNameInContext("probe", writer->context),
                           .builder = LLVMCreateBuilderInContext(writer->context)};
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(probe.module, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(probe.module, "nvptx64-nvidia-cuda");
  build_probe(&probe, instruction);

  pl_buffer text = {0}, ptx = {0};
  bool done =
      !probe.failed && compile_probe(&probe, machine, &ptx) && extract(ptx.data, selection, &text) && !text.failed;
  if (done) {
    selection->text = pl_arena_strdup(writer->scratch, tabs_to_spaces(text.data));
    writer->failed = writer->failed || !selection->text;
  }
  pl_buffer_free(&text);
  pl_buffer_free(&ptx);
  LLVMDisposeBuilder(probe.builder);
  LLVMDisposeModule(probe.module);
  return done ? selection : NULL;
}
