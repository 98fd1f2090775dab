/* cubin_file.c - see cubin_file.h. */
#include "cubin_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pipelink_code read_all(int descriptor, const char *path, unsigned char *data, size_t size,
                              pipelink_error *error) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(descriptor, data + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return pl_error_set(error, PIPELINK_ERROR_FILE, "%s: %s", path,
                          count ? strerror(errno) : "became shorter while it was read");
    done += (size_t)count;
  }
  return PIPELINK_OK;
}

pipelink_code pl_input_read(const char *path, size_t limit, void **data, size_t *size, pipelink_error *error) {
  *data = NULL;
  *size = 0;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status)) {
    pipelink_code code = pl_error_set(error, PIPELINK_ERROR_FILE, "%s: %s", path, strerror(errno));
    if (descriptor >= 0)
      close(descriptor);
    return code;
  }
  pipelink_code code = PIPELINK_OK;
  void *bytes = NULL;
  if (!S_ISREG(status.st_mode))
    code = pl_error_set(error, PIPELINK_ERROR_FILE, "%s: is not a regular file", path);
  else if ((uint64_t)status.st_size > limit)
    code = pl_error_set(error, PIPELINK_ERROR_FILE, "%s: has %lld bytes, more than the %zu that are read", path,
                        (long long)status.st_size, limit);
  else if (!(bytes = malloc(status.st_size ? (size_t)status.st_size : 1)))
    code = pl_error_set(error, PIPELINK_ERROR_MEMORY, "%s: out of memory", path);
  else
    code = read_all(descriptor, path, bytes, (size_t)status.st_size, error);
  close(descriptor);
  if (code) {
    free(bytes);
    return code;
  }
  *data = bytes;
  *size = (size_t)status.st_size;
  return PIPELINK_OK;
}

static void sha256(const void *data, size_t size, char hex[SHA256_DIGEST_STRING_LENGTH]) {
  SHA2_CTX context;
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Init(&context);
  SHA256Update(&context, data, size);
  SHA256Final(digest, &context);
  for (size_t i = 0; i < sizeof digest; i++) {
    hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
  hex[2 * sizeof digest] = 0;
}

pipelink_code pl_cubin_file_check(const void *cubin, size_t size, const char *name, const pl_launch_file *file,
                                  pipelink_error *error) {
  if (size != file->cubin_bytes)
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                        "%s: has %zu bytes, but its launch file was written for a cubin of %llu", name, size,
                        (unsigned long long)file->cubin_bytes);
  char hex[SHA256_DIGEST_STRING_LENGTH];
  sha256(cubin, size, hex);
  if (strcmp(hex, file->cubin_sha256))
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                        "%s: has SHA-256 %.16s..., but its launch file was written for %.16s...", name, hex,
                        file->cubin_sha256);
  return PIPELINK_OK;
}

static bool is_inside(size_t size, uint64_t offset, uint64_t bytes) {
  return offset <= size && bytes <= size - offset;
}

static bool table_is_inside(size_t size, uint64_t offset, unsigned count, size_t item_bytes, size_t expected_bytes) {
  return !count || (item_bytes == expected_bytes && is_inside(size, offset, count * item_bytes));
}

pipelink_code pl_cubin_file_check_elf(const void *cubin, size_t size, const char *name, pipelink_error *error) {
  Elf64_Ehdr header;
  if (size < sizeof header || memcmp(cubin, ELFMAG, SELFMAG))
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH, "%s: is not a cubin (no ELF file)", name);
  memcpy(&header, cubin, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_CUDA)
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH, "%s: is an ELF file, but not for CUDA devices", name);

  bool whole = table_is_inside(size, header.e_shoff, header.e_shnum, header.e_shentsize, sizeof(Elf64_Shdr)) &&
               table_is_inside(size, header.e_phoff, header.e_phnum, header.e_phentsize, sizeof(Elf64_Phdr));
  const unsigned char *bytes = cubin;
  for (unsigned i = 0; whole && i < header.e_shnum; i++) {
    Elf64_Shdr section;
    memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    whole = section.sh_type == SHT_NOBITS || is_inside(size, section.sh_offset, section.sh_size);
  }
  for (unsigned i = 0; whole && i < header.e_phnum; i++) {
    Elf64_Phdr segment;
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    whole = is_inside(size, segment.p_offset, segment.p_filesz);
  }
  return whole ? PIPELINK_OK
               : pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                              "%s: is cut short: its headers speak of bytes beyond its end", name);
}
