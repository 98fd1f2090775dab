/* support.h - memory, text and files for the whole linker.
 *
 * Nothing here knows about GPUs. Every allocation can fail and says so; nothing prints or exits.
 */
#ifndef PIPELINK_PASSES_SUPPORT_H
#define PIPELINK_PASSES_SUPPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0, or a negative errno value. The message that goes with a failure is in the diagnostics sink. */
typedef int pl_status;

#define PL_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))

/* ---- arena: memory that lives as long as one link and is freed in one go ---- */
typedef struct pl_arena pl_arena;

pl_arena *pl_arena_create(void);                     /* NULL when out of memory */
void pl_arena_free(pl_arena *arena);                 /* accepts NULL */
void *pl_arena_alloc(pl_arena *arena, size_t bytes); /* zeroed, 16-byte aligned; NULL when out of memory */
void *pl_arena_array(pl_arena *arena, size_t count, size_t item_bytes); /* checked product; otherwise as above */
char *pl_arena_copy(pl_arena *arena, const void *bytes, size_t size);   /* `size` bytes and a final NUL */
char *pl_arena_strdup(pl_arena *arena, const char *text);               /* NULL for NULL */
char *pl_arena_printf(pl_arena *arena, const char *format, ...) PL_PRINTF(2, 3);
char *pl_arena_vprintf(pl_arena *arena, const char *format, va_list arguments);

/* ---- buffer: text or bytes that grow; a failed allocation sticks and is asked for once, at the end ---- */
typedef struct pl_buffer {
  char *data;      /* owned; NUL-terminated when size > 0 */
  size_t size;     /* bytes in use, without the NUL */
  size_t capacity; /* bytes allocated */
  bool failed;     /* an allocation failed: the content is incomplete */
} pl_buffer;

void pl_buffer_append(pl_buffer *buffer, const void *bytes, size_t size);
void pl_buffer_puts(pl_buffer *buffer, const char *text);
void pl_buffer_printf(pl_buffer *buffer, const char *format, ...) PL_PRINTF(2, 3);
void pl_buffer_vprintf(pl_buffer *buffer, const char *format, va_list arguments);
void pl_buffer_clear(pl_buffer *buffer); /* keeps the memory, forgets content and failure */
void pl_buffer_free(pl_buffer *buffer);

/* ---- files ---- */

/* Reads a whole regular file of at most `limit` bytes into malloc'ed memory with a NUL behind it.
 * -ENOENT, -EACCES, -EISDIR, -EFBIG (larger than limit), -ENOMEM, -EIO. The caller frees *data. */
pl_status pl_file_read(const char *path, size_t limit, char **data, size_t *size);

/* Output files that appear all together or not at all: content is written beside each final name and
 * renamed only when every one is complete. A path that is a device or a pipe (/dev/stdout) is written in place, just
 * before the renaming. */
typedef struct pl_outputs pl_outputs;

pl_outputs *pl_outputs_create(void);
/* Copies path and content. */
pl_status pl_outputs_add(pl_outputs *outputs, const char *path, const void *data, size_t size);
/* Writes and renames. On failure nothing is left behind; *failed_path (owned by outputs) says where. */
pl_status pl_outputs_commit(pl_outputs *outputs, const char **failed_path);
void pl_outputs_free(pl_outputs *outputs); /* accepts NULL */

/* Milliseconds on the monotonic clock. */
double pl_milliseconds(void);

/* Last path component. */
const char *pl_path_base(const char *path);

#endif
