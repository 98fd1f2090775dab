/* zip_unpack.c - one member of a checked zip into memory; see zip.h. */
#include "zip.h"

#include <errno.h>
#include <zlib.h>

static pl_status refuse(pl_sink *sink, const char *path, const pl_zip_member *member, const char *what) {
  pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: member '%s': %s", path, member->name, what);
  return -EBADMSG;
}

static pl_status refuse_size(pl_sink *sink, const char *path, const pl_zip_member *member, const char *how) {
  pl_report(sink, PL_ERROR, "L-PACKAGE", "%s: member '%s': unpacks to %s than its %zu bytes", path, member->name, how,
            member->size);
  return -EBADMSG;
}

/* Appends to `content` until the stream ends, and stops as soon as there is more than the member may have. */
static pl_status inflate_member(z_stream *stream, const pl_zip_member *member, const char *path, pl_sink *sink,
                                pl_buffer *content) {
  unsigned char chunk[32 * 1024];
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    stream->next_out = chunk;
    stream->avail_out = sizeof chunk;
    code = inflate(stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR)
      return -ENOMEM;
    size_t got = sizeof chunk - stream->avail_out;
    if (code != Z_OK && code != Z_STREAM_END) /* Z_BUF_ERROR: the stream wants bytes that are not there */
      return refuse(sink, path, member, "damaged: its compressed data is not deflate");
    if (got > member->size - content->size)
      return refuse_size(sink, path, member, "more");
    pl_buffer_append(content, chunk, got);
    if (content->failed)
      return -ENOMEM;
  }
  if (stream->avail_in)
    return refuse(sink, path, member, "damaged: bytes follow its compressed data");
  return content->size == member->size ? 0 : refuse_size(sink, path, member, "less");
}

static pl_status unpack_deflated(const pl_zip_member *member, const char *path, pl_arena *arena, pl_sink *sink,
                                 const char **content) {
  /* Sizes are below 1 GiB (zip_directory.c), so they fit zlib's. */
  z_stream stream = {.next_in = (Bytef *)member->packed, .avail_in = (uInt)member->packed_size};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return -ENOMEM;
  pl_buffer unpacked = {0};
  pl_status status = inflate_member(&stream, member, path, sink, &unpacked);
  inflateEnd(&stream);
  if (!status && !(*content = pl_arena_copy(arena, unpacked.data, unpacked.size)))
    status = -ENOMEM;
  pl_buffer_free(&unpacked);
  return status;
}

pl_status pl_zip_unpack(const pl_zip_member *member, const char *path, pl_arena *arena, pl_sink *sink,
                        const char **content) {
  *content = NULL;
  pl_status status = 0;
  if (member->is_deflated)
    status = unpack_deflated(member, path, arena, sink, content);
  else if (!(*content = pl_arena_copy(arena, member->packed, member->packed_size)))
    status = -ENOMEM;
  if (!status && crc32(0, (const Bytef *)*content, (uInt)member->size) != member->crc)
    status = refuse(sink, path, member, "damaged: its content does not have its checksum");
  return status;
}
