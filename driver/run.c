/* run.c - `pipelink run`: launches a linked kernel once, with parameters from the command line. */
#include "commands.h"
#include "values.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
  const char *cubin;
  double timeout; /* seconds; 0: not given */
  pipelink_load_options load;
  pipelink_launch_options launch;
  kernel_values values;
};

static void print_help(void) {
  puts(
      "usage: pipelink run KERNEL.cubin --grid=X[,Y[,Z]] [--set NAME=VALUE]... [--out NAME=FILE]...\n"
      "\n"
      "Launches a linked kernel once and shows what it did: a first try without host code.\n"
      "\n"
      "  --grid=X[,Y[,Z]]   how many CTAs; block, cluster and shared memory come from the launch file\n"
      "  --set NAME=VALUE   a parameter. NAME is INSTANCE.FIELD, or FIELD where only one instance has it. VALUE is\n"
      "                       a number                   for integers and floats; true or false for bool\n"
      "                       random:TYPE:COUNT[:SEED]   for pointers: GPU memory with floats in [-1, 1) or\n"
      "                                                  integers of random bits; without SEED fresh ones each time\n"
      "                       zeros:TYPE:COUNT           likewise, 0\n"
      "                       iota:TYPE:COUNT            likewise, 0, 1, 2, ...\n"
      "                       nan:TYPE:COUNT             likewise, every byte 0xFF: shows what was never written\n"
      "                       file:PATH                  likewise, from a file of raw values\n"
      "                       null                       a null pointer\n"
      "                       tensor:TYPE:SHAPE[:FILL]   for tensor maps: GPU memory in the shape of a tensor, e.g.\n"
      "                                                  8192x4096, rows x columns: the contiguous dimension comes\n"
      "                                                  last. FILL is random[:SEED] (the default), zeros, iota,\n"
      "                                                  nan or file:PATH\n"
      "                       file:PATH                  for everything else, and for a whole params struct when\n"
      "                                                  NAME is an INSTANCE: its bytes\n"
      "                     TYPE is one of " ELEMENT_TYPE_NAMES "\n"
      "  --out NAME=FILE[:TYPE:COUNT]\n"
      "                     writes a pointer's memory to FILE after the launch. With TYPE:COUNT the memory needs no\n"
      "                     --set and starts as nan. A parameter may be both input and output.\n"
      "  --launch=FILE      the launch file, otherwise KERNEL.launch.json beside the cubin. The cubin may then be\n"
      "                     another one that takes the same parameters: its hash is not compared\n"
      "  --timeout=SECONDS  give up after that long, e.g. 0.5. A kernel linked with --watchdog then tells which roles\n"
      "                     wait for what, and has 10 s when no other time is given\n"
      "  --entry=NAME       the kernel in the cubin, otherwise the one that the launch file names\n"
      "\n"
      "  pipelink run hello.cubin --grid=264 --set caller.count=1048576 \\\n"
      "    --set caller.input=random:f32:1048576 --out caller.output=out.bin:f32:1048576\n"
      "\n"
      "To compare times use `pipelink bench`.");
}

enum option_code {
  OPTION_GRID = 256,
  OPTION_SET,
  OPTION_OUT,
  OPTION_LAUNCH,
  OPTION_ENTRY,
  OPTION_TIMEOUT,
  OPTION_HELP
};

static const struct option option_table[] = {
    {"grid", required_argument, NULL, OPTION_GRID},   {"set", required_argument, NULL, OPTION_SET},
    {"out", required_argument, NULL, OPTION_OUT},     {"launch", required_argument, NULL, OPTION_LAUNCH},
    {"entry", required_argument, NULL, OPTION_ENTRY}, {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"help", no_argument, NULL, OPTION_HELP},         {NULL, 0, NULL, 0},
};

/* False when the command line is wrong; it then has been said why, or it is in *error. */
static bool parse(int argc, char **argv, struct request *request, bool *help, pipelink_error *error) {
  int option;
  while ((option = getopt_long_only(argc, argv, "", option_table, NULL)) != -1)
    switch (option) {
    case OPTION_GRID:
      if (!grid_parse(optarg, request->launch.grid)) {
        pl_error_fill(error, PIPELINK_ERROR_ARGUMENT,
                      "--grid=%s: expected up to three numbers of CTAs, e.g. 132 or 16,8", optarg);
        return false;
      }
      break;
    case OPTION_SET:
      if (values_add_set(&request->values, optarg, error))
        return false;
      break;
    case OPTION_OUT:
      if (values_add_out(&request->values, optarg, error))
        return false;
      break;
    case OPTION_LAUNCH:
      request->load.launch_path = optarg;
      request->load.other_cubin = 1;
      break;
    case OPTION_ENTRY:
      request->load.entry = optarg;
      break;
    case OPTION_TIMEOUT: {
      char *end;
      request->timeout = strtod(optarg, &end);
      if (*end || !(request->timeout >= 0.001 && request->timeout <= 1e6)) {
        pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, "--timeout=%s: expected seconds, 0.001 to 1000000", optarg);
        return false;
      }
      break;
    }
    case OPTION_HELP:
      *help = true;
      return true;
    default:
      return false;
    }
  if (optind + 1 != argc)
    pl_error_fill(error, PIPELINK_ERROR_ARGUMENT, optind == argc ? "no cubin given" : "more than one cubin given");
  else if (!request->launch.grid[0])
    pl_error_fill(error, PIPELINK_ERROR_ARGUMENT,
                  "no --grid given: a kernel that walks over its data with the whole grid takes any, e.g. --grid=132; "
                  "another needs the one its author names");
  else
    request->cubin = argv[optind];
  return request->cubin;
}

