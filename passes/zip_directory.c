/* zip_directory.c - is this zip plain, and what does it hold? Nothing is unpacked before this has said yes.
 *
 * A zip says everything twice: in each member's own header and in the central directory at the end. Readers differ
 * in which they believe, in what they do with bytes that belong to no record, and in where they find the directory.
 * A package leaves no room for that: records follow one another without gaps from the first byte to the last, both
 * descriptions agree, and only what `pl_package_write`, zip and Python's zipfile write by default is accepted.
 * Layout: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.9 (data descriptor), 4.3.12 (central
 * directory header), 4.3.16 (end record).
 */
#include "file_kind.h"
#include "json.h"
#include "package.h"
#include "zip.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum {
  LOCAL_BYTES = 30,
  CENTRAL_BYTES = 46,
  END_BYTES = 22,
  FLAG_ENCRYPTED = 1 << 0,
  FLAG_DESCRIPTOR = 1 << 3, /* sizes and CRC follow the data; the local header may leave them 0 */
  FLAGS_KNOWN = FLAG_ENCRYPTED | 3 << 1 /* deflate level */ | FLAG_DESCRIPTOR | 1 << 11 /* UTF-8 names */,
  METHOD_STORED = 0,
  METHOD_DEFLATE = 8,
  HOST_UNIX = 3,
};

static const char seal_prefix[] = "pipelink-seal sha256:";
enum { SEAL_BYTES = sizeof seal_prefix - 1 + 64 };

typedef struct checker {
  const uint8_t *data;
  size_t size;
  const char *path;
  pl_arena *arena;
  pl_sink *sink;
} checker;

/* One member as the central directory has it. */
typedef struct record {
  const char *name;  /* in the arena; valid once check_name has said so */
  const char *shown; /* for messages: NUL and control characters replaced */
  const uint8_t *raw_name;
  size_t name_bytes;
  uint16_t flags, method;
  uint32_t crc, packed, unpacked;
  size_t offset; /* of the local header */
} record;

static uint16_t u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t u32(const uint8_t *bytes) {
  return (uint32_t)u16(bytes) | (uint32_t)u16(bytes + 2) << 16;
}

static pl_status refuse(const checker *check, const char *format, ...) PL_PRINTF(2, 3);
static pl_status refuse(const checker *check, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = pl_arena_vprintf(check->arena, format, arguments);
  va_end(arguments);
  if (!message)
    return -ENOMEM;
  pl_report(check->sink, PL_ERROR, "L-PACKAGE", "%s: %s", check->path, message);
  return -EBADMSG;
}

/* ---- names ---- */

