/* bench.c - `pipelink bench`: times several kernels that take the same parameters against each other. */
#include "commands.h"
#include "measure.h"
#include "statistics.h"
#include "values.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One kernel under test, and what was found. */
struct subject {
  const char *label;  /* as given: PATH[:ENTRY] */
  char *path, *entry; /* owned; entry is NULL when not given */
  summary time;       /* milliseconds per launch */
  summary ratio;      /* to the first kernel, round by round */
};

struct request {
  char *const *subjects; /* PATH[:ENTRY]... */
  size_t subject_count;
  const char *launch_path;
  uint32_t grid[3];
  size_t rounds, warmup;
  bool json, check;
  const char *json_path; /* NULL: standard output, instead of the table */
  kernel_values values;
};

struct bench_run {
  struct subject *subjects;
  pipelink_kernel **kernels;
  double **samples, *ratios;
  kernel_measurement measurement;
};

static void print_help(void) {
  puts(
      "usage: pipelink bench A.cubin B.cubin[:ENTRY] ... --grid=X[,Y[,Z]] [--set NAME=VALUE]...\n"
      "\n"
      "Times kernels that take the same parameters against each other, on the same memory. Launches are interleaved:\n"
      "every round takes one sample of each kernel, in shuffled order. The ratio to the first kernel is the median "
      "over\n"
      "the rounds' ratios; its 95 % interval comes from order statistics, so it assumes nothing about the times.\n"
      "\n"
      "  --grid=X[,Y[,Z]]   how many CTAs\n"
      "  --set NAME=VALUE   a parameter, as for `pipelink run`\n"
      "  --launch=FILE      one launch file for all cubins, also for those that PipeLink did not link, such as a unit\n"
      "                     build, as long as they take the same parameter block. Otherwise each has its own beside "
      "it\n"
      "  --repeat=N         rounds (100; at least 6)\n"
      "  --warmup=N         rounds before those, not counted (5)\n"
      "  --check            before timing, run each kernel once on fresh copies and compare what it leaves in memory,\n"
      "                     bit for bit, with what the first one leaves\n"
      "  --json             the result as JSON, for programs\n"
      "\n"
      "  pipelink bench hello.cubin hello.unit.cubin --launch=hello.launch.json --grid=264 --check \\\n"
      "    --set caller.count=1048576 --set caller.input=random:f32:1048576 --set caller.output=nan:f32:1048576\n"
      "\n"
      "Memory small enough for the L2 cache stays there from launch to launch, for every kernel alike.");
}

/* ---- options ---- */

enum option_code {
  OPTION_GRID = 256,
  OPTION_SET,
  OPTION_LAUNCH,
  OPTION_REPEAT,
  OPTION_WARMUP,
  OPTION_CHECK,
  OPTION_JSON,
  OPTION_HELP
};

static const struct option option_table[] = {
    {"grid", required_argument, NULL, OPTION_GRID},
    {"set", required_argument, NULL, OPTION_SET},
    {"launch", required_argument, NULL, OPTION_LAUNCH},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"json", optional_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static bool parse_rounds(const char *text, unsigned long least, size_t *rounds) {
  enum { ROUNDS_MAX = 100000 };
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  *rounds = (size_t)number;
  return *text >= '0' && *text <= '9' && !*end && number >= least && number <= ROUNDS_MAX;
}

static bool parse_option(int option, struct request *request, pipelink_error *error) {
  switch (option) {
  case OPTION_GRID:
    if (!grid_parse(optarg, request->grid))
      pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "--grid=%s: expected up to three numbers of CTAs, e.g. 132 or 16,8",
                    optarg);
    break;
  case OPTION_SET:
    values_add_set(&request->values, optarg, error);
    break;
  case OPTION_LAUNCH:
    request->launch_path = optarg;
    break;
  case OPTION_REPEAT:
    if (!parse_rounds(optarg, STATISTICS_SAMPLES_MIN, &request->rounds))
      pl_error_fill(error, PIPELINK_ERROR_ARGUMENT,
                    "--repeat=%s: expected a number from %d: fewer rounds give no 95 %% interval", optarg,
                    STATISTICS_SAMPLES_MIN);
    break;
  case OPTION_WARMUP:
    if (!parse_rounds(optarg, 0, &request->warmup))
      pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "--warmup=%s: expected a number of rounds", optarg);
    break;
  case OPTION_CHECK:
    request->check = true;
    break;
  case OPTION_JSON:
    request->json = true;
    request->json_path = optarg;
    break;
  default:
    return false;
  }
  return !error->code;
}

