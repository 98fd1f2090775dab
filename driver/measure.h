/* measure.h - times kernels against each other: interleaved, in batches, by GPU events.
 *
 * One sample is a batch of launches of one kernel, recorded as a CUDA graph so that the time between launches is the
 * GPU's, not the CPU's, and long enough that the events' resolution does not matter. A round takes one sample of every
 * kernel, in an order shuffled anew each time, so that drift of clocks and temperature meets all alike. All rounds are
 * queued without waiting in between: the GPU never idles and starts every sample warm.
 */
#ifndef PIPELINK_DRIVER_MEASURE_H
#define PIPELINK_DRIVER_MEASURE_H

#include "kernel.h"

typedef struct kernel_measurement {
  size_t rounds;    /* in: samples of each kernel */
  size_t warmup;    /* in: rounds before, not counted */
  size_t batch;     /* out: launches per sample */
  double **samples; /* out: samples[kernel][round], milliseconds per launch; the caller makes room */
} kernel_measurement;

/* All kernels in the same, current context, with their parameters set. */
pipelink_code measure(pipelink_kernel *const *kernels, size_t kernel_count, const uint32_t grid[3],
                      kernel_measurement *measurement, pipelink_error *error);

#endif
