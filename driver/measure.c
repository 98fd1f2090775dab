/* measure.c - see measure.h. */
#include "measure.h"

#include "element.h"

#include <math.h>
#include <stdlib.h>

/* A sample lasts at least this long. Events resolve about half a microsecond (cuEventRecord, driver API
 * reference 13.0): 0.05 % of it. */
static const double sample_milliseconds = 1.0;
enum { BATCH_MAX = 4096 };

struct bench {
  const pl_cuda_driver *driver;
  pipelink_kernel *const *kernels;
  size_t kernel_count;
  const uint32_t *grid;
  CUstream stream;
  CUgraphExec *graphs; /* one per kernel */
  CUevent *events;     /* two per sample, in the order of samples[round][kernel] */
  size_t event_count;
  size_t *order; /* of the kernels in a round */
  pipelink_error *error;
};

static pipelink_code check(const struct bench *bench, CUresult result, const char *what) {
  return pl_cuda_check(bench->driver, result, bench->error, "%s", what);
}

static pipelink_code out_of_memory(const struct bench *bench) {
  return pl_error_set(bench->error, PIPELINK_ERROR_MEMORY, "out of memory for the measurement");
}

/* ---- a batch as a graph ---- */

static pipelink_code capture(const struct bench *bench, pipelink_kernel *kernel, size_t batch, CUgraph *graph) {
  pipelink_launch_options launch = {
      .size = sizeof launch, .grid = {bench->grid[0], bench->grid[1], bench->grid[2]}, .stream = bench->stream};
  pipelink_code code = check(bench, bench->driver->stream_begin_capture(bench->stream, CU_STREAM_CAPTURE_MODE_RELAXED),
                             "capture of launches");
  if (code)
    return code;
  for (size_t i = 0; i < batch && !code; i++)
    code = pipelink_kernel_launch(kernel, &launch, bench->error);
  CUresult ended = bench->driver->stream_end_capture(bench->stream, graph);
  return code ? code : check(bench, ended, "capture of launches");
}

/* Replaces every kernel's graph by one of `batch` launches. */
static pipelink_code build_graphs(const struct bench *bench, size_t batch) {
  for (size_t i = 0; i < bench->kernel_count; i++) {
    if (bench->graphs[i])
      bench->driver->graph_exec_destroy(bench->graphs[i]);
    bench->graphs[i] = NULL;
    CUgraph graph = NULL;
    pipelink_code code = capture(bench, bench->kernels[i], batch, &graph);
    if (!code)
      code = check(bench, bench->driver->graph_instantiate(&bench->graphs[i], graph, 0), "graph of launches");
    if (graph)
      bench->driver->graph_destroy(graph);
    if (code)
      return code;
  }
  return PIPELINK_OK;
}

/* ---- samples ---- */

static pipelink_code take_sample(const struct bench *bench, size_t kernel, CUevent start, CUevent end) {
  pipelink_code code = check(bench, bench->driver->event_record(start, bench->stream), "event");
  if (!code)
    code = check(bench, bench->driver->graph_launch(bench->graphs[kernel], bench->stream), "launch of a graph");
  return code ? code : check(bench, bench->driver->event_record(end, bench->stream), "event");
}

static pipelink_code read_sample(const struct bench *bench, CUevent start, CUevent end, double *milliseconds) {
  float elapsed = 0;
  pipelink_code code = check(bench, bench->driver->event_elapsed(&elapsed, start, end), "time of a sample");
  *milliseconds = (double)elapsed;
  return code;
}

static pipelink_code wait(const struct bench *bench) {
  return check(bench, bench->driver->stream_synchronize(bench->stream), "a kernel failed on the GPU");
}

static pipelink_code warm_up(const struct bench *bench, size_t rounds) {
  for (size_t round = 0; round < rounds; round++)
    for (size_t i = 0; i < bench->kernel_count; i++) {
      pipelink_code code =
          check(bench, bench->driver->graph_launch(bench->graphs[i], bench->stream), "launch of a graph");
      if (code)
        return code;
    }
  return PIPELINK_OK;
}

/* Launches per sample, from the time of the fastest kernel: the third launch of each, when code and data are in place.
 */
