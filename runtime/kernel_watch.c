/* kernel_watch.c - waiting for a launch's end, and what a hanging one tells.
 *
 * A kernel linked with --watchdog writes into a report, in memory that both sides see, where each of its threads waits
 * (passes/watchdog.h has the layout). After a timeout the report is put into words, and its first word ends the launch.
 */
#include "kernel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
  HEADER = 64,             /* bytes before the entries */
  CTAS_MAX = 4096,         /* that get entries: more than any GPU has resident */
  END_MILLISECONDS = 3000, /* for threads to see that they are to end: they look every few milliseconds */
  LINES = 6                /* of the report, in the error's text */
};

#define ENDED 0xffffffffu

/* ---- around a launch ---- */

pipelink_code pl_kernel_watch_load(pipelink_kernel *kernel, pipelink_error *error) {
  if (!kernel->file.watchdog.variable || kernel->is_other_cubin)
    return PIPELINK_OK;
  size_t bytes = 0;
  CUresult result =
      kernel->driver.module_get_global(&kernel->watch.variable, &bytes, kernel->module, kernel->file.watchdog.variable);
  if (result == CUDA_ERROR_NOT_FOUND || (!result && bytes != sizeof(uint64_t)))
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH, "%s: the launch file has a watchdog, the cubin has none",
                        kernel->name);
  return pl_cuda_check(&kernel->driver, result, error, "%s: watchdog", kernel->name);
}

static void free_report(pipelink_kernel *kernel) {
  if (kernel->watch.report)
    kernel->driver.host_memory_free(kernel->watch.report);
  kernel->watch.report = NULL;
}

void pl_kernel_watch_free(pipelink_kernel *kernel) {
  free_report(kernel);
}

static size_t threads_per_cta(const pipelink_kernel *kernel) {
  return (size_t)kernel->file.block[0] * kernel->file.block[1] * kernel->file.block[2];
}

pipelink_code pl_kernel_watch_launch(pipelink_kernel *kernel, const uint32_t grid[3], pipelink_error *error) {
  if (!kernel->watch.variable)
    return PIPELINK_OK;
  const pl_cuda_driver *driver = &kernel->driver;
  uint64_t ctas = (uint64_t)grid[0] * grid[1]; /* below 2^47: no overflow with what follows */
  ctas = ctas > CTAS_MAX || ctas * grid[2] > CTAS_MAX ? CTAS_MAX : ctas * grid[2];
  size_t bytes = HEADER + ctas * threads_per_cta(kernel) * sizeof(uint64_t);
  pipelink_code code = PIPELINK_OK;
  if (bytes > kernel->watch.bytes) {
    free_report(kernel);
    kernel->watch.bytes = 0;
    void *memory = NULL;
    code = pl_cuda_check(driver, driver->host_memory_allocate(&memory, bytes, CU_MEMHOSTALLOC_DEVICEMAP), error,
                         "%s: %zu bytes for the watchdog", kernel->name, bytes);
    if (code)
      return code;
    kernel->watch.report = memory;
    kernel->watch.bytes = bytes;
  }
  CUdeviceptr address = 0;
  kernel->watch.ctas = (uint32_t)ctas;
  memset(kernel->watch.report, 0, bytes);
  memcpy(kernel->watch.report + 4, &kernel->watch.ctas, sizeof kernel->watch.ctas);
  code = pl_cuda_check(driver, driver->host_memory_address(&address, kernel->watch.report, 0), error,
                       "%s: address of the watchdog's memory", kernel->name);
  return code ? code
              : pl_cuda_check(driver, driver->memory_upload(kernel->watch.variable, &address, sizeof address), error,
                              "%s: watchdog", kernel->name);
}

/* ---- the report in words ---- */

/* Threads that wait at one place for one thing. */
typedef struct group {
  uint32_t wait, what;
  size_t threads, ctas, last_cta;
} group;

/* Text that is cut when it is full. */
typedef struct words {
  char *text;
  size_t size, used;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->used, to->size - to->used, format, arguments);
  va_end(arguments);
  if (length > 0)
    to->used = to->used + (size_t)length < to->size ? to->used + (size_t)length : to->size - 1;
}

static uint64_t entry_at(const pipelink_kernel *kernel, size_t index) {
  return ((const volatile uint64_t *)(const void *)(kernel->watch.report + HEADER))[index];
}

/* The groups that most threads are in, up to LINES; *others counts threads of further ones. */
static size_t collect(const pipelink_kernel *kernel, group groups[LINES], size_t *running, size_t *ended,
                      size_t *others) {
  size_t per_cta = threads_per_cta(kernel), count = 0;
  *running = *ended = *others = 0;
  for (size_t i = 0; i < kernel->watch.ctas * per_cta; i++) {
    uint64_t entry = entry_at(kernel, i);
    uint32_t wait = (uint32_t)entry, what = (uint32_t)(entry >> 32);
    if (!wait || wait == ENDED || wait > kernel->file.watchdog.wait_count) {
      (*(wait == ENDED ? ended : running))++;
      continue;
    }
    size_t at = 0, cta = i / per_cta;
    while (at < count && (groups[at].wait != wait || groups[at].what != what))
      at++;
    if (at == LINES) {
      (*others)++;
      continue;
    }
    if (at == count)
      groups[count++] = (group){.wait = wait, .what = what, .last_cta = SIZE_MAX};
    groups[at].threads++;
    groups[at].ctas += groups[at].last_cta != cta;
    groups[at].last_cta = cta;
  }
  return count;
}

