/* nvvm_writer.h - what the files of the NVVM writer share; only they include it.
 *
 *   nvvm_writer.c               the module: globals, functions, order of the text
 *   nvvm_writer_names.c         types and values as text, remembered; the pointer map behind it
 *   nvvm_writer_constants.c     constants and constant expressions
 *   nvvm_writer_instructions.c  one instruction -> one or more lines
 *   nvvm_writer_arithmetic.c    floating point that LLVM 7 has no word for, spelt out: bfloat16, fusion, ...
 *   nvvm_writer_integers.c      the same for integers: min, abs, saturation, funnel shifts, ...
 *   nvvm_writer_memory.c        memcpy and its kin
 *   nvvm_writer_atomics.c       atomics and fences, with ordering and scope
 *   nvvm_writer_intrinsics.c    the table of intrinsics
 *   nvvm_writer_select.c        everything else, in the PTX that LLVM's own back end selects for it
 *   nvvm_writer_probe.c         how that PTX is found out
 *   nvvm_writer_attributes.c    attributes of functions, parameters and calls
 *   nvvm_writer_metadata.c      annotations of kernels, metadata of instructions, line information
 *
 * The text is LLVM 7's: every pointer is `i8 addrspace(n)*`, cast to what is needed where it is used. Translation
 * works on strings: an operand is the text of a value ("%x.3", "42"), so that generated values and the module's
 * own are handled alike. Strings live in the scratch arena until the module is written.
 *
 * Two conditions end the work and are looked at in one place each: `failed` (out of memory) and `unknown`
 * (a construct without a sure translation). Code in between just goes on.
 */
#ifndef PIPELINK_PASSES_NVVM_WRITER_H
#define PIPELINK_PASSES_NVVM_WRITER_H

#include "codegen.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/* Pointer -> pointer, open addressing. Zero-initialised is empty. */
typedef struct nvvm_map {
  const void **keys;
  const void **values;
  size_t count, capacity; /* capacity is 0 or a power of two */
} nvvm_map;

const void *nvvm_map_get(const nvvm_map *map, const void *key); /* NULL when absent */
bool nvvm_map_put(nvvm_map *map, const void *key, const void *value);
void nvvm_map_free(nvvm_map *map);

typedef struct nvvm_writer nvvm_writer;
struct nvvm_writer {
  LLVMModuleRef module;
  LLVMContextRef context;
  const pl_nvvm_options *options;
  pl_arena *arena;   /* outlives the writer: what `unknown` says */
  pl_arena *scratch; /* strings */
  pl_buffer *out;
  pl_nvvm_unknown *unknown;
  bool failed;

  LLVMValueRef function;    /* being written, for `unknown` */
  LLVMValueRef instruction; /* being written, for `unknown` */
  unsigned next_value;      /* number of the next local value in this function */

  nvvm_map types;               /* LLVMTypeRef -> text */
  nvvm_map globals;             /* global -> name with sigil */
  nvvm_map locals;              /* value or block of this function -> text */
  nvvm_map declarations;        /* interned text of a declaration -> itself */
  nvvm_map strings;             /* see nvvm_intern */
  nvvm_map nodes;               /* metadata -> "!12" */
  nvvm_map rules;               /* intrinsic -> its row of the table */
  nvvm_map selections;          /* see nvvm_writer_select.c */
  LLVMTargetMachineRef machine; /* NULL until needed */
  pl_buffer declared;           /* declarations of intrinsics and of what lowering calls */
  pl_buffer metadata;           /* numbered nodes */
  pl_buffer annotations;        /* operands of !nvvm.annotations */
  pl_buffer used;               /* operands of @llvm.used */
  unsigned used_count;
  unsigned next_global; /* number of the next name made up for a global */
  unsigned next_node;
  unsigned kinds[16]; /* metadata kinds that are kept, see nvvm_writer_metadata.c */
  LLVMMetadataRef unit;
};

/* ---- text (nvvm_writer_names.c) ---- */

/* Formats into the scratch arena; "" when out of memory. */
const char *nvvm_text(nvvm_writer *writer, const char *format, ...) PL_PRINTF(2, 3);
/* One line of the function's body, indented. */
void nvvm_line(nvvm_writer *writer, const char *format, ...) PL_PRINTF(2, 3);
/* A fresh local value, "%v12". */
const char *nvvm_temporary(nvvm_writer *writer);
/* Writes "%t = ..." for a fresh local value and gives its name back. */
const char *nvvm_assign(nvvm_writer *writer, const char *format, ...) PL_PRINTF(2, 3);

