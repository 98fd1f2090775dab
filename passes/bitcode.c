/* bitcode.c - see bitcode.h. */
#include "bitcode.h"

#include "contract.h"
#include "file_kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  pl_sink *sink = context;
  char *text = LLVMGetDiagInfoDescription(info);
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    pl_report(sink, PL_ERROR, "L-LLVM", "%s", text);
  else if (LLVMGetDiagInfoSeverity(info) == LLVMDSWarning)
    pl_report(sink, PL_WARNING, "L-LLVM", "%s", text);
  LLVMDisposeMessage(text);
}

LLVMContextRef pl_bitcode_context(pl_sink *sink) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, take_diagnostic, sink);
  return context;
}

/* LLVM versions spell the same layout in different words, so the meaning is compared: what a stage's structs and
 * pointers depend on. */
static bool layout_is_nvptx(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context), f64 = LLVMDoubleTypeInContext(context);
  LLVMTypeRef f32x4 = LLVMVectorType(LLVMFloatTypeInContext(context), 4);
  return LLVMByteOrder(layout) == LLVMLittleEndian && LLVMPointerSize(layout) == 8 &&
         LLVMPointerSizeForAS(layout, 3) == 8 && LLVMABIAlignmentOfType(layout, i64) == 8 &&
         LLVMABIAlignmentOfType(layout, f64) == 8 && LLVMABIAlignmentOfType(layout, f32x4) == 16;
}

static pl_status check_target(LLVMModuleRef module, const char *where, pl_sink *sink) {
  static const char family[] = "nvptx64-nvidia-";
  const char *triple = LLVMGetTarget(module);
  if (strncmp(triple, family, sizeof family - 1) != 0) {
    pl_report(sink, PL_ERROR, "L-IRABI", "%s is for '%s', not for nvptx64-nvidia-cuda", where,
              *triple ? triple : "no target");
    pl_fix(sink, "compile the stage with `pipelink cc`");
    return -EBADMSG;
  }
  if (!layout_is_nvptx(module)) {
    pl_report(sink, PL_ERROR, "L-IRABI", "%s has another data layout: '%s'", where, LLVMGetDataLayoutStr(module));
    pl_consequence(sink, "structs would be read at other offsets than they were written");
    pl_fix(sink, "compile the stage with `pipelink cc`");
    return -EBADMSG;
  }
  return 0;
}

pl_status pl_bitcode_parse(LLVMContextRef context, const void *data, size_t size, const char *where, pl_sink *sink,
                           LLVMModuleRef *module) {
  *module = NULL;
  pl_file_kind kind = pl_file_identify(data, size);
  if (kind != PL_FILE_BITCODE) {
    pl_report(sink, PL_ERROR, "L-IRABI", "%s is %s, not LLVM bitcode", where, pl_file_kind_words(kind));
    return -EBADMSG;
  }
  size_t errors = sink->error_count;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, where);
  LLVMModuleRef parsed = NULL;
  bool failed = LLVMParseBitcodeInContext2(context, buffer, &parsed);
  LLVMDisposeMemoryBuffer(buffer);
  pl_status status = 0;
  if (failed || sink->error_count != errors) {
    if (sink->error_count == errors)
      pl_report(sink, PL_ERROR, "L-LLVM", "no text for the error");
    pl_detail(sink, "%s cannot be read as bitcode", where);
    status = -EBADMSG;
  }
  if (!status)
    status = check_target(parsed, where, sink);
  char *message = NULL;
  if (!status && LLVMVerifyModule(parsed, LLVMReturnStatusAction, &message)) {
    pl_report(sink, PL_ERROR, "L-IRABI", "%s is not valid IR: %.*s", where, (int)strcspn(message, "\n"), message);
    status = -EBADMSG;
  }
  LLVMDisposeMessage(message);
  if (status && !failed)
    LLVMDisposeModule(parsed);
  else if (!status)
    *module = parsed;
  return status;
}

/* ---- profile ---- */

static const char *target_cpu(LLVMValueRef function, size_t *size) {
  static const char key[] = "target-cpu";
  unsigned length = 0;
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key, sizeof key - 1);
  const char *cpu = attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
  *size = length;
  return cpu;
}

