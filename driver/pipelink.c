/* pipelink.c - `pipelink COMMAND ...`: the table of commands, and handing over to one.
 *
 * The program stays small and free of libLLVM, because it is carried to machines that only run kernels. Commands that
 * need LLVM are programs of their own beside it.
 */
#include "commands.h"
#include "edit_distance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
  const char *name;
  const char *summary;
  int (*main)(int argc, char **argv); /* NULL when it is a program beside this one */
  const char *program;                /* its name there */
};

static const struct command commands[] = {
    {"cc", "compile one CUDA source to LLVM bitcode that carries its contract", pipelink_cc_main, NULL},
    {"pack", "make a package from sources or bitcode", NULL, "pipelink-pack"},
    {"inspect", "show what a package provides and needs", NULL, "pipelink-inspect"},
    {"link", "link packages into one kernel (the same as ld.pipelink)", NULL, "ld.pipelink"},
    {"explain", "what the code of a diagnostic means, with an example and the fix", pipelink_explain_main, NULL},
    {"run", "launch a linked kernel with parameters from the command line", pipelink_run_main, NULL},
    {"map", "draw a placement: warps, rings, shared memory, barriers", pipelink_map_main, NULL},
    {"bench", "time several kernels against each other, launches interleaved", pipelink_bench_main, NULL},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void) {
  puts("usage: pipelink COMMAND [OPTION...] [FILE...]\n"
       "\n"
       "PipeLink links separately compiled parts of GPU kernels into one kernel.\n"
       "\n"
       "commands:");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    printf("  %-9s %s\n", commands[i].name, commands[i].summary);
  puts("\n"
       "  pipelink COMMAND --help     what the command takes, with an example\n"
       "  pipelink --version\n"
       "\n"
       "from sources to a running kernel:\n"
       "  pipelink pack scale.cu  --arch=sm_90a -o scale.plink\n"
       "  pipelink pack caller.cu --arch=sm_90a -o caller.plink\n"
       "  ld.pipelink caller.plink scale.plink -o hello.cubin -Map=hello.map\n"
       "  pipelink run hello.cubin --set caller.count=1024 --set caller.input=random:f32:1024");
}

/* The command that `name` was probably meant to be; NULL when none is near. */
static const struct command *nearest(const char *name) {
  const struct command *best = NULL;
  size_t best_distance = strlen(name) / 2 + 1; /* at least half of the letters must be right */
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    size_t distance = pl_edit_distance(name, commands[i].name);
    if (distance < best_distance) {
      best = &commands[i];
      best_distance = distance;
    }
  }
  return best;
}

/* Does not return when the program beside this one could be started. */
static int start_program(const struct command *chosen, char **argv) {
  char *prefix = pipelink_prefix();
  char *bin = prefix ? pipelink_path(prefix, "bin") : NULL;
  char *path = bin ? pipelink_path(bin, chosen->program) : NULL;
  if (path) {
    argv[0] = path;
    execv(path, argv);
  }
  int reason = path ? errno : ENOMEM;
  if (reason == ENOENT)
    pipelink_complain("'%s' needs the program %s, which is not in %s", chosen->name, chosen->program, bin);
  else
    pipelink_complain("cannot start %s: %s", path ? path : chosen->program, strerror(reason));
  free(path);
  free(bin);
  free(prefix);
  return PIPELINK_FAILED;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_help();
    return PIPELINK_MISUSED;
  }
  const char *name = argv[1];
  if (!strcmp(name, "--version")) {
    puts("pipelink " PIPELINK_VERSION " (LLVM " PIPELINK_LLVM_VERSION ")");
    return PIPELINK_DONE;
  }
  if (!strcmp(name, "help") && argc == 3) { /* `pipelink help pack` is `pipelink pack --help` */
    static char help[] = "--help";
    argv[1] = argv[2];
    argv[2] = help;
    name = argv[1];
  } else if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
    print_help();
    return PIPELINK_DONE;
  }
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(name, commands[i].name))
      continue;
    return commands[i].main ? commands[i].main(argc - 1, argv + 1) : start_program(&commands[i], argv + 1);
  }
  const struct command *meant = nearest(name);
  if (meant)
    pipelink_complain("unknown command '%s'; did you mean '%s'?", name, meant->name);
  else
    pipelink_complain("unknown command '%s'; `pipelink --help` lists them", name);
  return PIPELINK_MISUSED;
}
