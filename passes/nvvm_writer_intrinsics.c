/* nvvm_writer_intrinsics.c - the table of intrinsics: kept, renamed, spelt out, selected, or dropped.
 *
 * An unknown llvm.nvvm.* passes libNVVM's verifier and becomes a call to a function that nobody defines; so a name
 * reaches the text only when the table says that libNVVM has it. The table was made by giving every intrinsic of
 * LLVM 22 to the libNVVM of CUDA 13.0, once for compute_90a and once for compute_100a, and comparing the PTX with
 * LLVM's own. Some that libNVVM takes are wrong for compute_90a and therefore not kept: llvm.round rounds halves to
 * even, llvm.fshl by zero combines both operands, llvm.readcyclecounter is always 0, llvm.exp2 crashes.
 */
#include "nvvm_writer.h"

#include <string.h>

/* ---- dropped, kept, renamed ---- */

static void drop(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    nvvm_bind(writer, call, "undef");
}

/* The call stands for its first argument. */
static void pass_through(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  nvvm_bind(writer, call, nvvm_operand(writer, LLVMGetOperand(call, 0)));
}

/* The call stands for a constant. */
static void constant(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  nvvm_bind(writer, call, rule->detail);
}

/* What is not known of an object's size: nothing as a minimum, everything as a maximum. */
static void object_size(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  nvvm_bind(writer, call, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)) ? "0" : "-1");
}

static const char *types_of_arguments(nvvm_writer *writer, LLVMValueRef call) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    text = nvvm_text(writer, "%s%s%s", text, i ? ", " : "", nvvm_type(writer, LLVMTypeOf(LLVMGetOperand(call, i))));
  return text;
}

static const char *arguments_of(nvvm_writer *writer, LLVMValueRef call) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    text = nvvm_text(writer, "%s%s%s", text, i ? ", " : "", nvvm_typed(writer, LLVMGetOperand(call, i)));
  return text;
}

void nvvm_write_renamed(nvvm_writer *writer, LLVMValueRef call, const char *name) {
  const char *result = nvvm_type(writer, LLVMTypeOf(call));
  nvvm_declare(writer, "declare %s @%s(%s)", result, name, types_of_arguments(writer, call));
  const char *text =
      nvvm_text(writer, "call %s @%s(%s)%s", result, name, arguments_of(writer, call), nvvm_attachments(writer, call));
  if (strcmp(result, "void"))
    nvvm_line(writer, "%s = %s", nvvm_local(writer, call), text);
  else
    nvvm_line(writer, "%s", text);
}

static const char *name_of(LLVMValueRef call) {
  size_t length;
  return LLVMGetValueName2(LLVMGetCalledValue(call), &length);
}

static void keep(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  nvvm_write_renamed(writer, call, name_of(call));
}

static void rename_to(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  nvvm_write_renamed(writer, call, rule->detail);
}

/* As LLVM's own back end writes it. */
static void selected(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  (void)rule;
  if (!nvvm_write_selected(writer, call))
    nvvm_unknown(writer, "intrinsic %s", name_of(call));
}

/* Barrier 0 of the whole CTA has a name of its own. */
static void barrier(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  LLVMValueRef id = LLVMGetOperand(call, 0);
  if (!LLVMIsAConstantInt(id) || LLVMConstIntGetZExtValue(id)) {
    nvvm_write_renamed(writer, call, rule->detail);
    return;
  }
  nvvm_declare(writer, "declare void @llvm.nvvm.barrier0()");
  nvvm_line(writer, "call void @llvm.nvvm.barrier0()%s", nvvm_attachments(writer, call));
}

static void breakpoint(nvvm_writer *writer, LLVMValueRef call, const nvvm_rule *rule) {
  nvvm_line(writer, "%s%s", nvvm_asm_call(writer, NVVM_ASM_MEMORY, "void", rule->detail, "", ""),
            nvvm_attachments(writer, call));
}

/* ---- the table: the first row that matches ---- */

