/* codegen_link.c - see codegen_link.h. */
#include "codegen_link.h"

#include "cubin.h"

#include <errno.h>
#include <string.h>

void pl_codegen_detail_log(pl_sink *sink, const char *text, size_t size) {
  for (const char *end = text + size; text && text < end;) {
    const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
    if (stop > text && *text)
      pl_detail(sink, "%.*s", (int)(stop - text), text);
    text = stop + 1;
  }
}

pl_status pl_codegen_check_entry(const pl_codegen_options *options, pl_sink *sink, const pl_codegen_result *result) {
  if (pl_cubin_kernel_bytes(result->cubin.data, result->cubin.size, options->entry))
    return 0;
  pl_report(sink, PL_ERROR, "L-CUBIN", "the cubin for %s holds no kernel '%s' (%zu bytes in all)",
            options->profile->name, options->entry, result->cubin.size);
  pl_codegen_detail_log(sink, result->log.data, result->log.size);
  pl_consequence(sink, "loading it succeeds and looking the kernel up fails");
  return -EBADMSG;
}

static const int input_kinds[] = {
    [PL_LIBRARY_PTX] = PL_NVJITLINK_PTX,       [PL_LIBRARY_CUBIN] = PL_NVJITLINK_CUBIN,
    [PL_LIBRARY_LTOIR] = PL_NVJITLINK_LTOIR,   [PL_LIBRARY_FATBIN] = PL_NVJITLINK_FATBIN,
    [PL_LIBRARY_OBJECT] = PL_NVJITLINK_OBJECT,
};

/* Room for `size` more bytes at the end of the buffer, counted as used; NULL when out of memory. */
static char *extend(pl_buffer *buffer, size_t size) {
  static const char zeros[256];
  size_t start = buffer->size;
  for (size_t left = size; left && !buffer->failed;) {
    size_t step = left < sizeof zeros ? left : sizeof zeros;
    pl_buffer_append(buffer, zeros, step);
    left -= step;
  }
  return buffer->failed ? NULL : buffer->data + start;
}

/* nvJitLink's log sizes count a final NUL; the text may also hold trailing ones. */
static void append_log(pl_buffer *log, int (*get_size)(void *, size_t *), int (*get)(void *, char *), void *handle) {
  size_t size = 0;
  if (get_size(handle, &size) || size < 2)
    return;
  size_t start = log->size;
  char *text = extend(log, size);
  if (!text || get(handle, text)) {
    log->size = start;
    return;
  }
  log->size = start + strnlen(text, size);
  if (log->size && log->data[log->size - 1] != '\n')
    pl_buffer_puts(log, "\n");
}

/* PTX is handed over with its final NUL, as nvJitLink wants it; library texts end with one in memory. */
static int add(const pl_nvjitlink *library, void *handle, int kind, const void *data, size_t size, const char *name,
               pl_buffer *copy) {
  if (kind != PL_NVJITLINK_PTX)
    return library->AddData(handle, kind, data, size, name);
  pl_buffer_clear(copy);
  pl_buffer_append(copy, data, size);
  return copy->failed ? -ENOMEM : library->AddData(handle, kind, copy->data, copy->size + 1, name);
}

static pl_status report(const pl_codegen_options *options, const pl_nvjitlink *library, void *handle, int code,
                        const char *what, pl_sink *sink, pl_codegen_result *result) {
  if (code == -ENOMEM)
    return -ENOMEM;
  pl_report(sink, PL_ERROR, "L-NVJITLINK", "nvJitLink refused %s for %s: %s", what, options->profile->name,
            pl_nvjitlink_result_name(code));
  size_t start = result->log.size;
  if (handle) {
    append_log(&result->log, library->GetErrorLogSize, library->GetErrorLog, handle);
    append_log(&result->log, library->GetInfoLogSize, library->GetInfoLog, handle);
  }
  if (result->log.data)
    pl_codegen_detail_log(sink, result->log.data + start, result->log.size - start);
  return -EBADMSG;
}

pl_status pl_codegen_link(const pl_codegen_options *options, enum pl_nvjitlink_input kind, const void *data,
                          size_t size, pl_sink *sink, pl_codegen_result *result) {
  pl_nvjitlink library;
  pl_status status = pl_nvjitlink_open(options->toolkit, sink, &library);
  if (status)
    return status;
  bool lto = kind == PL_NVJITLINK_LTOIR;
  for (size_t i = 0; i < options->library_count; i++)
    lto = lto || options->libraries[i].kind == PL_LIBRARY_LTOIR;

  char arch[64];
  pl_buffer kernels = {0}, variables = {0}, copy = {0};
  pl_buffer_printf(&kernels, "-kernels-used=%s", options->entry);
  for (size_t i = 0; i < options->variable_count; i++)
    pl_buffer_printf(&variables, "%s%s", i ? "," : "-variables-used=", options->variables[i]);
  if (kernels.failed || variables.failed || strlen(options->profile->name) > 32) {
    pl_buffer_free(&kernels);
    pl_buffer_free(&variables);
    return -ENOMEM;
  }
  strcpy(stpcpy(arch, "-arch="), options->profile->name);
  const char *arguments[16];
  uint32_t count = 0;
  arguments[count++] = arch;
  arguments[count++] = "-verbose";
  arguments[count++] = "-O3";
  if (lto) {
    arguments[count++] = "-lto";
    arguments[count++] = kernels.data;
    if (variables.data)
      arguments[count++] = variables.data;
    arguments[count++] = options->ftz ? "-ftz=1" : "-ftz=0";
    arguments[count++] = options->prec_div ? "-prec-div=1" : "-prec-div=0";
    arguments[count++] = options->prec_sqrt ? "-prec-sqrt=1" : "-prec-sqrt=0";
    arguments[count++] = options->fma ? "-fma=1" : "-fma=0";
  }
  if (options->lineinfo)
    arguments[count++] = "-lineinfo";

  double start = pl_milliseconds();
  void *handle = NULL;
  int code = library.Create(&handle, count, arguments);
  if (code) {
    status = report(options, &library, handle, code, "its options", sink, result);
    goto out;
  }
  code = add(&library, handle, kind, data, size, options->entry, &copy);
  if (code) {
    status = report(options, &library, handle, code, "the linked code", sink, result);
    goto out;
  }
  for (size_t i = 0; i < options->library_count; i++) {
    const pl_codegen_library *foreign = &options->libraries[i];
    code = add(&library, handle, input_kinds[foreign->kind], foreign->data, foreign->size, foreign->name, &copy);
    if (code) {
      status = report(options, &library, handle, code, foreign->name, sink, result);
      goto out;
    }
  }
  code = library.Complete(handle);
  if (code) {
    status = report(options, &library, handle, code, "the link", sink, result);
    goto out;
  }
  append_log(&result->log, library.GetErrorLogSize, library.GetErrorLog, handle);
  append_log(&result->log, library.GetInfoLogSize, library.GetInfoLog, handle);
  size_t bytes = 0;
  code = library.GetLinkedCubinSize(handle, &bytes);
  if (!code) {
    char *cubin = extend(&result->cubin, bytes);
    code = cubin ? library.GetLinkedCubin(handle, cubin) : -ENOMEM;
  }
  if (code)
    status = report(options, &library, handle, code, "to give the cubin", sink, result);
out:
  if (handle)
    library.Destroy(&handle);
  result->nvjitlink_ms += pl_milliseconds() - start;
  pl_buffer_free(&kernels);
  pl_buffer_free(&variables);
  pl_buffer_free(&copy);
  return status ? status : result->log.failed ? -ENOMEM : 0;
}