/* ---- the launch ---- */

static pipelink_code wait(pipelink_kernel *kernel, double timeout, pipelink_error *error) {
  if (!timeout && !kernel->file.watchdog.variable)
    return pl_cuda_check(&kernel->driver, kernel->driver.stream_synchronize(NULL), error, "%s failed on the GPU",
                         kernel->name);
  return pipelink_kernel_wait(kernel, NULL, (uint32_t)((timeout ? timeout : 10) * 1000), error);
}

static pipelink_code launch_timed(pipelink_kernel *kernel, const struct request *request, double *milliseconds,
                                  pipelink_error *error) {
  const pl_cuda_driver *driver = &kernel->driver;
  CUevent start = NULL, end = NULL;
  pipelink_code code = pl_cuda_check(driver, driver->event_create(&start, CU_EVENT_DEFAULT), error, "event");
  if (!code)
    code = pl_cuda_check(driver, driver->event_create(&end, CU_EVENT_DEFAULT), error, "event");
  if (!code)
    code = pl_cuda_check(driver, driver->event_record(start, NULL), error, "event");
  if (!code)
    code = pipelink_kernel_launch(kernel, &request->launch, error);
  if (!code)
    code = pl_cuda_check(driver, driver->event_record(end, NULL), error, "event");
  if (!code)
    code = wait(kernel, request->timeout, error);
  float elapsed = 0;
  if (!code)
    code = pl_cuda_check(driver, driver->event_elapsed(&elapsed, start, end), error, "time of the launch");
  *milliseconds = (double)elapsed;
  if (code == PIPELINK_ERROR_TIMEOUT) /* the driver would wait for the kernel before it gives anything back */
    return code;
  if (start)
    driver->event_destroy(start);
  if (end)
    driver->event_destroy(end);
  return code;
}

/* For a launch that was refused: what to add to the command line, for each parameter. */
static void suggest(const pipelink_kernel *kernel) {
  for (size_t i = 0; i < kernel->file.field_count; i++) {
    const pl_launch_field *field = &kernel->file.fields[i];
    if (pl_field_is_set(kernel, field))
      continue;
    const element_type *element = field->has_element ? element_type_of(&field->element) : NULL;
    char name[256], option[320];
    pl_field_full_name(field, name, sizeof name);
    if (field->tensor_map.rank)
      snprintf(option, sizeof option, "--set %s=tensor:%s:%.*s", name, element ? element->name : "TYPE",
               (int)field->tensor_map.rank * 2 - 1, "NxNxNxNxN");
    else if (field->value.kind == PIPELINK_PARAMETER_POINTER)
      snprintf(option, sizeof option, "--set %s=random:%s:COUNT", name, element ? element->name : "u8");
    else
      snprintf(option, sizeof option, "--set %s=%s", name,
               field->value.kind == PIPELINK_PARAMETER_BYTES ? "file:PATH" : "NUMBER");
    fprintf(stderr, ">>> %-40s (%s, %zu bytes)\n", option, field->type, field->size);
  }
}

/* ---- the table ---- */

/* Elements of which every byte is still 0xFF. */
static size_t count_untouched(const value_buffer *buffer) {
  size_t bytes = element_bytes(buffer->type), untouched = 0;
  const unsigned char *at = buffer->result;
  for (size_t i = 0; i < buffer->count; i++, at += bytes) {
    size_t ones = 0;
    while (ones < bytes && at[ones] == 0xff)
      ones++;
    untouched += ones == bytes;
  }
  return untouched;
}

