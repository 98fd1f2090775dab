/* profiles.c - the one table of GPU targets. Everything that asks what a GPU offers reads it here.
 *
 * Sources: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability" (shared memory,
 * threads, warps, registers; 1 KB per CTA of the SM's shared memory is reserved by the system); PTX ISA 9.0,
 * "Cluster of Cooperative Thread Arrays" and CUDA's portable cluster size (8; 16 with the function attribute
 * cudaFuncAttributeNonPortableClusterSizeAllowed, CUDA C++ Programming Guide, "Thread Block Clusters", and the Hopper
 * and Blackwell tuning guides); compute capability 12.x runs clusters of one CTA only (CUTLASS, Blackwell
 * functionality: GeForce has no multicast and cluster shape 1x1x1); PTX ISA 9.0, "Tensor Memory" (512 columns of 128
 * lanes, with tcgen05, on the 100 and 103 families only).
 */
#include "profiles.h"

#include <string.h>

/* clang-format off */
static const pl_profile profiles[] = {
    /* name     nvvm_arch      capability  shared: CTA, SM    threads  warps  registers  cluster: all, opt-in  TMEM */
    {"sm_90a",  "compute_90a",   90,       232448, 233472,    1024,    64,    65536,     8,      16,              0},
    {"sm_100a", "compute_100a", 100,       232448, 233472,    1024,    64,    65536,     8,      16,            512},
    {"sm_103a", "compute_103a", 103,       232448, 233472,    1024,    64,    65536,     8,      16,            512},
    {"sm_120a", "compute_120a", 120,       101376, 102400,    1024,    48,    65536,     1,       1,              0},
    {"sm_121a", "compute_121a", 121,       101376, 102400,    1024,    48,    65536,     1,       1,              0},
};
/* clang-format on */

enum { PROFILE_COUNT = sizeof profiles / sizeof *profiles };

const pl_profile *pl_profile_at(size_t index) {
  return index < PROFILE_COUNT ? &profiles[index] : NULL;
}

const pl_profile *pl_profile_find(const char *name) {
  for (size_t i = 0; i < PROFILE_COUNT; i++)
    if (!strcmp(profiles[i].name, name))
      return &profiles[i];
  return NULL;
}

const pl_profile *pl_profile_near(const char *name) {
  for (size_t i = 0; i < PROFILE_COUNT; i++) {
    size_t stem = strlen(profiles[i].name) - 1; /* without the suffix, which is one letter */
    if (!strncmp(profiles[i].name, name, stem) && (!name[stem] || (strchr("af", name[stem]) && !name[stem + 1])) &&
        strcmp(profiles[i].name, name) != 0)
      return &profiles[i];
  }
  return NULL;
}
