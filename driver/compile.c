/* compile.c - see compile.h. The bitcode comes through a pipe, so that nothing is left behind whatever happens. */
#include "compile.h"

#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* argv, NULL-terminated; NULL when out of memory. */
static char **command_of(const pl_compile_request *request, const char *program, pl_arena *arena) {
  size_t count = 0;
  char **argv = pl_arena_array(arena, request->flag_count + 9, sizeof *argv);
  if (!argv)
    return NULL;
  argv[count++] = pl_arena_strdup(arena, program);
  argv[count++] = pl_arena_strdup(arena, "cc");
  argv[count++] = pl_arena_printf(arena, "--arch=%s", request->profile);
  if (request->cuda_path)
    argv[count++] = pl_arena_printf(arena, "--cuda-path=%s", request->cuda_path);
  if (request->without_contract)
    argv[count++] = pl_arena_strdup(arena, "--unit");
  for (size_t i = 0; i < request->flag_count; i++)
    argv[count++] = pl_arena_strdup(arena, request->flags[i]);
  argv[count++] = pl_arena_strdup(arena, request->source);
  argv[count++] = pl_arena_strdup(arena, "-o");
  argv[count++] = pl_arena_strdup(arena, "-");
  for (size_t i = 0; i < count; i++)
    if (!argv[i])
      return NULL;
  return argv;
}

static pl_status read_all(int file, pl_buffer *content) {
  char chunk[64 * 1024];
  for (;;) {
    ssize_t got = read(file, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got ? -errno : 0;
    pl_buffer_append(content, chunk, (size_t)got);
    if (content->failed)
      return -ENOMEM;
  }
}

/* Runs argv with its stdout into `output`. *status is waitpid's. */
static pl_status run(char **argv, pl_buffer *output, int *exit_status) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return -errno;
  posix_spawn_file_actions_t actions;
  pid_t child;
  int error = posix_spawn_file_actions_init(&actions);
  if (!error) {
    error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (!error)
      error = posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return -error;
  }
  pl_status status = read_all(ends[0], output);
  close(ends[0]); /* a child that still writes is told so by SIGPIPE */
  while (waitpid(child, exit_status, 0) < 0)
    if (errno != EINTR)
      return -errno;
  return status;
}

pl_status pl_compile(const pl_compile_request *request, pl_arena *arena, pl_sink *sink, pl_buffer *bitcode) {
  char *prefix = pipelink_prefix();
  const char *program = prefix ? pl_arena_printf(arena, "%s/bin/pipelink", prefix) : NULL;
  free(prefix);
  char **argv = program ? command_of(request, program, arena) : NULL;
  if (!argv)
    return -ENOMEM;
  int exit_status = 0;
  pl_buffer_clear(bitcode);
  pl_status status = run(argv, bitcode, &exit_status);
  if (status == -ENOMEM)
    return status;
  if (status) {
    pl_report(sink, PL_ERROR, "L-COMPILE", "%s: cannot run '%s cc': %s", request->source, program, strerror(-status));
    return status;
  }
  if (WIFEXITED(exit_status) && !WEXITSTATUS(exit_status))
    return 0;
  pl_report(sink, PL_ERROR, "L-COMPILE", "%s: not compiled for %s", request->source, request->profile);
  return -EBADMSG;
}
