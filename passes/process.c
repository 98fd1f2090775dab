/* process.c - see process.h. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pl_status read_all(int file, pl_buffer *output) {
  char chunk[4096];
  for (;;) {
    ssize_t size = read(file, chunk, sizeof chunk);
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      return size < 0 ? -errno : 0;
    pl_buffer_append(output, chunk, (size_t)size);
  }
}

/* `write_end` becomes stdout and stderr of the child, which starts with default signal handling. */
static pl_status spawn(const char *const *argv, int write_end, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return -error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return -error;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (!(error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) &&
      !(error = posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO)) &&
      !(error = posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO)) &&
      !(error = posix_spawnattr_setsigmask(&attributes, &none)) &&
      !(error = posix_spawnattr_setsigdefault(&attributes, &all)) &&
      !(error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
    /* posix_spawn's argv is not const for historical reasons; the strings are not written to. */
    error = posix_spawn(child, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return -error;
}

pl_status pl_process_run(const char *const *argv, pl_buffer *output, int *exit_code) {
  int ends[2];
  pid_t child;
  *exit_code = -1;
  if (pipe2(ends, O_CLOEXEC))
    return -errno;
  pl_status status = spawn(argv, ends[1], &child);
  close(ends[1]);
  if (!status) {
    status = read_all(ends[0], output);
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
      if (errno != EINTR) {
        status = status ? status : -errno;
        break;
      }
    }
    *exit_code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
  }
  close(ends[0]);
  return status ? status : output->failed ? -ENOMEM : 0;
}

const char *pl_process_find(const char *program, pl_arena *arena) {
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *candidate = pl_arena_printf(arena, "%.*s%s%s", (int)length, path, length ? "/" : "./", program);
    if (candidate && !access(candidate, X_OK))
      return candidate;
    path += length + (path[length] == ':');
  }
  return NULL;
}
