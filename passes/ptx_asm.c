/* ptx_asm.c - the reader of inline-asm text: one pass over the characters, recursive descent for operands. */
#include "ptx_asm.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS_DEEP = 4 }; /* lists within lists; PTX has two: [$0, {$1, $2}] */

typedef struct reader {
  const char *at;
  pl_arena *arena;
  bool out_of_memory;
} reader;

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool continues_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_blanks(reader *in) {
  for (;;) {
    if (isspace((unsigned char)*in->at)) {
      in->at++;
    } else if (in->at[0] == '/' && in->at[1] == '/') {
      in->at += strcspn(in->at, "\n");
    } else if (in->at[0] == '/' && in->at[1] == '*') {
      const char *close = strstr(in->at + 2, "*/");
      in->at = close ? close + 2 : in->at + strlen(in->at);
    } else {
      return;
    }
  }
}

static bool accept(reader *in, char wanted) {
  skip_blanks(in);
  if (*in->at != wanted)
    return false;
  in->at++;
  return true;
}

static const char *copy(reader *in, const char *from, const char *to) {
  char *text = pl_arena_copy(in->arena, from, (size_t)(to - from));
  in->out_of_memory |= !text;
  return text ? text : "";
}

/* From..to on one line: blanks folded, placeholders as they were written. */
static const char *one_line(reader *in, const char *from, const char *to) {
  char *text = pl_arena_alloc(in->arena, (size_t)(to - from) + 1), *end = text;
  if (!text) {
    in->out_of_memory = true;
    return "";
  }
  bool inside = false;
  for (; from < to; from++) {
    if (*from == '\1') {
      inside = !inside;
      if (inside)
        *end++ = '$';
    } else if (!isspace((unsigned char)*from)) {
      *end++ = *from;
    } else if (end > text && end[-1] != ' ') {
      *end++ = ' ';
    }
  }
  while (end > text && end[-1] == ' ')
    end--;
  *end = '\0';
  return text;
}

static const char *without_blanks(reader *in, const char *from, const char *to) {
  char *text = pl_arena_alloc(in->arena, (size_t)(to - from) + 1), *end = text;
  in->out_of_memory |= !text;
  for (; text && from < to; from++)
    if (!isspace((unsigned char)*from))
      *end++ = *from;
  return text ? text : "";
}

/* ---- operands ---- */

static bool read_operand(reader *in, unsigned depth, pl_ptx_operand *operand);

/* Operands up to the closing bracket, or to the end of the statement when `close` is ';'. */
static bool read_operands(reader *in, char close, unsigned depth, const pl_ptx_operand **items, size_t *count) {
  *items = NULL;
  *count = 0;
  skip_blanks(in);
  if (*in->at == close || !*in->at) {
    in->at += *in->at == close && close != ';';
    return close == ';' || in->at[-1] == close;
  }
  size_t most = 1;
  int open = 0;
  for (const char *at = in->at; *at && *at != ';' && open >= 0; at++) {
    most += *at == ',' && !open;
    open += (strchr("[{(", *at) != NULL) - (strchr("]})", *at) != NULL);
  }
  pl_ptx_operand *list = pl_arena_array(in->arena, most, sizeof *list);
  if (!list) {
    in->out_of_memory = true;
    return false;
  }
  *items = list;
  do {
    if (*count == most || !read_operand(in, depth, &list[*count]))
      return false;
    ++*count;
  } while (accept(in, ','));
  skip_blanks(in);
  if (close == ';')
    return *in->at == ';' || *in->at == '}' || !*in->at;
  return accept(in, close);
}

static bool read_placeholder(reader *in, pl_ptx_operand *operand) {
  char *end;
  operand->kind = PL_PTX_PLACEHOLDER;
  operand->integer = (int64_t)(strtoul(in->at + 1, &end, 10) & 0xffffff);
  if (*end != '\1')
    return false;
  in->at = end + 1;
  return true;
}

/* 12, 0x1f, 0b11, 017, with U behind; 1.5, 1e3, 0f3F800000 and 0d... are floats. */
static bool read_number(reader *in, pl_ptx_operand *operand) {
  const char *from = in->at;
  char *end;
  if (from[0] == '0' && strchr("fFdD", from[1]) && isxdigit((unsigned char)from[2])) {
    strtoull(from + 2, &end, 16);
    operand->kind = PL_PTX_FLOAT;
  } else {
    bool is_binary = from[0] == '0' && (from[1] == 'b' || from[1] == 'B');
    operand->kind = PL_PTX_INTEGER;
    operand->integer = (int64_t)strtoull(is_binary ? from + 2 : from, &end, is_binary ? 2 : 0);
    if (*end == '.' || *end == 'e' || *end == 'E') {
      strtod(from, &end);
      operand->kind = PL_PTX_FLOAT;
    } else {
      end += *end == 'U';
    }
  }
  if (end == from || continues_name(*end))
    return false;
  in->at = end;
  operand->name = copy(in, from, end);
  return true;
}

