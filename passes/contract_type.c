/* contract_type.c - whether one side's type can stand where the other side uses its own: by layout, in words.
 *
 * LLVM cannot tell: its pointers are opaque, so a struct that two owners lay out differently links without a word.
 * Rules: docs/contract.md, "Type objects".
 */
#include "contract.h"

#include <string.h>

/* How the current type was reached; printed only when something differs. */
typedef struct step {
  const struct step *parent;
  enum { STEP_POINTEE, STEP_ELEMENT, STEP_FIELD } kind;
  const pl_type *owner;  /* of a field */
  const pl_field *field; /* of a field */
} step;

typedef struct comparison {
  pl_arena *arena;
  const char **why;
} comparison;

/* ---- words ---- */

/* "field 'view->data' of Tile", or "" when no field is on the way. */
static void print_subject(pl_buffer *text, const step *at) {
  const step *steps[64 + 2];
  size_t count = 0;
  for (; at && count < sizeof steps / sizeof *steps; at = at->parent)
    steps[count++] = at;
  const pl_type *owner = NULL;
  const char *joint = "";
  while (count--) {
    const step *now = steps[count];
    if (now->kind == STEP_POINTEE) {
      joint = "->";
    } else if (now->kind == STEP_FIELD) {
      pl_buffer_printf(text, "%s%s", owner ? joint : "field '", now->field->name);
      if (!*now->field->name)
        pl_buffer_printf(text, "(at byte %llu)", (unsigned long long)now->field->offset);
      if (!owner)
        owner = now->owner;
      joint = ".";
    } else if (owner) {
      pl_buffer_puts(text, "[]");
    }
  }
  if (owner)
    pl_buffer_printf(text, "' of %s", owner->name);
}

/* What the innermost step has to do with the type: "is", "points to" or "has elements". */
static const char *verb(const step *at) {
  if (at && at->kind == STEP_POINTEE)
    return "points to";
  if (at && at->kind == STEP_ELEMENT)
    return "has elements";
  return "is";
}

/* "'Index' (unsigned 32-bit integer)" */
static void print_type(pl_buffer *text, const pl_type *type) {
  static const char *const words[] = {
      [PL_TYPE_VOID] = "nothing",          [PL_TYPE_BOOL] = "bool",
      [PL_TYPE_POINTER] = "pointer",       [PL_TYPE_ARRAY] = "array",
      [PL_TYPE_VECTOR] = "vector",         [PL_TYPE_STRUCT] = "struct",
      [PL_TYPE_FUNCTION] = "function",     [PL_TYPE_OPAQUE] = "incomplete type",
      [PL_TYPE_TENSOR_MAP] = "tensor map",
  };
  if (type->kind == PL_TYPE_VOID) {
    pl_buffer_puts(text, "void");
    return;
  }
  pl_buffer_printf(text, "'%s' (", type->name);
  if (type->kind == PL_TYPE_INTEGER)
    pl_buffer_printf(text, "%s %u-bit integer", type->is_signed ? "signed" : "unsigned", type->bits);
  else if (type->kind == PL_TYPE_FLOAT)
    pl_buffer_printf(text, "%u-bit %s", type->bits, type->is_bfloat ? "bfloat" : "float");
  else if (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_VECTOR)
    pl_buffer_printf(text, "%s of %llu", words[type->kind], (unsigned long long)type->count);
  else
    pl_buffer_puts(text, words[type->kind]);
  pl_buffer_puts(text, ")");
}

/* Gives the reason and is false, so that a check can end with `return refuse(...)`. */
static bool refuse(const comparison *compare, const step *at, const char *format, ...) PL_PRINTF(3, 4);
static bool refuse(const comparison *compare, const step *at, const char *format, ...) {
  pl_buffer text = {0};
  print_subject(&text, at);
  if (text.size)
    pl_buffer_puts(&text, " ");
  va_list arguments;
  va_start(arguments, format);
  pl_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  const char *why = text.failed ? NULL : pl_arena_strdup(compare->arena, text.data);
  *compare->why = why ? why : "out of memory";
  pl_buffer_free(&text);
  return false;
}

