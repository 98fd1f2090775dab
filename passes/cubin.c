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

/* Registers of the function with this index in the symbol table, from the EIATTR_REGCOUNT records of .nv.info:
 * {format u8, attribute u8, size u16, symbol u32, count u32} (as ptxas of CUDA 13.0 writes them). */
static unsigned registers_of(const struct elf *elf, uint64_t symbol_index) {
  enum { SHT_CUDA_INFO = 0x70000000, FORMAT_SIZED = 4, ATTRIBUTE_REGCOUNT = 0x2f, HEADER_BYTES = 4 };
  for (unsigned i = 0; i < elf->header.e_shnum; i++) {
    Elf64_Shdr info;
    if (!section_at(elf, i, &info) || info.sh_type != SHT_CUDA_INFO || info.sh_info) /* sh_info: one function's own */
      continue;
    for (uint64_t at = 0; at + HEADER_BYTES <= info.sh_size;) {
      const unsigned char *record = elf->bytes + info.sh_offset + at;
      uint16_t size;
      memcpy(&size, record + 2, sizeof size);
      at += HEADER_BYTES + (record[0] == FORMAT_SIZED ? size : 0u);
      if (record[0] != FORMAT_SIZED || record[1] != ATTRIBUTE_REGCOUNT || size != 8 || at > info.sh_size)
        continue;
      uint32_t values[2];
      memcpy(values, record + HEADER_BYTES, sizeof values);
      if (values[0] == symbol_index)
        return values[1];
    }
  }
  return 0;
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
      if (symbol)
        *symbol =
            (pl_cubin_symbol){is_code ? section.sh_size : 0, is_code ? registers_of(&elf, at / sizeof(Elf64_Sym)) : 0};
      return true;
    }
  }
  return false;
}

uint64_t pl_cubin_kernel_bytes(const void *cubin, size_t size, const char *kernel) {
  pl_cubin_symbol symbol;
  return pl_cubin_find(cubin, size, kernel, &symbol) ? symbol.code_bytes : 0;
}