/* A name with its components: "%tid.x", "v.x"; placeholders glued to it stay in it. */
static bool read_name(reader *in, pl_ptx_operand *operand) {
  const char *from = in->at++;
  while (continues_name(*in->at) || (*in->at == '.' && continues_name(in->at[1])) || *in->at == '\1')
    in->at++;
  operand->kind = PL_PTX_NAME;
  operand->name = one_line(in, from, in->at);
  return true;
}

static bool read_primary(reader *in, unsigned depth, pl_ptx_operand *operand) {
  static const struct {
    char open, close;
    pl_ptx_operand_kind kind;
  } lists[] = {{'[', ']', PL_PTX_MEMORY}, {'{', '}', PL_PTX_VECTOR}, {'(', ')', PL_PTX_LIST}};
  skip_blanks(in);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (*in->at != lists[i].open)
      continue;
    in->at++;
    operand->kind = lists[i].kind;
    return depth < OPERANDS_DEEP && read_operands(in, lists[i].close, depth + 1, &operand->items, &operand->item_count);
  }
  if (*in->at == '!' || *in->at == '-' || *in->at == '~') {
    bool is_minus = *in->at++ == '-';
    skip_blanks(in);
    if (depth >= OPERANDS_DEEP || !read_primary(in, depth + 1, operand))
      return false;
    if (is_minus && operand->kind == PL_PTX_INTEGER)
      operand->integer = (int64_t)(0 - (uint64_t)operand->integer);
    else
      operand->is_inverted = !operand->is_inverted;
    return true;
  }
  if (*in->at == '\1')
    return read_placeholder(in, operand);
  if (isdigit((unsigned char)*in->at))
    return read_number(in, operand);
  return starts_name(*in->at) && read_name(in, operand);
}

/* "+ 8", "+ -8", "- 8", any number of them, each a literal. */
static bool read_offset(reader *in, pl_ptx_operand *operand) {
  for (;;) {
    skip_blanks(in);
    if (*in->at != '+' && *in->at != '-')
      return true;
    bool is_minus = *in->at++ == '-';
    pl_ptx_operand added = {0};
    if (!read_primary(in, OPERANDS_DEEP - 1, &added) || added.kind != PL_PTX_INTEGER)
      return false;
    uint64_t amount = (uint64_t)added.integer, *sum = (uint64_t *)&operand->offset;
    *sum += is_minus ? 0 - amount : amount;
  }
}

static bool read_operand(reader *in, unsigned depth, pl_ptx_operand *operand) {
  if (!read_primary(in, depth, operand) || !read_offset(in, operand))
    return false;
  if (!accept(in, '|'))
    return true;
  pl_ptx_operand *both = pl_arena_array(in->arena, 2, sizeof *both);
  if (!both) {
    in->out_of_memory = true;
    return false;
  }
  both[0] = *operand;
  *operand = (pl_ptx_operand){.kind = PL_PTX_PAIR, .items = both, .item_count = 2};
  return read_primary(in, depth, &both[1]);
}

/* ---- statements ---- */

static bool read_modifiers(reader *in, pl_ptx_statement *statement) {
  const char *from = statement->name, *to = from + strlen(from);
  size_t most = 1;
  for (const char *at = from; at < to; at++)
    most += *at == '.';
  const char **modifiers = pl_arena_array(in->arena, most, sizeof *modifiers);
  if (!modifiers) {
    in->out_of_memory = true;
    return false;
  }
  statement->modifiers = modifiers;
  for (const char *at = memchr(from, '.', (size_t)(to - from)); at && at < to;) {
    const char *next = memchr(at + 1, '.', (size_t)(to - at - 1));
    modifiers[statement->modifier_count++] = copy(in, at + 1, next ? next : to);
    at = next;
  }
  return true;
}

/* "@!p": the predicate. */
static bool read_guard(reader *in, pl_ptx_statement *statement) {
  if (!accept(in, '@'))
    return true;
  pl_ptx_operand *guard = pl_arena_alloc(in->arena, sizeof *guard);
  in->out_of_memory |= !guard;
  if (!guard || !read_primary(in, 0, guard))
    return false;
  statement->guard = guard;
  return guard->kind == PL_PTX_NAME || guard->kind == PL_PTX_PLACEHOLDER || guard->kind == PL_PTX_INTEGER;
}

