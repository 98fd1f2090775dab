/* package_without_memory.c - reads packages with every allocation failing in turn, ours and those of libarchive, zlib
 * and jansson. Used by reading-a-package-survives-a-lack-of-memory.test. */
#include "package.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an allocator in front of the usual one (the C library's or AddressSanitizer's) ---- */

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

static bool is_counting;
static size_t allocations, failing; /* `failing`: the allocation that fails, counted from 1; 0 for none */
static long outstanding;            /* blocks allocated and not freed while counting */

/* dlsym allocates before it can tell where the allocator is. */
static max_align_t early[1024];
static size_t early_used;

static bool is_early(const void *memory) {
  return (const char *)memory >= (const char *)early && (const char *)memory < (const char *)early + sizeof early;
}

static void *early_alloc(size_t size) {
  size_t blocks = (size + sizeof *early - 1) / sizeof *early;
  if (blocks > sizeof early / sizeof *early - early_used)
    abort();
  void *memory = early + early_used;
  early_used += blocks;
  return memory;
}

static bool find_next(void) {
  static bool is_looking;
  if (next_free)
    return true;
  if (is_looking)
    return false;
  is_looking = true;
  /* ISO C has no cast between object and function pointers; POSIX has dlsym. */
  *(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
  *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&next_free = dlsym(RTLD_NEXT, "free");
  is_looking = false;
  return true;
}

static bool fails(void) {
  if (!is_counting || ++allocations != failing)
    return false;
  errno = ENOMEM;
  return true;
}

static void *counted(void *memory) {
  outstanding += is_counting && memory;
  return memory;
}

/* Visible to the shared libraries, which would otherwise go past them. */
#pragma GCC visibility push(default)

void *malloc(size_t size) {
  if (!find_next())
    return early_alloc(size);
  return fails() ? NULL : counted(next_malloc(size));
}

void *calloc(size_t count, size_t size) {
  if (!find_next())
    return early_alloc(count * size);
  return fails() ? NULL : counted(next_calloc(count, size));
}

void *realloc(void *memory, size_t size) {
  if (!memory)
    return malloc(size);
  if (is_early(memory)) {
    void *copy = malloc(size);
    if (copy)
      memcpy(copy, memory, size); /* reads what follows in `early` at worst */
    return copy;
  }
  return find_next() && !fails() ? next_realloc(memory, size) : NULL;
}

void free(void *memory) {
  if (!memory || is_early(memory) || !find_next())
    return;
  outstanding -= is_counting;
  next_free(memory);
}

#pragma GCC visibility pop

/* ---- the test ---- */

/* One read from beginning to end, allocation `fail` failing. Returns its status. */
static pl_status read_package(const char *data, size_t size, size_t fail) {
  allocations = 0;
  outstanding = 0;
  failing = fail;
  is_counting = true;
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  pl_status status = pl_sink_init(&sink);
  if (!arena)
    status = -ENOMEM;
  pl_package package;
  if (!status)
    status = pl_package_read_memory("x.plink", data, size, arena, &sink, &package);
  bool is_told = !status || status == -ENOMEM || pl_sink_has_errors(&sink);
  if (sink.arena)
    pl_sink_free(&sink);
  pl_arena_free(arena);
  is_counting = false;
  if (!is_told)
    printf("allocation %zu: status %d without a diagnostic\n", fail, status);
  return is_told ? status : -EPROTO;
}

static bool test(const char *path) {
  char *data;
  size_t size;
  if (pl_file_read(path, 1 << 20, &data, &size))
    return false;
  pl_status normal = read_package(data, size, 0); /* also makes what is made once per process */
  bool good = normal == 0 || normal == -EBADMSG;
  size_t count = 0;
  for (size_t fail = 1; good; fail++) {
    pl_status status = read_package(data, size, fail);
    if (allocations < fail)
      break;
    count++;
    good = (status == normal || status == -ENOMEM) && !outstanding;
    if (!good)
      printf("%s: allocation %zu failed: status %d (%s), %ld blocks leaked\n", path, fail, status, strerror(-status),
             outstanding);
  }
  free(data);
  if (good)
    printf("%s: %s; each of %zu allocations failed once\n", path, normal ? "refused" : "accepted", count);
  return good;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; i++)
    good = test(argv[i]) && good;
  return !good;
}
