/* file_kind.c - see file_kind.h. */
#include "file_kind.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ELF_MACHINE_CUDA = 190 }; /* EM_CUDA */

static bool begins_with(const void *data, size_t size, const char *magic, size_t magic_size) {
  return size >= magic_size && !memcmp(data, magic, magic_size);
}

/* PTX ISA 9.0, "PTX Module Directives": .version comes first, after nothing but comments. */
static bool is_ptx(const char *text, size_t size) {
  size_t limit = size < 4096 ? size : 4096;
  return !memchr(text, 0, limit) && memmem(text, limit, ".version", 8) && memmem(text, limit, ".target", 7);
}

pl_file_kind pl_file_identify(const void *data, size_t size) {
  if (begins_with(data, size, "PK\3\4", 4) || begins_with(data, size, "PK\5\6", 4))
    return PL_FILE_PACKAGE;
  if (begins_with(data, size, "BC\xc0\xde", 4) || begins_with(data, size, "\xde\xc0\x17\x0b", 4))
    return PL_FILE_BITCODE;
  if (begins_with(data, size, ELFMAG, SELFMAG)) {
    const unsigned char *header = data;
    bool is_cuda = size > 19 && (header[18] | header[19] << 8) == ELF_MACHINE_CUDA;
    return is_cuda ? PL_FILE_CUBIN : PL_FILE_HOST_OBJECT;
  }
  if (begins_with(data, size, "!<arch>\n", 8))
    return PL_FILE_ARCHIVE;
  if (begins_with(data, size, "\x50\xed\x55\xba", 4))
    return PL_FILE_FATBIN;
  if (begins_with(data, size, "\xed\x43\x4e\x7f", 4)) /* as nvcc -dlto and libNVVM -gen-lto write it (CUDA 13.0) */
    return PL_FILE_LTOIR;
  return is_ptx(data, size) ? PL_FILE_PTX : PL_FILE_UNKNOWN;
}

const char *pl_file_kind_words(pl_file_kind kind) {
  switch (kind) {
  case PL_FILE_PACKAGE:
    return "a zip, perhaps a package";
  case PL_FILE_BITCODE:
    return "LLVM bitcode";
  case PL_FILE_PTX:
    return "PTX";
  case PL_FILE_CUBIN:
    return "a cubin";
  case PL_FILE_LTOIR:
    return "LTO-IR";
  case PL_FILE_FATBIN:
    return "a fat binary";
  case PL_FILE_HOST_OBJECT:
    return "a host object";
  case PL_FILE_ARCHIVE:
    return "an archive of objects";
  case PL_FILE_UNKNOWN:
    break;
  }
  return "of no known kind";
}

const char *pl_host_object_device_section(const void *data, size_t size) {
  static const char *const sections[] = {".nv_fatbin", "__nv_relfatbin", ".llvm.offloading", ".llvm.lto.offloading"};
  const char *bytes = data;
  Elf64_Ehdr header;
  if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64)
    return NULL;
  memcpy(&header, data, sizeof header);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size ||
      (size - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum || header.e_shstrndx >= header.e_shnum)
    return NULL;
  const char *table = bytes + header.e_shoff;
  Elf64_Shdr names;
  memcpy(&names, table + header.e_shstrndx * sizeof names, sizeof names);
  if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
    return NULL;
  for (size_t i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr section;
    memcpy(&section, table + i * sizeof section, sizeof section);
    if (section.sh_name >= names.sh_size)
      continue;
    const char *name = bytes + names.sh_offset + section.sh_name;
    size_t room = names.sh_size - section.sh_name;
    for (size_t j = 0; j < sizeof sections / sizeof *sections; j++)
      if (strlen(sections[j]) < room && !memcmp(name, sections[j], strlen(sections[j]) + 1))
        return sections[j];
  }
  return NULL;
}
