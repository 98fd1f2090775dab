/* library.c - what a library in a package is, told from its bytes: PTX, cubin, LTO-IR, fat binary.
 *
 * The vendor's linker resolves what is inside; here only what must be known before it is asked: whether it can take
 * part at all, whether it defines an exported function, and how many registers a compiled function has.
 */
#include "link.h"

#include "cubin.h"
#include "file_kind.h"

#include <errno.h>
#include <string.h>

pl_status pl_library_classify(const char *name, const void *data, size_t size, pl_sink *sink,
                              pl_codegen_library *library) {
  *library = (pl_codegen_library){.name = name, .data = data, .size = size};
  pl_file_kind kind = pl_file_identify(data, size);
  switch (kind) {
  case PL_FILE_CUBIN:
    library->kind = PL_LIBRARY_CUBIN;
    return 0;
  case PL_FILE_FATBIN:
    library->kind = PL_LIBRARY_FATBIN;
    return 0;
  case PL_FILE_LTOIR:
    library->kind = PL_LIBRARY_LTOIR;
    return 0;
  case PL_FILE_PTX:
    library->kind = PL_LIBRARY_PTX;
    return 0;
  default:
    pl_report(sink, PL_ERROR, "L-PACKAGE", "%s is %s, not device code (PTX, cubin, LTO-IR or fat binary)", name,
              pl_file_kind_words(kind));
    if (kind == PL_FILE_HOST_OBJECT)
      pl_fix(sink, "extract its device slice first: cuobjdump -xelf all (nvcc), clang-offload-packager (clang)");
    return -EBADMSG;
  }
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
