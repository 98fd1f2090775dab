/* zip.h - reading a zip that may be hostile, from memory.
 *
 * zip_directory.c accepts a zip only when there is one way to read it, and lists what it holds; zip_unpack.c unpacks
 * one member. Reading is our own: libarchive, which writes our packages, aborts or crashes when memory runs out
 * (tried with 3.6.2), and believes one of a zip's two descriptions of itself without comparing them.
 */
#ifndef PIPELINK_PASSES_ZIP_H
#define PIPELINK_PASSES_ZIP_H

#include "diagnostics.h"

/* One member, checked: a plain file, its name a valid member name, `packed` within the zip's bytes. */
typedef struct pl_zip_member {
  const char *name;      /* in the arena */
  const uint8_t *packed; /* borrowed from the zip */
  size_t packed_size, size;
  uint32_t crc;
  bool is_deflated; /* else stored */
} pl_zip_member;

/* Refuses a zip whose structure is not plain: records that overlap, hide bytes between them or differ between the
 * central directory and the members' own headers; encryption, links, zip64, absurd sizes or ratio; names that are no
 * member names; a first member other than manifest.json; a package changed after packing (see pl_zip_seal). `path`
 * names it in messages. -EBADMSG with a diagnostic, -ENOMEM. */
pl_status pl_zip_open(const void *data, size_t size, const char *path, pl_arena *arena, pl_sink *sink,
                      const pl_zip_member **members, size_t *count);

/* The member's bytes, NUL-terminated, in the arena. They have the size and CRC that the zip says; memory grows with
 * what was really unpacked. */
pl_status pl_zip_unpack(const pl_zip_member *member, const char *path, pl_arena *arena, pl_sink *sink,
                        const char **content);

/* A seal is the zip's comment: the SHA-256 of all bytes before it, so that any changed bit shows. A zip that another
 * tool has written has none, and is accepted for what its manifest says. */
void pl_zip_seal(pl_buffer *zip);

#endif
