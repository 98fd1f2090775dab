/* inspect.c - `pipelink inspect`: what a package provides and needs, for people and for programs. */
#include "commands.h"
#include "inspect_summary.h"
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tool[] = "pipelink inspect";

static const char help[] =
    "usage: pipelink inspect PACKAGE.plink [--json | --contract | --files]\n"
    "\n"
    "Shows what a package provides and needs: its stage, the GPUs it has code for, roles, parameters, resources,\n"
    "imports and exports. The whole package is checked: sizes, hashes, contract.\n"
    "\n"
    "  --json             manifest.json as it stands in the package\n"
    "  --contract         the contract of every profile, as JSON\n"
    "  --files            the files in the package: bytes, SHA-256, name\n"
    "\n"
    "  pipelink inspect caller.plink\n"
    "  pipelink inspect caller.plink --json | jq .code.sm_90a.contract\n";

typedef enum pl_view { VIEW_SUMMARY, VIEW_JSON, VIEW_CONTRACT, VIEW_FILES } pl_view;

static void print_files(pl_buffer *text, const pl_package *package) {
  for (size_t i = 0; i < package->member_count; i++)
    pl_buffer_printf(text, "%10zu  %s  %s\n", package->members[i].size, package->members[i].sha256,
                     package->members[i].name);
}

/* {"sm_90a": [...], ...}: what the package holds, not what was understood of it. */
static pl_status print_contracts(pl_buffer *text, const pl_package *package, pl_sink *sink) {
  json_t *root = pl_json_load(package->manifest, strlen(package->manifest), package->path, sink);
  json_t *all = json_object();
  pl_status status = root && all ? 0 : -ENOMEM;
  for (size_t i = 0; i < package->code_count && !status; i++) {
    const char *profile = package->codes[i].profile;
    json_t *code = json_object_get(json_object_get(root, "code"), profile);
    if (json_object_set(all, profile, json_object_get(code, "contract")))
      status = -ENOMEM;
  }
  char *dump = status ? NULL : json_dumps(all, JSON_INDENT(2));
  if (dump) {
    pl_buffer_puts(text, dump);
    pl_buffer_puts(text, "\n");
  } else {
    status = -ENOMEM;
  }
  free(dump);
  json_decref(all);
  json_decref(root);
  return status;
}

static pl_status show(const char *path, pl_view view, pl_arena *arena, pl_sink *sink) {
  pl_package package;
  pl_status status = pl_package_read(path, arena, sink, &package);
  if (status)
    return status;
  pl_buffer text = {0};
  switch (view) {
  case VIEW_SUMMARY:
    pl_inspect_summary(&package, &text);
    break;
  case VIEW_JSON:
    pl_buffer_puts(&text, package.manifest);
    break;
  case VIEW_CONTRACT:
    status = print_contracts(&text, &package, sink);
    break;
  case VIEW_FILES:
    print_files(&text, &package);
    break;
  }
  if (text.failed)
    status = -ENOMEM;
  if (!status && text.size && (fwrite(text.data, 1, text.size, stdout) != text.size || fflush(stdout))) {
    status = -errno;
    pl_report(sink, PL_ERROR, "L-OUTPUT", "cannot write to stdout: %s", strerror(errno));
  }
  pl_buffer_free(&text);
  return status;
}

/* Result is an exit status, or -1 to go on. */
static int parse_options(int argc, char **argv, pl_sink *sink, pl_view *view, const char **path) {
  enum { JSON = 256, CONTRACT, FILES };
  static const struct option known[] = {
      {"json", no_argument, NULL, JSON},
      {"contract", no_argument, NULL, CONTRACT},
      {"files", no_argument, NULL, FILES},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0},
  };
  opterr = 0;
  for (int option; (option = getopt_long_only(argc, argv, "h", known, NULL)) != -1;) {
    switch (option) {
    case JSON:
      *view = VIEW_JSON;
      break;
    case CONTRACT:
      *view = VIEW_CONTRACT;
      break;
    case FILES:
      *view = VIEW_FILES;
      break;
    case 'h':
      fputs(help, stdout);
      return PIPELINK_DONE;
    default:
      pl_report(sink, PL_ERROR, "L-OPTION", "unknown option '%s'; `pipelink inspect --help` lists them",
                argv[optind - 1]);
      return PIPELINK_MISUSED;
    }
  }
  if (argc - optind != 1) {
    pl_report(sink, PL_ERROR, "L-OPTION", "%s; `pipelink inspect PACKAGE.plink`",
              optind == argc ? "no package given" : "one package at a time");
    return PIPELINK_MISUSED;
  }
  *path = argv[optind];
  return -1;
}

int main(int argc, char **argv) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  if (pl_sink_init(&sink) || !arena) {
    fprintf(stderr, "%s: error: out of memory\n", tool);
    pl_arena_free(arena);
    return PIPELINK_FAILED;
  }
  pl_view view = VIEW_SUMMARY;
  const char *path = NULL;
  int result = parse_options(argc, argv, &sink, &view, &path);
  if (result < 0) {
    pl_status status = show(path, view, arena, &sink);
    if (status == -ENOMEM)
      sink.out_of_memory = true;
    result = status ? PIPELINK_FAILED : PIPELINK_DONE;
  }
  pl_report_print(&sink, tool);
  pl_arena_free(arena);
  pl_sink_free(&sink);
  return result;
}
