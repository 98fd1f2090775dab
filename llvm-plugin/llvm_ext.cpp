// llvm_ext.cpp - see llvm_ext.h.
#include "llvm_ext.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

void pl_llvm_erase_named_metadata(LLVMModuleRef module, const char *name) {
  Module &M = *unwrap(module);
  if (NamedMDNode *node = M.getNamedMetadata(name))
    M.eraseNamedMetadata(node);
}

static DICompileUnit *directivesOnly(LLVMContext &context, DIFile *file, StringRef producer) {
  return DICompileUnit::getDistinct(context, DISourceLanguageName(dwarf::DW_LANG_C_plus_plus_14), file, producer,
                                    /*IsOptimized=*/true, "", 0, "", DICompileUnit::DebugDirectivesOnly, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, 0, true, false,
                                    DICompileUnit::DebugNameTableKind::None, false, "", "");
}

void pl_llvm_debug_directives_only(LLVMModuleRef module) {
  Module &M = *unwrap(module);
  NamedMDNode *units = M.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  DebugInfoFinder finder;
  finder.processModule(M);
  DenseMap<DICompileUnit *, DICompileUnit *> replacement;
  for (MDNode *node : units->operands()) {
    auto *unit = cast<DICompileUnit>(node);
    replacement[unit] = unit->getEmissionKind() == DICompileUnit::DebugDirectivesOnly
                            ? unit
                            : directivesOnly(M.getContext(), unit->getFile(), unit->getProducer());
  }
  for (DISubprogram *subprogram : finder.subprograms())
    if (DICompileUnit *unit = replacement.lookup(subprogram->getUnit()))
      subprogram->replaceUnit(unit);
  for (unsigned i = 0; i < units->getNumOperands(); ++i)
    units->setOperand(i, replacement[cast<DICompileUnit>(units->getOperand(i))]);
}

static constexpr StringLiteral generated = "PipeLink"; /* producer of what the linker makes itself */

void pl_llvm_give_entry_a_line(LLVMModuleRef module, LLVMValueRef function, const char *file_name) {
  Module &M = *unwrap(module);
  auto *F = cast<Function>(unwrap(function));
  DIBuilder builder(M, /*AllowUnresolved=*/false);
  DIFile *file = builder.createFile(file_name, ".");
  DICompileUnit *unit = directivesOnly(M.getContext(), file, generated);
  M.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(unit);
  DISubprogram *subprogram =
      DISubprogram::getDistinct(M.getContext(), file, F->getName(), F->getName(), file, 1,
                                builder.createSubroutineType(builder.getOrCreateTypeArray({})), 1, nullptr, 0, 0,
                                DINode::FlagZero, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized, unit);
  F->setSubprogram(subprogram);
  if (!M.getModuleFlag("Debug Info Version"))
    M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  DILocation *location = DILocation::get(M.getContext(), 1, 0, subprogram);
  for (BasicBlock &block : *F)
    for (Instruction &instruction : block)
      if (!instruction.getDebugLoc())
        instruction.setDebugLoc(location);
}

char *pl_llvm_demangle(const char *symbol) {
  char *text = itaniumDemangle(symbol);
  return text ? text : strdup(symbol);
}

/* The handles' headers: what they do is asked for by the line that calls them. */
static bool isHandleHeader(StringRef file) {
  return file.ends_with(".h") && sys::path::filename(sys::path::parent_path(file)) == "pipelink";
}

bool pl_llvm_source_line(LLVMValueRef instruction, const char **file, unsigned *line) {
  auto *I = dyn_cast<Instruction>(unwrap(instruction));
  const DILocation *location = I ? I->getDebugLoc().get() : nullptr;
  while (location && location->getInlinedAt() && isHandleHeader(location->getFilename()))
    location = location->getInlinedAt();
  if (!location || !location->getLine())
    return false;
  const DICompileUnit *unit = location->getScope()->getSubprogram()->getUnit();
  if (unit && unit->getProducer() == generated) /* of code without lines, inlined into the kernel */
    return false;
  *file = location->getFilename().data(); // an MDString: NUL-terminated
  *line = location->getLine();
  return true;
}

void pl_llvm_forbid_contraction(LLVMModuleRef module) {
  for (Function &function : *unwrap(module))
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (isa<FPMathOperator>(instruction))
          instruction.setHasAllowContract(false);
}

const char *pl_llvm_subprogram_name(LLVMMetadataRef subprogram, size_t *length) {
  auto *node = cast<DISubprogram>(unwrap(subprogram));
  StringRef name = node->getLinkageName().empty() ? node->getName() : node->getLinkageName();
  *length = name.size();
  return name.data();
}

LLVMMetadataRef pl_llvm_scope_subprogram(LLVMMetadataRef scope) {
  auto *local = dyn_cast<DILocalScope>(unwrap(scope));
  return local ? wrap(local->getSubprogram()) : nullptr;
}
