/* package.c - from a .plink file to its members, and back.
 *
 * Reading: zip_directory.c has refused every zip that could be read in two ways; manifest.c reads the first member;
 * each further member must then be listed there with the size and the SHA-256 that it has.
 */
#include "package.h"

#include "zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static pl_status refuse(pl_sink *sink, const char *path, const char *member, const char *what) {
  pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: member '%s': %s", path, member, what);
  return -EBADMSG;
}

static pl_status read_member(const pl_zip_member *packed, const char *path, pl_arena *arena, pl_sink *sink,
                             const pl_package *package) {
  /* The manifest's array is ours, in the arena; it is const only for those who come later. */
  pl_member *member = (pl_member *)pl_package_member(package, packed->name);
  if (!member)
    return refuse(sink, path, packed->name, "is not listed in the manifest");
  if (member->data)
    return refuse(sink, path, member->name, "is there twice");
  if (packed->size != member->size) {
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: member '%s': has %zu bytes, the manifest says %zu", path, member->name,
              packed->size, member->size);
    return -EBADMSG;
  }
  const char *content;
  pl_status status = pl_zip_unpack(packed, path, arena, sink, &content);
  if (status)
    return status;
  char digest[65];
  pl_sha256(content, member->size, digest);
  if (strcmp(digest, member->sha256) != 0) {
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: member '%s': its content is not what the manifest says", path,
              member->name);
    pl_detail(sink, "SHA-256 in the manifest: %s", member->sha256);
    pl_detail(sink, "SHA-256 of the content:  %s", digest);
    return -EBADMSG;
  }
  member->data = content;
  return 0;
}

static pl_status read_members(const pl_zip_member *packed, size_t count, const char *path, pl_arena *arena,
                              pl_sink *sink, pl_package *package) {
  const char *manifest;
  pl_status status = pl_zip_unpack(&packed[0], path, arena, sink, &manifest);
  if (!status)
    status = pl_manifest_parse(manifest, packed[0].size, path, arena, sink, package);
  for (size_t i = 1; i < count && !status; i++)
    status = read_member(&packed[i], path, arena, sink, package);
  for (size_t i = 0; i < package->member_count && !status; i++)
    if (!package->members[i].data)
      status = refuse(sink, path, package->members[i].name, "is listed in the manifest, but missing");
  return status;
}

pl_status pl_package_read_memory(const char *path, const void *data, size_t size, pl_arena *arena, pl_sink *sink,
                                 pl_package *package) {
  *package = (pl_package){0};
  if (size > PL_PACKAGE_FILE_MAX) {
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: %zu bytes, at most %zu are read", path, size, PL_PACKAGE_FILE_MAX);
    return -EBADMSG;
  }
  const char *own_path = pl_arena_strdup(arena, path);
  char *digest = pl_arena_alloc(arena, 65);
  if (!own_path || !digest)
    return -ENOMEM;
  const pl_zip_member *members = NULL;
  size_t count = 0;
  pl_status status = pl_zip_open(data, size, own_path, arena, sink, &members, &count);
  if (!status)
    status = read_members(members, count, own_path, arena, sink, package);
  if (!status) {
    pl_sha256(data, size, digest);
    package->sha256 = digest;
  }
  return status;
}

pl_status pl_package_read(const char *path, pl_arena *arena, pl_sink *sink, pl_package *package) {
  char *data;
  size_t size;
  *package = (pl_package){0};
  pl_status status = pl_file_read(path, PL_PACKAGE_FILE_MAX, &data, &size);
  if (status == -EFBIG)
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: larger than %zu bytes", path, PL_PACKAGE_FILE_MAX);
  else if (status)
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: cannot be read: %s", path, strerror(-status));
  if (status)
    return status;
  status = pl_package_read_memory(path, data, size, arena, sink, package);
  free(data);
  return status;
}

/* ---- writing ---- */