static const pl_launch_place *find_place(const pl_launch_watchdog *watchdog, const pl_launch_wait *wait, uint32_t what,
                                         uint32_t *index) {
  for (size_t i = 0; i < watchdog->place_count; i++) {
    const pl_launch_place *place = &watchdog->places[i];
    uint32_t distance = what - place->first, step = wait->is_mbarrier ? 8 : 1;
    if (place->is_named == wait->is_mbarrier || what < place->first || distance >= place->count * step)
      continue;
    *index = distance / step;
    return place;
  }
  return NULL;
}

static void say_group(const pl_launch_watchdog *watchdog, const group *seen, words *to) {
  const pl_launch_wait *wait = &watchdog->waits[seen->wait - 1];
  uint32_t index = 0, what = wait->is_mbarrier ? seen->what & 0xffffff : seen->what;
  const pl_launch_place *place = wait->is_cluster ? NULL : find_place(watchdog, wait, what, &index);
  say(to, "role '%s' (%zu thread%s of %zu CTA%s) waits ", wait->role, seen->threads, seen->threads == 1 ? "" : "s",
      seen->ctas, seen->ctas == 1 ? "" : "s");
  if (wait->is_cluster)
    say(to, "for the other CTAs of its cluster");
  else if (place && !strcmp(place->resource, "ring"))
    say(to, "for slot %u of ring '%s' to be %s", index, place->name, place->side);
  else if (place)
    say(to, "at barrier '%s'", place->name);
  else if (wait->is_mbarrier)
    say(to, "on an mbarrier at byte %u of shared memory", what);
  else
    say(to, "at barrier %u", what);
  if (wait->is_mbarrier)
    say(to, " (parity %u)", seen->what >> 31);
  if (*wait->file)
    say(to, " in %s:%u", wait->file, wait->line);
}

static void say_who_waits(const pipelink_kernel *kernel, words *to) {
  group groups[LINES];
  size_t running, ended, others, count = collect(kernel, groups, &running, &ended, &others);
  for (size_t i = 0; i < count; i++) {
    say(to, "%s", i ? "; " : ": ");
    say_group(&kernel->file.watchdog, &groups[i], to);
  }
  if (others)
    say(to, "; %zu more threads wait", others);
  if (running)
    say(to, "%s%zu threads run, or have not begun", count ? "; " : ": ", running);
  if (ended)
    say(to, "; %zu have ended", ended);
}

/* ---- waiting ---- */

/* CUDA_ERROR_NOT_READY when the time is over. */
static CUresult wait_for(const pipelink_kernel *kernel, struct CUstream_st *stream, uint32_t milliseconds) {
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  for (;;) {
    CUresult result = kernel->driver.stream_query(stream);
    if (result != CUDA_ERROR_NOT_READY)
      return result;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec))
      return result;
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
}

static pipelink_code tell_timeout(pipelink_kernel *kernel, struct CUstream_st *stream, uint32_t milliseconds,
                                  pipelink_error *error) {
  char text[sizeof error->text];
  words to = {.text = text, .size = sizeof text};
  say(&to, "%s: not done after %u ms", kernel->name, milliseconds);
  if (!kernel->watch.report) {
    say(&to, "; link it with --watchdog to see who waits for what");
    return pl_error_set(error, PIPELINK_ERROR_TIMEOUT, "%s", text);
  }
  say_who_waits(kernel, &to);
  *(volatile uint32_t *)(void *)kernel->watch.report = 1;
  kernel->watch.is_stuck = wait_for(kernel, stream, END_MILLISECONDS) == CUDA_ERROR_NOT_READY;
  return pl_error_set(error, PIPELINK_ERROR_TIMEOUT, "%s", text);
}

pipelink_code pipelink_kernel_wait(pipelink_kernel *kernel, struct CUstream_st *stream, uint32_t milliseconds,
                                   pipelink_error *error) {
  if (!kernel)
    return pl_error_set(error, PIPELINK_ERROR_ARGUMENT, "pipelink_kernel_wait: kernel is NULL");
  pipelink_code code = pl_kernel_enter(kernel, error);
  if (code)
    return code;
  CUresult result = wait_for(kernel, stream, milliseconds);
  code = result == CUDA_ERROR_NOT_READY
             ? tell_timeout(kernel, stream, milliseconds, error)
             : pl_cuda_check(&kernel->driver, result, error, "%s failed on the GPU", kernel->name);
  pl_kernel_leave(kernel);
  return code;
}
