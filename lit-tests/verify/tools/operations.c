/* operations.c - prints the operations of a module's instructions, one a line; for tests of verify/operation.h.
 *
 *   operations MODULE.bc        the functions of a module
 *   operations --asm < RECORDS  inline-asm blocks: a line with constraints, the text, and a line with "%%"
 *
 * Arguments are named by their places ("$arg0"), constants are numbers. */
#include "operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>

static const char *const names[] = {
    [PL_OP_BARRIER_SYNC] = "barrier-sync",
    [PL_OP_BARRIER_ARRIVE] = "barrier-arrive",
    [PL_OP_CLUSTER_ARRIVE] = "cluster-arrive",
    [PL_OP_CLUSTER_WAIT] = "cluster-wait",
    [PL_OP_MBARRIER_INIT] = "mbarrier-init",
    [PL_OP_MBARRIER_INVAL] = "mbarrier-inval",
    [PL_OP_MBARRIER_ARRIVE] = "mbarrier-arrive",
    [PL_OP_MBARRIER_EXPECT_TX] = "mbarrier-expect-tx",
    [PL_OP_MBARRIER_COMPLETE_TX] = "mbarrier-complete-tx",
    [PL_OP_MBARRIER_TEST] = "mbarrier-test",
    [PL_OP_MBARRIER_WAIT] = "mbarrier-wait",
    [PL_OP_BULK_LOAD] = "bulk-load",
    [PL_OP_BULK_STORE] = "bulk-store",
    [PL_OP_BULK_COMMIT] = "bulk-commit",
    [PL_OP_BULK_WAIT] = "bulk-wait",
    [PL_OP_CP_ASYNC] = "cp-async",
    [PL_OP_CP_ASYNC_COMMIT] = "cp-async-commit",
    [PL_OP_CP_ASYNC_WAIT] = "cp-async-wait",
    [PL_OP_CP_ASYNC_ARRIVE] = "cp-async-arrive",
    [PL_OP_WGMMA_FENCE] = "wgmma-fence",
    [PL_OP_WGMMA] = "wgmma",
    [PL_OP_WGMMA_COMMIT] = "wgmma-commit",
    [PL_OP_WGMMA_WAIT] = "wgmma-wait",
    [PL_OP_FENCE_ASYNC] = "fence-async",
    [PL_OP_FENCE_MBARRIER_INIT] = "fence-mbarrier-init",
    [PL_OP_FENCE] = "fence",
    [PL_OP_FENCE_OTHER] = "fence-other",
    [PL_OP_SETMAXNREG] = "setmaxnreg",
    [PL_OP_TCGEN05_ALLOC] = "tcgen05-alloc",
    [PL_OP_TCGEN05_DEALLOC] = "tcgen05-dealloc",
    [PL_OP_TCGEN05_RELINQUISH] = "tcgen05-relinquish",
    [PL_OP_TCGEN05_MMA] = "tcgen05-mma",
    [PL_OP_TCGEN05_COMMIT] = "tcgen05-commit",
    [PL_OP_TCGEN05_LOAD] = "tcgen05-load",
    [PL_OP_TCGEN05_STORE] = "tcgen05-store",
    [PL_OP_TCGEN05_COPY] = "tcgen05-copy",
    [PL_OP_TCGEN05_WAIT] = "tcgen05-wait",
    [PL_OP_TCGEN05_FENCE] = "tcgen05-fence",
    [PL_OP_PREFETCH] = "prefetch",
    [PL_OP_MMA] = "mma",
    [PL_OP_LOAD] = "load",
    [PL_OP_STORE] = "store",
    [PL_OP_ATOMIC] = "atomic",
    [PL_OP_ELECT] = "elect",
    [PL_OP_SHUFFLE] = "shuffle",
    [PL_OP_SPECIAL_REGISTER] = "special-register",
    [PL_OP_GRID_DEPENDENCY] = "grid-dependency",
    [PL_OP_CALL] = "call",
    [PL_OP_EXIT] = "exit",
    [PL_OP_TRAP] = "trap",
    [PL_OP_ARITHMETIC] = "arithmetic",
    [PL_OP_UNKNOWN] = "unknown",
};

static void print_operand(const char *name, pl_operand operand) {
  switch (operand.kind) {
  case PL_OPERAND_ABSENT:
    return;
  case PL_OPERAND_INTEGER:
    printf(" %s=%lld", name, (long long)operand.integer);
    return;
  case PL_OPERAND_VALUE: {
    unsigned index = 0;
    if (!LLVMIsAArgument(operand.value)) {
      printf(" %s=value", name);
    } else {
      for (LLVMValueRef each = LLVMGetFirstParam(LLVMGetParamParent(operand.value)); each != operand.value;
           each = LLVMGetNextParam(each))
        index++;
      printf(" %s=$arg%u", name, index);
    }
    if (operand.integer)
      printf("%+lld", (long long)operand.integer);
    return;
  }
  case PL_OPERAND_SYMBOL:
    printf(" %s=%s", name, operand.symbol);
    return;
  case PL_OPERAND_LOCAL:
    printf(" %s=local", name);
    return;
  }
}

