/* library.c - what a library in a package is, told from its bytes: PTX, cubin, LTO-IR, fat binary.
 *
 * The vendor's linker resolves what is inside; here only what must be known before it is asked: whether it can take
 * part at all, whether it defines an exported function, and how many registers a compiled function has.
 */
#include "link.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

enum {
  ELF_MACHINE_CUDA = 190, /* EM_CUDA */
  FATBIN_MAGIC = (int)0xBA55ED50,
  LTOIR_MAGIC = 0x7F4E43ED, /* libNVVM's container, as written by nvcc -dlto and libNVVM -gen-lto (CUDA 13.0) */
};

static bool is_ptx(const char *data, size_t size) {
  static const char key[] = ".version";
  size_t limit = size < 4096 ? size : 4096;
  return memmem(data, limit, key, sizeof key - 1) && memmem(data, limit, ".target", 7);
}

pl_status pl_library_classify(const char *name, const void *data, size_t size, pl_sink *sink,
                              pl_codegen_library *library) {
  *library = (pl_codegen_library){.name = name, .data = data, .size = size};
  uint32_t magic = 0;
  if (size >= sizeof magic)
    memcpy(&magic, data, sizeof magic);
  if (size >= sizeof(Elf64_Ehdr) && !memcmp(data, ELFMAG, SELFMAG)) {
    Elf64_Ehdr header;
    memcpy(&header, data, sizeof header);
    if (header.e_machine == ELF_MACHINE_CUDA) {
      library->kind = PL_LIBRARY_CUBIN;
      return 0;
    }
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s is a host object, not device code", name);
    pl_fix(sink, "extract its device slice first: cuobjdump -xelf all (nvcc), clang-offload-packager (clang)");
    return -EBADMSG;
  }
  if (magic == (uint32_t)FATBIN_MAGIC)
    library->kind = PL_LIBRARY_FATBIN;
  else if (magic == LTOIR_MAGIC)
    library->kind = PL_LIBRARY_LTOIR;
  else if (is_ptx(data, size))
    library->kind = PL_LIBRARY_PTX;
  else {
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s is neither PTX, cubin, LTO-IR nor a fat binary", name);
    return -EBADMSG;
  }
  return 0;
}

/* Calls `visit` for each section header; stops when it returns true. Every read is inside the bytes. */
typedef struct cubin {
  const char *data;
  size_t size;
  Elf64_Ehdr header;
} cubin;

static bool section_at(const cubin *file, unsigned index, Elf64_Shdr *section) {
  if (index >= file->header.e_shnum || file->header.e_shentsize != sizeof *section)
    return false;
  uint64_t offset = file->header.e_shoff + (uint64_t)index * sizeof *section;
  if (offset < file->header.e_shoff || offset > file->size || file->size - offset < sizeof *section)
    return false;
  memcpy(section, file->data + offset, sizeof *section);
  return section->sh_type == SHT_NOBITS ||
         (section->sh_offset <= file->size && file->size - section->sh_offset >= section->sh_size);
}

static bool open_cubin(const pl_codegen_library *library, cubin *file) {
  if (library->kind != PL_LIBRARY_CUBIN || library->size < sizeof file->header)
    return false;
  *file = (cubin){.data = library->data, .size = library->size};
  memcpy(&file->header, library->data, sizeof file->header);
  return true;
}

/* Text at `offset` of a string table, or NULL. */
static const char *string_at(const cubin *file, const Elf64_Shdr *table, uint64_t offset) {
  if (table->sh_type != SHT_STRTAB || offset >= table->sh_size)
    return NULL;
  const char *text = file->data + table->sh_offset + offset;
  return memchr(text, 0, table->sh_size - offset) ? text : NULL;
}

/* The section that holds the code of a global function `symbol`; 0 when it is not defined. */
static unsigned function_section(const cubin *file, const char *symbol) {
  Elf64_Shdr symbols, strings;
  for (unsigned i = 0; i < file->header.e_shnum; i++) {
    if (!section_at(file, i, &symbols) || symbols.sh_type != SHT_SYMTAB || !section_at(file, symbols.sh_link, &strings))
      continue;
    for (uint64_t k = 0; k + sizeof(Elf64_Sym) <= symbols.sh_size; k += sizeof(Elf64_Sym)) {
      Elf64_Sym entry;
      memcpy(&entry, file->data + symbols.sh_offset + k, sizeof entry);
      const char *name = string_at(file, &strings, entry.st_name);
      if (name && entry.st_shndx != SHN_UNDEF && !strcmp(name, symbol))
        return entry.st_shndx;
    }
  }
  return 0;
}

bool pl_library_defines(const pl_codegen_library *library, const char *symbol) {
  cubin file;
  if (open_cubin(library, &file))
    return function_section(&file, symbol) != 0;
  /* PTX names its functions in the open; LTO-IR and fat binaries are opaque, the vendor's linker has the last word. */
  if (library->kind == PL_LIBRARY_PTX)
    return memmem(library->data, library->size, symbol, strlen(symbol)) != NULL;
  return true;
}

unsigned pl_library_registers(const pl_codegen_library *library, const char *symbol) {
  cubin file;
  Elf64_Shdr section;
  if (!open_cubin(library, &file))
    return 0;
  unsigned index = function_section(&file, symbol);
  /* The upper byte of sh_info of a .text section is the register count (seen in CUDA 13.0 cubins). */
  return index && section_at(&file, index, &section) ? section.sh_info >> 24 : 0;
}
