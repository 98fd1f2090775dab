/* cc.c - `pipelink cc`: clang with the flags a stage needs, and nothing hidden.
 *
 * It finds clang, the toolkit and our plugin, puts the flags below in front of the user's own (so the user's win) and
 * passes clang's output through. `-###` prints the command instead of running it.
 */
#include "commands.h"
#include "diagnostics.h"
#include "process.h"
#include "profiles.h"
#include "report.h"
#include "toolkit.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SUPPORTED_CUDA_MAJOR = 13 };

struct request {
  pl_arena *arena;
  const char *arch, *cuda_path, *clang; /* NULL when not given */
  const char *input, *output;
  const char *suffix; /* of the output when none is named; NULL when clang writes to stdout */
  bool unit, print_only, want_help, misused;
  char **passed; /* what goes to clang as it stands, in order */
  size_t passed_count;
};

struct command_line {
  char **arguments; /* NULL-terminated once complete */
  size_t count, capacity;
  bool failed;
};

static void print_help(void) {
  puts("usage: pipelink cc --arch=ARCH [OPTION...] FILE.cu [-o FILE.bc]\n"
       "\n"
       "Compiles the device side of one CUDA source to LLVM bitcode that carries the contract of its stage.\n"
       "\n"
       "  --arch=ARCH        the GPU, e.g. sm_90a; the suffix is a part of its name; there is no default\n"
       "  -o FILE            where the bitcode goes; FILE.bc in the current folder otherwise\n"
       "  -lineinfo          keep source lines; the code does not change\n"
       "  --cuda-path=DIR    the CUDA toolkit (otherwise CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, /usr/local/cuda, "
       "wheels)\n"
       "  --clang=FILE       the clang++ to run (otherwise PIPELINK_CLANG, then the one PipeLink was built with)\n"
       "  --unit             a unit build for ld.pipelink --unit=: a hand-written kernel, stages included as text; no "
       "contract\n"
       "  -###               print the clang command, don't run it\n"
       "\n"
       "Every other option goes to clang, after ours, so it wins. Ours include -O3, -std=c++17 and -DNDEBUG: an "
       "assert()\n"
       "left in a kernel is slow. -UNDEBUG turns them on again.\n"
       "\n"
       "  pipelink cc --arch=sm_90a -I include scale.cu -o scale.bc");
}

/* The argument behind **rest, which *rest is moved on to; "" and request->misused when there is none. */
static const char *next_argument(struct request *request, char ***rest) {
  if ((*rest)[1])
    return *++*rest;
  pipelink_complain("%s needs a value", **rest);
  request->misused = true;
  return "";
}

/* The value of option `name` (with its dashes) when **rest is that option, as NAME=VALUE or in the next argument; NULL
 * when it is another one. */
static const char *option_value(struct request *request, const char *name, char ***rest) {
  const char *argument = **rest;
  size_t length = strlen(name);
  if (strncmp(argument, name, length))
    return NULL;
  if (argument[length] == '=')
    return argument + length + 1;
  return argument[length] ? NULL : next_argument(request, rest);
}

