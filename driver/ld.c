/* ld.c - ld.pipelink, the program.
 *
 * The link itself runs in a child process: packages are other people's, and LLVM ends the process it runs in when
 * it meets what it cannot take. The parent shows progress on a terminal and tells when the child was lost.
 */
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_CRASHED = 70 }; /* EX_SOFTWARE */

/* After a second, one line that says what the linker is doing. Returns the last phase begun, or -1. */
static int follow(int progress) {
  const bool shows = isatty(STDERR_FILENO);
  const double start = pl_milliseconds();
  int phase = -1;
  bool shown = false;
  for (;;) {
    struct pollfd descriptor = {.fd = progress, .events = POLLIN};
    int ready = poll(&descriptor, 1, 250);
    unsigned char mark;
    if (ready < 0 && errno != EINTR)
      break;
    if (ready > 0) {
      ssize_t n = read(progress, &mark, 1);
      if (n == 0 || (n < 0 && errno != EINTR))
        break;
      if (n == 1)
        phase = mark;
    }
    double seconds = (pl_milliseconds() - start) / 1000;
    if (shows && seconds > 1 && phase >= 0) {
      fprintf(stderr, "\r\033[Kld.pipelink: %s, %.0f s", pipelink_phase_name((unsigned)phase), seconds);
      shown = true;
    }
  }
  if (shown)
    fprintf(stderr, "\r\033[K");
  return phase;
}

/* The child takes its diagnostics with it; this one takes their place. */
static void tell_loss(const link_request *request, const char *phase, int signal_number) {
  pl_sink sink;
  if (!pl_sink_init(&sink)) {
    pl_report(&sink, PL_ERROR, "L-LLVM", "the link was lost in phase %s (signal %d); nothing was written", phase,
              signal_number);
    pl_detail(&sink, "a package that was changed after packing, or a fault in LLVM or the CUDA libraries");
    pl_fix(&sink, "pack the stages again; --print-after= shows how far the link comes");
  }
  pl_report_show(&sink, "ld.pipelink", &request->report);
  pl_sink_free(&sink);
}

static int run_contained(const link_request *request) {
  int ends[2];
  if (pipe(ends)) {
    perror("ld.pipelink: error: pipe");
    return 1;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) {
    perror("ld.pipelink: error: fork");
    return 1;
  }
  if (!child) {
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is an error like a full disk */
    int status = pipelink_link(request, ends[1]);
    fflush(NULL);
    _exit(status);
  }
  close(ends[1]);
  int phase = follow(ends[0]), status = 0;
  close(ends[0]);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  tell_loss(request, phase >= 0 ? pipelink_phase_name((unsigned)phase) : "start", WTERMSIG(status));
  return EXIT_CRASHED;
}

int main(int argc, char **argv) {
  link_request request;
  pl_arena *arena = pl_arena_create();
  int status = arena ? link_options_read(argc, argv, arena, &request) : 1;
  if (status < 0)
    status = run_contained(&request);
  pl_arena_free(arena);
  return status;
}
