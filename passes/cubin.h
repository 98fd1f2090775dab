/* cubin.h - the little that is read from a finished cubin: nvJitLink can succeed with nothing in it. */
#ifndef PIPELINK_PASSES_CUBIN_H
#define PIPELINK_PASSES_CUBIN_H

#include "support.h"

/* Bytes of machine code of the kernel, 0 when the cubin has no such kernel (or is not an ELF file). */
uint64_t pl_cubin_kernel_bytes(const void *cubin, size_t size, const char *kernel);

#endif
