/* profiles.h - what each GPU target offers, as data. profiles.c is the one table, with sources. */
#ifndef PIPELINK_PASSES_PROFILES_H
#define PIPELINK_PASSES_PROFILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct pl_profile {
  const char *name;        /* "sm_90a": the suffix is part of the identity */
  const char *nvvm_arch;   /* "compute_90a" */
  unsigned capability;     /* 90, 100, ... */
  uint64_t shared_per_cta; /* bytes, with opt-in */
  uint64_t shared_per_sm;  /* bytes */
  unsigned threads_per_cta;
  unsigned warps_per_sm;
  unsigned registers_per_sm;
  unsigned cluster_max;              /* CTAs per cluster that every GPU of the architecture takes; 1 means none */
  unsigned cluster_non_portable_max; /* with the opt-in, which a GPU may refuse */
  unsigned tmem_columns;             /* of tensor memory per SM; 0 means none */
} pl_profile;

/* NULL for a name that is not one of the five. */
const pl_profile *pl_profile_find(const char *name);
const pl_profile *pl_profile_at(size_t index); /* NULL past the end */
/* A known profile that differs only in suffix ("sm_90" -> "sm_90a"), for a helpful message; else NULL. */
const pl_profile *pl_profile_near(const char *name);

#endif