static void print_buffer(const kernel_value *value) {
  enum { SHOWN = 4 };
  const value_buffer *buffer = &value->buffer;
  if (!buffer->count) {
    puts("null");
    return;
  }
  if (value->kind == VALUE_TENSOR) {
    printf("%s ", buffer->type->name);
    for (uint32_t i = value->tensor.rank; i-- > 0;)
      printf("%llu%s", (unsigned long long)value->tensor.extents[i], i ? "x" : "");
    printf(", %s", buffer->source);
  } else {
    printf("%s x %zu, %s", buffer->type->name, buffer->count, buffer->source);
  }
  if (!value->out_path) {
    putchar('\n');
    return;
  }
  printf(" -> %s:", value->out_path);
  for (size_t i = 0; i < buffer->count && i < SHOWN; i++) {
    char text[64];
    element_print(buffer->type, (const unsigned char *)buffer->result + i * element_bytes(buffer->type), text,
                  sizeof text);
    printf(" %s", text);
  }
  size_t untouched = count_untouched(buffer);
  printf("%s", buffer->count > SHOWN ? " ..." : "");
  if (untouched)
    printf(" (%zu of %zu are nan, or were never written)", untouched, buffer->count);
  putchar('\n');
}

static void print_table(const pipelink_kernel *kernel, const struct request *request, double milliseconds) {
  const uint32_t *grid = request->launch.grid, *block = kernel->file.block;
  char device_name[128] = "GPU";
  kernel->driver.device_get_name(device_name, (int)sizeof device_name, kernel->device);
  printf("%s: %s on %s, grid %u,%u,%u, block %u,%u,%u: %.4f ms\n", kernel->name, kernel->entry, device_name, grid[0],
         grid[1], grid[2], block[0], block[1], block[2], milliseconds);
  int width = 0;
  for (size_t i = 0; i < request->values.count; i++) {
    int length = (int)strlen(request->values.items[i].full_name);
    width = length > width ? length : width;
  }
  for (size_t i = 0; i < request->values.count; i++) {
    const kernel_value *value = &request->values.items[i];
    printf("  %-*s  ", width, value->full_name);
    if (value->kind == VALUE_BUFFER || value->kind == VALUE_TENSOR)
      print_buffer(value);
    else if (value->kind == VALUE_BYTES)
      printf("%zu bytes from a file\n", value->byte_count);
    else
      puts(value->text);
  }
}

/* ---- the command ---- */

/* With the kernel's context current. */
static pipelink_code run_kernel(pipelink_kernel *kernel, struct request *request, pipelink_error *error) {
  kernel_values *values = &request->values;
  const pl_cuda_driver *driver = &kernel->driver;
  double milliseconds;
  pipelink_code code = values_allocate(values, driver, error);
  if (!code)
    code = values_upload(values, driver, error);
  if (!code)
    code = values_apply(values, kernel, error);
  if (!code)
    code = launch_timed(kernel, request, &milliseconds, error);
  if (!code)
    code = values_download(values, driver, error);
  if (!code)
    code = values_write(values, error);
  if (!code)
    print_table(kernel, request, milliseconds);
  return code;
}

int pipelink_run_main(int argc, char **argv) {
  static char name[] = "pipelink run"; /* getopt's messages begin with it */
  argv[0] = name;
  pipelink_error error = PIPELINK_ERROR_INIT;
  struct request request = {.load.size = sizeof request.load, .launch.size = sizeof request.launch};
  bool help = false;
  if (!parse(argc, argv, &request, &help, &error)) {
    if (error.code)
      pipelink_complain("%s", error.text);
    fputs("`pipelink run --help` explains the options\n", stderr);
    values_free(&request.values, NULL);
    return PIPELINK_MISUSED;
  }
  if (help) {
    print_help();
    values_free(&request.values, NULL);
    return PIPELINK_DONE;
  }

  pipelink_kernel *kernel = NULL;
  pipelink_code code = pipelink_kernel_load(request.cubin, &request.load, &kernel, &error);
  if (!code && kernel->file.unsafe)
    fprintf(stderr, "pipelink: warning: linked in spite of %s: the kernel may hang or compute something else\n",
            kernel->file.unsafe);
  if (!code)
    code = values_bind(&request.values, kernel, &error);
  if (!code && !(code = pl_kernel_enter(kernel, &error))) {
    code = run_kernel(kernel, &request, &error);
    if (code == PIPELINK_ERROR_TIMEOUT) { /* only the process' end is sure to end the kernel */
      pipelink_complain("%s", error.text);
      fflush(NULL);
      _exit(PIPELINK_FAILED);
    }
    values_free(&request.values, &kernel->driver);
    pl_kernel_leave(kernel);
  }
  if (code)
    pipelink_complain("%s", error.text);
  if (code == PIPELINK_ERROR_UNSET)
    suggest(kernel);
  values_free(&request.values, NULL);
  pipelink_kernel_free(kernel);
  return code ? PIPELINK_FAILED : PIPELINK_DONE;
}