static pipelink_code choose_batch(const struct bench *bench, size_t *batch) {
  double fastest = INFINITY;
  pipelink_code code = build_graphs(bench, 1);
  if (!code)
    code = warm_up(bench, 2);
  for (size_t i = 0; i < bench->kernel_count && !code; i++) {
    double milliseconds = 0;
    code = take_sample(bench, i, bench->events[0], bench->events[1]);
    if (!code)
      code = wait(bench);
    if (!code)
      code = read_sample(bench, bench->events[0], bench->events[1], &milliseconds);
    if (milliseconds < fastest)
      fastest = milliseconds;
  }
  double launches = fastest > 0 ? ceil(sample_milliseconds / fastest) : BATCH_MAX;
  *batch = launches < BATCH_MAX ? (size_t)launches : BATCH_MAX;
  return code;
}

static void shuffle(size_t *order, size_t count, uint64_t *state) {
  for (size_t i = count; i > 1; i--) {
    size_t other = (size_t)(random_next(state) % i), kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

static pipelink_code take_samples(const struct bench *bench, kernel_measurement *measurement) {
  size_t count = bench->kernel_count;
  uint64_t state = 1;
  for (size_t i = 0; i < count; i++)
    bench->order[i] = i;
  pipelink_code code = warm_up(bench, measurement->warmup);
  for (size_t round = 0; round < measurement->rounds && !code; round++) {
    shuffle(bench->order, count, &state);
    for (size_t place = 0; place < count && !code; place++) {
      size_t kernel = bench->order[place];
      CUevent *events = &bench->events[2 * (round * count + kernel)];
      code = take_sample(bench, kernel, events[0], events[1]);
    }
  }
  if (!code)
    code = wait(bench);
  for (size_t round = 0; round < measurement->rounds && !code; round++)
    for (size_t kernel = 0; kernel < count && !code; kernel++) {
      CUevent *events = &bench->events[2 * (round * count + kernel)];
      double milliseconds = 0;
      code = read_sample(bench, events[0], events[1], &milliseconds);
      measurement->samples[kernel][round] = milliseconds / (double)measurement->batch;
    }
  return code;
}

/* ---- what it needs ---- */

static pipelink_code prepare(struct bench *bench, size_t rounds) {
  bench->event_count = 2 * rounds * bench->kernel_count;
  bench->graphs = calloc(bench->kernel_count, sizeof(CUgraphExec));
  bench->events = calloc(bench->event_count, sizeof(CUevent));
  bench->order = calloc(bench->kernel_count, sizeof(size_t));
  if (!bench->graphs || !bench->events || !bench->order)
    return out_of_memory(bench);
  pipelink_code code = check(bench, bench->driver->stream_create(&bench->stream, CU_STREAM_NON_BLOCKING), "stream");
  for (size_t i = 0; i < bench->event_count && !code; i++)
    code = check(bench, bench->driver->event_create(&bench->events[i], CU_EVENT_DEFAULT), "event");
  return code;
}

static void clean_up(struct bench *bench) {
  const pl_cuda_driver *driver = bench->driver;
  for (size_t i = 0; bench->graphs && i < bench->kernel_count; i++)
    if (bench->graphs[i])
      driver->graph_exec_destroy(bench->graphs[i]);
  for (size_t i = 0; bench->events && i < bench->event_count; i++)
    if (bench->events[i])
      driver->event_destroy(bench->events[i]);
  if (bench->stream)
    driver->stream_destroy(bench->stream);
  free(bench->graphs);
  free(bench->events);
  free(bench->order);
}

pipelink_code measure(pipelink_kernel *const *kernels, size_t kernel_count, const uint32_t grid[3],
                      kernel_measurement *measurement, pipelink_error *error) {
  struct bench bench = {
      .driver = &kernels[0]->driver, .kernels = kernels, .kernel_count = kernel_count, .grid = grid, .error = error};
  pipelink_code code = prepare(&bench, measurement->rounds);
  if (!code)
    code = choose_batch(&bench, &measurement->batch);
  if (!code && measurement->batch > 1)
    code = build_graphs(&bench, measurement->batch);
  if (!code)
    code = take_samples(&bench, measurement);
  clean_up(&bench);
  return code;
}
