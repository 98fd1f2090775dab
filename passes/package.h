/* package.h - a .plink file: a zip with manifest.json, code/<profile>.bc, headers and libraries.
 *
 * package.c reads and writes it, over zip.h (reading), libarchive (writing) and manifest.c (manifest.json, jansson). A
 * package is untrusted: members, sizes, ratio, names and hashes are checked there and nowhere else.
 */
#ifndef PIPELINK_PASSES_PACKAGE_H
#define PIPELINK_PASSES_PACKAGE_H

#include "contract.h"

enum {
  PL_PACKAGE_MEMBERS_MAX = 4096,
};
#define PL_PACKAGE_FILE_MAX ((size_t)1 << 30)   /* bytes of the zip itself */
#define PL_PACKAGE_MEMBER_MAX ((size_t)1 << 29) /* bytes of one unpacked member */
#define PL_PACKAGE_TOTAL_MAX ((size_t)1 << 30)  /* bytes of all unpacked members */
#define PL_PACKAGE_RATIO_MAX 256                /* unpacked bytes per byte of the zip, above 1 MiB unpacked */
#define PL_MANIFEST_MAX ((size_t)16 << 20)

typedef struct pl_member {
  const char *name; /* "code/sm_90a.bc"; relative, no "..", forward slashes */
  const void *data; /* owned by the package's arena; NULL after pl_manifest_parse alone */
  size_t size;
  const char *sha256; /* 64 lower-case hexadecimal digits, as the manifest says and the content has */
} pl_member;

typedef struct pl_code {
  const char *profile; /* "sm_90a", or one that this linker does not know */
  const char *member;  /* "code/sm_90a.bc" */
  pl_contract contract;
} pl_code;

typedef struct pl_package {
  const char *path;     /* the file it came from; for messages */
  const char *sha256;   /* of that file; NULL after pl_manifest_parse alone */
  const char *manifest; /* manifest.json as it stands there */
  const char *name;     /* the stage's name */
  const char *version;
  const char *producer_pipelink, *producer_llvm, *producer_cuda; /* versions, e.g. "0.1.0", "22.1.8", "13.0" */
  const pl_code *codes;                                          /* ordered by profile name */
  size_t code_count;
  const pl_member *members; /* everything but manifest.json, ordered by name */
  size_t member_count;
  const char *const *headers; /* member names "include/..." */
  size_t header_count;
  const char *const *libraries; /* member names "lib/..." */
  size_t library_count;
} pl_package;

/* Opens, unpacks and checks one package. Copies everything it keeps: the caller may reuse its buffer.
 * `path` names it in messages. -EBADMSG, -ENOENT, ... with a diagnostic in the sink. */
pl_status pl_package_read(const char *path, pl_arena *arena, pl_sink *sink, pl_package *package);
pl_status pl_package_read_memory(const char *path, const void *data, size_t size, pl_arena *arena, pl_sink *sink,
                                 pl_package *package);

/* Member by name, or NULL. */
const pl_member *pl_package_member(const pl_package *package, const char *name);
/* Code for a profile, or NULL. */
const pl_code *pl_package_code(const pl_package *package, const char *profile);

/* What `pipelink pack` has gathered for one profile: its module (contract metadata removed) and the contract
 * nodes with symbols filled in. */
typedef struct pl_pack_code {
  const char *profile;
  const void *bitcode;
  size_t bitcode_size;
  json_t *contract; /* array; borrowed */
} pl_pack_code;

/* Composes the zip into `zip`: members ordered by name, fixed time stamps, so same input gives same bytes.
 * `members` are the headers and libraries, with their names inside the package. */
pl_status pl_package_write(const char *name, const char *version, const char *cuda_version, const pl_pack_code *codes,
                           size_t code_count, const pl_member *members, size_t member_count, pl_arena *arena,
                           pl_sink *sink, pl_buffer *zip);

/* manifest.c: the manifest alone, for the fuzzer and for pl_package_read_memory. */
pl_status pl_manifest_parse(const char *text, size_t size, const char *path, pl_arena *arena, pl_sink *sink,
                            pl_package *package);
/* Composes manifest.json. `codes`, ordered by profile, name their members "code/<profile>.bc"; `members` is
 * everything the zip will hold besides, ordered by name, with sha256 filled in. */
pl_status pl_manifest_write(const char *name, const char *version, const char *cuda_version, const pl_pack_code *codes,
                            size_t code_count, const pl_member *members, size_t member_count, pl_sink *sink,
                            pl_buffer *text);

/* True for a relative path of printable ASCII without "..", "\", ":" or empty parts. */
bool pl_member_name_is_valid(const char *name);

/* Lower-case hexadecimal SHA-256 with its NUL. */
void pl_sha256(const void *data, size_t size, char hex[65]);

#endif
