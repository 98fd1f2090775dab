/* cubin.h - the little that is read from a cubin: what it defines (nvJitLink can succeed with nothing in it). */
#ifndef PIPELINK_PASSES_CUBIN_H
#define PIPELINK_PASSES_CUBIN_H

#include "support.h"

/* A symbol that a cubin defines. */
typedef struct pl_cubin_symbol {
  uint64_t code_bytes; /* size of its section of machine code; 0 for a variable */
  unsigned registers;  /* per thread, of a function; 0 for a variable */
} pl_cubin_symbol;

/* False when the cubin does not define the symbol, or is no cubin. `symbol` may be NULL. */
bool pl_cubin_find(const void *cubin, size_t size, const char *name, pl_cubin_symbol *symbol);

/* Bytes of machine code of the kernel, 0 when the cubin has no such kernel (or is not an ELF file). */
uint64_t pl_cubin_kernel_bytes(const void *cubin, size_t size, const char *kernel);

#endif
