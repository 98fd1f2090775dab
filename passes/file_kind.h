/* file_kind.h - what a file is, told from its first bytes, so that a wrong input gets a helpful word. */
#ifndef PIPELINK_PASSES_FILE_KIND_H
#define PIPELINK_PASSES_FILE_KIND_H

#include <stddef.h>

typedef enum pl_file_kind {
  PL_FILE_UNKNOWN,
  PL_FILE_PACKAGE,     /* any zip */
  PL_FILE_BITCODE,     /* LLVM's */
  PL_FILE_PTX,         /* text */
  PL_FILE_CUBIN,       /* ELF for the GPU: a cubin or a relocatable device object */
  PL_FILE_LTOIR,       /* libNVVM's container */
  PL_FILE_FATBIN,      /* several of the above */
  PL_FILE_HOST_OBJECT, /* ELF for the CPU */
  PL_FILE_ARCHIVE      /* of host objects, lib*.a */
} pl_file_kind;

pl_file_kind pl_file_identify(const void *data, size_t size);

/* "LLVM bitcode", "a host object"; "of no known kind" */
const char *pl_file_kind_words(pl_file_kind kind);

/* Device code hidden in a host object: the name of the section that holds it (".nv_fatbin", ".llvm.offloading"), of a
 * static table; NULL when there is none or the object cannot be read. Every read is inside the bytes. */
const char *pl_host_object_device_section(const void *data, size_t size);

#endif
