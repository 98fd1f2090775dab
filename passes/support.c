/* support.c - see support.h. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- arena ---- */

struct block {
  struct block *next;
  size_t size, used; /* bytes behind the header */
  max_align_t data[];
};

struct pl_arena {
  struct block *blocks;
};

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 16 };

pl_arena *pl_arena_create(void) {
  return calloc(1, sizeof(pl_arena));
}

void pl_arena_free(pl_arena *arena) {
  if (!arena)
    return;
  for (struct block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(arena);
}

void *pl_arena_alloc(pl_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT - sizeof(struct block))
    return NULL;
  size_t size = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (!size)
    size = ALIGNMENT;
  struct block *block = arena->blocks;
  if (!block || block->size - block->used < size) {
    size_t capacity = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    block = calloc(1, sizeof *block + capacity);
    if (!block)
      return NULL;
    block->size = capacity;
    block->next = arena->blocks;
    arena->blocks = block;
  }
  void *memory = (char *)block->data + block->used;
  block->used += size;
  return memory;
}

void *pl_arena_array(pl_arena *arena, size_t count, size_t item_bytes) {
  size_t bytes;
  return __builtin_mul_overflow(count, item_bytes, &bytes) ? NULL : pl_arena_alloc(arena, bytes);
}

char *pl_arena_copy(pl_arena *arena, const void *bytes, size_t size) {
  char *copy = size < SIZE_MAX ? pl_arena_alloc(arena, size + 1) : NULL;
  if (copy && size)
    memcpy(copy, bytes, size);
  return copy;
}

char *pl_arena_strdup(pl_arena *arena, const char *text) {
  return text ? pl_arena_copy(arena, text, strlen(text)) : NULL;
}

char *pl_arena_vprintf(pl_arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = size < 0 ? NULL : pl_arena_alloc(arena, (size_t)size + 1);
  if (text)
    vsnprintf(text, (size_t)size + 1, format, arguments);
  return text;
}

char *pl_arena_printf(pl_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = pl_arena_vprintf(arena, format, arguments);
  va_end(arguments);
  return text;
}

/* ---- buffer ---- */

void pl_buffer_append(pl_buffer *buffer, const void *bytes, size_t size) {
  if (buffer->failed)
    return;
  if (size > SIZE_MAX / 4 || buffer->size > SIZE_MAX / 4) {
    buffer->failed = true;
    return;
  }
  size_t needed = buffer->size + size + 1;
  if (needed > buffer->capacity) {
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity < needed)
      capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (!data) {
      buffer->failed = true;
      return;
    }
    buffer->data = data;
    buffer->capacity = capacity;
  }
  if (size)
    memcpy(buffer->data + buffer->size, bytes, size);
  buffer->size += size;
  buffer->data[buffer->size] = 0;
}

void pl_buffer_puts(pl_buffer *buffer, const char *text) {
  pl_buffer_append(buffer, text, strlen(text));
}

void pl_buffer_vprintf(pl_buffer *buffer, const char *format, va_list arguments) {
  char small[512];
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(small, sizeof small, format, again);
  va_end(again);
  if (size < 0) {
    buffer->failed = true;
  } else if ((size_t)size < sizeof small) {
    pl_buffer_append(buffer, small, (size_t)size);
  } else {
    char *text = malloc((size_t)size + 1);
    if (!text) {
      buffer->failed = true;
      return;
    }
    vsnprintf(text, (size_t)size + 1, format, arguments);
    pl_buffer_append(buffer, text, (size_t)size);
    free(text);
  }
}

void pl_buffer_printf(pl_buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pl_buffer_vprintf(buffer, format, arguments);
  va_end(arguments);
}

void pl_buffer_clear(pl_buffer *buffer) {
  buffer->size = 0;
  buffer->failed = false;
  if (buffer->data)
    buffer->data[0] = 0;
}

void pl_buffer_free(pl_buffer *buffer) {
  free(buffer->data);
  *buffer = (pl_buffer){0};
}

/* ---- files ---- */

pl_status pl_file_read(const char *path, size_t limit, char **data, size_t *size) {
  pl_status status = 0;
  char *bytes = NULL;
  *data = NULL;
  *size = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return -errno;
  struct stat info;
  if (fstat(file, &info)) {
    status = -errno;
    goto out;
  }
  if (S_ISDIR(info.st_mode)) {
    status = -EISDIR;
    goto out;
  }
  if (!S_ISREG(info.st_mode)) {
    status = -EINVAL;
    goto out;
  }
  if ((uint64_t)info.st_size > limit) {
    status = -EFBIG;
    goto out;
  }
  size_t wanted = (size_t)info.st_size, got = 0;
  bytes = malloc(wanted + 1);
  if (!bytes) {
    status = -ENOMEM;
    goto out;
  }
  while (got < wanted) {
    ssize_t n = read(file, bytes + got, wanted - got);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      status = -errno;
      goto out;
    }
    if (!n)
      break; /* the file shrank: what is there is what it holds */
    got += (size_t)n;
  }
  bytes[got] = 0;
  *data = bytes;
  *size = got;
  bytes = NULL;
