/* package_from_memory.c - reads a package from memory, then overwrites the memory and the name, and shows what the
 * package holds. Used by a-package-keeps-nothing-of-the-callers.test. */
#include "package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const pl_package *package) {
  char digest[65];
  printf("%s: %s %s, %s\n", package->path, package->name, package->version, package->sha256);
  for (size_t i = 0; i < package->member_count; i++) {
    pl_sha256(package->members[i].data, package->members[i].size, digest);
    printf("%s %s\n", package->members[i].name, strcmp(digest, package->members[i].sha256) ? "changed" : "whole");
  }
  for (size_t i = 0; i < package->code_count; i++)
    printf("%s %s\n", package->codes[i].profile, package->codes[i].contract.seams[0].function);
}

int main(int argc, char **argv) {
  char *data;
  size_t size;
  pl_sink sink;
  pl_package package;
  pl_arena *arena = pl_arena_create();
  if (argc != 2 || !arena || pl_sink_init(&sink) || pl_file_read(argv[1], 1 << 20, &data, &size))
    return 1;
  pl_status status = pl_package_read_memory(argv[1], data, size, arena, &sink, &package);
  if (!status) {
    show(&package);
    memset(data, 0xee, size);
    memset(argv[1], 'x', strlen(argv[1]));
    show(&package);
  }
  free(data);
  pl_arena_free(arena);
  pl_sink_free(&sink);
  return status != 0;
}