static bool read_instruction(reader *in, pl_ptx_statement *statement) {
  statement->kind = PL_PTX_INSTRUCTION;
  if (!read_guard(in, statement))
    return false;
  skip_blanks(in);
  const char *from = in->at, *end;
  if (!isalpha((unsigned char)*from))
    return false;
  do { /* blanks may stand before a modifier */
    while (continues_name(*in->at) || *in->at == '.' || *in->at == ':')
      in->at++;
    end = in->at;
    skip_blanks(in);
  } while (*in->at == '.');
  in->at = end;
  statement->name = without_blanks(in, from, end);
  return read_modifiers(in, statement) && read_operands(in, ';', 0, &statement->operands, &statement->operand_count);
}

/* ".reg .b32 a, b;" declares a and b. Other directives (.pragma, .loc) have no names of interest. */
static bool read_directive(reader *in, pl_ptx_statement *statement) {
  statement->kind = PL_PTX_DIRECTIVE;
  const char *from = in->at;
  for (in->at++; continues_name(*in->at);)
    in->at++;
  statement->name = copy(in, from, in->at);
  for (skip_blanks(in); *in->at == '.'; skip_blanks(in)) { /* .b32, .v2, .align 8 */
    bool is_align = !strncmp(in->at, ".align", 6);
    for (in->at++; continues_name(*in->at) || *in->at == ':';)
      in->at++;
    skip_blanks(in);
    while (is_align && isdigit((unsigned char)*in->at))
      in->at++;
  }
  const char *names = in->at;
  size_t length = strcspn(names, ";"), most = 1;
  for (size_t i = 0; i < length; i++)
    most += names[i] == ',';
  pl_ptx_operand *list = pl_arena_array(in->arena, most, sizeof *list);
  if (!list) {
    in->out_of_memory = true;
    return false;
  }
  statement->operands = list;
  do {
    skip_blanks(in);
    if (!starts_name(*in->at) || statement->operand_count == most)
      break;
    pl_ptx_operand *declared = &list[statement->operand_count++];
    read_name(in, declared);
    if (accept(in, '<'))
      declared->integer = (int64_t)(strtoul(in->at, NULL, 10) & 0xffffff);
    in->at += strcspn(in->at, ",;"); /* <8>, [16], = {...} */
  } while (accept(in, ','));
  in->at = names + length;
  return true;
}

static bool is_label(const char *at) {
  if (!starts_name(*at))
    return false;
  for (at++; continues_name(*at) || *at == '\1';)
    at++;
  while (isspace((unsigned char)*at))
    at++;
  return at[0] == ':' && at[1] != ':';
}

static void read_statement(reader *in, pl_ptx_statement *statement) {
  const char *from = in->at;
  if (is_label(from)) {
    pl_ptx_operand label = {0};
    read_name(in, &label);
    statement->kind = PL_PTX_LABEL;
    statement->name = label.name;
    accept(in, ':');
  } else if (!(*from == '.' ? read_directive(in, statement) : read_instruction(in, statement))) {
    unsigned depth = statement->depth;
    *statement = (pl_ptx_statement){.kind = PL_PTX_UNREADABLE, .depth = depth, .name = ""};
    in->at = from + strcspn(from, ";");
  }
  statement->text = one_line(in, from, in->at);
}

/* Every statement but the last ends with one of these. */
static size_t most_statements(const char *text) {
  size_t count = 1;
  for (; *text; text++)
    count += strchr(";:{}", *text) != NULL;
  return count;
}

pl_status pl_ptx_asm_read(const char *text, size_t size, pl_arena *arena, pl_ptx_asm *result) {
  *result = (pl_ptx_asm){.is_balanced = true};
  const char *resolved = pl_ptx_resolve_escapes(text, size, arena);
  if (!resolved)
    return -ENOMEM;
  pl_ptx_statement *statements = pl_arena_array(arena, most_statements(resolved), sizeof *statements);
  if (!statements)
    return -ENOMEM;
  result->statements = statements;
  reader in = {.at = resolved, .arena = arena};
  unsigned depth = 0;
  for (skip_blanks(&in); *in.at && !in.out_of_memory; skip_blanks(&in)) {
    if (*in.at == ';') {
      in.at++;
      continue;
    }
    pl_ptx_statement *statement = &statements[result->count++];
    statement->depth = depth;
    if (*in.at == '{' || *in.at == '}') {
      bool opens = *in.at++ == '{';
      result->is_balanced &= opens || depth;
      depth = opens ? depth + 1 : depth - (depth > 0);
      statement->kind = opens ? PL_PTX_OPEN : PL_PTX_CLOSE;
      statement->name = statement->text = opens ? "{" : "}";
    } else {
      read_statement(&in, statement);
    }
  }
  result->is_balanced &= !depth;
  return in.out_of_memory ? -ENOMEM : 0;
}

bool pl_ptx_has_modifier(const pl_ptx_statement *statement, const char *modifier) {
  for (size_t i = 0; i < statement->modifier_count; i++)
    if (!strcmp(statement->modifiers[i], modifier))
      return true;
  return false;
}