const char *nvvm_type(nvvm_writer *writer, LLVMTypeRef type);
/* Type as which a value crosses a call. libNVVM loses arguments and results of type half (for compute_90a it writes
 * no st.param for them), so they cross as integers, and with a bitcast on either side. */
const char *nvvm_crossing_type(nvvm_writer *writer, LLVMTypeRef type);
/* "float addrspace(3)*" from "float" and 3; "float*" for 0. */
const char *nvvm_pointer_to(nvvm_writer *writer, const char *element, unsigned address_space);
/* Global names with sigil, quoted where needed: @f, @"a b". */
const char *nvvm_global_name(nvvm_writer *writer, LLVMValueRef global);
/* Type of a function as text, "void (i32, i8*)"; a byval parameter is a pointer to its type. */
const char *nvvm_signature(nvvm_writer *writer, LLVMValueRef function);

/* Text of a value where it is used, without and with its type. */
const char *nvvm_operand(nvvm_writer *writer, LLVMValueRef value);
const char *nvvm_typed(nvvm_writer *writer, LLVMValueRef value);
/* Name of an argument, instruction or block of this function; made at the first call. */
const char *nvvm_local(nvvm_writer *writer, LLVMValueRef value);
const char *nvvm_block(nvvm_writer *writer, LLVMBasicBlockRef block);
/* From here on the instruction stands for `value`: only where it was named before (in a phi, or in a block
 * written earlier) is a copy made. */
void nvvm_bind(nvvm_writer *writer, LLVMValueRef instruction, const char *value);

/* Text between quotes, with everything unusual as \XX. */
const char *nvvm_quoted(nvvm_writer *writer, const char *text, size_t length);
/* Equal texts give the same pointer. */
const char *nvvm_intern(nvvm_writer *writer, const char *text);
/* Remembers a declaration such as "declare float @llvm.fma.f32(float, float, float)"; once. */
void nvvm_declare(nvvm_writer *writer, const char *format, ...) PL_PRINTF(2, 3);

/* The first call wins. Location and function are those being written. */
void nvvm_unknown(nvvm_writer *writer, const char *format, ...) PL_PRINTF(2, 3);
bool nvvm_stopped(const nvvm_writer *writer);

/* ---- questions about types ---- */
typedef struct nvvm_shape {
  LLVMTypeRef element; /* the type itself when not a vector */
  LLVMTypeKind kind;   /* of the element */
  unsigned lanes;      /* 0 when not a vector */
  unsigned bits;       /* of an integer or floating-point element, else 0 */
} nvvm_shape;

nvvm_shape nvvm_shape_of(LLVMTypeRef type);
/* A constant with `scalar` in every lane, e.g. "<i32 7, i32 7>"; the scalar itself for 0 lanes. */
const char *nvvm_splat(nvvm_writer *writer, unsigned lanes, const char *element, const char *scalar);
/* "i1" or "<4 x i1>": what comparing two values of `type` gives. */
const char *nvvm_condition_type(nvvm_writer *writer, LLVMTypeRef type);

/* ---- constants (nvvm_writer_constants.c) ---- */
const char *nvvm_constant(nvvm_writer *writer, LLVMValueRef constant);
/* Type that a GEP's indices lead to; NULL (and unknown) when they lead nowhere. */
LLVMTypeRef nvvm_indexed_type(nvvm_writer *writer, LLVMValueRef gep);

/* ---- instructions ---- */
void nvvm_write_instruction(nvvm_writer *writer, LLVMValueRef instruction);
/* The pointer operand cast to point to `element`: text without type. */
const char *nvvm_cast_pointer(nvvm_writer *writer, LLVMValueRef pointer, const char *element);
unsigned nvvm_address_space(LLVMValueRef pointer);
/* Address spaces that LLVM 7 has: generic, global, shared, constant, local. */
bool nvvm_is_plain_space(unsigned space);
/* " nnan ninf ..." as LLVM 7 spells them, "" for none. */
const char *nvvm_fast_math(nvvm_writer *writer, LLVMValueRef instruction);

/* Inline asm as generated by lowering; `arguments` is "i32 %a, i32 %b". Not for asm of the source. */
enum nvvm_asm {
  NVVM_ASM_PURE,            /* a function of its operands */
  NVVM_ASM_PURE_CONVERGENT, /* the same, executed by threads together */
  NVVM_ASM_MEMORY,          /* reads or writes memory, or has another effect */
  NVVM_ASM_CONVERGENT       /* the same, executed by threads together */
};
const char *nvvm_asm_call(nvvm_writer *writer, enum nvvm_asm kind, const char *result_type, const char *text,
                          const char *constraints, const char *arguments);
