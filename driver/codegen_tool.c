/* codegen_tool.c - pipelink-codegen: one kernel's bitcode or IR text through a back end, for tests and developers.
 *
 * The linker's own path from optimised module to cubin, without packages. Not installed.
 */
#include "codegen.h"

#include <errno.h>
#include <getopt.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: pipelink-codegen INPUT [OPTIONS]\n"
    "Compiles the kernels in INPUT (LLVM bitcode or IR text) to cubins, each kernel for itself.\n"
    "\n"
    "  --arch=PROFILE[,PROFILE]  sm_90a, sm_100a, sm_103a, sm_120a, sm_121a; or all (default: all)\n"
    "  --codegen=BACKEND         nvvm (default), nvptx, or writer-only: print the NVVM IR text\n"
    "  --entry=KERNEL            only this one\n"
    "  --cuda-path=DIR           the CUDA toolkit\n"
    "  --lineinfo                keep source lines\n"
    "  --ftz --no-fma --no-prec-div --no-prec-sqrt\n"
    "                            floating-point options of the sources\n"
    "  --time                    print how long each tool took\n"
    "  -o FILE                   cubin (or text); with several profiles FILE.PROFILE; the last kernel's\n"
    "  -S FILE                   NVVM IR text or PTX that the cubin was made from\n"
    "  --log                     print what the vendor tools say\n"
    "  --help\n";

struct options {
  const char *input, *output, *intermediate, *backend, *profiles, *entry, *cuda_path;
  bool log, time;
  pl_toolkit toolkit;
  pl_codegen_options codegen;
};

static int complain(const char *format, const char *detail) {
  fprintf(stderr, "pipelink-codegen: error: ");
  fprintf(stderr, format, detail);
  fprintf(stderr, "\n");
  return 1;
}

static int parse(int argc, char **argv, struct options *options) {
  enum { ARCH = 256, CODEGEN, ENTRY, CUDA_PATH, LINEINFO, FTZ, NO_FMA, NO_PREC_DIV, NO_PREC_SQRT, TIME, LOG, HELP };
  static const struct option names[] = {{"arch", required_argument, NULL, ARCH},
                                        {"codegen", required_argument, NULL, CODEGEN},
                                        {"entry", required_argument, NULL, ENTRY},
                                        {"cuda-path", required_argument, NULL, CUDA_PATH},
                                        {"lineinfo", no_argument, NULL, LINEINFO},
                                        {"ftz", no_argument, NULL, FTZ},
                                        {"no-fma", no_argument, NULL, NO_FMA},
                                        {"no-prec-div", no_argument, NULL, NO_PREC_DIV},
                                        {"no-prec-sqrt", no_argument, NULL, NO_PREC_SQRT},
                                        {"time", no_argument, NULL, TIME},
                                        {"log", no_argument, NULL, LOG},
                                        {"help", no_argument, NULL, HELP},
                                        {0}};
  *options = (struct options){
      .backend = "nvvm", .profiles = "all", .codegen = {.fma = true, .prec_div = true, .prec_sqrt = true}};
  for (int option; (option = getopt_long(argc, argv, "o:S:", names, NULL)) != -1;) {
    switch (option) {
    case ARCH:
      options->profiles = optarg;
      break;
    case CODEGEN:
      options->backend = optarg;
      break;
    case ENTRY:
      options->entry = optarg;
      break;
    case CUDA_PATH:
      options->cuda_path = optarg;
      break;
    case LINEINFO:
      options->codegen.lineinfo = true;
      break;
    case FTZ:
      options->codegen.ftz = true;
      break;
    case NO_FMA:
      options->codegen.fma = false;
      break;
    case NO_PREC_DIV:
      options->codegen.prec_div = false;
      break;
    case NO_PREC_SQRT:
      options->codegen.prec_sqrt = false;
      break;
    case TIME:
      options->time = true;
      break;
    case LOG:
      options->log = true;
      break;
    case HELP:
      fputs(help, stdout);
      exit(0);
    case 'o':
      options->output = optarg;
      break;
    case 'S':
      options->intermediate = optarg;
      break;
    default:
      return 1;
    }
  }
  if (optind + 1 != argc)
    return complain("one input is needed%s", "; see --help");
  options->input = argv[optind];
  if (strcmp(options->backend, "nvvm") && strcmp(options->backend, "nvptx") && strcmp(options->backend, "writer-only"))
    return complain("--codegen=%s: choose nvvm, nvptx or writer-only", options->backend);
  return 0;
}

