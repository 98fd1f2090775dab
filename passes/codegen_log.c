/* codegen_log.c - a part of codegen: what ptxas or nvJitLink could not do as asked becomes a diagnostic.
 *
 * ptxas succeeds when it ignores setmaxnreg or makes wgmma wait after every instruction; only its log says so, by a
 * number (C7508) and in words. The message here names the roles that can be meant, and where their wgmma begin.
 */
#include "link.h"

#include <string.h>

/* The kernel would be wrong or much slower than its owners think; losses by other numbers are warnings. */
static const char *const ERRORS[] = {"(C7504)", "(C7506)", "(C7508)", "(C7509)", "(C7510)", "(C7520)"};

/* ---- lines of text ---- */

typedef struct line {
  const char *text;
  size_t size;
} line;

static bool next_line(const pl_buffer *text, line *at) {
  const char *start = at->text ? at->text + at->size + 1 : text->data, *end = text->data + text->size;
  if (!text->data || start >= end)
    return false;
  const char *newline = memchr(start, '\n', (size_t)(end - start));
  *at = (line){start, (size_t)((newline ? newline : end) - start)};
  return true;
}

static const char *find(line in, const char *word) {
  return memmem(in.text, in.size, word, strlen(word));
}

/* ---- the diagnostics ---- */

static bool is_meant(const pl_placed_role *role, bool is_wgmma) {
  return is_wgmma ? role->has_wgmma : role->registers > 0;
}

static void tell_roles(pl_link *link, bool is_wgmma) {
  bool is_known = false;
  for (size_t i = 0; i < link->role_count; i++)
    is_known |= is_meant(&link->roles[i], is_wgmma);
  for (size_t i = 0; i < link->role_count; i++) {
    const pl_placed_role *placed = &link->roles[i];
    if (is_known && !is_meant(placed, is_wgmma))
      continue;
    if (is_wgmma && placed->first_wgmma.file)
      pl_link_role(link, placed->instance, placed->role, "its first wgmma is at %s:%u", placed->first_wgmma.file,
                   placed->first_wgmma.line);
    else
      pl_link_role_alone(link, placed->instance, placed->role);
  }
}

/* ptxas's reason: what stands between "due to " and the function's name, or all of what it says. */
static line reason_of(line words) {
  static const char *const begins[] = {"due to ", "ignored; "}, *const ends[] = {" in the function", " in function",
                                                                                 " for the function"};
  for (size_t i = 0; i < 2; i++) {
    const char *begin = find(words, begins[i]);
    if (!begin)
      continue;
    begin += strlen(begins[i]);
    words = (line){begin, words.size - (size_t)(begin - words.text)};
    break;
  }
  for (size_t i = 0; i < 3; i++) {
    const char *end = find(words, ends[i]);
    if (end)
      words.size = (size_t)(end - words.text);
  }
  while (words.size && strchr(". \r", words.text[words.size - 1]))
    words.size--;
  return words;
}

/* `words` are those of `said`, "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; ...". */
static void tell(pl_link *link, line said, line words) {
  bool is_wgmma = !find(words, "setmaxnreg"), is_error = false;
  for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
    is_error |= find(said, ERRORS[i]) != NULL;
  line reason = reason_of(words);
  pl_report(link->sink, is_error ? PL_ERROR : PL_WARNING, "L-PTXAS", "%s: %.*s",
            is_wgmma ? "wgmma is serialised" : "setmaxnreg is ignored", (int)reason.size, reason.text);
  const char *code = find(said, "(C");
  pl_detail(link->sink, "ptxas: %.*s", (int)(said.size - (size_t)(code - said.text)), code);
  tell_roles(link, is_wgmma);
  pl_consequence(link->sink, "%s",
                 is_wgmma ? "each matrix instruction waits for the one before: two to four times slower"
                          : "roles have too few registers and spill, or wait for registers for ever");
  if (!is_wgmma)
    pl_fix(link->sink, "--save-temps shows the code that ptxas was given");
  else
    pl_fix(link->sink,
           "use accumulators only after wgmma.wait_group, keep them in registers and give the role enough%s",
           link->lineinfo ? "" : "; stages compiled with -lineinfo show the line");
}

pl_status pl_check_vendor_log(pl_link *link) {
  static const char loss[] = "Potential Performance Loss: ";
  for (line at = {0}; next_line(&link->code.log, &at);) {
    const char *words = find(at, "(C75") ? find(at, loss) : NULL;
    if (!words)
      continue;
    words += sizeof loss - 1;
    tell(link, at, (line){words, at.size - (size_t)(words - at.text)});
  }
  return pl_sink_status(link->sink);
}
