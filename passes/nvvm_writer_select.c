/* nvvm_writer_select.c - an instruction that libNVVM lacks, as LLVM's own NVPTX back end would spell it.
 *
 * Most of LLVM's 2,500 NVVM intrinsics are unknown to libNVVM, and no table of ours could keep up with how each is
 * written in PTX. LLVM knows: the instruction alone is put into a small function, between marks that name the
 * registers of its operands and results, and compiled; what stands between the marks is the PTX. It becomes one
 * block of inline asm with registers of its own. The same text serves every equal instruction of the module.
 *
 *     call void asm sideeffect "{ .reg .b32 %pl_r<3>;
 *                                 mov.b32 %pl_r1, $1;
 *                                 redux.sync.add.s32 %pl_r2, %pl_r1, -1;
 *                                 mov.b32 $0, %pl_r2; }", "=r,r"(...)
 *
 * What would not survive the move is refused: calls, stack memory, parameters.
 */
#include "nvvm_writer.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

/* Operands and results travel as registers: scalars of 16, 32 or 64 bits. */
enum { PIECES_MOST = 256 };

typedef struct register_piece {
  unsigned bits;     /* 16, 32, 64 */
  const char *value; /* text, for an operand */
} register_piece;

typedef struct selected_text {
  const char *text; /* asm, `$` for operands: results first */
  register_piece results[PIECES_MOST];
  unsigned result_count;
} selected_text;

static const char *register_type(unsigned bits) {
  return bits == 16 ? "i16" : bits == 32 ? "i32" : "i64";
}
static const char *register_constraint(unsigned bits) {
  return bits == 16 ? "h" : bits == 32 ? "r" : "l";
}

/* ---- how a type falls into pieces ---- */

/* Bits of a pointer in LLVM 22's layout: tensor memory has 32. */
static unsigned pointer_bits(LLVMTypeRef type) {
  return LLVMGetPointerAddressSpace(type) == 6 ? 32 : 64;
}

static unsigned scalar_bits(LLVMTypeRef type) {
  nvvm_shape shape = nvvm_shape_of(type);
  if (shape.kind == LLVMPointerTypeKind)
    return pointer_bits(type);
  return shape.lanes ? shape.bits * shape.lanes : shape.bits;
}

/* A vector that fills one 32-bit register is one piece (half2 and its like). */
static bool is_packed(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && nvvm_shape_of(type).bits >= 8 && scalar_bits(type) == 32;
}

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || (kind == LLVMVectorTypeKind && !is_packed(type));
}

static unsigned part_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  default:
    return LLVMGetVectorSize(type);
  }
}

static LLVMTypeRef part_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index) : LLVMGetElementType(type);
}

static unsigned round_up(unsigned bits) {
  return bits <= 16 ? (bits == 16 ? 16 : 32) : bits <= 32 ? 32 : 64;
}

/* ---- the small function ---- */

typedef struct selection_probe {
  nvvm_writer *writer;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  unsigned operand_count, result_count;
  bool failed;
} selection_probe;

static LLVMTypeRef integer_type(const selection_probe *probe, unsigned bits) {
  return LLVMIntTypeInContext(probe->writer->context, bits);
}

