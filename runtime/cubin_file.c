/* cubin_file.c - see cubin_file.h. */
#include "cubin_file.h"

#include "package.h"

#include <elf.h>
#include <string.h>

pipelink_code pl_cubin_file_check(const void *cubin, size_t size, const char *name, const pl_launch_file *file,
                                  pipelink_error *error) {
  if (size != file->cubin_bytes)
    return pl_error_set(error, PIPELINK_ERROR_MISMATCH,
                        "%s: has %zu bytes, but its launch file was written for a cubin of %llu", name, size,
                        (unsigned long long)file->cubin_bytes);
  char hex[65];
  pl_sha256(cubin, size, hex);
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
