/* RUN: %test-programs/statistics-cover-the-median

   The interval that `pipelink bench` prints: of 4000 sets of samples from a skewed distribution with a known median, at
   least 95 % of the intervals hold it; and they are no wider than they need be, so that not all of them do. */
#include "Inputs/check.h"

#include "statistics.h"

#include <math.h>
#include <stdint.h>

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)((uint64_t)1 << 53);
}

static double coverage(size_t count) {
  enum { SETS = 4000 };
  double samples[200];
  uint64_t state = count;
  int covered = 0;
  for (int set = 0; set < SETS; set++) {
    for (size_t i = 0; i < count; i++)
      samples[i] = 1 - log1p(-uniform(&state)); /* exponential behind 1: its median is 1 + ln 2 */
    summary found = summarise(samples, count);
    CHECK(found.low <= found.median && found.median <= found.high);
    CHECK(found.quarter <= found.median && found.median <= found.three_quarters);
    covered += found.low <= 1 + log(2) && 1 + log(2) <= found.high;
  }
  return (double)covered / SETS;
}

int main(void) {
  static const size_t counts[] = {6, 11, 50, 100, 200};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    double covered = coverage(counts[i]);
    printf("%zu samples: %.4f\n", counts[i], covered);
    CHECK(covered > 0.945 && covered < 0.99);
  }
  double one_to_nine[] = {9, 1, 8, 2, 7, 3, 6, 4, 5};
  summary found = summarise(one_to_nine, 9);
  CHECK(found.median == 5 && found.quarter == 3 && found.three_quarters == 7);
  CHECK(found.low == 2 && found.high == 8); /* P(at most 1 of 9 below) = 10/512 < 2.5 %, at most 2: 46/512 */
  return CHECK_RESULT();
}
