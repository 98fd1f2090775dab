/* response_file.c - see response_file.h. */
#include "response_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8, FILE_BYTES_MAX = 1 << 20 };

typedef struct arguments {
  char **items; /* malloc'ed */
  size_t count, capacity;
} arguments;

static bool push(arguments *list, char *item) {
  if (!item)
    return false;
  if (list->count + 1 >= list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 64;
    char **larger = realloc(list->items, capacity * sizeof *larger);
    if (!larger)
      return false;
    list->items = larger;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
  list->items[list->count] = NULL;
  return true;
}

/* The next word of the text, unquoted in place; NULL at the end. */
static char *next_word(char **cursor) {
  char *in = *cursor;
  while (isspace((unsigned char)*in))
    in++;
  if (!*in)
    return NULL;
  char *word = in, *out = in, quote = 0;
  for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
    if (quote ? *in == quote : *in == '\'' || *in == '"')
      quote = quote ? 0 : *in;
    else if (*in == '\\' && in[1] && quote != '\'')
      *out++ = *++in;
    else
      *out++ = *in;
  }
  *cursor = *in ? in + 1 : in;
  *out = 0;
  return word;
}

static int expand(const char *argument, unsigned depth, arguments *list, pl_arena *arena, const char *tool) {
  if (argument[0] != '@' || !argument[1])
    return push(list, pl_arena_strdup(arena, argument)) ? 0 : 1;
  if (depth == DEPTH_MAX) {
    fprintf(stderr, "%s: error: response file %s names itself, or is nested too deep\n", tool, argument);
    return 1;
  }
  char *text;
  size_t size;
  pl_status status = pl_file_read(argument + 1, FILE_BYTES_MAX, &text, &size);
  if (status) {
    fprintf(stderr, "%s: error: cannot read response file %s: %s\n", tool, argument + 1, strerror(-status));
    return 1;
  }
  int result = 0;
  char *cursor = text;
  for (char *word; !result && (word = next_word(&cursor));)
    result = expand(word, depth + 1, list, arena, tool);
  free(text);
  return result;
}

int response_files_expand(int *argc, char ***argv, pl_arena *arena, const char *tool) {
  arguments list = {0};
  int result = 0;
  for (int i = 0; i < *argc && !result; i++)
    result = i ? expand((*argv)[i], 0, &list, arena, tool) : push(&list, pl_arena_strdup(arena, (*argv)[0])) ? 0 : 1;
  char **items = result ? NULL : pl_arena_array(arena, list.count + 1, sizeof *items);
  if (items) {
    memcpy(items, list.items, list.count * sizeof *items);
    *argc = (int)list.count;
    *argv = items;
  }
  free(list.items);
  return items ? 0 : 1;
}