static bool refuse_types(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided) {
  pl_buffer text = {0};
  print_type(&text, provided);
  pl_buffer_puts(&text, ", not ");
  print_type(&text, wanted);
  refuse(compare, at, "%s %s", verb(at), text.failed ? "another type" : text.data);
  pl_buffer_free(&text);
  return false;
}

static bool refuse_size(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided) {
  return refuse(compare, at, "%s %s of %llu bytes, not %llu", verb(at), provided->name,
                (unsigned long long)provided->size, (unsigned long long)wanted->size);
}

/* ---- rules ---- */

/* `may_write`: the side that wants the type can store into the place where it is found, so that what it stores is
 * read as the provided type: there, constness of further pointers must agree both ways. */
static bool accepts(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided,
                    bool may_write);

static const pl_field *field_named(const pl_type *type, const char *name) {
  for (size_t i = 0; i < type->field_count; i++)
    if (!strcmp(type->fields[i].name, name))
      return &type->fields[i];
  return NULL;
}

static bool is_at_same_place(const pl_field *a, const pl_field *b) {
  return a->offset == b->offset && a->bit_offset == b->bit_offset && a->bit_width == b->bit_width;
}

static bool refuse_place(const comparison *compare, const step *at, const pl_field *wanted, const pl_field *provided) {
  if (wanted->bit_width || provided->bit_width)
    return refuse(compare, at, "lies at byte %llu, bit %u, %u bits wide; not at byte %llu, bit %u, %u bits wide",
                  (unsigned long long)provided->offset, provided->bit_offset, provided->bit_width,
                  (unsigned long long)wanted->offset, wanted->bit_offset, wanted->bit_width);
  return refuse(compare, at, "lies at byte %llu, not %llu", (unsigned long long)provided->offset,
                (unsigned long long)wanted->offset);
}

static bool accepts_struct(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided,
                           bool may_write) {
  /* The cut of a recursive struct: its layout was compared further up. */
  if (wanted->is_recursive && provided->is_recursive)
    return wanted->size == provided->size || refuse_size(compare, at, wanted, provided);
  if (wanted->is_recursive || provided->is_recursive)
    return refuse(compare, at, "%s %s, which contains itself on one side only", verb(at), provided->name);
  /* A moved name says more than the sizes that follow from it. Names usually agree index by index. */
  for (size_t i = 0; i < wanted->field_count; i++) {
    const pl_field *field = &wanted->fields[i];
    if (!*field->name)
      continue;
    const pl_field *same = i < provided->field_count && !strcmp(provided->fields[i].name, field->name)
                               ? &provided->fields[i]
                               : field_named(provided, field->name);
    if (same && !is_at_same_place(field, same))
      return refuse_place(compare, &(step){at, STEP_FIELD, provided, same}, field, same);
  }
  if (wanted->size != provided->size)
    return refuse_size(compare, at, wanted, provided);
  if (wanted->field_count != provided->field_count)
    return refuse(compare, at, "%s %s with %zu fields, not %zu", verb(at), provided->name, provided->field_count,
                  wanted->field_count);
  for (size_t i = 0; i < wanted->field_count; i++) {
    step next = {at, STEP_FIELD, provided, &provided->fields[i]};
    if (!is_at_same_place(&wanted->fields[i], &provided->fields[i]))
      return refuse_place(compare, &next, &wanted->fields[i], &provided->fields[i]);
    if (!accepts(compare, &next, wanted->fields[i].type, provided->fields[i].type, may_write))
      return false;
  }
  return true;
}

static bool accepts_pointer(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided,
                            bool may_write) {
  if (provided->pointee_const && !wanted->pointee_const)
    return refuse(compare, at, "%s a pointer to const, and the other side may write through it", verb(at));
  if (may_write && wanted->pointee_const && !provided->pointee_const)
    return refuse(compare, at,
                  "%s a pointer that may be written through, and the other side may store a pointer to const there",
                  verb(at));
  return accepts(compare, &(step){at, STEP_POINTEE, NULL, NULL}, wanted->element, provided->element,
                 !wanted->pointee_const);
}

