/* edit_distance.c - see edit_distance.h. */
#include "edit_distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { NAME_LIMIT = 32 };

static bool is_same(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t pl_edit_distance(const char *a, const char *b) {
  size_t rows = strlen(a), columns = strlen(b);
  size_t table[NAME_LIMIT + 1][NAME_LIMIT + 1];
  if (rows > NAME_LIMIT || columns > NAME_LIMIT)
    return NAME_LIMIT;
  for (size_t i = 0; i <= rows; i++) {
    for (size_t j = 0; j <= columns; j++) {
      if (!i || !j) {
        table[i][j] = i + j;
        continue;
      }
      size_t best = table[i - 1][j - 1] + !is_same(a[i - 1], b[j - 1]);
      if (table[i - 1][j] + 1 < best)
        best = table[i - 1][j] + 1;
      if (table[i][j - 1] + 1 < best)
        best = table[i][j - 1] + 1;
      if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]) &&
          table[i - 2][j - 2] + 1 < best)
        best = table[i - 2][j - 2] + 1;
      table[i][j] = best;
    }
  }
  return table[rows][columns];
}
