/* optimise.c - ninth phase: LLVM's own -O3 over the whole kernel.
 *
 * Stages come raw from clang, so this is the first and only time their code is optimised: the passes see what they
 * would see had everything been one file, which is why nothing of a seam is left. verify.c looks at the result.
 */
#include "link.h"

pl_status pl_phase_optimise(pl_link *link) {
  return pl_module_run(link, "default<O3>,globaldce");
}
