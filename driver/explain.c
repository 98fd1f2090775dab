/* explain.c - `pipelink explain CODE`: what the code of a diagnostic means.
 *
 * The catalogue (passes/diagnostic_catalogue.h) says it all; docs/diagnostics.md is made of --json by
 * lit-tests/tools/diagnostics_page.py.
 */
#include "commands.h"
#include "report.h"

#include "diagnostic_catalogue.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "usage: pipelink explain [CODE...]\n"
    "\n"
    "Tells what the code of a diagnostic means: what would happen at run time, an example, and the\n"
    "fix. Without a code it lists all of them.\n"
    "\n"
    "  --json   the catalogue for programs\n"
    "\n"
    "example:\n"
    "  pipelink explain L-PHASE\n";

enum { COLUMNS = 100 };

/* Words of a text in lines of at most COLUMNS letters, each behind `indent` blanks; the first line has begun already.
 */
static void print_wrapped(const char *text, int indent) {
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column > indent && column + 1 + length > COLUMNS) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      putchar(' ');
      column++;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void print_part(const char *name, const char *text) {
  printf("%-12s ", name);
  print_wrapped(text, 13);
}

static void print_entry(const pl_code_entry *entry) {
  printf("%s: %s, %s\n\n", entry->code, pl_family_words(entry->family), pl_report_severity(entry->severity));
  print_wrapped(entry->meaning, 0);
  putchar('\n');
  print_part("at run time:", entry->consequence);
  if (entry->example)
    print_part("example:", entry->example);
  print_part("fix:", entry->fix);
  print_part("checked:", pl_basis_words(entry->basis));
  if (entry->compared)
    print_part("declared:", entry->compared);
  if (entry->seen)
    print_part("verified:", entry->seen);
  if (entry->arrives_with)
    printf("%-12s not yet; it comes with %s\n", "reported:", entry->arrives_with);
  if (entry->is_forcible && !entry->arrives_with)
    printf("%-12s --force-unsafe=%s links all the same\n", "forced:", entry->code);
}

static void print_list(void) {
  for (int family = 0; family < PL_FAMILY_COUNT; family++) {
    const pl_code_entry *entry;
    bool begun = false;
    for (size_t i = 0; (entry = pl_catalogue_at(i)); i++) {
      if ((int)entry->family != family || entry->arrives_with)
        continue;
      if (!begun)
        printf("%s%s\n", family ? "\n" : "", pl_family_words(entry->family));
      begun = true;
      printf("  %-13s", entry->code);
      print_wrapped(entry->meaning, 15);
    }
  }
}

static json_t *entry_json(const pl_code_entry *entry) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s?, s:s, s:s, s:s?, s:s, s:s?, s:s?}", "code", entry->code,
                   "family", pl_family_words(entry->family), "severity", pl_report_severity(entry->severity), "outcome",
                   pl_outcome_words(entry->outcome), "checked", pl_basis_words(entry->basis), "forcible",
                   entry->is_forcible, "arrives_with", entry->arrives_with, "meaning", entry->meaning, "consequence",
                   entry->consequence, "example", entry->example, "fix", entry->fix, "declared", entry->compared,
                   "verified", entry->seen);
}

static int print_json(void) {
  const pl_code_entry *entry;
  json_t *entries = json_array();
  int failed = !entries;
  for (size_t i = 0; (entry = pl_catalogue_at(i)) && !failed; i++)
    failed = json_array_append_new(entries, entry_json(entry));
  char *text = failed ? NULL : json_dumps(entries, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  json_decref(entries);
  if (!text) {
    pipelink_complain("out of memory");
    return PIPELINK_FAILED;
  }
  puts(text);
  free(text);
  return PIPELINK_DONE;
}

int pipelink_explain_main(int argc, char **argv) {
  static const struct option options[] = {
      {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  optind = 0;
  for (int option; (option = getopt_long_only(argc, argv, "", options, NULL)) != -1;) {
    if (option == 'h') {
      fputs(HELP, stdout);
      return PIPELINK_DONE;
    }
    return option == 'j' ? print_json() : PIPELINK_MISUSED;
  }
  if (optind == argc)
    print_list();
  for (int i = optind; i < argc; i++) {
    const pl_code_entry *entry = pl_catalogue_find(argv[i]), *near = entry ? NULL : pl_catalogue_near(argv[i]);
    if (!entry) {
      if (near)
        pipelink_complain("'%s' is no code of a diagnostic; did you mean %s?", argv[i], near->code);
      else
        pipelink_complain("'%s' is no code of a diagnostic; `pipelink explain` lists them", argv[i]);
      return PIPELINK_MISUSED;
    }
    printf("%s", i > optind ? "\n" : "");
    print_entry(entry);
  }
  return PIPELINK_DONE;
}
