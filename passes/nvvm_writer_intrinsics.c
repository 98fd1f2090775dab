/* nvvm_writer_intrinsics.c - the table of intrinsics: kept, renamed, spelt out, or dropped.
 *
 * An unknown llvm.nvvm.* passes libNVVM's verifier and becomes a call to a function that nobody defines; so a name
 * reaches the text only when the table says that libNVVM has it.
 */
#include "nvvm_writer.h"

#include <string.h>

typedef struct nvvm_rule nvvm_rule;
typedef void action(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule);

struct nvvm_rule {
  const char *name; /* without "llvm."; a final '*' matches the rest of the name */
  action *write;
  const char *detail; /* new name, PTX text, predicate, ... as the action wants it */
};

static LLVMValueRef argument(LLVMValueRef call, unsigned index) {
  return LLVMGetOperand(call, index);
}
static const char *operand(nvvm_writer *writer, LLVMValueRef call, unsigned index) {
  return nvvm_operand(writer, argument(call, index));
}

/* ---- dropped, kept, renamed ---- */

static void drop(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)writer, (void)call, (void)rule;
}

/* The call stands for its first argument. */
static void pass_through(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  nvvm_bind(writer, call, operand(writer, call, 0));
}

static const char *types_of_arguments(nvvm_writer *writer, LLVMValueRef call) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    text = nvvm_text(writer, "%s%s%s", text, i ? ", " : "", nvvm_type(writer, LLVMTypeOf(argument(call, i))));
  return text;
}

static const char *arguments_of(nvvm_writer *writer, LLVMValueRef call) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    text = nvvm_text(writer, "%s%s%s", text, i ? ", " : "", nvvm_typed(writer, argument(call, i)));
  return text;
}

static void write_call(nvvm_writer *writer, LLVMValueRef call, const char *name) {
  const char *result = nvvm_type(writer, LLVMTypeOf(call));
  nvvm_declare(writer, "declare %s @%s(%s)", result, name, types_of_arguments(writer, call));
  const char *text =
      nvvm_text(writer, "call %s @%s(%s)%s", result, name, arguments_of(writer, call), nvvm_attachments(writer, call));
  if (strcmp(result, "void"))
    nvvm_line(writer, "%s = %s", nvvm_local(writer, call), text);
  else
    nvvm_line(writer, "%s", text);
}

static void keep(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  size_t length;
  write_call(writer, call, LLVMGetValueName2(LLVMGetCalledValue(call), &length));
}

static void rename_to(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  write_call(writer, call, rule->detail);
}

/* ---- integers ---- */

static void minimum_maximum(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  LLVMTypeRef type = LLVMTypeOf(call);
  const char *text = nvvm_type(writer, type), *left = operand(writer, call, 0), *right = operand(writer, call, 1);
  const char *condition = nvvm_assign(writer, "icmp %s %s %s, %s", rule->detail, text, left, right);
  nvvm_line(writer, "%s = select %s %s, %s %s, %s %s", nvvm_local(writer, call), nvvm_condition_type(writer, type),
            condition, text, left, text, right);
}

static void absolute(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  LLVMTypeRef type = LLVMTypeOf(call);
  const char *text = nvvm_type(writer, type), *value = operand(writer, call, 0), *zero = nvvm_splat(writer, type, "0");
  const char *negative = nvvm_assign(writer, "icmp slt %s %s, %s", text, value, zero);
  const char *negated = nvvm_assign(writer, "sub %s %s, %s", text, zero, value);
  nvvm_line(writer, "%s = select %s %s, %s %s, %s %s", nvvm_local(writer, call), nvvm_condition_type(writer, type),
            negative, text, negated, text, value);
}

/* ---- the table ---- */

static const nvvm_rule rules[] = {
    {"abs.*", absolute, NULL},
    {"assume", drop, NULL},
    {"ctlz.*", keep, NULL},
    {"ctpop.*", keep, NULL},
    {"cttz.*", keep, NULL},
    {"dbg.*", drop, NULL},
    {"donothing", drop, NULL},
    {"expect.*", pass_through, NULL},
    {"experimental.noalias.scope.decl", drop, NULL},
    {"fma.*", keep, NULL},
    {"lifetime.*", drop, NULL},
    {"nvvm.barrier.cta.sync.aligned.all", rename_to, "llvm.nvvm.barrier.n"},
    {"nvvm.barrier0", keep, NULL},
    {"nvvm.membar.*", keep, NULL},
    {"nvvm.read.ptx.sreg.*", keep, NULL},
    {"nvvm.shfl.sync.*", keep, NULL},
    {"nvvm.vote.*", keep, NULL},
    {"smax.*", minimum_maximum, "sgt"},
    {"smin.*", minimum_maximum, "slt"},
    {"umax.*", minimum_maximum, "ugt"},
    {"umin.*", minimum_maximum, "ult"},
};

static bool matches(const char *pattern, const char *name) {
  size_t length = strlen(pattern);
  return length && pattern[length - 1] == '*' ? !strncmp(pattern, name, length - 1) : !strcmp(pattern, name);
}

static const nvvm_rule *rule_for(nvvm_writer *writer, LLVMValueRef callee) {
  const nvvm_rule *known = nvvm_map_get(&writer->rules, callee);
  if (known)
    return known;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strncmp(name, "llvm.", 5) || !matches(rules[i].name, name + 5))
      continue;
    if (!nvvm_map_put(&writer->rules, callee, &rules[i]))
      writer->failed = true;
    return &rules[i];
  }
  return NULL;
}

void nvvm_write_intrinsic(nvvm_writer *writer, LLVMValueRef call, LLVMValueRef callee) {
  const nvvm_rule *rule = rule_for(writer, callee);
  if (rule) {
    rule->write(writer, call, rule);
    return;
  }
  size_t length;
  nvvm_unknown(writer, "intrinsic %s", LLVMGetValueName2(callee, &length));
}
