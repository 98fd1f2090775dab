/* cubin.c - see cubin.h. A cubin is a 64-bit little-endian ELF file; every offset is checked against its size. */
#include "cubin.h"

#include <elf.h>
#include <string.h>

struct elf {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr header;
};

static bool within(const struct elf *elf, uint64_t offset, uint64_t size) {
  return offset <= elf->size && size <= elf->size - offset;
}

static bool section_at(const struct elf *elf, uint64_t index, Elf64_Shdr *section) {
  if (index >= elf->header.e_shnum || elf->header.e_shentsize != sizeof *section || elf->header.e_shoff > elf->size)
    return false;
  uint64_t offset = elf->header.e_shoff + index * sizeof *section;
  if (!within(elf, offset, sizeof *section))
    return false;
  memcpy(section, elf->bytes + offset, sizeof *section);
  return section->sh_type == SHT_NOBITS || within(elf, section->sh_offset, section->sh_size);
}

/* True when the string at `offset` of a string table is `text`. */
static bool string_is(const struct elf *elf, const Elf64_Shdr *strings, uint64_t offset, const char *text) {
  size_t length = strlen(text) + 1;
  return offset < strings->sh_size && length <= strings->sh_size - offset &&
         !memcmp(elf->bytes + strings->sh_offset + offset, text, length);
}

bool pl_cubin_find(const void *cubin, size_t size, const char *name, pl_cubin_symbol *symbol) {
  struct elf elf = {.bytes = cubin, .size = size};
  if (size < sizeof elf.header)
    return false;
  memcpy(&elf.header, cubin, sizeof elf.header);
  if (memcmp(elf.header.e_ident, ELFMAG, SELFMAG) || elf.header.e_ident[EI_CLASS] != ELFCLASS64 ||
      elf.header.e_ident[EI_DATA] != ELFDATA2LSB)
    return false;
  Elf64_Shdr symbols, strings, section;
  for (unsigned i = 0; i < elf.header.e_shnum; i++) {
    if (!section_at(&elf, i, &symbols))
      return false;
    if (symbols.sh_type != SHT_SYMTAB || !section_at(&elf, symbols.sh_link, &strings) || strings.sh_type != SHT_STRTAB)
      continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym entry;
      memcpy(&entry, elf.bytes + symbols.sh_offset + at, sizeof entry);
      if (entry.st_shndx == SHN_UNDEF || !string_is(&elf, &strings, entry.st_name, name) ||
          !section_at(&elf, entry.st_shndx, &section))
        continue;
      bool is_code = ELF64_ST_TYPE(entry.st_info) == STT_FUNC && section.sh_type == SHT_PROGBITS;
      if (symbol) /* the upper byte of a code section's sh_info is its register count (seen in CUDA 13.0 cubins) */
        *symbol = (pl_cubin_symbol){is_code ? section.sh_size : 0, is_code ? section.sh_info >> 24 : 0};
      return true;
    }
  }
  return false;
}

uint64_t pl_cubin_kernel_bytes(const void *cubin, size_t size, const char *kernel) {
  pl_cubin_symbol symbol;
  return pl_cubin_find(cubin, size, kernel, &symbol) ? symbol.code_bytes : 0;
}
