/* link_options.c - ld.pipelink's options: those that users of lld know, under the same names. */
#include "link_options.h"

#include "response_file.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "usage: ld.pipelink [options] A.plink B.plink ... -o KERNEL.cubin\n"
    "\n"
    "Links the stages of several packages into one GPU kernel. Writes KERNEL.cubin, which any CUDA\n"
    "program can load, and KERNEL.launch.json, which says how to launch it.\n"
    "\n"
    "input:\n"
    "  -L DIR                  search DIR for -l\n"
    "  -l NAME                 link NAME.plink from the search path\n"
    "  -T, --script=FILE       link script: instances, bindings, pins (docs/link-script.md)\n"
    "  --unit=FILE.bc          a module with a hand-written kernel instead of packages: the unit build\n"
    "  @FILE                   more arguments from FILE\n"
    "target:\n"
    "  --arch=PROFILE          sm_90a, sm_100a, sm_103a, sm_120a or sm_121a; the suffix matters. Without it,\n"
    "                          the one profile that all packages have\n"
    "  --codegen=nvvm|nvptx    back end: libNVVM + nvJitLink (default), or LLVM's NVPTX + ptxas\n"
    "  --cuda-path=DIR         CUDA toolkit to use, 13.0 or newer\n"
    "  --shared-limit=BYTES    shared memory that a CTA may take; less gives shallower rings\n"
    "  --ctas-per-sm=N         CTAs that must fit an SM together (default 1)\n"
    "  --allow-non-portable-cluster  clusters of up to 16 CTAs instead of 8: a GPU may refuse the launch\n"
    "output:\n"
    "  -o FILE                 the cubin\n"
    "  --header=FILE           a C header that describes the launch\n"
    "  -Map=FILE               a link map: who sits where\n"
    "  --map-json=FILE         the placement as JSON, for `pipelink map` and other tools (docs/map.md)\n"
    "  --write-pins=FILE       the placement as a link script that pins it\n"
    "  --report=FILE           what each check rests on, as JSON: verified in the code, declared only, undecided\n"
    "  -e, --entry=NAME        name of the kernel (default pipelink_kernel)\n"
    "  -u, --undefined=SYMBOL  keep a device variable under its own name for the host\n"
    "  --watchdog              threads leave word of what they wait for: a launch that hangs ends with the roles\n"
    "                          and barriers that wait (docs/running.md). Slower; for finding faults\n"
    "looking inside:\n"
    "  --why=NAME              what bounds a solved value, e.g. --why=ab.depth; nothing is written\n"
    "  --print-after=PHASE     print what a phase made: read, bind, check, solve, merge, relocate, generate,\n"
    "                          emulate, optimise, verify, codegen or describe\n"
    "  --time-phases           milliseconds of each phase\n"
    "  --save-temps            keep KERNEL.merged.ll, KERNEL.opt.ll and the text given to the back end\n"
    "  --dry-run               bind, check and place; write nothing\n"
    "  --no-remarks            errors and warnings only\n"
    "  --help, --version\n";

static const char EXAMPLE[] = "\n"
                              "example: two packages, bound by name, with a map on the terminal\n"
                              "  ld.pipelink --arch=sm_90a caller.plink scale.plink -o hello.cubin -Map=/dev/stdout\n";

enum {
  OPT_ARCH = 256,
  OPT_CODEGEN,
  OPT_CUDA,
  OPT_HEADER,
  OPT_MAP,
  OPT_PRINT,
  OPT_TIME,
  OPT_TEMPS,
  OPT_DRY,
  OPT_REMARKS,
  OPT_UNIT,
  OPT_MAP_JSON,
  OPT_PINS,
  OPT_WHY,
  OPT_SHARED_LIMIT,
  OPT_CTAS,
  OPT_CLUSTER,
  OPT_REPORT,
  OPT_WATCHDOG,
  OPT_HELP,
  OPT_VERSION
};

