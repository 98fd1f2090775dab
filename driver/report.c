/* report.c - see report.h. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool stderr_has_colour(void) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return !(no_colour && *no_colour) && isatty(STDERR_FILENO) && !(terminal && !strcmp(terminal, "dumb"));
}

void pl_report_print(const pl_sink *sink, const char *tool) {
  bool colour = stderr_has_colour();
  for (size_t i = 0; i < sink->count; i++) {
    pl_buffer text = {0};
    pl_diagnostic_print(sink->diagnostics[i], tool, colour, &text);
    if (text.failed)
      fprintf(stderr, "%s: error: %s\n", tool, sink->diagnostics[i]->summary);
    else
      fwrite(text.data, 1, text.size, stderr);
    pl_buffer_free(&text);
  }
  if (sink->out_of_memory)
    fprintf(stderr, "%s: error: out of memory\n", tool);
}