/* False when the command line is wrong; it then has been said why, or it is in *error. */
static bool parse(int argc, char **argv, struct request *request, bool *help, pipelink_error *error) {
  int option;
  while ((option = getopt_long_only(argc, argv, "", option_table, NULL)) != -1) {
    if (option == OPTION_HELP) {
      *help = true;
      return true;
    }
    if (!parse_option(option, request, error))
      return false;
  }
  request->subjects = argv + optind;
  request->subject_count = (size_t)(argc - optind);
  if (!request->subject_count)
    pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "no cubin given");
  else if (!request->grid[0])
    pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "no --grid given, e.g. --grid=132");
  return !error->code;
}

/* PATH[:ENTRY]: what follows the last colon, unless the whole is a file's name or a slash follows. */
static bool split_subject(struct subject *subject, const char *label) {
  const char *colon = access(label, F_OK) ? strrchr(label, ':') : NULL;
  if (colon && (strchr(colon, '/') || !colon[1] || colon == label))
    colon = NULL;
  subject->label = label;
  subject->path = strndup(label, colon ? (size_t)(colon - label) : strlen(label));
  subject->entry = colon ? strdup(colon + 1) : NULL;
  return subject->path && (!colon || subject->entry);
}

/* ---- memory ---- */

static pipelink_code out_of_memory(pipelink_error *error) {
  return pl_error_set(error, PIPELINK_ERROR_MEMORY, "out of memory");
}

static pipelink_code run_allocate(struct bench_run *run, const struct request *request, pipelink_error *error) {
  size_t count = request->subject_count;
  run->subjects = calloc(count, sizeof *run->subjects);
  run->kernels = calloc(count, sizeof(pipelink_kernel *));
  run->samples = calloc(count, sizeof(double *));
  run->ratios = calloc(request->rounds, sizeof(double));
  if (!run->subjects || !run->kernels || !run->samples || !run->ratios)
    return out_of_memory(error);
  for (size_t i = 0; i < count; i++) {
    run->samples[i] = calloc(request->rounds, sizeof(double));
    if (!run->samples[i] || !split_subject(&run->subjects[i], request->subjects[i]))
      return out_of_memory(error);
  }
  run->measurement =
      (kernel_measurement){.rounds = request->rounds, .warmup = request->warmup, .samples = run->samples};
  return PIPELINK_OK;
}

/* The first kernel goes last: it holds the context that the others were loaded into. */
static void run_free(struct bench_run *run, size_t count) {
  for (size_t i = count; i-- > 0;) {
    if (run->kernels)
      pipelink_kernel_free(run->kernels[i]);
    if (run->samples)
      free(run->samples[i]);
    if (run->subjects) {
      free(run->subjects[i].path);
      free(run->subjects[i].entry);
    }
  }
  free(run->subjects);
  free(run->kernels);
  free(run->samples);
  free(run->ratios);
}

/* ---- the same parameters for all ---- */

static pipelink_code load_kernel(struct bench_run *run, const struct request *request, size_t index,
                                 pipelink_error *error) {
  const struct subject *subject = &run->subjects[index];
  pipelink_load_options options = {.size = sizeof options,
                                   .launch_path = request->launch_path,
                                   .entry = subject->entry,
                                   .other_cubin = request->launch_path != NULL};
  return pipelink_kernel_load(subject->path, &options, &run->kernels[index], error);
}

/* Runs one kernel once on fresh memory and takes home what it leaves. */
static pipelink_code run_once(pipelink_kernel *kernel, const struct request *request, kernel_values *values,
                              pipelink_error *error) {
  const pl_cuda_driver *driver = &kernel->driver;
  pipelink_launch_options launch = {.size = sizeof launch,
                                    .grid = {request->grid[0], request->grid[1], request->grid[2]}};
  pipelink_code code = values_upload(values, driver, error);
  if (!code)
    code = pipelink_kernel_launch(kernel, &launch, error);
  if (!code)
    code = pl_cuda_check(driver, driver->stream_synchronize(NULL), error, "%s failed on the GPU", kernel->name);
  return code ? code : values_download(values, driver, error);
}

