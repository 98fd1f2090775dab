/* fuzz_zip.c - pl_package_read_memory on any bytes.
 *
 * Checksums and hashes would keep a fuzzer at the door. So half of the mutations are made inside: one member of a
 * readable package is changed and the zip composed again around it, its checksum right, and the manifest's size and
 * SHA-256 of the member too.
 */
#include "json.h"
#include "package.h"
#include "zip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  pl_package package;
  if (arena && !pl_sink_init(&sink)) {
    pl_status status = pl_package_read_memory("fuzz.plink", data, size, arena, &sink, &package);
    /* A refusal says why, and once; what is accepted is whole. */
    if (status ? sink.error_count != 1 : sink.count != 0)
      abort();
    for (size_t i = 0; !status && i < package.member_count; i++)
      if (!package.members[i].data || pl_package_member(&package, package.members[i].name) != &package.members[i])
        abort();
    pl_sink_free(&sink);
  }
  pl_arena_free(arena);
  return 0;
}

/* ---- mutation inside a package ---- */

static void put16(pl_buffer *out, unsigned value) {
  pl_buffer_append(out, (char[]){(char)value, (char)(value >> 8)}, 2);
}

static void put32(pl_buffer *out, size_t value) {
  put16(out, (unsigned)value & 0xffff);
  put16(out, (unsigned)(value >> 16) & 0xffff);
}

/* What both headers of a stored member have in common: version needed ... length of the extra field. */
static void put_description(pl_buffer *out, const pl_member *member) {
  put16(out, 20);
  put32(out, 0);
  put32(out, (size_t)0x21 << 16);
  put32(out, crc32(0, member->data, (uInt)member->size));
  put32(out, member->size);
  put32(out, member->size);
  put16(out, (unsigned)strlen(member->name));
  put16(out, 0);
}

static void compose(const pl_member *members, size_t count, pl_buffer *zip) {
  pl_buffer directory = {0};
  for (size_t i = 0; i < count; i++) {
    size_t offset = zip->size;
    pl_buffer_append(zip, "PK\3\4", 4);
    put_description(zip, &members[i]);
    pl_buffer_puts(zip, members[i].name);
    pl_buffer_append(zip, members[i].data, members[i].size);
    pl_buffer_append(&directory, "PK\1\2", 4);
    put16(&directory, 20);
    put_description(&directory, &members[i]);
    pl_buffer_append(&directory, (char[10]){0}, 10);
    put32(&directory, offset);
    pl_buffer_puts(&directory, members[i].name);
  }
  size_t offset = zip->size;
  pl_buffer_append(zip, directory.data, directory.size);
  pl_buffer_append(zip, "PK\5\6\0\0\0\0", 8);
  put16(zip, (unsigned)count);
  put16(zip, (unsigned)count);
  put32(zip, directory.size);
  put32(zip, offset);
  put16(zip, 0);
  zip->failed = zip->failed || directory.failed;
  pl_buffer_free(&directory);
}

/* The manifest with the size and SHA-256 that `member` has now; unchanged when it is no JSON any more. */
static void correct_manifest(pl_member *manifest, const pl_member *member, pl_arena *arena, pl_sink *sink) {
  char digest[65];
  json_t *root = pl_json_load(manifest->data, manifest->size, "manifest", sink);
  const json_t *list = json_object_get(root, "members");
  pl_sha256(member->data, member->size, digest);
  for (size_t i = 0; i < json_array_size(list); i++) {
    json_t *item = json_array_get(list, i);
    const char *file = json_string_value(json_object_get(item, "file"));
    if (!file || strcmp(file, member->name) != 0)
      continue;
    json_object_set_new(item, "bytes", json_integer((json_int_t)member->size));
    json_object_set_new(item, "sha256", json_string(digest));
  }
  char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
  const char *copy = text ? pl_arena_strdup(arena, text) : NULL;
  if (copy)
    *manifest = (pl_member){.name = manifest->name, .data = copy, .size = strlen(copy)};
  free(text);
  json_decref(root);
}

static size_t mutate_inside(uint8_t *data, size_t size, size_t most, unsigned seed, pl_arena *arena, pl_sink *sink) {
  const pl_zip_member *packed;
  size_t count, result = 0;
  if (pl_zip_open(data, size, "fuzz.plink", arena, sink, &packed, &count))
    return 0;
  pl_member *members = pl_arena_array(arena, count, sizeof *members);
  for (size_t i = 0; members && i < count; i++) {
    const char *content;
    if (pl_zip_unpack(&packed[i], "fuzz.plink", arena, sink, &content))
      return 0;
    members[i] = (pl_member){.name = packed[i].name, .data = content, .size = packed[i].size};
  }
  if (!members)
    return 0;
  pl_member *changed = seed & 2 ? &members[0] : &members[seed / 4 % count]; /* the manifest most of the time */
  size_t room = changed->size + 256;
  uint8_t *content = pl_arena_alloc(arena, room);
  if (!content)
    return 0;
  memcpy(content, changed->data, changed->size);
  changed->size = LLVMFuzzerMutate(content, changed->size, room);
  changed->data = content;
  if (changed != &members[0])
    correct_manifest(&members[0], changed, arena, sink);
  pl_buffer zip = {0};
  compose(members, count, &zip);
  if (!zip.failed && zip.size <= most) {
    memcpy(data, zip.data, zip.size);
    result = zip.size;
  }
  pl_buffer_free(&zip);
  return result;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  pl_sink sink;
  pl_arena *arena = pl_arena_create();
  size_t result = 0;
  if (seed & 1 && arena && !pl_sink_init(&sink)) {
    result = mutate_inside(data, size, most, seed >> 1, arena, &sink);
    pl_sink_free(&sink);
  }
  pl_arena_free(arena);
  return result ? result : LLVMFuzzerMutate(data, size, most);
}
