/* fuzz_manifest.c - pl_manifest_parse on any text, which reads the contracts too; and pl_type_accepts on the types that
 * they bring. */
#include "package.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every type stands in for itself; for two types, either it does, or there is a reason. */
static void compare_types(const pl_contract *contract, pl_arena *arena) {
  enum { MOST = 24 };
  const pl_type *types[MOST];
  size_t count = 0;
  for (size_t i = 0; i < contract->seam_count; i++) {
    const pl_seam *seam = &contract->seams[i];
    for (size_t j = 0; j < seam->argument_count && count < MOST; j++)
      types[count++] = seam->arguments[j];
    if (count < MOST)
      types[count++] = seam->result;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      const char *why;
      bool is_accepted = pl_type_accepts(types[i], types[j], arena, &why);
      if (is_accepted != !why || (i == j && !is_accepted))
        abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  pl_package package;
  if (arena && !pl_sink_init(&sink)) {
    pl_status status = pl_manifest_parse((const char *)data, size, "fuzz.plink", arena, &sink, &package);
    if (status ? sink.error_count != 1 : sink.count != 0)
      abort();
    for (size_t i = 0; !status && i < package.code_count; i++)
      compare_types(&package.codes[i].contract, arena);
    pl_sink_free(&sink);
  }
  pl_arena_free(arena);
  return 0;
}
