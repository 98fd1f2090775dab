/* ptx_escapes.c - LLVM's escapes in inline-asm text, resolved before ptx_asm.c reads it as PTX. */
#include "ptx_asm.h"

#include <ctype.h>
#include <string.h>

/* "${0:x}" and "${:uid}" from behind the brace on; returns where the text goes on. */
static const char *braced(const char *at, const char *end, char **to) {
  const char *close = memchr(at, '}', (size_t)(end - at));
  if (!close) {
    *(*to)++ = '?';
    return end;
  }
  if (isdigit((unsigned char)*at)) {
    *(*to)++ = '\1';
    while (at < close && isdigit((unsigned char)*at))
      *(*to)++ = *at++;
    *(*to)++ = '\1';
  } else if (*at == ':') { /* ${:uid}: a number of the block's own, part of a name */
    *(*to)++ = '0';
  } else {
    *(*to)++ = '?';
  }
  return close + 1;
}

/* Behind "$|": past the alternatives that are not taken. */
static const char *past_alternatives(const char *at, const char *end) {
  while (at < end && !(end - at >= 2 && at[0] == '$' && at[1] == ')'))
    at++;
  return at < end ? at + 2 : end;
}

static const char *escape(const char *at, const char *end, char **to) {
  if (at == end) {
    *(*to)++ = '?';
    return at;
  }
  if (isdigit((unsigned char)*at)) {
    *(*to)++ = '\1';
    while (at < end && isdigit((unsigned char)*at))
      *(*to)++ = *at++;
    *(*to)++ = '\1';
    return at;
  }
  switch (*at) {
  case '$':
    *(*to)++ = '$';
    return at + 1;
  case '{':
    return at + 1 < end ? braced(at + 1, end, to) : (*(*to)++ = '?', end);
  case '(':
  case ')':
    return at + 1;
  case '|':
    return past_alternatives(at + 1, end);
  default:
    *(*to)++ = '?';
    return at;
  }
}

char *pl_ptx_resolve_escapes(const char *text, size_t size, pl_arena *arena) {
  /* "$0" grows by one byte, everything else shrinks or stays. */
  size_t dollars = 0;
  for (size_t i = 0; i < size; i++)
    dollars += text[i] == '$';
  char *resolved = pl_arena_alloc(arena, size + dollars + 1), *to = resolved;
  if (!resolved)
    return NULL;
  for (const char *at = text, *end = text + size; at < end;) {
    char c = *at++;
    if (c == '$')
      at = escape(at, end, &to);
    else
      *to++ = (unsigned char)c < ' ' && c != '\n' ? ' ' : c;
  }
  *to = '\0';
  return resolved;
}