/* Register constraint of an element type: "h", "r", "l", "f", "d"; NULL when there is none. */
const char *nvvm_constraint(LLVMTypeRef type);

/* ---- arithmetic ---- */
/* bfloat16 and fused-or-not: true when it wrote the instruction. */
bool nvvm_write_float_operation(nvvm_writer *writer, LLVMValueRef instruction);
bool nvvm_write_float_cast(nvvm_writer *writer, LLVMValueRef instruction);
void nvvm_write_freeze(nvvm_writer *writer, LLVMValueRef instruction);

/* ---- atomics ---- */
void nvvm_write_atomic_load(nvvm_writer *writer, LLVMValueRef instruction);
void nvvm_write_atomic_store(nvvm_writer *writer, LLVMValueRef instruction);
void nvvm_write_atomic_rmw(nvvm_writer *writer, LLVMValueRef instruction);
void nvvm_write_compare_exchange(nvvm_writer *writer, LLVMValueRef instruction);
void nvvm_write_fence(nvvm_writer *writer, LLVMValueRef instruction);

/* ---- intrinsics ---- */
void nvvm_write_intrinsic(nvvm_writer *writer, LLVMValueRef call, LLVMValueRef callee);

/* A row of the table: which intrinsics, what is done with them, and what that needs to know. */
typedef struct nvvm_rule {
  const char *name; /* without "llvm."; '?' matches one character, a final '*' the rest */
  void (*write)(nvvm_writer *writer, LLVMValueRef call, const struct nvvm_rule *rule);
  const char *detail; /* new name, predicate, ... */
} nvvm_rule;
typedef void nvvm_action(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule);

/* Calls intrinsic `name` with the operands of `call`. */
void nvvm_write_renamed(nvvm_writer *writer, LLVMValueRef call, const char *name);

/* Integer arithmetic spelt out (nvvm_writer_integers.c). */
nvvm_action nvvm_minimum_maximum, nvvm_absolute, nvvm_three_way, nvvm_saturating, nvvm_saturating_shift, nvvm_overflow,
    nvvm_funnel_shift, nvvm_trailing_zeros, nvvm_byte_swap, nvvm_pointer_mask;
/* Floating point spelt out (nvvm_writer_arithmetic.c). */
nvvm_action nvvm_fused, nvvm_square_root, nvvm_float_magnitude, nvvm_float_or_selected;
/* Memory in bulk (nvvm_writer_memory.c). */
nvvm_action nvvm_copy_memory, nvvm_set_memory;

/* ---- by LLVM's own instruction selection (nvvm_writer_select.c) ---- */
/* Writes an intrinsic call, a memory access or an address space cast as inline asm; false when the PTX for it cannot
 * stand alone. */
bool nvvm_write_selected(nvvm_writer *writer, LLVMValueRef instruction);

/* ---- metadata ---- */
void nvvm_metadata_begin(nvvm_writer *writer);
/* ", !range !3, !dbg !7", "" for none. */
const char *nvvm_attachments(nvvm_writer *writer, LLVMValueRef instruction);
/* " !dbg !5" of a function, "" without line information. */
const char *nvvm_subprogram(nvvm_writer *writer, LLVMValueRef function);
void nvvm_annotate_kernel(nvvm_writer *writer, LLVMValueRef function);
void nvvm_metadata_end(nvvm_writer *writer);

/* ---- attributes of a function or a call (nvvm_writer_attributes.c) ---- */
LLVMAttributeRef nvvm_attribute(LLVMValueRef function_or_call, LLVMAttributeIndex index, const char *name);
bool nvvm_has_attribute(LLVMValueRef function_or_call, LLVMAttributeIndex index, const char *name);
/* Type of byval(T) of a parameter (counted from 0), NULL when not byval. */
LLVMTypeRef nvvm_byval_type(LLVMValueRef function_or_call, unsigned parameter);
const char *nvvm_byval_word(nvvm_writer *writer, const char *type);
/* Value of a string attribute of a function; NULL when absent. */
const char *nvvm_string_attribute(nvvm_writer *writer, LLVMValueRef function, LLVMAttributeIndex index,
                                  const char *name);
bool nvvm_is_kernel(LLVMValueRef function);
/* "noalias nocapture align 16 " in front of a parameter's name; " alwaysinline convergent" behind a function. */
const char *nvvm_parameter_attributes(nvvm_writer *writer, LLVMValueRef function, unsigned parameter);
const char *nvvm_function_attributes(nvvm_writer *writer, LLVMValueRef function);
/* memory(...) in LLVM 7's words, " readnone"; "" for none. */
const char *nvvm_memory_attribute(LLVMValueRef function_or_call);

#endif
