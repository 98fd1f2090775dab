/* pack_options.c - see pack_options.h. */
#include "pack_options.h"

#include "profiles.h"

#include <getopt.h>
#include <string.h>

const char pl_pack_help[] =
    "usage: pipelink pack INPUT... --arch=ARCH[,ARCH...] [OPTION...] [-- CLANG-FLAG...]\n"
    "\n"
    "Makes a package (.plink) of a stage. An INPUT is a CUDA source (.cu), compiled for every ARCH, or LLVM bitcode\n"
    "(.bc) from `pipelink cc`, which is for one GPU. Several inputs make one stage: exactly one of them has the\n"
    "PIPELINK_STAGE line. (Bitcode that another file calls into is compiled with `pipelink cc -fgpu-rdc`: clang "
    "leaves\n"
    "out what a file does not call itself.) With --out-dir, inputs that have a stage each become a package each.\n"
    "\n"
    "  --arch=A,B         GPUs to compile sources for, e.g. sm_90a,sm_100a; there is no default\n"
    "  --header=FILE      a header that users of the package include (repeat for more)\n"
    "  --lib=FILE         device code to link along: PTX, cubin, LTO-IR or fat binary (repeat for more)\n"
    "  -o FILE            the package; otherwise STAGE-NAME.plink\n"
    "  --out-dir=DIR      folder for packages named after their stages\n"
    "  --cuda-path=DIR    the CUDA toolkit to compile with\n"
    "\n";

const char pl_pack_example[] =
    "\n"
    "The same inputs give the same bytes.\n"
    "\n"
    "  pipelink pack caller.cu --arch=sm_90a -o caller.plink\n"
    "  pipelink pack load.cu mma.cu --arch=sm_90a,sm_100a --out-dir=pkgs -- -I include -lineinfo\n"
    "  pipelink inspect caller.plink\n";

static bool add(const char **list, size_t *count, size_t most, const char *value, const char *what, pl_sink *sink) {
  if (*count == most) {
    pl_report(sink, PL_ERROR, "L-OPTION", "more than %zu %s", most, what);
    return false;
  }
  list[(*count)++] = value;
  return true;
}

static bool add_profile(pl_pack_options *options, const char *name, pl_sink *sink) {
  const pl_profile *profile = pl_profile_find(name), *near = profile ? NULL : pl_profile_near(name);
  if (!profile) {
    pl_report(sink, PL_ERROR, "L-TARGET", "unknown profile '%s'", name);
    if (near)
      pl_fix(sink, "the suffix is part of a profile's name: did you mean %s?", near->name);
    else
      pl_fix(sink, "there are sm_90a, sm_100a, sm_103a, sm_120a and sm_121a");
    return false;
  }
  for (size_t i = 0; i < options->profile_count; i++)
    if (options->profiles[i] == profile->name)
      return true;
  return add(options->profiles, &options->profile_count, PL_PACK_PROFILES_MOST, profile->name, "profiles", sink);
}

static bool add_profiles(pl_pack_options *options, const char *text, pl_arena *arena, pl_sink *sink) {
  char *list = pl_arena_strdup(arena, text), *rest = NULL;
  bool any = false;
  for (char *name = list ? strtok_r(list, ",", &rest) : NULL; name; name = strtok_r(NULL, ",", &rest)) {
    any = true;
    if (!add_profile(options, name, sink))
      return false;
  }
  if (!any)
    pl_report(sink, PL_ERROR, "L-OPTION", "--arch= names no GPU");
  return any;
}

bool pl_pack_options_parse(int argc, char **argv, pl_arena *arena, pl_sink *sink, pl_pack_options *options) {
  enum { ARCH = 256, HEADER, LIBRARY, OUT_DIR, CUDA_PATH };
  static const struct option own_options[] = {
      {"arch", required_argument, NULL, ARCH},   {"header", required_argument, NULL, HEADER},
      {"lib", required_argument, NULL, LIBRARY}, {"out-dir", required_argument, NULL, OUT_DIR},
      {"output", required_argument, NULL, 'o'},  {"cuda-path", required_argument, NULL, CUDA_PATH},
      {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
  };
  const struct option *known = pl_report_join_options(own_options, arena);
  const char *why;
  if (!known) {
    sink->out_of_memory = true;
    return false;
  }
  int own = 1;
  while (own < argc && strcmp(argv[own], "--") != 0)
    own++;
  if (own < argc) {
    options->flags = (const char *const *)argv + own + 1;
    options->flag_count = (size_t)(argc - own - 1);
  }
  opterr = 0;
  for (int option; (option = getopt_long_only(own, argv, ":o:hW:", known, NULL)) != -1;) {
    bool good = true;
    switch (option) {
    case ARCH:
      good = add_profiles(options, optarg, arena, sink);
      break;
    case HEADER:
      good = add(options->headers, &options->header_count, PL_PACK_FILES_MOST, optarg, "headers", sink);
      break;
    case LIBRARY:
      good = add(options->libraries, &options->library_count, PL_PACK_FILES_MOST, optarg, "libraries", sink);
      break;
    case OUT_DIR:
      options->out_dir = optarg;
      break;
    case CUDA_PATH:
      options->cuda_path = optarg;
      break;
    case 'o':
      options->output = optarg;
      break;
    case 'h':
      options->want_help = true;
      return true;
    case ':':
      pl_report(sink, PL_ERROR, "L-OPTION", "'%s' needs a value", argv[optind - 1]);
      return false;
    default: {
      int status = pl_report_option(option, optarg, arena, &options->report, &why);
      if (!status)
        break;
      if (status < 0) {
        pl_report(sink, PL_ERROR, "L-OPTION", "%s", why);
        return false;
      }
      pl_report(sink, PL_ERROR, "L-OPTION", "unknown option '%s'", argv[optind - 1]);
      pl_fix(sink, "flags for clang stand behind '--'; `pipelink pack --help` lists ours");
      return false;
    }
    }
    if (!good)
      return false;
  }
  for (int i = optind; i < own; i++)
    if (!add(options->inputs, &options->input_count, PL_PACK_FILES_MOST, argv[i], "inputs", sink))
      return false;
  if (!options->input_count) {
    pl_report(sink, PL_ERROR, "L-OPTION", "no input; `pipelink pack --help` shows an example");
    return false;
  }
  if (options->output && options->out_dir) {
    pl_report(sink, PL_ERROR, "L-OPTION", "-o names one package, --out-dir a folder for several: give one");
    return false;
  }
  return true;
}