static const nvvm_rule rules[] = {
    /* Hints and marks for LLVM's own optimiser, which has been. */
    {"annotation.*", pass_through, NULL},
    {"assume", drop, NULL},
    {"codeview.annotation", drop, NULL},
    {"dbg.*", drop, NULL},
    {"donothing", drop, NULL},
    {"expect.*", pass_through, NULL},
    {"experimental.noalias.scope.decl", drop, NULL},
    {"fake.use", drop, NULL},
    {"invariant.end.*", drop, NULL},
    {"invariant.start.*", drop, NULL},
    {"is.constant.*", constant, "false"},
    {"launder.invariant.group.*", pass_through, NULL},
    {"lifetime.*", drop, NULL},
    {"objectsize.*", object_size, NULL},
    {"pseudoprobe", drop, NULL},
    {"ptr.annotation.*", pass_through, NULL},
    {"sideeffect", drop, NULL},
    {"ssa.copy.*", pass_through, NULL},
    {"stackrestore.*", drop, NULL}, /* stack objects all have fixed places: see alloca */
    {"stacksave.*", constant, "null"},
    {"strip.invariant.group.*", pass_through, NULL},
    {"var.annotation.*", drop, NULL},

    /* Integers. */
    {"abs.*", nvvm_absolute, NULL},
    {"bitreverse.*", keep, NULL},
    {"bswap.*", nvvm_byte_swap, NULL},
    {"ctlz.*", keep, NULL},
    {"ctpop.*", keep, NULL},
    {"cttz.*", nvvm_trailing_zeros, NULL},
    {"fshl.*", nvvm_funnel_shift, "l"},
    {"fshr.*", nvvm_funnel_shift, "r"},
    {"ptrmask.*", nvvm_pointer_mask, NULL},
    {"sadd.sat.*", nvvm_saturating, "sadd"},
    {"sadd.with.overflow.*", nvvm_overflow, NULL},
    {"scmp.*", nvvm_three_way, "s"},
    {"smax.*", nvvm_minimum_maximum, "sgt"},
    {"smin.*", nvvm_minimum_maximum, "slt"},
    {"smul.with.overflow.*", nvvm_overflow, NULL},
    {"sshl.sat.*", nvvm_saturating_shift, "s"},
    {"ssub.sat.*", nvvm_saturating, "ssub"},
    {"ssub.with.overflow.*", nvvm_overflow, NULL},
    {"uadd.sat.*", nvvm_saturating, "uadd"},
    {"uadd.with.overflow.*", nvvm_overflow, NULL},
    {"ucmp.*", nvvm_three_way, "u"},
    {"umax.*", nvvm_minimum_maximum, "ugt"},
    {"umin.*", nvvm_minimum_maximum, "ult"},
    {"umul.with.overflow.*", nvvm_overflow, NULL},
    {"ushl.sat.*", nvvm_saturating_shift, "u"},
    {"usub.sat.*", nvvm_saturating, "usub"},
    {"usub.with.overflow.*", nvvm_overflow, NULL},

    /* Floating point. */
    {"canonicalize.bf16", selected, NULL},
    {"canonicalize.f??", selected, NULL},
    {"ceil.*", nvvm_float_or_selected, NULL},
    {"convert.from.fp16.*", selected, NULL},
    {"convert.to.fp16.*", selected, NULL},
    {"copysign.*", nvvm_float_magnitude, "copysign"},
    {"cos.f32", selected, NULL},
    {"exp2.bf16", selected, NULL},
    {"exp2.f16", selected, NULL},
    {"exp2.f32", selected, NULL},
    {"exp2.v2f16", selected, NULL},
    {"fabs.*", nvvm_float_magnitude, "fabs"},
    {"floor.*", nvvm_float_or_selected, NULL},
    {"fma.*", nvvm_fused, NULL},
    {"fmuladd.*", nvvm_fused, NULL},
    {"fptosi.sat.*", selected, NULL},
    {"fptoui.sat.*", selected, NULL},
    {"is.fpclass.*", selected, NULL},
    {"maximum.*", selected, NULL},
    {"maximumnum.*", nvvm_float_or_selected, "maxnum"},
    {"maxnum.*", nvvm_float_or_selected, NULL},
    {"minimum.*", selected, NULL},
    {"minimumnum.*", nvvm_float_or_selected, "minnum"},
    {"minnum.*", nvvm_float_or_selected, NULL},
    {"nearbyint.*", nvvm_float_or_selected, NULL},
    {"rint.*", nvvm_float_or_selected, NULL},
    {"round.*", selected, NULL},
    {"roundeven.*", selected, NULL},
    {"sin.f32", selected, NULL},
    {"sqrt.*", nvvm_square_root, NULL},
    {"trunc.*", nvvm_float_or_selected, NULL},

    /* Vectors, memory, the machine. */
    {"debugtrap", breakpoint, "brkpt;"},
    {"masked.*", selected, NULL},
    {"memcpy.element.*", NULL, NULL},
    {"memcpy.*", nvvm_copy_memory, NULL},
    {"memmove.element.*", NULL, NULL},
    {"memmove.*", nvvm_copy_memory, NULL},
    {"memset.element.*", NULL, NULL},
    {"memset.*", nvvm_set_memory, NULL},
    {"prefetch.*", selected, NULL},
    {"readcyclecounter", rename_to, "llvm.nvvm.read.ptx.sreg.clock64"},
    {"readsteadycounter", selected, NULL},
    {"trap", keep, NULL},
    {"ubsantrap", breakpoint, "trap;"},
    {"vector.*", selected, NULL},

    /* NVVM: renamed. */
    {"nvvm.barrier.cta.sync.aligned.all", barrier, "llvm.nvvm.barrier.n"},
    {"nvvm.barrier.cta.sync.all", rename_to, "llvm.nvvm.barrier.sync"},
    {"nvvm.barrier.cta.sync.count", rename_to, "llvm.nvvm.barrier.sync.cnt"},
    {"nvvm.ex2.approx.f32", rename_to, "llvm.nvvm.ex2.approx.f"},
    {"nvvm.ex2.approx.ftz.f32", rename_to, "llvm.nvvm.ex2.approx.ftz.f"},
    {"nvvm.fabs.f32", rename_to, "llvm.nvvm.fabs.f"},
    {"nvvm.fabs.f64", rename_to, "llvm.nvvm.fabs.d"},
    {"nvvm.fabs.ftz.f32", rename_to, "llvm.nvvm.fabs.ftz.f"},
    {"nvvm.reflect", rename_to, "__nvvm_reflect"}, /* libNVVM answers it from its own options */

    /* NVVM: kept. Rounding modes are one letter. */
    {"nvvm.add.r?.d", keep, NULL},
    {"nvvm.add.r?.f", keep, NULL},
    {"nvvm.add.r?.ftz.f", keep, NULL},
    {"nvvm.bar.warp.sync", keep, NULL},
    {"nvvm.barrier0", keep, NULL},
    {"nvvm.ceil.?", keep, NULL},
    {"nvvm.ceil.ftz.f", keep, NULL},
    {"nvvm.cos.approx.f", keep, NULL},
    {"nvvm.cos.approx.ftz.f", keep, NULL},
    {"nvvm.d2f.r?", keep, NULL},
    {"nvvm.d2f.r?.ftz", keep, NULL},
    {"nvvm.d2i.??", keep, NULL},
    {"nvvm.d2ll.r?", keep, NULL},
    {"nvvm.d2ui.r?", keep, NULL},
    {"nvvm.d2ull.r?", keep, NULL},
    {"nvvm.div.approx.f", keep, NULL},
    {"nvvm.div.approx.ftz.f", keep, NULL},
    {"nvvm.div.r?.d", keep, NULL},
    {"nvvm.div.r?.f", keep, NULL},
    {"nvvm.div.r?.ftz.f", keep, NULL},
    {"nvvm.exit", keep, NULL},
    {"nvvm.f2h.rn", keep, NULL},
    {"nvvm.f2h.rn.ftz", keep, NULL},
    {"nvvm.f2i.r?", keep, NULL},
    {"nvvm.f2i.r?.ftz", keep, NULL},
    {"nvvm.f2ll.r?", keep, NULL},
    {"nvvm.f2ll.r?.ftz", keep, NULL},
    {"nvvm.f2ui.r?", keep, NULL},
    {"nvvm.f2ui.r?.ftz", keep, NULL},
    {"nvvm.f2ull.r?", keep, NULL},
    {"nvvm.f2ull.r?.ftz", keep, NULL},
    {"nvvm.floor.?", keep, NULL},
    {"nvvm.floor.ftz.f", keep, NULL},
    {"nvvm.fma.r?.d", keep, NULL},
    {"nvvm.fma.r?.f", keep, NULL},
    {"nvvm.fma.r?.ftz.f", keep, NULL},
    {"nvvm.fmax.?", keep, NULL},
    {"nvvm.fmax.ftz.f", keep, NULL},
    {"nvvm.fmin.?", keep, NULL},
    {"nvvm.fmin.ftz.f", keep, NULL},
    {"nvvm.fns", keep, NULL},
    {"nvvm.i2d.r?", keep, NULL},
    {"nvvm.i2f.r?", keep, NULL},
    {"nvvm.isspacep.const", keep, NULL},
    {"nvvm.isspacep.global", keep, NULL},
    {"nvvm.isspacep.local", keep, NULL},
    {"nvvm.isspacep.shared", keep, NULL},
    {"nvvm.isspacep.shared.cluster", keep, NULL},
    {"nvvm.lg2.approx.?", keep, NULL},
    {"nvvm.lg2.approx.ftz.f", keep, NULL},
    {"nvvm.ll2d.r?", keep, NULL},
    {"nvvm.ll2f.r?", keep, NULL},
    {"nvvm.lohi.i2d", keep, NULL},
    {"nvvm.match.all.sync.i32p", keep, NULL},
    {"nvvm.match.all.sync.i64p", keep, NULL},
    {"nvvm.match.any.sync.i32", keep, NULL},
    {"nvvm.match.any.sync.i64", keep, NULL},
    {"nvvm.membar.cta", keep, NULL},
    {"nvvm.membar.gl", keep, NULL},
    {"nvvm.membar.sys", keep, NULL},
    {"nvvm.mul.r?.d", keep, NULL},
    {"nvvm.mul.r?.f", keep, NULL},
    {"nvvm.mul.r?.ftz.f", keep, NULL},
    {"nvvm.mul24.i", keep, NULL},
    {"nvvm.mul24.ui", keep, NULL},
    {"nvvm.mulhi.i", keep, NULL},
    {"nvvm.mulhi.ll", keep, NULL},
    {"nvvm.mulhi.ui", keep, NULL},
    {"nvvm.mulhi.ull", keep, NULL},
    {"nvvm.prmt", keep, NULL},
    {"nvvm.rcp.approx.ftz.d", keep, NULL},
    {"nvvm.rcp.r?.d", keep, NULL},
    {"nvvm.rcp.r?.f", keep, NULL},
    {"nvvm.rcp.r?.ftz.f", keep, NULL},
    {"nvvm.read.ptx.sreg.clock", keep, NULL},
    {"nvvm.read.ptx.sreg.clock64", keep, NULL},
    {"nvvm.read.ptx.sreg.ctaid.?", keep, NULL},
    {"nvvm.read.ptx.sreg.envreg?", keep, NULL},
    {"nvvm.read.ptx.sreg.envreg??", keep, NULL},
    {"nvvm.read.ptx.sreg.gridid", keep, NULL},
    {"nvvm.read.ptx.sreg.laneid", keep, NULL},
    {"nvvm.read.ptx.sreg.lanemask.??", keep, NULL},
    {"nvvm.read.ptx.sreg.nctaid.?", keep, NULL},
    {"nvvm.read.ptx.sreg.nsmid", keep, NULL},
    {"nvvm.read.ptx.sreg.ntid.?", keep, NULL},
    {"nvvm.read.ptx.sreg.nwarpid", keep, NULL},
    {"nvvm.read.ptx.sreg.pm?", keep, NULL},
    {"nvvm.read.ptx.sreg.smid", keep, NULL},
    {"nvvm.read.ptx.sreg.tid.?", keep, NULL},
    {"nvvm.read.ptx.sreg.warpid", keep, NULL},
    {"nvvm.read.ptx.sreg.warpsize", keep, NULL},
    {"nvvm.round.?", keep, NULL},
    {"nvvm.round.ftz.f", keep, NULL},
    {"nvvm.rsqrt.approx.?", keep, NULL},
    {"nvvm.rsqrt.approx.ftz.f", keep, NULL},
    {"nvvm.sad.i", keep, NULL},
    {"nvvm.sad.ll", keep, NULL},
    {"nvvm.sad.ui", keep, NULL},
    {"nvvm.sad.ull", keep, NULL},
    {"nvvm.saturate.?", keep, NULL},
    {"nvvm.saturate.ftz.f", keep, NULL},
    {"nvvm.shfl.sync.bfly.?32", keep, NULL},
    {"nvvm.shfl.sync.down.?32", keep, NULL},
    {"nvvm.shfl.sync.idx.?32", keep, NULL},
    {"nvvm.shfl.sync.up.?32", keep, NULL},
    {"nvvm.sin.approx.f", keep, NULL},
    {"nvvm.sin.approx.ftz.f", keep, NULL},
    {"nvvm.sqrt.approx.f", keep, NULL},
    {"nvvm.sqrt.approx.ftz.f", keep, NULL},
    {"nvvm.sqrt.f", keep, NULL},
    {"nvvm.sqrt.r?.d", keep, NULL},
    {"nvvm.sqrt.r?.f", keep, NULL},
    {"nvvm.sqrt.r?.ftz.f", keep, NULL},
    {"nvvm.trunc.?", keep, NULL},
    {"nvvm.trunc.ftz.f", keep, NULL},
    {"nvvm.ui2d.r?", keep, NULL},
    {"nvvm.ui2f.r?", keep, NULL},
    {"nvvm.ull2d.r?", keep, NULL},
    {"nvvm.ull2f.r?", keep, NULL},
    {"nvvm.vote.all.sync", keep, NULL},
    {"nvvm.vote.any.sync", keep, NULL},
    {"nvvm.vote.ballot.sync", keep, NULL},
    {"nvvm.vote.uni.sync", keep, NULL},

    /* Everything else of NVVM. */
    {"nvvm.*", selected, NULL},
};

static bool matches(const char *pattern, const char *name) {
  for (; *pattern && *name; pattern++, name++) {
    if (*pattern == '*' && !pattern[1])
      return true;
    if (*pattern != '?' && *pattern != *name)
      return false;
  }
  return !*name && (!*pattern || (*pattern == '*' && !pattern[1]));
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
  if (rule && rule->write)
    rule->write(writer, call, rule);
  else
    nvvm_unknown(writer, "intrinsic %s", name_of(call));
}