static LLVMValueRef call_mark(selection_probe *probe, const char *text, unsigned bits, LLVMValueRef value) {
  const char *constraint = nvvm_text(probe->writer, "%s%s", value ? "" : "=", register_constraint(bits));
  LLVMTypeRef type = integer_type(probe, bits), nothing = LLVMVoidTypeInContext(probe->writer->context);
  LLVMTypeRef function = LLVMFunctionType(value ? nothing : type, &type, value != NULL, false);
  LLVMValueRef mark = LLVMGetInlineAsm(function, text, strlen(text), constraint, strlen(constraint), true, false,
                                       LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(probe->builder, function, mark, &value, value != NULL, "");
}

static LLVMValueRef operand_mark(selection_probe *probe, unsigned bits) {
  return call_mark(probe, nvvm_text(probe->writer, "//operand %u $0", probe->operand_count++), bits, NULL);
}

/* A value of `type` made of marked registers. */
static LLVMValueRef probe_operand(selection_probe *probe, LLVMTypeRef type) {
  LLVMBuilderRef builder = probe->builder;
  if (probe->operand_count >= PIECES_MOST) {
    probe->failed = true;
    return LLVMGetUndef(type);
  }
  if (is_aggregate(type)) {
    LLVMValueRef value = LLVMGetUndef(type);
    for (unsigned i = 0; i < part_count(type); i++) {
      LLVMValueRef part = probe_operand(probe, part_type(type, i));
      value = LLVMGetTypeKind(type) == LLVMVectorTypeKind
                  ? LLVMBuildInsertElement(builder, value, part, LLVMConstInt(integer_type(probe, 32), i, false), "")
                  : LLVMBuildInsertValue(builder, value, part, i, "");
    }
    return value;
  }
  unsigned bits = scalar_bits(type);
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
  LLVMValueRef value = operand_mark(probe, round_up(bits));
  if (round_up(bits) != bits)
    value = LLVMBuildTrunc(builder, value, integer_type(probe, bits), "");
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(builder, value, type, "")
                                                      : LLVMBuildBitCast(builder, value, type, "");
}

static void probe_result(selection_probe *probe, LLVMValueRef value, selected_text *selection) {
  LLVMBuilderRef builder = probe->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (is_aggregate(type)) {
    for (unsigned i = 0; i < part_count(type); i++)
      probe_result(probe,
                   LLVMGetTypeKind(type) == LLVMVectorTypeKind
                       ? LLVMBuildExtractElement(builder, value, LLVMConstInt(integer_type(probe, 32), i, false), "")
                       : LLVMBuildExtractValue(builder, value, i, ""),
                   selection);
    return;
  }
  unsigned bits = scalar_bits(type);
  if (!bits || (bits > 64 && bits != 128) || selection->result_count + 2 > PIECES_MOST) {
    probe->failed = true;
    return;
  }
  LLVMTypeRef plain = integer_type(probe, bits);
  value = LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(builder, value, plain, "")
                                                       : LLVMBuildBitCast(builder, value, plain, "");
  for (unsigned done = 0; done < bits; done += 64) {
    LLVMValueRef part = done ? LLVMBuildLShr(builder, value, LLVMConstInt(plain, done, false), "") : value;
    unsigned width = bits > 64 ? 64 : round_up(bits);
    LLVMTypeRef target = integer_type(probe, width);
    part = width > bits ? LLVMBuildZExt(builder, part, target, "") : LLVMBuildTrunc(builder, part, target, "");
    call_mark(probe, nvvm_text(probe->writer, "//result %u $0", selection->result_count), width, part);
    selection->results[selection->result_count++].bits = width;
  }
}

/* True for operands that stay constants: immediates, and flags that choose the instruction. */
static bool stays(LLVMValueRef call, LLVMValueRef callee, unsigned index) {
  LLVMValueRef operand = LLVMGetOperand(call, index);
  if (LLVMGetValueKind(operand) == LLVMMetadataAsValueValueKind)
    return true;
  bool constant = LLVMIsAConstantInt(operand) != NULL;
  return constant && (nvvm_has_attribute(callee, index + 1, "immarg") || LLVMGetIntTypeWidth(LLVMTypeOf(operand)) == 1);
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

static void build_probe(selection_probe *probe, LLVMValueRef instruction, selected_text *selection) {
  nvvm_writer *writer = probe->writer;
  LLVMTypeRef nothing = LLVMFunctionType(LLVMVoidTypeInContext(writer->context), NULL, 0, false);
  LLVMValueRef function = LLVMAddFunction(probe->module, "probe", nothing);
  copy_float_mode(writer->function, function);
  LLVMPositionBuilderAtEnd(probe->builder, LLVMAppendBasicBlockInContext(writer->context, function, ""));
  LLVMValueRef clone = LLVMInstructionClone(instruction);
  LLVMInstructionSetDebugLoc(clone, NULL);
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  unsigned count = callee ? LLVMGetNumArgOperands(instruction) : (unsigned)LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count; i++)
    if (!callee || !stays(instruction, callee, i))
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
    probe_result(probe, clone, selection);
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
                      const selected_text *selection, const unsigned *operand_bits, pl_buffer *text) {
  bool is_result = !strncmp(line, "//result", 8);
  char *end;
  unsigned long index = strtoul(line + (is_result ? 9 : 10), &end, 10);
  if (*end != ' ' || index >= PIECES_MOST)
    return false;
  unsigned bits = is_result ? selection->results[index].bits : operand_bits[index];
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

static bool extract(const char *ptx, const selected_text *selection, const unsigned *operand_bits, pl_buffer *text) {
  const char *line = strstr(ptx, "\n{\n");
  register_families families = {0};
  if (!line)
    return false;
  pl_buffer_puts(text, "{ ");
  for (line += 3; *line; line += strcspn(line, "\n") + 1) {
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\n");
    if (!strncmp(line, "//operand", 9) || !strncmp(line, "//result", 8)) {
      if (!copy_mark(&families, line, length, selection, operand_bits, text))
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

static void note_operands(LLVMTypeRef type, unsigned *bits, unsigned *count) {
  if (is_aggregate(type)) {
    for (unsigned i = 0; i < part_count(type); i++)
      note_operands(part_type(type, i), bits, count);
    return;
  }
  unsigned width = scalar_bits(type);
  for (unsigned done = 0; done < width && *count < PIECES_MOST; done += 64)
    bits[(*count)++] = width > 64 ? 64 : round_up(width);
}

static const selected_text *select_text(nvvm_writer *writer, LLVMValueRef instruction) {
  selected_text *selection = pl_arena_alloc(writer->scratch, sizeof *selection);
  LLVMTargetMachineRef machine = machine_of(writer);
  if (!selection || !machine) {
    writer->failed = writer->failed || !selection;
    return NULL;
  }
  selection_probe probe = {.writer = writer,
                           .module = LLVMModuleCreateWithNameInContext("probe", writer->context),
                           .builder = LLVMCreateBuilderInContext(writer->context)};
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(probe.module, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(probe.module, "nvptx64-nvidia-cuda");
  build_probe(&probe, instruction, selection);

  unsigned operand_bits[PIECES_MOST] = {0}, operand_count = 0;
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  unsigned count = callee ? LLVMGetNumArgOperands(instruction) : (unsigned)LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count; i++)
    if (!callee || !stays(instruction, callee, i))
      note_operands(LLVMTypeOf(LLVMGetOperand(instruction, i)), operand_bits, &operand_count);

  pl_buffer text = {0}, ptx = {0};
  bool done = !probe.failed && compile_probe(&probe, machine, &ptx) &&
              extract(ptx.data, selection, operand_bits, &text) && !text.failed;
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

/* What makes two instructions select alike, as text. */
static const char *key_of(nvvm_writer *writer, LLVMValueRef call, LLVMValueRef callee) {
  size_t length;
  const char *key = LLVMGetValueName2(callee, &length);
  const char *mode =
      nvvm_string_attribute(writer, writer->function, LLVMAttributeFunctionIndex, "denormal-fp-math-f32");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (stays(call, callee, i)) {
      char *printed = LLVMPrintValueToString(LLVMGetOperand(call, i));
      key = nvvm_text(writer, "%s|%u:%s", key, i, printed);
      LLVMDisposeMessage(printed);
    }
  return nvvm_text(writer, "%s|%s|%x", key, mode ? mode : "",
                   LLVMCanValueUseFastMathFlags(call) ? LLVMGetFastMathFlags(call) : 0);
}

static const selected_text *selection_of(nvvm_writer *writer, LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return select_text(writer, instruction);
  const char *key = nvvm_intern(writer, key_of(writer, instruction, LLVMGetCalledValue(instruction)));
  const selected_text *known = nvvm_map_get(&writer->selections, key);
  if (known)
    return known;
  known = select_text(writer, instruction);
  if (known && !nvvm_map_put(&writer->selections, key, known))
    writer->failed = true;
  return known;
}

/* ---- the call of the asm block ---- */

/* Takes an operand apart into pieces. */
static void split(nvvm_writer *writer, LLVMTypeRef type, const char *value, register_piece *pieces, unsigned *count) {
  const char *text = nvvm_type(writer, type);
  if (is_aggregate(type)) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    for (unsigned i = 0; i < part_count(type); i++)
      split(writer, part_type(type, i),
            vector ? nvvm_assign(writer, "extractelement %s %s, i32 %u", text, value, i)
                   : nvvm_assign(writer, "extractvalue %s %s, %u", text, value, i),
            pieces, count);
    return;
  }
  unsigned bits = scalar_bits(type), width = round_up(bits);
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
  if (is_aggregate(type)) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    const char *value = "undef";
    for (unsigned i = 0; i < part_count(type); i++) {
      LLVMTypeRef part = part_type(type, i);
      const char *element = nvvm_text(writer, "%s %s", nvvm_type(writer, part), join(writer, part, pieces, next));
      value = vector ? nvvm_assign(writer, "insertelement %s %s, %s, i32 %u", text, value, element, i)
                     : nvvm_assign(writer, "insertvalue %s %s, %s, %u", text, value, element, i);
    }
    return value;
  }
  unsigned bits = scalar_bits(type), width = round_up(bits);
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
  const selected_text *selection = selection_of(writer, instruction);
  if (!selection)
    return false;
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  unsigned count = callee ? LLVMGetNumArgOperands(instruction) : (unsigned)LLVMGetNumOperands(instruction);
  register_piece operands[PIECES_MOST];
  unsigned operand_count = 0;
  for (unsigned i = 0; i < count; i++)
    if (!callee || !stays(instruction, callee, i))
      split(writer, LLVMTypeOf(LLVMGetOperand(instruction, i)), nvvm_operand(writer, LLVMGetOperand(instruction, i)),
            operands, &operand_count);

  const char *constraints = "", *arguments = "", *types = "";
  for (unsigned i = 0; i < selection->result_count; i++) {
    unsigned bits = selection->results[i].bits;
    constraints = nvvm_text(writer, "%s%s=%s", constraints, i ? "," : "", register_constraint(bits));
    types = nvvm_text(writer, "%s%s%s", types, i ? ", " : "", register_type(bits));
  }
  for (unsigned i = 0; i < operand_count; i++) {
    constraints =
        nvvm_text(writer, "%s%s%s", constraints, *constraints ? "," : "", register_constraint(operands[i].bits));
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
  register_piece results[PIECES_MOST];
  for (unsigned i = 0; i < selection->result_count; i++)
    results[i].value = several ? nvvm_assign(writer, "extractvalue %s %s, %u", type, whole, i) : whole;
  unsigned next = 0;
  nvvm_bind(writer, instruction, join(writer, LLVMTypeOf(instruction), results, &next));
  return true;
}