static const struct option OPTIONS[] = {{"script", required_argument, NULL, 'T'},
                                        {"unit", required_argument, NULL, OPT_UNIT},
                                        {"arch", required_argument, NULL, OPT_ARCH},
                                        {"codegen", required_argument, NULL, OPT_CODEGEN},
                                        {"cuda-path", required_argument, NULL, OPT_CUDA},
                                        {"header", required_argument, NULL, OPT_HEADER},
                                        {"Map", required_argument, NULL, OPT_MAP},
                                        {"entry", required_argument, NULL, 'e'},
                                        {"undefined", required_argument, NULL, 'u'},
                                        {"print-after", required_argument, NULL, OPT_PRINT},
                                        {"time-phases", no_argument, NULL, OPT_TIME},
                                        {"save-temps", no_argument, NULL, OPT_TEMPS},
                                        {"dry-run", no_argument, NULL, OPT_DRY},
                                        {"no-remarks", no_argument, NULL, OPT_REMARKS},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {"map-json", required_argument, NULL, OPT_MAP_JSON},
                                        {"write-pins", required_argument, NULL, OPT_PINS},
                                        {"why", required_argument, NULL, OPT_WHY},
                                        {"shared-limit", required_argument, NULL, OPT_SHARED_LIMIT},
                                        {"ctas-per-sm", required_argument, NULL, OPT_CTAS},
                                        {"allow-non-portable-cluster", no_argument, NULL, OPT_CLUSTER},
                                        {"report", required_argument, NULL, OPT_REPORT},
                                        {"watchdog", no_argument, NULL, OPT_WATCHDOG},
                                        {"version", no_argument, NULL, OPT_VERSION},
                                        {0}};

static int usage_error(const char *format, const char *subject) {
  fprintf(stderr, "ld.pipelink: error: ");
  fprintf(stderr, format, subject);
  fprintf(stderr, "\n>>> ld.pipelink --help lists all options\n");
  return 1;
}

/* NAME.plink in the search path, or NULL. */
static const char *find_library(pl_arena *arena, const char *const *directories, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 2; k++) {
      char *path = k ? pl_arena_printf(arena, "%s/lib%s.plink", directories[i], name)
                     : pl_arena_printf(arena, "%s/%s.plink", directories[i], name);
      if (path && !access(path, R_OK))
        return path;
    }
  }
  return NULL;
}

static bool is_phase(const char *name) {
  static const char *const names[] = {"read",     "bind",    "check",    "solve",  "merge",   "relocate",
                                      "generate", "emulate", "optimise", "verify", "codegen", "describe"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name))
      return true;
  return false;
}