pl_status pl_bitcode_profile(LLVMModuleRef module, const char *where, pl_arena *arena, pl_sink *sink,
                             const char **profile) {
  const char *found = NULL;
  size_t found_size = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    size_t size;
    const char *cpu = target_cpu(function, &size);
    if (!cpu || !size)
      continue;
    if (found && (size != found_size || memcmp(found, cpu, size) != 0)) {
      pl_report(sink, PL_ERROR, "L-TARGET", "%s: mixes code for %.*s and %.*s", where, (int)found_size, found,
                (int)size, cpu);
      return -EBADMSG;
    }
    found = cpu;
    found_size = size;
  }
  *profile = NULL;
  if (!found)
    return 0;
  *profile = pl_arena_copy(arena, found, found_size);
  return *profile ? 0 : -ENOMEM;
}

bool pl_bitcode_sdk_version(LLVMModuleRef module, unsigned *major, unsigned *minor) {
  static const char key[] = "SDK Version";
  LLVMMetadataRef flag = LLVMGetModuleFlag(module, key, sizeof key - 1);
  if (!flag || LLVMGetMetadataKind(flag) != LLVMConstantAsMetadataMetadataKind)
    return false;
  LLVMValueRef array = NULL;
  LLVMGetMDNodeOperands(LLVMMetadataAsValue(LLVMGetModuleContext(module), flag), &array);
  if (!array || !LLVMIsAConstantDataArray(array) || LLVMGetArrayLength2(LLVMTypeOf(array)) < 2)
    return false;
  *major = (unsigned)LLVMConstIntGetZExtValue(LLVMGetAggregateElement(array, 0));
  *minor = (unsigned)LLVMConstIntGetZExtValue(LLVMGetAggregateElement(array, 1));
  return true;
}

/* ---- contract ---- */

static const char contract_name[] = "pipelink.contract";

/* Parses one node and gives it the name that its function or global has now. */
static json_t *read_node(LLVMValueRef node, const char *where, pl_sink *sink) {
  LLVMValueRef operands[2] = {NULL, NULL};
  unsigned length = 0;
  const char *text = NULL;
  if (LLVMGetMDNodeNumOperands(node) == 2) {
    LLVMGetMDNodeOperands(node, operands);
    text = operands[1] ? LLVMGetMDString(operands[1], &length) : NULL;
  }
  if (!text) {
    pl_report(sink, PL_ERROR, "L-MANIFEST", "%s: must be a function, global or null, and a string of JSON", where);
    return NULL;
  }
  json_t *json = pl_json_load(text, length, where, sink);
  if (!json || !json_is_object(json))
    return json; /* pl_contract_parse says what is wrong with it */
  json_object_del(json, "symbol");
  if (operands[0] && LLVMIsAGlobalValue(operands[0])) {
    size_t size;
    const char *symbol = LLVMGetValueName2(operands[0], &size);
    if (json_object_set_new(json, "symbol", json_stringn(symbol, size))) {
      pl_report(sink, PL_ERROR, "L-MANIFEST", "%s: its function's name is not UTF-8", where);
      json_decref(json);
      return NULL;
    }
  }
  return json;
}

pl_status pl_bitcode_contract(LLVMModuleRef module, const char *where, pl_sink *sink, json_t **nodes) {
  pl_status status = 0;
  unsigned count = LLVMGetNamedMetadataNumOperands(module, contract_name);
  LLVMValueRef *operands = calloc(count ? count : 1, sizeof *operands);
  *nodes = json_array();
  if (!operands || !*nodes)
    status = -ENOMEM;
  else
    LLVMGetNamedMetadataOperands(module, contract_name, operands);
  for (unsigned i = 0; i < count && !status; i++) {
    const char *place = pl_arena_printf(sink->arena, "%s: !%s: [%u]", where, contract_name, i);
    json_t *json = place ? read_node(operands[i], place, sink) : NULL;
    if (!json)
      status = sink->out_of_memory || !place ? -ENOMEM : -EBADMSG;
    else if (json_array_append_new(*nodes, json))
      status = -ENOMEM;
  }
  free(operands);
  if (status) {
    json_decref(*nodes);
    *nodes = NULL;
  }
  return status;
}
