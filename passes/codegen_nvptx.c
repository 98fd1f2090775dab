/* codegen_nvptx.c - the module through LLVM's own NVPTX back end, then whole-program ptxas as a child process.
 *
 * Code generation rewrites the module it is given, so it gets a clone. Floating-point options become what LLVM
 * reads per function and per instruction. With libraries the PTX goes through nvJitLink instead of ptxas.
 */
#include "codegen_link.h"
#include "llvm_ext.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The newest PTX that LLVM 22 knows; an unknown one would silently become 8.0. */
#define PTX_FEATURE "+ptx90"

#define CUBIN_LIMIT ((size_t)1 << 30)

/* ---- floating-point options ---- */

static void allow_approximation(LLVMValueRef instruction) {
  LLVMSetFastMathFlags(instruction, LLVMFastMathApproxFunc); /* adds to those that are there */
}

static bool is_float(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

static bool is_square_root(LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  size_t length;
  return callee && LLVMIsAFunction(callee) && !strncmp(LLVMGetValueName2(callee, &length), "llvm.sqrt.", 10);
}

static void apply_options(LLVMModuleRef module, const pl_codegen_options *options) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  if (!options->fma)
    pl_llvm_forbid_contraction(module);
  static const char denormal[] = "denormal-fp-math-f32", flush[] = "preserve-sign,preserve-sign", keep[] = "ieee,ieee";
  const char *mode = options->ftz ? flush : keep;
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(context, denormal, sizeof denormal - 1, mode, (unsigned)strlen(mode));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        if (!LLVMCanValueUseFastMathFlags(at))
          continue;
        if (!options->prec_div && LLVMGetInstructionOpcode(at) == LLVMFDiv && is_float(at))
          allow_approximation(at);
        if (!options->prec_sqrt && is_float(at) && is_square_root(at))
          allow_approximation(at);
      }
    }
  }
}

/* ---- module -> PTX ---- */

struct messages {
  pl_sink *sink;
  bool failed;
};

/* Code generation reports what it cannot do to the context; it must not reach LLVM's default, which exits. */
static void on_message(LLVMDiagnosticInfoRef info, void *user) {
  struct messages *messages = user;
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  if (severity != LLVMDSError && severity != LLVMDSWarning)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  pl_report(messages->sink, severity == LLVMDSError ? PL_ERROR : PL_WARNING, "L-NVPTX", "LLVM's NVPTX back end: %s",
            text);
  LLVMDisposeMessage(text);
  messages->failed = messages->failed || severity == LLVMDSError;
}

static LLVMTargetMachineRef create_machine(const pl_profile *profile, pl_sink *sink) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  static const char triple[] = "nvptx64-nvidia-cuda";
  LLVMTargetRef target;
  char *error = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &error)) {
    pl_report(sink, PL_ERROR, "L-NVPTX", "this LLVM has no NVPTX target: %s", error);
    LLVMDisposeMessage(error);
    return NULL;
  }
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, triple, profile->name, PTX_FEATURE, LLVMCodeGenLevelAggressive, LLVMRelocDefault, LLVMCodeModelDefault);
  if (!machine)
    pl_report(sink, PL_ERROR, "L-NVPTX", "LLVM cannot make code for %s", profile->name);
  return machine;
}

static pl_status write_ptx(LLVMModuleRef module, const pl_codegen_options *options, pl_sink *sink, pl_buffer *ptx) {
  LLVMTargetMachineRef machine = create_machine(options->profile, sink);
  if (!machine)
    return -ENOEXEC;
  LLVMModuleRef clone = LLVMCloneModule(module);
  LLVMContextRef context = LLVMGetModuleContext(clone);
  if (options->lineinfo)
    pl_llvm_debug_directives_only(clone);
  else
    LLVMStripModuleDebugInfo(clone);
  apply_options(clone, options);

  struct messages messages = {.sink = sink};
  LLVMDiagnosticHandler old_handler = LLVMContextGetDiagnosticHandler(context);
  void *old_user = LLVMContextGetDiagnosticContext(context);
  LLVMContextSetDiagnosticHandler(context, on_message, &messages);
  LLVMMemoryBufferRef memory = NULL;
  char *error = NULL;
  pl_status status = 0;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, clone, LLVMAssemblyFile, &error, &memory)) {
    pl_report(sink, PL_ERROR, "L-NVPTX", "LLVM's NVPTX back end: %s", error);
    LLVMDisposeMessage(error);
    status = -ENOEXEC;
  } else if (messages.failed) {
    status = -ENOEXEC;
  } else {
    pl_buffer_append(ptx, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
  }
  LLVMContextSetDiagnosticHandler(context, old_handler, old_user);
  if (memory)
    LLVMDisposeMemoryBuffer(memory);
  LLVMDisposeModule(clone);
  LLVMDisposeTargetMachine(machine);
  return status ? status : ptx->failed ? -ENOMEM : 0;
}