bool pl_member_name_is_valid(const char *name) {
  enum { LONGEST = 1024 };
  const char *part = name;
  for (const char *c = name;; c++) {
    if (!*c || *c == '/') {
      size_t size = (size_t)(c - part);
      if (!size || (size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.'))
        return false;
      part = c + 1;
      if (!*c)
        return c - name <= LONGEST;
    } else if (*c < 0x20 || *c > 0x7e || strchr("\\:*?\"<>|", *c)) {
      return false;
    }
  }
}

static pl_status check_name(const checker *check, record *member) {
  char *name = pl_arena_copy(check->arena, member->raw_name, member->name_bytes);
  char *shown = pl_arena_copy(check->arena, member->raw_name, member->name_bytes);
  if (!name || !shown)
    return -ENOMEM;
  for (size_t i = 0; i < member->name_bytes; i++)
    if (!shown[i])
      shown[i] = '?';
  member->name = name;
  member->shown = pl_printable(check->arena, shown);
  if (strlen(name) != member->name_bytes || !pl_member_name_is_valid(name))
    return refuse(check,
                  "member '%s': not a member's name: a relative path of printable characters without '..', "
                  "backslash, ':' or NUL",
                  member->shown);
  return 0;
}

/* ---- one member ---- */

/* Time stamps and owners may be there. Others can rename a member or give it another size (zip64, Unicode path). */
static bool extra_is_plain(const uint8_t *extra, size_t size) {
  while (size >= 4) {
    uint16_t id = u16(extra), bytes = u16(extra + 2);
    if (bytes > size - 4 || (id != 0x5455 && id != 0x7875 && id != 0x5855)) /* "UT", "ux", "UX" */
      return false;
    extra += 4 + bytes;
    size -= 4 + (size_t)bytes;
  }
  return !size;
}

static pl_status check_sizes(const checker *check, const record *member, uint64_t *total) {
  const char *name = member->shown;
  size_t most = strcmp(member->name, "manifest.json") == 0 ? PL_MANIFEST_MAX : PL_PACKAGE_MEMBER_MAX;
  if (member->unpacked == UINT32_MAX || member->packed == UINT32_MAX)
    return refuse(check, "member '%s': unpacks to 4 GiB or more, at most %zu bytes are accepted", name, most);
  if (member->unpacked > most)
    return refuse(check, "member '%s': unpacks to %u bytes, at most %zu are accepted", name, member->unpacked, most);
  *total += member->unpacked;
  if (*total > PL_PACKAGE_TOTAL_MAX)
    return refuse(check, "member '%s': all members together unpack to more than %zu bytes", name, PL_PACKAGE_TOTAL_MAX);
  if (*total > (1 << 20) && *total / PL_PACKAGE_RATIO_MAX > check->size)
    return refuse(check, "member '%s': unpacks to more than %d times the size of the zip", name, PL_PACKAGE_RATIO_MAX);
  if (member->method == METHOD_STORED && member->packed != member->unpacked)
    return refuse(check, "member '%s': stored in %u bytes, but has %u", name, member->packed, member->unpacked);
  return 0;
}

/* Fills `member` from the central header at `*at` and advances. */
static pl_status read_central(const checker *check, size_t end, size_t *at, record *member) {
  const uint8_t *header = check->data + *at;
  if (end - *at < CENTRAL_BYTES || memcmp(header, "PK\1\2", 4) != 0)
    return refuse(check, "the zip's directory is damaged at byte %zu", *at);
  size_t name = u16(header + 28), extra = u16(header + 30), comment = u16(header + 32);
  if (end - *at - CENTRAL_BYTES < name + extra + comment)
    return refuse(check, "the zip's directory is damaged at byte %zu", *at);
  *member = (record){.raw_name = header + CENTRAL_BYTES,
                     .name_bytes = name,
                     .flags = u16(header + 8),
                     .method = u16(header + 10),
                     .crc = u32(header + 16),
                     .packed = u32(header + 20),
                     .unpacked = u32(header + 24),
                     .offset = u32(header + 42)};
  *at += CENTRAL_BYTES + name + extra + comment;

  pl_status status = check_name(check, member);
  if (status)
    return status;
  const char *shown = member->shown;
  uint32_t mode = u32(header + 38) >> 16;
  if (u16(header + 4) >> 8 == HOST_UNIX && mode & S_IFMT && !S_ISREG(mode))
    return refuse(check, "member '%s': is %s, a package holds plain files only", shown,
                  S_ISLNK(mode) ? "a symbolic link" : "not a file");
  if (member->flags & FLAG_ENCRYPTED)
    return refuse(check, "member '%s': is encrypted", shown);
  if (member->flags & ~FLAGS_KNOWN)
    return refuse(check, "member '%s': flags 0x%x are not known", shown, member->flags);
  if (member->method != METHOD_STORED && member->method != METHOD_DEFLATE)
    return refuse(check, "member '%s': compressed by method %u; stored and deflate are known", shown, member->method);
  if (u16(header + 34))
    return refuse(check, "member '%s': lies on another disk", shown);
  if (comment)
    return refuse(check, "member '%s': has a comment", shown);
  /* With zip64 the sizes are in an extra field; say so by the sizes, which come first. */
  if (member->unpacked != UINT32_MAX && member->packed != UINT32_MAX &&
      !extra_is_plain(header + CENTRAL_BYTES + name, extra))
    return refuse(check, "member '%s': has an extra field that is neither time stamp nor owner", shown);
  return 0;
}

/* The local header, data and descriptor of `member` begin at byte *next and end before `end`; advances *next and says
 * where the data is. */
static pl_status check_local(const checker *check, const record *member, size_t end, size_t *next,
                             const uint8_t **data) {
  const uint8_t *header = check->data + *next;
  const char *shown = member->shown;
  if (member->offset != *next)
    return refuse(check, "member '%s': begins at byte %zu, expected at %zu: members overlap or hide bytes", shown,
                  member->offset, *next);
  if (end - *next < LOCAL_BYTES || memcmp(header, "PK\3\4", 4) != 0)
    return refuse(check, "member '%s': no header at byte %zu", shown, *next);
  size_t name = u16(header + 26), extra = u16(header + 28);
  size_t left = end - *next - LOCAL_BYTES;
  if (left < name + extra || left - name - extra < member->packed)
    return refuse(check, "member '%s': its data does not end before the directory", shown);
  bool is_same = name == member->name_bytes && !memcmp(header + LOCAL_BYTES, member->raw_name, name) &&
                 u16(header + 6) == member->flags && u16(header + 8) == member->method;
  uint32_t crc = u32(header + 14), packed = u32(header + 18), unpacked = u32(header + 22);
  bool is_later = member->flags & FLAG_DESCRIPTOR && !crc;
  is_same = is_same && (crc == member->crc || is_later) && (packed == member->packed || (is_later && !packed)) &&
            (unpacked == member->unpacked || (is_later && !unpacked));
  if (!is_same)
    return refuse(check, "member '%s': its own header and the zip's directory differ", shown);
  if (!extra_is_plain(header + LOCAL_BYTES + name, extra))
    return refuse(check, "member '%s': has an extra field that is neither time stamp nor owner", shown);
  *data = header + LOCAL_BYTES + name + extra;
  *next += LOCAL_BYTES + name + extra + member->packed;

  if (member->flags & FLAG_DESCRIPTOR) {
    const uint8_t *descriptor = check->data + *next;
    size_t signature = end - *next >= 4 && !memcmp(descriptor, "PK\7\10", 4) ? 4 : 0;
    if (end - *next < signature + 12)
      return refuse(check, "member '%s': its data does not end before the directory", shown);
    descriptor += signature;
    if (u32(descriptor) != member->crc || u32(descriptor + 4) != member->packed ||
        u32(descriptor + 8) != member->unpacked)
      return refuse(check, "member '%s': its own header and the zip's directory differ", shown);
    *next += signature + 12;
  }
  return 0;
}

/* ---- the zip ---- */

/* The end record lies at the very end, before nothing but a seal. */
static pl_status find_end(const checker *check, size_t *at) {
  const uint8_t *data = check->data;
  size_t size = check->size;
  pl_file_kind kind = pl_file_identify(data, size);
  if (kind != PL_FILE_PACKAGE)
    return refuse(check, "is %s, not a package", size ? pl_file_kind_words(kind) : "empty");
  if (size >= END_BYTES && !memcmp(data + size - END_BYTES, "PK\5\6", 4) && !u16(data + size - 2)) {
    *at = size - END_BYTES;
    return 0;
  }
  if (size < END_BYTES + SEAL_BYTES || memcmp(data + size - END_BYTES - SEAL_BYTES, "PK\5\6", 4) != 0 ||
      u16(data + size - SEAL_BYTES - 2) != SEAL_BYTES ||
      memcmp(data + size - SEAL_BYTES, seal_prefix, sizeof seal_prefix - 1) != 0)
    return refuse(check, "is truncated, or not a plain zip: its last bytes are no end record");
  char digest[65];
  pl_sha256(data, size - SEAL_BYTES, digest);
  if (memcmp(digest, data + size - 64, 64) != 0)
    return refuse(check, "was changed after packing: its bytes do not have the SHA-256 of its seal");
  *at = size - SEAL_BYTES - END_BYTES;
  return 0;
}

static pl_status read_members(const checker *check, size_t directory, size_t end, pl_zip_member *members,
                              size_t count) {
  size_t central = directory, local = 0;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    record member = {.name = "", .shown = ""};
    const uint8_t *data = NULL;
    pl_status status = read_central(check, end, &central, &member);
    if (!status && !i && strcmp(member.name, "manifest.json") != 0)
      status = refuse(check, "the first member must be 'manifest.json', is '%s'", member.shown);
    if (!status)
      status = check_sizes(check, &member, &total);
    if (!status)
      status = check_local(check, &member, directory, &local, &data);
    if (status)
      return status;
    members[i] = (pl_zip_member){.name = member.name,
                                 .packed = data,
                                 .packed_size = member.packed,
                                 .size = member.unpacked,
                                 .crc = member.crc,
                                 .is_deflated = member.method == METHOD_DEFLATE};
  }
  if (central != end || local != directory)
    return refuse(check, "bytes that belong to no member lie before the zip's %s",
                  local != directory ? "directory" : "end record");
  return 0;
}

pl_status pl_zip_open(const void *data, size_t size, const char *path, pl_arena *arena, pl_sink *sink,
                      const pl_zip_member **members, size_t *count) {
  const checker check = {data, size, path, arena, sink};
  size_t end = 0;
  pl_status status = find_end(&check, &end);
  if (status)
    return status;
  const uint8_t *record_at_end = check.data + end;
  size_t directory_bytes = u32(record_at_end + 12), directory = u32(record_at_end + 16);
  *count = u16(record_at_end + 10);
  if (u16(record_at_end + 4) || u16(record_at_end + 6) || u16(record_at_end + 8) != *count || directory > end ||
      directory_bytes != end - directory)
    return refuse(&check, "the zip's end record is damaged");
  if (!*count)
    return refuse(&check, "is an empty zip");
  if (*count > PL_PACKAGE_MEMBERS_MAX + 1)
    return refuse(&check, "%zu members, at most %d are accepted", *count - 1, PL_PACKAGE_MEMBERS_MAX);
  pl_zip_member *list = pl_arena_array(arena, *count, sizeof *list);
  if (!list)
    return -ENOMEM;
  *members = list;
  return read_members(&check, directory, end, list, *count);
}

void pl_zip_seal(pl_buffer *zip) {
  if (zip->failed || zip->size < END_BYTES)
    return;
  zip->data[zip->size - 2] = SEAL_BYTES;
  zip->data[zip->size - 1] = 0;
  char digest[65];
  pl_sha256(zip->data, zip->size, digest);
  pl_buffer_append(zip, seal_prefix, sizeof seal_prefix - 1);
  pl_buffer_append(zip, digest, 64);
}
