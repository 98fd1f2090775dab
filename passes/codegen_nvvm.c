/* codegen_nvvm.c - NVVM writer -> libNVVM -gen-lto -> nvJitLink -lto -> cubin.
 *
 * Fusion of multiplications and additions: libNVVM and nvJitLink get -fma=1 when the options allow fusing, and the
 * writer has fenced off every operation that does not (nvvm_writer_arithmetic.c); with -fma=0 nothing fuses.
 */
#include "codegen_link.h"

#include <errno.h>
#include <stdlib.h>

static void append_log(const pl_libnvvm *library, void *program, pl_buffer *log) {
  size_t size = 0;
  if (library->GetProgramLogSize(program, &size) || size < 2)
    return;
  char *text = malloc(size + 1);
  if (!text) {
    log->failed = true;
    return;
  }
  if (!library->GetProgramLog(program, text)) {
    text[size] = 0;
    pl_buffer_printf(log, "%s\n", text);
  }
  free(text);
}

static pl_status take_result(const pl_libnvvm *library, void *program, pl_buffer *ltoir) {
  size_t size = 0;
  if (library->GetCompiledResultSize(program, &size))
    return -EBADMSG;
  char *data = malloc(size ? size : 1);
  if (!data)
    return -ENOMEM;
  pl_status status = library->GetCompiledResult(program, data) ? -EBADMSG : 0;
  if (!status)
    pl_buffer_append(ltoir, data, size);
  free(data);
  return ltoir->failed ? -ENOMEM : status;
}

static pl_status compile(const pl_codegen_options *options, pl_arena *arena, pl_sink *sink, pl_codegen_result *result) {
  pl_libnvvm library;
  pl_status status = pl_libnvvm_open(options->toolkit, sink, &library);
  if (status)
    return status;
  const char *arguments[] = {
      pl_arena_printf(arena, "-arch=%s", options->profile->nvvm_arch),
      "-opt=3",
      "-gen-lto",
      options->ftz ? "-ftz=1" : "-ftz=0",
      options->prec_div ? "-prec-div=1" : "-prec-div=0",
      options->prec_sqrt ? "-prec-sqrt=1" : "-prec-sqrt=0",
      options->fma ? "-fma=1" : "-fma=0",
      "-generate-line-info",
  };
  int count = (int)(sizeof arguments / sizeof *arguments) - !options->lineinfo;
  if (!arguments[0])
    return -ENOMEM;
  double start = pl_milliseconds();
  void *program = NULL;
  int code = library.CreateProgram(&program);
  if (!code)
    code = library.AddModuleToProgram(program, result->intermediate.data, result->intermediate.size, options->entry);
  if (!code)
    code = library.CompileProgram(program, count, arguments);
  size_t log_start = result->log.size;
  if (program)
    append_log(&library, program, &result->log);
  if (code) {
    pl_report(sink, PL_ERROR, "L-LIBNVVM", "libNVVM refused the code for %s: %s", options->profile->name,
              library.GetErrorString(code));
    if (result->log.data)
      pl_codegen_detail_log(sink, result->log.data + log_start, result->log.size - log_start);
    pl_fix(sink, "report this with the output of --save-temps; --codegen=nvptx avoids libNVVM");
    status = -EBADMSG;
  } else {
    status = take_result(&library, program, &result->ltoir);
  }
  if (program)
    library.DestroyProgram(&program);
  result->libnvvm_ms = pl_milliseconds() - start;
  return status;
}

pl_status pl_codegen_nvvm(LLVMModuleRef module, const pl_codegen_options *options, pl_arena *arena, pl_sink *sink,
                          pl_codegen_result *result) {
  *result = (pl_codegen_result){0};
  const pl_nvvm_options writing = {
      .profile = options->profile,
      .lineinfo = options->lineinfo,
      .fma = options->fma,
  };
  double start = pl_milliseconds();
  pl_status status = pl_nvvm_write(module, &writing, arena, &result->intermediate, &result->unknown);
  result->own_ms = pl_milliseconds() - start;
  if (!status)
    status = compile(options, arena, sink, result);
  if (!status)
    status = pl_codegen_link(options, PL_NVJITLINK_LTOIR, result->ltoir.data, result->ltoir.size, sink, result);
  return status ? status : pl_codegen_check_entry(options, sink, result);
}