/* clang's options whose value is the next argument, so that the value is not taken for the input file. */
static bool takes_next_argument(const char *argument) {
  static const char *const options[] = {
      "-D",
      "-F",
      "-I",
      "-L",
      "-MF",
      "-MJ",
      "-MQ",
      "-MT",
      "-T",
      "-U",
      "-Xclang",
      "-Xlinker",
      "-Xptxas",
      "-arch",
      "-idirafter",
      "-imacros",
      "-include",
      "-iprefix",
      "-iquote",
      "-isysroot",
      "-isystem",
      "-mllvm",
      "-target",
      "-working-directory",
      "-Xcuda-ptxas",
      "-Xcuda-fatbinary",
      "-Xpreprocessor",
      "-Xassembler",
      "-Xarch_device",
      "-x",
      "--param",
      "-iwithprefix",
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (!strcmp(argument, options[i]))
      return true;
  return false;
}

static void set_arch(struct request *request, const char *arch) {
  if (!request->arch || !strcmp(request->arch, arch)) {
    request->arch = arch;
    return;
  }
  pipelink_complain(
      "one call compiles for one GPU, not for %s and %s; `pipelink pack --arch=%s,%s` makes a package for both",
      request->arch, arch, request->arch, arch);
  request->misused = true;
}

/* Options that make clang write something else than bitcode, or nothing. */
static void note_kind(struct request *request, const char *argument) {
  static const char *const to_stdout[] = {"-E", "-M", "-MM", "-fsyntax-only"};
  if (!strcmp(argument, "-S"))
    request->suffix = "ll";
  for (size_t i = 0; i < sizeof to_stdout / sizeof to_stdout[0]; i++)
    if (!strcmp(argument, to_stdout[i]))
      request->suffix = NULL;
}

static void set_input(struct request *request, const char *input) {
  if (request->input) {
    pipelink_complain("one call compiles one file, not %s and %s", request->input, input);
    request->misused = true;
  }
  request->input = input;
}

static void parse(struct request *request, char **argv) {
  static char line_tables[] = "-gline-directives-only";
  for (char **rest = argv + 1; *rest && !request->misused; rest++) {
    char *argument = *rest;
    const char *value;
    if ((value = option_value(request, "--arch", &rest)) || (value = option_value(request, "-arch", &rest)) ||
        (value = option_value(request, "--cuda-gpu-arch", &rest)) ||
        (value = option_value(request, "--offload-arch", &rest))) {
      set_arch(request, value);
    } else if ((value = option_value(request, "--cuda-path", &rest))) {
      request->cuda_path = value;
    } else if ((value = option_value(request, "--clang", &rest))) {
      request->clang = value;
    } else if (!strncmp(argument, "-o", 2)) {
      request->output = argument[2] ? argument + 2 : next_argument(request, &rest);
    } else if (!strcmp(argument, "-###")) {
      request->print_only = true;
    } else if (!strcmp(argument, "--help") || !strcmp(argument, "-help")) {
      request->want_help = true;
    } else if (!strcmp(argument, "--unit")) {
      request->unit = true;
    } else if (!strcmp(argument, "-lineinfo") || !strcmp(argument, "--generate-line-info")) {
      request->passed[request->passed_count++] = line_tables;
    } else {
      note_kind(request, argument);
      request->passed[request->passed_count++] = argument;
      if (takes_next_argument(argument) && rest[1])
        request->passed[request->passed_count++] = *++rest;
      else if (argument[0] != '-')
        set_input(request, argument);
    }
  }
}

/* "sm_90a, sm_100a, ..." */
static const char *profile_names(pl_arena *arena) {
  const char *names = "";
  for (size_t i = 0; names && pl_profile_at(i); i++)
    names = pl_arena_printf(arena, "%s%s%s", names, i ? ", " : "", pl_profile_at(i)->name);
  return names ? names : "(out of memory)";
}

/* Says what is wrong with the request as it was written; true when nothing is. */
static bool check_request(struct request *request) {
  if (request->misused)
    return false;
  if (!request->input) {
    pipelink_complain("no input file; `pipelink cc --help` shows an example");
    return false;
  }
  if (!request->arch) {
    pipelink_complain("for which GPU? Add --arch= with one of %s", profile_names(request->arena));
    return false;
  }
  if (!pl_profile_find(request->arch)) {
    const pl_profile *near = pl_profile_near(request->arch);
    if (near)
      pipelink_complain("no profile '%s'; did you mean '%s'? The suffix is a part of the name", request->arch,
                        near->name);
    else
      pipelink_complain("no profile '%s'; there are %s", request->arch, profile_names(request->arena));
    return false;
  }
  return true;
}

/* Adds one argument: a copy of `text`. */
static void add(struct command_line *command, pl_arena *arena, const char *text) {
  if (command->count == command->capacity) {
    size_t capacity = command->capacity ? command->capacity * 2 : 64;
    char **larger = pl_arena_array(arena, capacity, sizeof *larger);
    if (!larger) {
      command->failed = true;
      return;
    }
    if (command->count)
      memcpy(larger, command->arguments, command->count * sizeof *larger);
    command->arguments = larger;
    command->capacity = capacity;
  }
  char *copy = pl_arena_strdup(arena, text);
  if (!copy)
    command->failed = true;
  else
    command->arguments[command->count++] = copy;
}

static void add_format(struct command_line *command, pl_arena *arena, const char *format, ...) PL_PRINTF(3, 4);
static void add_format(struct command_line *command, pl_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = pl_arena_vprintf(arena, format, arguments);
  va_end(arguments);
  if (text)
    add(command, arena, text);
  else
    command->failed = true;
}

/* The clang++ to run: the user's choice as it stands, else the one found at build time, else the PATH's. */
static const char *choose_clang(const struct request *request) {
  const char *chosen = request->clang ? request->clang : getenv("PIPELINK_CLANG");
  if (chosen && *chosen)
    return chosen;
  return access(PIPELINK_CLANG_FOUND, X_OK) ? "clang++-" PIPELINK_LLVM_MAJOR : PIPELINK_CLANG_FOUND;
}

/* A clang of the user's choice must be of the major our plugin is built for: it would fail to load it, in the
 * dynamic linker's words. */
static bool check_clang(const struct request *request, const char *clang) {
  if (!strcmp(clang, PIPELINK_CLANG_FOUND))
    return true;
  const char *path = strchr(clang, '/') ? clang : pl_process_find(clang, request->arena);
  pl_buffer output = {0};
  int exit_code = 0;
  pl_status status =
      path ? pl_process_run((const char *const[]){path, "--version", NULL}, &output, &exit_code) : -ENOENT;
  bool fits = false;
  if (status) {
    pipelink_complain("cannot run clang '%s': %s", clang, strerror(-status));
  } else {
    static const char words[] = "clang version ";
    const char *version = output.data ? strstr(output.data, words) : NULL;
    fits = version && !strncmp(version + strlen(words), PIPELINK_LLVM_MAJOR ".", strlen(PIPELINK_LLVM_MAJOR "."));
    if (!fits)
      pipelink_complain("'%s' is '%.*s', but PipeLink's plugin is built for clang %s", clang,
                        output.data ? (int)strcspn(output.data, "\n") : 0, output.data ? output.data : "",
                        PIPELINK_LLVM_VERSION);
  }
  pl_buffer_free(&output);
  return fits;
}

/* The toolkit to compile against, of a version that goes with this clang. */
static bool choose_toolkit(const struct request *request, pl_toolkit *toolkit) {
  pl_sink sink;
  if (pl_sink_init(&sink)) {
    pipelink_complain("out of memory");
    return false;
  }
  bool found = !pl_toolkit_find(request->cuda_path, request->arena, &sink, toolkit);
  pl_report_print(&sink, "pipelink");
  pl_sink_free(&sink);
  if (found && toolkit->major != SUPPORTED_CUDA_MAJOR) {
    pipelink_complain("CUDA %u.%u (%s) with clang %s is not a pair that is supported: PipeLink needs CUDA %d.x",
                      toolkit->major, toolkit->minor, toolkit->root, PIPELINK_LLVM_VERSION, SUPPORTED_CUDA_MAJOR);
    return false;
  }
  return found;
}

/* PREFIX/RELATIVE in the arena when it is there; NULL, with an error, when it is not. */
static const char *installed_file(pl_arena *arena, const char *prefix, const char *relative) {
  const char *path = pl_arena_printf(arena, "%s/%s", prefix, relative);
  if (path && !access(path, R_OK))
    return path;
  pipelink_complain("%s is missing: this installation cannot compile stages", path ? path : relative);
  return NULL;
}

/* The whole command. `cc` has no secrets: docs and tests read it from here. */
static bool build_command(const struct request *request, const char *clang, const pl_toolkit *toolkit,
                          const char *prefix, struct command_line *command) {
  pl_arena *arena = request->arena;
  const char *plugin = request->unit ? NULL : installed_file(arena, prefix, "lib/PipeLinkClang.so");
  const char *header = installed_file(arena, prefix, "include/pipelink/nvcc.h");
  if (!header || (!plugin && !request->unit))
    return false;

  add(command, arena, clang);
  /* Device bitcode with a contract, and raw: under the plugin, optimisation is left to the linker. */
  add(command, arena, "-x");
  add(command, arena, "cuda");
  add(command, arena, "--cuda-device-only");
  add_format(command, arena, "--cuda-gpu-arch=%s", request->arch);
  add_format(command, arena, "--cuda-path=%s", toolkit->root);
  if (plugin)
    add_format(command, arena, "-fplugin=%s", plugin);
  else {
    add(command, arena, "-Wno-unknown-attributes"); /* [[pipelink::...]] means nothing then */
    add(command, arena, "-Xclang");
    add(command, arena, "-disable-llvm-passes"); /* raw as stages are: ld.pipelink --unit optimises both alike */
  }
  add(command, arena, "-O3");
  add(command, arena, "-emit-llvm");
  add(command, arena, "-c");
  /* PTX ISA 9.0, the newest this LLVM knows; it warns that CUDA is newer than itself, which is meant to be so. */
  add(command, arena, "--cuda-feature=+ptx90");
  add(command, arena, "-Wno-unknown-cuda-version");
  /* Strict: the GNU dialect makes libstdc++ use __float128, which no GPU has. */
  add(command, arena, "-std=c++17");
  add(command, arena, "-DNDEBUG");
  /* What sources written for nvcc expect. */
  add_format(command, arena, "-D__CUDACC_VER_MAJOR__=%u", toolkit->major);
  add_format(command, arena, "-D__CUDACC_VER_MINOR__=%u", toolkit->minor);
  add(command, arena, "-include");
  add(command, arena, header);
  add_format(command, arena, "-I%s/include", prefix);
  add(command, arena, "-isystem");
  add_format(command, arena, "%s/include/cccl", toolkit->root); /* CUDA 13 moved <cuda/...> there */
  if (isatty(STDERR_FILENO))
    add(command, arena, "-fcolor-diagnostics"); /* clang itself sees a pipe */

  for (size_t i = 0; i < request->passed_count; i++)
    add(command, arena, request->passed[i]);

  if (request->output) {
    add(command, arena, "-o");
    add(command, arena, request->output);
  } else if (request->suffix) {
    const char *base = pl_path_base(request->input), *dot = strrchr(base, '.');
    add(command, arena, "-o");
    add_format(command, arena, "%.*s.%s", (int)(dot && dot != base ? dot - base : (long)strlen(base)), base,
               request->suffix);
  }
  add(command, arena, ""); /* becomes the terminator */
  if (command->failed) {
    pipelink_complain("out of memory");
    return false;
  }
  command->arguments[--command->count] = NULL;
  return true;
}

/* On stderr like clang's own -###, quoted so that a shell takes it back. */
static void print_command(const struct command_line *command) {
  for (size_t i = 0; i < command->count; i++) {
    const char *argument = command->arguments[i];
    if (i)
      fputc(' ', stderr);
    if (*argument &&
        !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@")]) {
      fputs(argument, stderr);
      continue;
    }
    fputc('\'', stderr);
    for (; *argument; argument++)
      fputs(*argument == '\'' ? "'\\''" : (char[]){*argument, 0}, stderr);
    fputc('\'', stderr);
  }
  fputc('\n', stderr);
}

/* What clang says on `messages`, on to our stderr as it comes. True when `phrase` was in it. */
static bool pass_through(int messages, const char *phrase) {
  char buffer[4096];
  size_t kept = 0, length = strlen(phrase); /* the phrase may arrive in two pieces: keep one short of it */
  bool seen = false;
  for (;;) {
    ssize_t got = read(messages, buffer + kept, sizeof buffer - kept);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return seen;
    fwrite(buffer + kept, 1, (size_t)got, stderr);
    kept += (size_t)got;
    seen = seen || memmem(buffer, kept, phrase, length);
    if (kept >= length) {
      memmove(buffer, buffer + kept - (length - 1), length - 1);
      kept = length - 1;
    }
  }
}

static int run_command(const char *program, char **argv) {
  int messages[2];
  if (pipe(messages)) {
    pipelink_complain("cannot make a pipe: %s", strerror(errno));
    return PIPELINK_FAILED;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, messages[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, messages[0]);
  posix_spawn_file_actions_addclose(&actions, messages[1]);
  pid_t child;
  int reason = posix_spawnp(&child, program, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(messages[1]);
  if (reason) {
    close(messages[0]);
    pipelink_complain("cannot run clang '%s': %s", program, strerror(reason));
    return PIPELINK_FAILED;
  }
  bool percent_escape = pass_through(messages[0], "invalid % escape in inline assembly string");
  close(messages[0]);
  if (percent_escape)
    fputs("pipelink: note: clang wants two percent signs before a PTX register in inline assembly, '%%clusterid.x' or "
          "'%%p'; nvcc also accepts one\n",
          stderr);
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return PIPELINK_FAILED;
  if (WIFSIGNALED(status)) {
    pipelink_complain("clang was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return PIPELINK_FAILED;
  }
  return WEXITSTATUS(status);
}

static int compile(struct request *request) {
  pl_toolkit toolkit = {0};
  const char *clang = choose_clang(request);
  if (!check_clang(request, clang) || !choose_toolkit(request, &toolkit))
    return PIPELINK_FAILED;
  char *prefix = pipelink_prefix();
  if (!prefix) {
    pipelink_complain("cannot tell where this program lies (/proc/self/exe)");
    return PIPELINK_FAILED;
  }
  struct command_line command = {0};
  int result = PIPELINK_FAILED;
  if (build_command(request, clang, &toolkit, prefix, &command)) {
    result = PIPELINK_DONE;
    if (request->print_only)
      print_command(&command);
    else
      result = run_command(clang, command.arguments);
  }
  free(prefix);
  return result;
}

int pipelink_cc_main(int argc, char **argv) {
  struct request request = {.arena = pl_arena_create(), .suffix = "bc"};
  if (request.arena)
    request.passed = pl_arena_array(request.arena, (size_t)argc, sizeof *request.passed);
  int result = PIPELINK_FAILED;
  if (!request.passed) {
    pipelink_complain("out of memory");
  } else {
    parse(&request, argv);
    if (request.want_help) {
      print_help();
      result = PIPELINK_DONE;
    } else {
      result = check_request(&request) ? compile(&request) : PIPELINK_MISUSED;
    }
  }
  pl_arena_free(request.arena);
  return result;
}
