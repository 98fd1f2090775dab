/* prefix.c - where the running program lies, so that it finds its neighbours; and its one-line errors. */
#include "commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *pipelink_prefix(void) {
  size_t capacity = 256;
  char *path = NULL;
  for (;;) {
    char *larger = realloc(path, capacity);
    if (!larger)
      break;
    path = larger;
    ssize_t length = readlink("/proc/self/exe", path, capacity);
    if (length < 0)
      break;
    if ((size_t)length == capacity) { /* perhaps cut off */
      capacity *= 2;
      continue;
    }
    path[length] = 0;
    for (int up = 0; up < 2; up++) { /* the program's name, then "bin" */
      char *slash = strrchr(path, '/');
      if (!slash)
        break;
      *slash = 0;
    }
    return path;
  }
  free(path);
  return NULL;
}

char *pipelink_path(const char *prefix, const char *relative) {
  size_t size = strlen(prefix) + 1 + strlen(relative) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/%s", prefix, relative);
  return path;
}

void pipelink_complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("pipelink: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
