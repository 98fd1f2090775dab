/* report.c - see report.h. */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colour(const pl_report_options *options) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (options->colour != PL_COLOUR_AUTO)
    return options->colour == PL_COLOUR_ALWAYS;
  return !options->file && !(no_colour && *no_colour) && isatty(STDERR_FILENO) &&
         !(terminal && !strcmp(terminal, "dumb"));
}

static void print_text(const pl_sink *sink, const char *tool, const pl_report_options *options, pl_buffer *text) {
  unsigned limit = options->has_error_limit ? options->error_limit : PL_ERROR_LIMIT, errors = 0;
  bool colour = has_colour(options);
  for (size_t i = 0; i < sink->count; i++) {
    if (sink->diagnostics[i]->severity == PL_ERROR && limit && errors++ == limit) {
      pl_buffer_printf(text, "%s: error: too many errors, stopping now (--error-limit=0 shows all)\n", tool);
      break;
    }
    pl_diagnostic_print(sink->diagnostics[i], tool, colour, text);
  }
  if (sink->out_of_memory)
    pl_buffer_printf(text, "%s: error: out of memory\n", tool);
}

static void print_document(json_t *document, pl_buffer *text) {
  char *dump = document ? json_dumps(document, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(document);
  if (dump)
    pl_buffer_printf(text, "%s\n", dump);
  text->failed |= !dump;
  free(dump);
}

static pl_status write_file(const char *path, const pl_buffer *text) {
  const char *failed;
  pl_outputs *outputs = pl_outputs_create();
  pl_status status = outputs ? pl_outputs_add(outputs, path, text->size ? text->data : "", text->size) : -ENOMEM;
  if (!status)
    status = pl_outputs_commit(outputs, &failed);
  pl_outputs_free(outputs);
  return status;
}

bool pl_report_show(pl_sink *sink, const char *tool, const pl_report_options *options) {
  pl_buffer text = {0};
  pl_sink_unique(sink);
  if (options->format == PL_REPORT_TEXT)
    print_text(sink, tool, options, &text);
  else
    print_document(options->format == PL_REPORT_JSON ? pl_report_json(sink, tool) : pl_report_sarif(sink, tool), &text);
  pl_status status = text.failed ? -ENOMEM : 0;
  if (!status && options->file)
    status = write_file(options->file, &text);
  else if (text.size)
    fwrite(text.data, 1, text.size, stderr);
  if (status)
    fprintf(stderr, "%s: error: %s%s%s\n", tool, options->file ? options->file : "", options->file ? ": " : "",
            strerror(-status));
  pl_buffer_free(&text);
  return !status;
}

void pl_report_print(pl_sink *sink, const char *tool) {
  pl_report_show(sink, tool, &(pl_report_options){0});
}