/* The first difference between two results of the same buffer, as an error. */
static pipelink_code compare_buffers(const kernel_value *value, const void *reference, const struct subject *subjects,
                                     size_t index, pipelink_error *error) {
  size_t bytes = element_bytes(value->buffer.type);
  const unsigned char *expected = reference, *found = value->buffer.result;
  for (size_t i = 0; i < value->buffer.count; i++, expected += bytes, found += bytes)
    if (memcmp(expected, found, bytes)) {
      char expected_text[64], found_text[64];
      element_print(value->buffer.type, expected, expected_text, sizeof expected_text);
      element_print(value->buffer.type, found, found_text, sizeof found_text);
      return pl_error_set(error, PIPELINK_ERROR_MISMATCH, "--check: %s[%zu] is %s by %s, but %s by %s",
                          value->full_name, i, found_text, subjects[index].label, expected_text, subjects[0].label);
    }
  return PIPELINK_OK;
}

/* Every kernel leaves the same bytes in every buffer. */
static pipelink_code compare_results(struct bench_run *run, struct request *request, pipelink_error *error) {
  kernel_values *values = &request->values;
  void **references = calloc(values->count ? values->count : 1, sizeof *references);
  if (!references)
    return out_of_memory(error);
  pipelink_code code = run_once(run->kernels[0], request, values, error);
  for (size_t i = 0; i < values->count && !code; i++) {
    references[i] = values->items[i].buffer.result;
    values->items[i].buffer.result = NULL;
  }
  for (size_t k = 1; k < request->subject_count && !code; k++) {
    code = run_once(run->kernels[k], request, values, error);
    for (size_t i = 0; i < values->count && !code; i++)
      if (references[i])
        code = compare_buffers(&values->items[i], references[i], run->subjects, k, error);
  }
  for (size_t i = 0; i < values->count; i++)
    free(references[i]);
  free(references);
  return code;
}

/* With the first kernel's context current: the others are loaded into it. */
static pipelink_code run_kernels(struct bench_run *run, struct request *request, pipelink_error *error) {
  kernel_values *values = &request->values;
  const pl_cuda_driver *driver = &run->kernels[0]->driver;
  pipelink_code code = PIPELINK_OK;
  for (size_t i = 1; i < request->subject_count && !code; i++)
    code = load_kernel(run, request, i, error);
  if (!code)
    code = values_allocate(values, driver, error);
  for (size_t i = 0; i < request->subject_count && !code; i++)
    code = values_apply(values, run->kernels[i], error);
  if (!code && request->check)
    code = compare_results(run, request, error);
  if (!code)
    code = values_upload(values, driver, error);
  return code ? code : measure(run->kernels, request->subject_count, request->grid, &run->measurement, error);
}

/* ---- results ---- */

static void compute(struct bench_run *run, size_t subject_count) {
  size_t rounds = run->measurement.rounds;
  for (size_t i = subject_count; i-- > 0;) { /* the first kernel's samples stay in order until the end */
    for (size_t round = 0; round < rounds; round++)
      run->ratios[round] = run->samples[i][round] / run->samples[0][round];
    run->subjects[i].ratio = summarise(run->ratios, rounds);
    run->subjects[i].time = summarise(run->samples[i], rounds);
  }
}

/* Whether the interval leaves room for "as fast as the first". */
static const char *verdict(const summary *ratio) {
  return ratio->low > 1 ? "slower" : ratio->high < 1 ? "faster" : "same within spread";
}

static void print_table(const struct bench_run *run, const struct request *request) {
  const pipelink_kernel *first = run->kernels[0];
  char device_name[128] = "GPU";
  first->driver.device_get_name(device_name, (int)sizeof device_name, first->device);
  int width = (int)strlen("kernel");
  for (size_t i = 0; i < request->subject_count; i++) {
    int length = (int)strlen(run->subjects[i].label);
    width = length > width ? length : width;
  }
  printf("%s, grid %u,%u,%u: %zu rounds of %zu launches%s\n", device_name, request->grid[0], request->grid[1],
         request->grid[2], run->measurement.rounds, run->measurement.batch,
         request->check ? ", results equal bit for bit" : "");
  printf("%-*s  %10s  %23s  %8s  %17s\n", width, "kernel", "ms/launch", "middle half of samples", "ratio",
         "95 % interval");
  for (size_t i = 0; i < request->subject_count; i++) {
    const struct subject *subject = &run->subjects[i];
    printf("%-*s  %10.6f  %10.6f - %10.6f  %8.4f", width, subject->label, subject->time.median, subject->time.quarter,
           subject->time.three_quarters, subject->ratio.median);
    if (i)
      printf("  %7.4f - %7.4f  %s", subject->ratio.low, subject->ratio.high, verdict(&subject->ratio));
    putchar('\n');
  }
}