static bool read_number(const char *text, unsigned long least, unsigned long most, unsigned long *number) {
  char *end;
  errno = 0;
  *number = strtoul(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno && *number >= least && *number <= most;
}

int link_options_read(int argc, char **argv, pl_arena *arena, link_request *request) {
  *request = (link_request){.remarks = true};
  pl_link_options *link = &request->link;
  int status = response_files_expand(&argc, &argv, arena, "ld.pipelink");
  if (status)
    return status;
  const char **inputs = pl_arena_array(arena, (size_t)argc, sizeof *inputs);
  const char **directories = pl_arena_array(arena, (size_t)argc, sizeof *directories);
  const char **names = pl_arena_array(arena, (size_t)argc, sizeof *names);
  const char **keep = pl_arena_array(arena, (size_t)argc, sizeof *keep), *why;
  const struct option *options = pl_report_join_options(OPTIONS, arena);
  if (!options || !inputs || !directories || !names || !keep)
    return usage_error("%s", strerror(ENOMEM));
  size_t directory_count = 0, name_count = 0;
  unsigned long number;
  optind = 0;
  opterr = 0;
  /* '-' in front: operands arrive in place, so that -l and packages keep their order. */
  for (int option; (option = getopt_long_only(argc, argv, "-:o:T:e:u:L:l:W:", options, NULL)) != -1;) {
    switch (option) {
    case 1:
      inputs[link->input_count++] = optarg;
      break;
    case 'l':
      names[name_count++] = optarg;
      inputs[link->input_count++] = NULL; /* found once all -L are known */
      break;
    case 'L':
      directories[directory_count++] = optarg;
      break;
    case 'o':
      link->output = optarg;
      break;
    case 'T':
      link->script = optarg;
      break;
    case 'e':
      link->entry = optarg;
      break;
    case 'u':
      keep[link->keep_count++] = optarg;
      break;
    case OPT_UNIT:
      link->unit = optarg;
      break;
    case OPT_ARCH:
      link->arch = optarg;
      break;
    case OPT_CODEGEN:
      if (strcmp(optarg, "nvvm") && strcmp(optarg, "nvptx"))
        return usage_error("--codegen=%s: it is nvvm or nvptx", optarg);
      link->backend = strcmp(optarg, "nvvm") ? PL_BACKEND_NVPTX : PL_BACKEND_NVVM;
      break;
    case OPT_CUDA:
      link->cuda_path = optarg;
      break;
    case OPT_HEADER:
      link->header = optarg;
      break;
    case OPT_MAP:
      link->map = optarg;
      break;
    case OPT_PRINT:
      if (!is_phase(optarg))
        return usage_error("--print-after=%s: no such phase", optarg);
      request->print_after = optarg;
      break;
    case OPT_TIME:
      request->time_phases = true;
      break;
    case OPT_TEMPS:
      link->save_temps = true;
      break;
    case OPT_DRY:
      request->dry_run = true;
      break;
    case OPT_REMARKS:
      request->remarks = false;
      break;
    case OPT_MAP_JSON:
      link->map_json = optarg;
      break;
    case OPT_PINS:
      link->pins = optarg;
      break;
    case OPT_WHY:
      request->why = optarg;
      request->dry_run = true;
      break;
    case OPT_SHARED_LIMIT:
      if (!read_number(optarg, 1, UINT32_MAX, &number))
        return usage_error("--shared-limit=%s: a number of bytes", optarg);
      link->shared_limit = number;
      break;
    case OPT_CTAS:
      if (!read_number(optarg, 1, 32, &number))
        return usage_error("--ctas-per-sm=%s: a number from 1 to 32", optarg);
      link->ctas_per_sm = (unsigned)number;
      break;
    case OPT_CLUSTER:
      link->allow_non_portable_cluster = true;
      break;
    case OPT_WATCHDOG:
      link->watchdog = true;
      break;
    case OPT_HELP:
      fputs(HELP, stdout);
      fputs(pl_report_help, stdout);
      fputs(EXAMPLE, stdout);
      return 0;
    case OPT_VERSION:
      puts("ld.pipelink " PIPELINK_VERSION);
      return 0;
    case ':':
      return usage_error("%s needs a value", argv[optind - 1]);
    case OPT_REPORT:
      link->report = optarg;
      break;
    default:
      status = pl_report_option(option, optarg, arena, &request->report, &why);
      if (status < 0)
        return usage_error("%s", why);
      if (status)
        return usage_error("unknown option %s", argv[optind - 1]);
    }
  }
  size_t next_name = 0;
  for (size_t i = 0; i < link->input_count; i++) {
    if (inputs[i])
      continue;
    inputs[i] = find_library(arena, directories, directory_count, names[next_name++]);
    if (!inputs[i])
      return usage_error("cannot find -l%s in any -L directory", names[next_name - 1]);
  }
  link->inputs = inputs;
  link->keep = keep;
  if (!link->output && !request->dry_run)
    return usage_error("%s", "no output: give -o KERNEL.cubin, or --dry-run");
  if (!link->output)
    link->output = "kernel.cubin";
  if (link->unit && link->watchdog)
    return usage_error("%s", "--watchdog is for packages: a unit build has no roles to tell of");
  if (link->unit && link->input_count)
    return usage_error("%s", "--unit takes the place of packages");
  return -1;
}
