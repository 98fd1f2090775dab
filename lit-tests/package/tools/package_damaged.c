/* package_damaged.c - reads every shortened form of a package, and every form with one bit flipped. Used by
 * a-damaged-package-is-refused.test. */
#include "package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum outcome { ACCEPTED, REFUSED, BROKEN } outcome;

/* Reads a package; a digest of what was read goes to `content`. */
static outcome read_package(const char *data, size_t size, char content[65]) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  if (pl_sink_init(&sink) || !arena)
    exit(2);
  pl_package package;
  pl_status status = pl_package_read_memory("x.plink", data, size, arena, &sink, &package);
  outcome result = status ? REFUSED : ACCEPTED;
  if (status && (sink.error_count != 1 || sink.out_of_memory)) {
    printf("status %d with %zu errors\n", status, sink.error_count);
    result = BROKEN;
  }
  if (!status) {
    pl_buffer all = {0};
    pl_buffer_puts(&all, package.manifest);
    for (size_t i = 0; i < package.member_count; i++)
      pl_buffer_append(&all, package.members[i].data, package.members[i].size);
    pl_sha256(all.data, all.size, content);
    pl_buffer_free(&all);
  }
  pl_arena_free(arena);
  pl_sink_free(&sink);
  return result;
}

int main(int argc, char **argv) {
  char *data, whole[65], content[65];
  size_t size, refused = 0, harmless = 0;
  bool is_sealed = argc == 3 && !strcmp(argv[2], "sealed");
  if (argc != 3 || pl_file_read(argv[1], 1 << 20, &data, &size) || read_package(data, size, whole) != ACCEPTED)
    return 1;
  printf("whole: accepted\n");

  for (size_t shorter = 0; shorter < size; shorter++) {
    /* A copy of exactly that size, so that a sanitizer sees a read beyond it. */
    char *copy = malloc(shorter ? shorter : 1);
    if (!copy)
      return 2;
    memcpy(copy, data, shorter);
    refused += read_package(copy, shorter, content) == REFUSED;
    free(copy);
  }
  printf("shortened: %zu of %zu refused\n", refused, size);
  if (refused != size)
    return 1;

  refused = 0;
  for (size_t bit = 0; bit < size * 8; bit++) {
    data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
    outcome result = read_package(data, size, content);
    refused += result == REFUSED;
    harmless += result == ACCEPTED && !strcmp(whole, content);
    if (result == ACCEPTED && is_sealed)
      printf("accepted: bit %zu\n", bit);
    data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
  }
  free(data);
  if (is_sealed)
    printf("one bit flipped: %zu of %zu refused\n", refused, size * 8);
  else if (refused + harmless == size * 8)
    printf("one bit flipped: all refused or read the same\n");
  return is_sealed ? refused != size * 8 : refused + harmless != size * 8;
}