/* NULL when out of memory. */
static json_t *make_json(const struct bench_run *run, const struct request *request) {
  const pipelink_kernel *first = run->kernels[0];
  char device_name[128] = "GPU";
  first->driver.device_get_name(device_name, (int)sizeof device_name, first->device);
  json_t *kernels = json_array();
  for (size_t i = 0; i < request->subject_count; i++) {
    const struct subject *subject = &run->subjects[i];
    const summary *time = &subject->time, *ratio = &subject->ratio;
    json_array_append_new(kernels,
                          json_pack("{s:s, s:s, s:f, s:[f, f], s:f, s:[f, f], s:s}", "cubin", subject->path, "entry",
                                    run->kernels[i]->entry, "median_ms", time->median, "middle_half_ms", time->quarter,
                                    time->three_quarters, "ratio", ratio->median, "ratio_interval_95", ratio->low,
                                    ratio->high, "verdict", i ? verdict(ratio) : "reference"));
  }
  bool complete = json_array_size(kernels) == request->subject_count;
  json_t *document =
      json_pack("{s:i, s:s, s:i, s:[I, I, I], s:I, s:I, s:b, s:o}", "pipelink_bench", 1, "device", device_name,
                "driver", first->driver.version, "grid", (json_int_t)request->grid[0], (json_int_t)request->grid[1],
                (json_int_t)request->grid[2], "rounds", (json_int_t)run->measurement.rounds, "launches_per_sample",
                (json_int_t)run->measurement.batch, "results_compared", request->check, "kernels", kernels);
  if (!complete) {
    json_decref(document);
    return NULL;
  }
  return document;
}

static pipelink_code write_json(const struct bench_run *run, const struct request *request, pipelink_error *error) {
  json_t *document = make_json(run, request);
  char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
  json_decref(document);
  if (!text)
    return out_of_memory(error);
  pipelink_code code = PIPELINK_OK;
  FILE *file = request->json_path ? fopen(request->json_path, "w") : stdout;
  bool written = file && fprintf(file, "%s\n", text) >= 0;
  if (file && request->json_path)
    written = !fclose(file) && written;
  if (!written)
    code = pl_error_set(error, PIPELINK_ERROR_FILE, "%s: %s", request->json_path ? request->json_path : "stdout",
                        strerror(errno));
  free(text);
  return code;
}

/* ---- the command ---- */

static pipelink_code bench(struct request *request, struct bench_run *run, pipelink_error *error) {
  pipelink_code code = run_allocate(run, request, error);
  if (!code)
    code = load_kernel(run, request, 0, error);
  if (!code)
    code = values_bind(&request->values, run->kernels[0], error);
  if (!code)
    code = pl_kernel_enter(run->kernels[0], error);
  if (code)
    return code;
  code = run_kernels(run, request, error);
  values_free(&request->values, &run->kernels[0]->driver);
  pl_kernel_leave(run->kernels[0]);
  if (code)
    return code;
  compute(run, request->subject_count);
  if (!request->json || request->json_path)
    print_table(run, request);
  return request->json ? write_json(run, request, error) : PIPELINK_OK;
}

int pipelink_bench_main(int argc, char **argv) {
  static char name[] = "pipelink bench"; /* getopt's messages begin with it */
  argv[0] = name;
  pipelink_error error = PIPELINK_ERROR_INIT;
  struct request request = {.rounds = 100, .warmup = 5};
  bool help = false;
  if (!parse(argc, argv, &request, &help, &error)) {
    if (error.code)
      pipelink_complain("%s", error.text);
    fputs("`pipelink bench --help` explains the options\n", stderr);
    values_free(&request.values, NULL);
    return PIPELINK_MISUSED;
  }
  int status = PIPELINK_DONE;
  if (help) {
    print_help();
  } else {
    struct bench_run run = {0};
    if (bench(&request, &run, &error)) {
      pipelink_complain("%s", error.text);
      status = PIPELINK_FAILED;
    }
    run_free(&run, request.subject_count);
  }
  values_free(&request.values, NULL);
  return status;
}
