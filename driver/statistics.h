/* statistics.h - medians and their spread, without assumptions on how times are distributed. */
#ifndef PIPELINK_DRIVER_STATISTICS_H
#define PIPELINK_DRIVER_STATISTICS_H

#include <stddef.h>

/* Below this many samples no interval of order statistics covers a median with 95 %: 2 * 0.5^5 = 0.0625. */
enum { STATISTICS_SAMPLES_MIN = 6 };

typedef struct summary {
  double median;
  double quarter, three_quarters; /* a quarter of the samples is at most, or at least, this */
  double low, high;               /* the median lies between them with at least 95 % confidence */
} summary;

/* Sorts the samples. `count` is at least STATISTICS_SAMPLES_MIN. */
summary summarise(double *samples, size_t count);

#endif