static LLVMModuleRef load(const char *path, LLVMContextRef context) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message)) {
    complain("%s", message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  return module;
}

/* FILE, or FILE.PROFILE when there are several. */
static pl_status save(const char *path, const char *profile, bool several, const pl_buffer *content) {
  pl_outputs *outputs = pl_outputs_create();
  pl_buffer name = {0};
  const char *failed;
  pl_buffer_printf(&name, several ? "%s.%s" : "%s", path, profile);
  pl_status status =
      outputs && !name.failed ? pl_outputs_add(outputs, name.data, content->data, content->size) : -ENOMEM;
  if (!status)
    status = pl_outputs_commit(outputs, &failed);
  if (status)
    complain("cannot write %s", name.data);
  pl_buffer_free(&name);
  pl_outputs_free(outputs);
  return status;
}

static void tell_unknown(const pl_nvvm_unknown *unknown) {
  fprintf(stderr, "pipelink-codegen: unknown: %s\n", unknown->construct);
  if (unknown->function)
    fprintf(stderr, ">>> in function %s", unknown->function);
  if (unknown->location.file)
    fprintf(stderr, " at %s:%u:%u", unknown->location.file, unknown->location.line, unknown->location.column);
  fprintf(stderr, "\n");
}

static int write_only(LLVMModuleRef module, const struct options *options, pl_arena *arena) {
  const pl_profile *profile = options->codegen.profile;
  const pl_nvvm_options writing = {
      .profile = profile, .lineinfo = options->codegen.lineinfo, .fma = options->codegen.fma};
  pl_buffer text = {0};
  pl_nvvm_unknown unknown;
  pl_status status = pl_nvvm_write(module, &writing, arena, &text, &unknown);
  if (unknown.construct)
    tell_unknown(&unknown);
  if (!status && options->output)
    status = save(options->output, profile->name, false, &text);
  else if (!status)
    fwrite(text.data, 1, text.size, stdout);
  pl_buffer_free(&text);
  return status != 0;
}

static int compile(LLVMModuleRef module, struct options *options, bool several, pl_arena *arena, pl_sink *sink) {
  pl_codegen_result result = {0};
  bool nvptx = !strcmp(options->backend, "nvptx");
  const char *profile = options->codegen.profile->name;
  pl_status status = (nvptx ? pl_codegen_nvptx : pl_codegen_nvvm)(module, &options->codegen, arena, sink, &result);
  if (result.unknown.construct)
    tell_unknown(&result.unknown);
  if (options->log && result.log.size)
    printf("%s", result.log.data);
  if (!status && options->output)
    status = save(options->output, profile, several, &result.cubin);
  if (options->intermediate && result.intermediate.size)
    save(options->intermediate, profile, several, &result.intermediate);
  if (!status)
    printf("%s: %s: %zu bytes\n", profile, options->codegen.entry, result.cubin.size);
  if (options->time)
    printf("%s: own %.1f ms, libNVVM %.1f ms, nvJitLink %.1f ms, ptxas %.1f ms\n", profile, result.own_ms,
           result.libnvvm_ms, result.nvjitlink_ms, result.ptxas_ms);
  pl_codegen_result_free(&result);
  return status != 0;
}

static int run_profiles(LLVMModuleRef module, struct options *options, pl_arena *arena, pl_sink *sink) {
  bool text_only = !strcmp(options->backend, "writer-only"), all = !strcmp(options->profiles, "all");
  int failures = 0;
  for (size_t i = 0; pl_profile_at(i); i++) {
    const pl_profile *profile = pl_profile_at(i);
    if (!all && !strstr(options->profiles, profile->name))
      continue;
    options->codegen.profile = profile;
    if (text_only)
      return write_only(module, options, arena);
    failures += compile(module, options, all || strchr(options->profiles, ','), arena, sink);
  }
  return failures != 0;
}

static int run_kernels(LLVMModuleRef module, struct options *options, pl_arena *arena, pl_sink *sink) {
  bool text_only = !strcmp(options->backend, "writer-only");
  if (!text_only && pl_toolkit_find(options->cuda_path, arena, sink, &options->toolkit))
    return 1;
  options->codegen.toolkit = &options->toolkit;
  int failures = 0, kernels = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (LLVMGetFunctionCallConv(function) != LLVMPTXKernelCallConv || LLVMIsDeclaration(function) ||
        (options->entry && strcmp(options->entry, name)))
      continue;
    options->codegen.entry = name;
    kernels++;
    failures += run_profiles(module, options, arena, sink);
    if (text_only)
      break;
  }
  return kernels ? failures != 0 : complain("%s holds no such kernel", options->input);
}

int main(int argc, char **argv) {
  struct options options;
  pl_sink sink;
  if (parse(argc, argv, &options))
    return 2;
  if (pl_sink_init(&sink))
    return complain("%s", "out of memory");
  pl_arena *arena = pl_arena_create();
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = arena ? load(options.input, context) : NULL;
  int code = 1;
  if (module) {
    code = run_kernels(module, &options, arena, &sink);
    LLVMDisposeModule(module);
  }
  for (size_t i = 0; i < sink.count; i++) {
    pl_buffer text = {0};
    pl_diagnostic_print(sink.diagnostics[i], "pipelink-codegen", false, &text);
    fputs(text.failed || !text.data ? "" : text.data, stderr);
    pl_buffer_free(&text);
  }
  LLVMContextDispose(context);
  pl_arena_free(arena);
  pl_sink_free(&sink);
  return code;
}