static la_ssize_t append(struct archive *archive, void *zip, const void *bytes, size_t size) {
  pl_buffer_append(zip, bytes, size);
  if (!((pl_buffer *)zip)->failed)
    return (la_ssize_t)size;
  archive_set_error(archive, ENOMEM, "out of memory");
  return -1;
}

/* No time, no owner, stored: the bytes depend on nothing but name and content, not even on zlib's version. */
static bool write_member(struct archive *archive, const char *name, const void *data, size_t size) {
  struct archive_entry *entry = archive_entry_new();
  if (!entry)
    return false;
  archive_entry_set_pathname(entry, name);
  archive_entry_set_size(entry, (la_int64_t)size);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  bool is_written = archive_write_header(archive, entry) == ARCHIVE_OK;
  for (size_t done = 0; is_written && done < size;) {
    la_ssize_t step = archive_write_data(archive, (const char *)data + done, size - done);
    is_written = step > 0;
    done += is_written ? (size_t)step : 0;
  }
  archive_entry_free(entry);
  return is_written;
}

static pl_status write_zip(const pl_buffer *manifest, const pl_member *members, size_t count, pl_buffer *zip) {
  struct archive *archive = archive_write_new();
  bool is_written = archive && archive_write_set_format_zip(archive) == ARCHIVE_OK &&
                    archive_write_zip_set_compression_store(archive) == ARCHIVE_OK &&
                    archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK &&
                    archive_write_open(archive, zip, NULL, append, NULL) == ARCHIVE_OK &&
                    write_member(archive, "manifest.json", manifest->data, manifest->size);
  for (size_t i = 0; is_written && i < count; i++)
    is_written = write_member(archive, members[i].name, members[i].data, members[i].size);
  is_written = is_written && archive_write_close(archive) == ARCHIVE_OK;
  archive_write_free(archive);
  if (is_written)
    pl_zip_seal(zip);
  return is_written && !zip->failed ? 0 : -ENOMEM;
}

static int by_member_name(const void *a, const void *b) {
  return strcmp(((const pl_member *)a)->name, ((const pl_member *)b)->name);
}

static int by_profile_name(const void *a, const void *b) {
  return strcmp(((const pl_pack_code *)a)->profile, ((const pl_pack_code *)b)->profile);
}

pl_status pl_package_write(const char *name, const char *version, const char *cuda_version, const pl_pack_code *codes,
                           size_t code_count, const pl_member *members, size_t member_count, pl_arena *arena,
                           pl_sink *sink, pl_buffer *zip) {
  size_t count = code_count + member_count;
  pl_pack_code *sorted_codes = pl_arena_array(arena, code_count, sizeof *sorted_codes);
  pl_member *all = pl_arena_array(arena, count, sizeof *all);
  if (!sorted_codes || !all)
    return -ENOMEM;
  if (code_count)
    memcpy(sorted_codes, codes, code_count * sizeof *codes);
  if (member_count)
    memcpy(all + code_count, members, member_count * sizeof *members);
  qsort(sorted_codes, code_count, sizeof *sorted_codes, by_profile_name);
  for (size_t i = 0; i < code_count; i++)
    all[i] = (pl_member){.name = pl_arena_printf(arena, "code/%s.bc", sorted_codes[i].profile),
                         .data = sorted_codes[i].bitcode,
                         .size = sorted_codes[i].bitcode_size};
  for (size_t i = 0; i < count; i++) {
    char *digest = pl_arena_alloc(arena, 65);
    if (!all[i].name || !digest)
      return -ENOMEM;
    pl_sha256(all[i].data, all[i].size, digest);
    all[i].sha256 = digest;
  }
  qsort(all, count, sizeof *all, by_member_name);

  pl_buffer manifest = {0};
  pl_status status =
      pl_manifest_write(name, version, cuda_version, sorted_codes, code_count, all, count, sink, &manifest);
  if (!status)
    status = write_zip(&manifest, all, count, zip);
  pl_buffer_free(&manifest);
  return status;
}