static void print_operation(const pl_operation *operation) {
  static const char *const spaces[] = {"", " global", " shared", " cluster", " local", " const", " param"};
  static const char *const scopes[] = {"", " .cta", " .cluster", " .gpu", " .sys"};
  printf("  %s '%s'", names[operation->kind], operation->text);
  print_operand("address", operation->address);
  print_operand("cta", operation->cta);
  print_operand("source", operation->source);
  print_operand("source_b", operation->source_b);
  print_operand("barrier", operation->barrier);
  print_operand("id", operation->id);
  print_operand("count", operation->count);
  print_operand("parity", operation->parity);
  print_operand("bytes", operation->bytes);
  print_operand("mask", operation->mask);
  if (operation->result >= 0)
    printf(" result=%d", operation->result);
  print_operand(operation->guard_inverted ? "unless" : "if", operation->guard);
  printf("%s%s", spaces[operation->space], scopes[operation->scope]);
  const struct {
    bool is_set;
    const char *word;
  } flags[] = {{operation->is_aligned, "aligned"},      {operation->is_read, "read"},
               {operation->is_noinc, "noinc"},          {operation->arrives, "arrives"},
               {operation->is_increase, "increase"},    {operation->is_multicast, "multicast"},
               {operation->is_volatile, "volatile"},    {operation->is_acquire, "acquire"},
               {operation->is_release, "release"},      {operation->cta_group == 1, "cg1"},
               {operation->cta_group == 2, "cg2"},      {!operation->has_memory_clobber, "no-clobber"},
               {operation->is_convergent, "convergent"}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].is_set)
      printf(" %s", flags[i].word);
  printf("\n");
}

static pl_status print_instruction(LLVMValueRef instruction, pl_arena *arena) {
  const pl_operation *operations;
  size_t count;
  pl_status status = pl_operations_decode(instruction, arena, &operations, &count);
  for (size_t i = 0; i < count && !status; i++)
    print_operation(&operations[i]);
  return status;
}

static int print_module(LLVMContextRef context, const char *path, pl_arena *arena) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseBitcodeInContext2(context, buffer, &module))
    return 1;
  pl_status status = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    if (!LLVMIsDeclaration(f))
      printf("%s:\n", LLVMGetValueName2(f, &length));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && !status; at = LLVMGetNextInstruction(at))
        status = print_instruction(at, arena);
  }
  LLVMDisposeModule(module);
  LLVMDisposeMemoryBuffer(buffer);
  return status != 0;
}

/* ---- blocks ---- */

static LLVMTypeRef type_of(LLVMContextRef context, char constraint) {
  switch (constraint) {
  case 'l':
    return LLVMInt64TypeInContext(context);
  case 'h':
    return LLVMInt16TypeInContext(context);
  case 'f':
    return LLVMFloatTypeInContext(context);
  case 'd':
    return LLVMDoubleTypeInContext(context);
  default:
    return LLVMInt32TypeInContext(context);
  }
}

/* A function that consists of the block: inputs are its arguments, "n" inputs the constant 1. */
static pl_status print_block(LLVMContextRef context, const char *constraints, const char *text, pl_arena *arena) {
  enum { MOST = 600 };
  LLVMTypeRef results[MOST], inputs[MOST];
  bool is_constant[MOST] = {false};
  unsigned result_count = 0, input_count = 0;
  for (const char *at = constraints; *at && *at != '~' && input_count < MOST && result_count < MOST;) {
    if (*at == '=') {
      results[result_count++] = type_of(context, at[1]);
    } else if (*at >= '0' && *at <= '9') {
      unsigned long tied = strtoul(at, NULL, 10);
      inputs[input_count++] = tied < result_count ? results[tied] : LLVMInt32TypeInContext(context);
    } else {
      is_constant[input_count] = *at == 'n';
      inputs[input_count++] = type_of(context, *at);
    }
    at += strcspn(at, ",");
    at += *at == ',';
  }
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("block", context);
  LLVMTypeRef result = !result_count       ? LLVMVoidTypeInContext(context)
                       : result_count == 1 ? results[0]
                                           : LLVMStructTypeInContext(context, results, result_count, false);
  LLVMTypeRef type = LLVMFunctionType(result, inputs, input_count, false);
  LLVMValueRef function = LLVMAddFunction(module, "block", type), arguments[MOST];
  for (unsigned i = 0; i < input_count; i++)
    arguments[i] = is_constant[i] ? LLVMConstInt(inputs[i], 1, false) : LLVMGetParam(function, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMValueRef assembly = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                           LLVMInlineAsmDialectATT, false);
  pl_status status = print_instruction(LLVMBuildCall2(builder, type, assembly, arguments, input_count, ""), arena);
  LLVMDisposeBuilder(builder);
  LLVMDisposeModule(module);
  return status;
}

static int print_blocks(LLVMContextRef context, pl_arena *arena) {
  char *line = NULL, *constraints = NULL;
  size_t capacity = 0;
  pl_buffer text = {0};
  pl_status status = 0;
  for (ssize_t length; !status && (length = getline(&line, &capacity, stdin)) > 0;) {
    if (!constraints) {
      line[strcspn(line, "\n")] = '\0';
      constraints = strdup(line);
    } else if (strcmp(line, "%%\n") != 0) {
      pl_buffer_append(&text, line, (size_t)length);
    } else {
      printf("block:\n");
      status = text.failed ? 1 : print_block(context, constraints, text.data ? text.data : "", arena);
      free(constraints);
      constraints = NULL;
      pl_buffer_clear(&text);
    }
  }
  free(constraints);
  free(line);
  pl_buffer_free(&text);
  return status != 0;
}

int main(int count, char **arguments) {
  pl_arena *arena = pl_arena_create();
  if (count != 2 || !arena)
    return 2;
  LLVMContextRef context = LLVMContextCreate();
  int failed =
      !strcmp(arguments[1], "--asm") ? print_blocks(context, arena) : print_module(context, arguments[1], arena);
  pl_arena_free(arena);
  LLVMContextDispose(context);
  return failed;
}