/* ---- PTX -> cubin ---- */

static pl_status write_file(const char *path, const pl_buffer *content) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return -errno;
  pl_status status = 0;
  for (size_t done = 0; !status && done < content->size;) {
    ssize_t size = write(file, content->data + done, content->size - done);
    if (size < 0 && errno != EINTR)
      status = -errno;
    else if (size > 0)
      done += (size_t)size;
  }
  if (close(file) && !status)
    status = -errno;
  return status;
}

static pl_status run_ptxas(const char *input, const char *output, const pl_codegen_options *options, pl_arena *arena,
                           pl_sink *sink, pl_codegen_result *result) {
  const char *argv[16];
  size_t count = 0;
  argv[count++] = options->toolkit->ptxas;
  argv[count++] = pl_arena_printf(arena, "-arch=%s", options->profile->name);
  argv[count++] = "-O3";
  argv[count++] = "-v";
  if (options->lineinfo)
    argv[count++] = "-lineinfo";
  argv[count++] = input;
  argv[count++] = "-o";
  argv[count++] = output;
  argv[count] = NULL;
  if (!argv[1])
    return -ENOMEM;
  size_t start = result->log.size;
  double begin = pl_milliseconds();
  int exit_code;
  pl_status status = pl_process_run(argv, &result->log, &exit_code);
  result->ptxas_ms += pl_milliseconds() - begin;
  if (status) {
    pl_report(sink, PL_ERROR, "L-PTXAS", "cannot run %s: %s", options->toolkit->ptxas, strerror(-status));
    return status;
  }
  if (exit_code) {
    pl_report(sink, PL_ERROR, "L-PTXAS", "ptxas failed for %s (exit code %d)", options->profile->name, exit_code);
    if (result->log.data)
      pl_codegen_detail_log(sink, result->log.data + start, result->log.size - start);
    return -EBADMSG;
  }
  char *data;
  size_t size;
  status = pl_file_read(output, CUBIN_LIMIT, &data, &size);
  if (status) {
    pl_report(sink, PL_ERROR, "L-PTXAS", "ptxas left no cubin: %s", strerror(-status));
    return status;
  }
  pl_buffer_append(&result->cubin, data, size);
  free(data);
  return result->cubin.failed ? -ENOMEM : 0;
}

static pl_status assemble(const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                          pl_codegen_result *result) {
  if (!options->toolkit->ptxas) {
    pl_report(sink, PL_ERROR, "L-TOOLKIT", "ptxas is not part of the CUDA toolkit in %s", options->toolkit->root);
    pl_fix(sink, "install the toolkit's compiler, or choose another toolkit with --cuda-path");
    return -ENOENT;
  }
  const char *place = getenv("TMPDIR");
  char *folder = pl_arena_printf(arena, "%s/pipelink-XXXXXX", place && *place ? place : "/tmp");
  if (!folder)
    return -ENOMEM;
  if (!mkdtemp(folder)) {
    pl_status status = -errno;
    pl_report(sink, PL_ERROR, "L-PTXAS", "cannot make a temporary folder %s: %s", folder, strerror(errno));
    return status;
  }
  const char *input = pl_arena_printf(arena, "%s/kernel.ptx", folder);
  const char *output = pl_arena_printf(arena, "%s/kernel.cubin", folder);
  pl_status status = input && output ? write_file(input, &result->intermediate) : -ENOMEM;
  if (!status)
    status = run_ptxas(input, output, options, arena, sink, result);
  else if (status != -ENOMEM)
    pl_report(sink, PL_ERROR, "L-PTXAS", "cannot write %s: %s", input, strerror(-status));
  if (input)
    unlink(input);
  if (output)
    unlink(output);
  rmdir(folder);
  return status;
}

pl_status pl_codegen_nvptx(LLVMModuleRef module, const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                           pl_codegen_result *result) {
  *result = (pl_codegen_result){0};
  double start = pl_milliseconds();
  pl_status status = write_ptx(module, options, sink, &result->intermediate);
  result->own_ms = pl_milliseconds() - start;
  if (!status)
    status = options->library_count ? pl_codegen_link(options, PL_NVJITLINK_PTX, result->intermediate.data,
                                                      result->intermediate.size, sink, result)
                                    : assemble(options, arena, sink, result);
  return status ? status : pl_codegen_check_entry(options, sink, result);
}
