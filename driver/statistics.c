/* statistics.c - see statistics.h. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* How many of the smallest samples, and of the largest, lie outside the interval. The number of samples below the true
 * median is binomial with p = 1/2, whatever the distribution; so the interval from sample number k (counted from 0) to
 * its mirror image misses the median with probability 2 * P(at most k below). */
static size_t samples_outside(size_t count) {
  double log_probability = (double)count * log(0.5), tail = 0; /* of exactly k below */
  for (size_t k = 0; k < count; k++) {
    tail += exp(log_probability);
    if (2 * tail > 0.05)
      return k ? k - 1 : 0;
    log_probability += log((double)(count - k) / (double)(k + 1));
  }
  return 0;
}

/* Linear between neighbours. */
static double quantile(const double *sorted, size_t count, double fraction) {
  double place = fraction * (double)(count - 1);
  size_t below = (size_t)place;
  size_t above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

summary summarise(double *samples, size_t count) {
  qsort(samples, count, sizeof *samples, compare);
  size_t outside = samples_outside(count);
  return (summary){.median = quantile(samples, count, 0.5),
                   .quarter = quantile(samples, count, 0.25),
                   .three_quarters = quantile(samples, count, 0.75),
                   .low = samples[outside],
                   .high = samples[count - 1 - outside]};
}
