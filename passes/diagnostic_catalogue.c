/* diagnostic_catalogue.c - the catalogue's tables as one, and looking a code up. */
#include "diagnostic_catalogue.h"

#include "edit_distance.h"

#include <string.h>
#include <strings.h>

static const pl_catalogue_part *const PARTS[] = {&pl_catalogue_seams, &pl_catalogue_resources, &pl_catalogue_kernel,
                                                 &pl_catalogue_code, &pl_catalogue_tools};

const pl_code_entry *pl_catalogue_at(size_t index) {
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    if (index < PARTS[i]->count)
      return &PARTS[i]->entries[index];
    index -= PARTS[i]->count;
  }
  return NULL;
}

/* "l-phase" and "phase" are "L-PHASE" too. */
static const char *without_prefix(const char *code) {
  return strncasecmp(code, "L-", 2) ? code : code + 2;
}

const pl_code_entry *pl_catalogue_find(const char *code) {
  const pl_code_entry *entry;
  for (size_t i = 0; (entry = pl_catalogue_at(i)); i++)
    if (!strcasecmp(without_prefix(code), entry->code + 2))
      return entry;
  return NULL;
}

const pl_code_entry *pl_catalogue_near(const char *code) {
  const char *name = without_prefix(code);
  const pl_code_entry *entry, *best = NULL;
  size_t best_distance = strlen(name) / 2 + 1; /* at least half of the letters must be right */
  for (size_t i = 0; (entry = pl_catalogue_at(i)); i++) {
    size_t distance = pl_edit_distance(name, entry->code + 2);
    if (distance < best_distance) {
      best = entry;
      best_distance = distance;
    }
  }
  return best;
}

const char *pl_family_words(pl_code_family family) {
  static const char *const words[PL_FAMILY_COUNT] = {
      "package",     "call seam",  "role",          "registers", "named barrier", "ring",          "shared memory",
      "TMEM",        "tensor",     "memory order",  "params",    "cluster",       "work and grid", "counters and peers",
      "interpreter", "IR hygiene", "after codegen", "tool"};
  return words[family];
}

const char *pl_outcome_words(pl_code_outcome outcome) {
  static const char *const words[] = {"no kernel can be made", "the launch fails", "hangs",
                                      "corrupts results",      "faults",           "runs slowly"};
  return words[outcome];
}

const char *pl_basis_words(pl_code_basis basis) {
  static const char *const words[] = {"declared", "verified", "declared and verified", "verified after codegen",
                                      "input"};
  return words[basis];
}
