/* library.c - what a library in a package is, told from its bytes: PTX, cubin, LTO-IR, fat binary.
 *
 * The vendor's linker resolves what is inside; here only what must be known before it is asked: whether it can take
 * part at all, whether it defines an exported function, and how many registers a compiled function has.
 */
#include "link.h"

#include "cubin.h"

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

bool pl_library_defines(const pl_codegen_library *library, const char *symbol) {
  switch (library->kind) {
  case PL_LIBRARY_CUBIN:
    return pl_cubin_find(library->data, library->size, symbol, NULL);
  case PL_LIBRARY_PTX: /* names its functions in the open */
    return memmem(library->data, library->size, symbol, strlen(symbol)) != NULL;
  default: /* LTO-IR and fat binaries are opaque: the vendor's linker has the last word */
    return true;
  }
}

unsigned pl_library_registers(const pl_codegen_library *library, const char *symbol) {
  pl_cubin_symbol found;
  return library->kind == PL_LIBRARY_CUBIN && pl_cubin_find(library->data, library->size, symbol, &found)
             ? found.registers
             : 0;
}
