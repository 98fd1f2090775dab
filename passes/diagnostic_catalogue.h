/* diagnostic_catalogue.h - every code that a diagnostic can carry: what it means and what to do about it.
 *
 * `pipelink explain`, docs/diagnostics.md, the rules of the SARIF output and --force-unsafe read this table; a test
 * holds it against the codes in the sources. Codes are stable names: one that was published keeps its meaning.
 */
#ifndef PIPELINK_PASSES_DIAGNOSTIC_CATALOGUE_H
#define PIPELINK_PASSES_DIAGNOSTIC_CATALOGUE_H

#include "diagnostics.h"

typedef enum pl_code_family {
  PL_FAMILY_PACKAGE,
  PL_FAMILY_CALL,
  PL_FAMILY_ROLE,
  PL_FAMILY_REGISTER,
  PL_FAMILY_BARRIER,
  PL_FAMILY_RING,
  PL_FAMILY_SHARED_MEMORY,
  PL_FAMILY_TENSOR_MEMORY,
  PL_FAMILY_TENSOR,
  PL_FAMILY_MEMORY_ORDER,
  PL_FAMILY_PARAMS,
  PL_FAMILY_CLUSTER,
  PL_FAMILY_WORK,
  PL_FAMILY_COUNTER,
  PL_FAMILY_INTERPRETER,
  PL_FAMILY_IR,
  PL_FAMILY_CODEGEN,
  PL_FAMILY_TOOL,
  PL_FAMILY_COUNT
} pl_code_family;

/* What the GPU would do if the composition ran. */
typedef enum pl_code_outcome {
  PL_OUTCOME_NOTHING, /* no kernel can be made */
  PL_OUTCOME_LAUNCH,  /* the launch fails */
  PL_OUTCOME_HANG,
  PL_OUTCOME_CORRUPT,
  PL_OUTCOME_FAULT,
  PL_OUTCOME_SLOW
} pl_code_outcome;

/* What is looked at. */
typedef enum pl_code_basis {
  PL_BASIS_DECLARED, /* contracts of both sides, and the placement */
  PL_BASIS_CODE,     /* the stages' code */
  PL_BASIS_BOTH,     /* declarations with each other, and the code as well */
  PL_BASIS_MACHINE,  /* what ptxas or nvJitLink made */
  PL_BASIS_INPUT     /* files, options, tools */
} pl_code_basis;

typedef struct pl_code_entry {
  const char *code; /* "L-PHASE" */
  pl_code_family family;
  pl_severity severity; /* as it is reported without options; where it varies, the gravest */
  pl_code_outcome outcome;
  pl_code_basis basis;
  bool is_forcible;         /* --force-unsafe=CODE may turn it into a warning: the link can go on without it */
  const char *arrives_with; /* the feature that will report it; NULL: it is reported today */
  /* For PL_BASIS_BOTH: what is compared between declarations, and what is looked for in the code. */
  const char *compared, *seen;
  const char *meaning, *consequence, *example, *fix; /* example: NULL only while the feature is to come */
} pl_code_entry;

/* The entries, by family and then in the order of their tables; NULL past the last. */
const pl_code_entry *pl_catalogue_at(size_t index);
/* NULL when there is no such code. Letters of either case, with or without "L-". */
const pl_code_entry *pl_catalogue_find(const char *code);
/* The entry whose name is nearest to a mistyped one; NULL when none is near. */
const pl_code_entry *pl_catalogue_near(const char *code);

const char *pl_family_words(pl_code_family family);
const char *pl_outcome_words(pl_code_outcome outcome);
const char *pl_basis_words(pl_code_basis basis);

/* diagnostic_catalogue_*.c: the tables, for diagnostic_catalogue.c alone. */
typedef struct pl_catalogue_part {
  const pl_code_entry *entries;
  size_t count;
} pl_catalogue_part;
extern const pl_catalogue_part pl_catalogue_seams, pl_catalogue_resources, pl_catalogue_kernel, pl_catalogue_code,
    pl_catalogue_tools;

#endif