out:
  free(bytes);
  close(file);
  return status;
}

struct output {
  struct output *next;
  char *path, *temporary; /* temporary is NULL while no file exists */
  char *data;
  size_t size;
  bool is_stream; /* the path is a device, a pipe or standard output: written in place */
};

struct pl_outputs {
  struct output *first, **last;
};

pl_outputs *pl_outputs_create(void) {
  pl_outputs *outputs = calloc(1, sizeof *outputs);
  if (outputs)
    outputs->last = &outputs->first;
  return outputs;
}

pl_status pl_outputs_add(pl_outputs *outputs, const char *path, const void *data, size_t size) {
  struct output *output = calloc(1, sizeof *output);
  char *name = strdup(path), *copy = malloc(size ? size : 1);
  if (!output || !name || !copy) {
    free(output);
    free(name);
    free(copy);
    return -ENOMEM;
  }
  if (size)
    memcpy(copy, data, size);
  output->path = name;
  output->data = copy;
  output->size = size;
  *outputs->last = output;
  outputs->last = &output->next;
  return 0;
}

static pl_status write_all(int file, const char *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = write(file, data + done, size - done);
    if (n < 0 && errno != EINTR)
      return -errno;
    if (n > 0)
      done += (size_t)n;
  }
  return 0;
}

static pl_status write_temporary(struct output *output) {
  char *name = malloc(strlen(output->path) + 16);
  if (!name)
    return -ENOMEM;
  sprintf(name, "%s.tmpXXXXXX", output->path);
  int file = mkostemp(name, O_CLOEXEC);
  if (file < 0) {
    pl_status status = -errno;
    free(name);
    return status;
  }
  output->temporary = name;
  pl_status status = write_all(file, output->data, output->size);
  mode_t mask = umask(0);
  umask(mask);
  if (!status && fchmod(file, 0666 & ~mask))
    status = -errno;
  if (close(file) && !status)
    status = -errno;
  return status;
}

/* Standard output or error when that is what the path leads to (/dev/stdout, or the file that the shell sent it to). */
static int standard_stream(const struct stat *info) {
  struct stat open_file;
  for (int file = STDOUT_FILENO; file <= STDERR_FILENO; file++)
    if (!fstat(file, &open_file) && open_file.st_dev == info->st_dev && open_file.st_ino == info->st_ino)
      return file;
  return -1;
}

/* A device, a pipe, what is open already: there is nothing to rename onto, and renaming would replace the device. */
static pl_status write_stream(const struct output *output) {
  struct stat info;
  int stream = stat(output->path, &info) ? -1 : standard_stream(&info);
  if (stream >= 0) /* where it has got to, after what was printed before */
    return write_all(stream, output->data, output->size);
  int file = open(output->path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return -errno;
  pl_status status = write_all(file, output->data, output->size);
  if (close(file) && !status)
    status = -errno;
  return status;
}

static pl_status prepare(struct output *output) {
  struct stat info;
  if (!stat(output->path, &info)) {
    if (S_ISDIR(info.st_mode))
      return -EISDIR;
    if (!S_ISREG(info.st_mode) || standard_stream(&info) >= 0) {
      output->is_stream = true;
      return 0;
    }
  }
  return write_temporary(output);
}

pl_status pl_outputs_commit(pl_outputs *outputs, const char **failed_path) {
  pl_status status = 0;
  struct output *output;
  *failed_path = NULL;
  for (output = outputs->first; output; output = output->next) {
    if ((status = prepare(output)))
      goto fail;
  }
  for (output = outputs->first; output; output = output->next) {
    if (output->is_stream && (status = write_stream(output)))
      goto fail;
  }
  for (output = outputs->first; output; output = output->next) {
    if (!output->is_stream && rename(output->temporary, output->path)) {
      status = -errno;
      goto fail;
    }
    free(output->temporary);
    output->temporary = NULL;
  }
  return 0;
fail:
  *failed_path = output->path;
  for (output = outputs->first; output; output = output->next) {
    if (output->temporary) {
      unlink(output->temporary);
      free(output->temporary);
      output->temporary = NULL;
    }
  }
  return status;
}

void pl_outputs_free(pl_outputs *outputs) {
  if (!outputs)
    return;
  for (struct output *output = outputs->first, *next; output; output = next) {
    next = output->next;
    free(output->path);
    free(output->temporary);
    free(output->data);
    free(output);
  }
  free(outputs);
}

double pl_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

const char *pl_path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