/* "64x128 of 2 bytes, swizzle 128": what decides which bytes a copy moves, and where to. */
static void print_tensor_map(pl_buffer *text, const pl_type *type) {
  for (unsigned i = 0; i < type->rank; i++)
    pl_buffer_printf(text, "%s%u", i ? "x" : "", type->box[i]);
  pl_buffer_printf(text, " of %llu bytes, swizzle %u", (unsigned long long)type->element->size, type->swizzle);
}

static bool accepts_tensor_map(const comparison *compare, const step *at, const pl_type *wanted,
                               const pl_type *provided) {
  bool is_equal = wanted->rank == provided->rank && wanted->swizzle == provided->swizzle &&
                  wanted->element->size == provided->element->size;
  for (unsigned i = 0; i < wanted->rank && is_equal; i++)
    is_equal = wanted->box[i] == provided->box[i];
  if (is_equal)
    return true;
  pl_buffer theirs = {0}, ours = {0};
  print_tensor_map(&theirs, provided);
  print_tensor_map(&ours, wanted);
  bool failed = theirs.failed || ours.failed;
  refuse(compare, at, "%s a tensor map of boxes %s, not %s", verb(at), failed ? "?" : theirs.data,
         failed ? "?" : ours.data);
  pl_buffer_free(&theirs);
  pl_buffer_free(&ours);
  return false;
}

static bool accepts(const comparison *compare, const step *at, const pl_type *wanted, const pl_type *provided,
                    bool may_write) {
  if (wanted->kind != provided->kind)
    return refuse_types(compare, at, wanted, provided);
  switch (wanted->kind) {
  case PL_TYPE_VOID:
  case PL_TYPE_FUNCTION:
    return true;
  case PL_TYPE_OPAQUE:
    if (strcmp(wanted->name, provided->name) != 0)
      return refuse_types(compare, at, wanted, provided);
    break;
  case PL_TYPE_INTEGER:
    if (wanted->bits != provided->bits || wanted->is_signed != provided->is_signed)
      return refuse_types(compare, at, wanted, provided);
    break;
  case PL_TYPE_FLOAT:
    if (wanted->bits != provided->bits || wanted->is_bfloat != provided->is_bfloat)
      return refuse_types(compare, at, wanted, provided);
    break;
  case PL_TYPE_ARRAY:
  case PL_TYPE_VECTOR:
    if (wanted->count != provided->count)
      return refuse_types(compare, at, wanted, provided);
    if (!accepts(compare, &(step){at, STEP_ELEMENT, NULL, NULL}, wanted->element, provided->element, may_write))
      return false;
    break;
  case PL_TYPE_POINTER:
    if (!accepts_pointer(compare, at, wanted, provided, may_write))
      return false;
    break;
  case PL_TYPE_STRUCT:
    if (!accepts_struct(compare, at, wanted, provided, may_write))
      return false;
    break;
  case PL_TYPE_TENSOR_MAP:
    if (!accepts_tensor_map(compare, at, wanted, provided))
      return false;
    break;
  case PL_TYPE_BOOL:
    break;
  }
  if (wanted->size != provided->size)
    return refuse_size(compare, at, wanted, provided);
  /* Stricter alignment than wanted does no harm; the other way a wide load would fault. */
  if (provided->align < wanted->align)
    return refuse(compare, at, "%s '%s' aligned to %llu bytes, not %llu", verb(at), provided->name,
                  (unsigned long long)provided->align, (unsigned long long)wanted->align);
  return true;
}

bool pl_type_accepts(const pl_type *wanted, const pl_type *provided, pl_arena *arena, const char **why) {
  *why = NULL;
  return accepts(&(comparison){arena, why}, NULL, wanted, provided, false);
}
