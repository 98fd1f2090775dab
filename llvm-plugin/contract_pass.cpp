// contract_pass.cpp - see contract_pass.h.
#include "contract_pass.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipelink {

static const char contractName[] = "pipelink.contract";
static const char annotationsName[] = "llvm.global.annotations";

static StringRef annotationText(const Constant *entry) {
  const auto *global = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
  const auto *text =
      global && global->hasInitializer() ? dyn_cast<ConstantDataArray>(global->getInitializer()) : nullptr;
  return text && text->isCString() ? text->getAsCString() : StringRef();
}

// The private globals that only an annotation needs: its texts, and the arguments with their texts.
static void collectGlobals(Constant *constant, SetVector<GlobalVariable *> &globals) {
  constant = constant->stripPointerCasts();
  auto *global = dyn_cast<GlobalVariable>(constant);
  if (global && (!global->hasPrivateLinkage() || !global->hasInitializer() || !globals.insert(global)))
    return;
  if (global)
    return collectGlobals(global->getInitializer(), globals);
  if (isa<ConstantAggregate>(constant))
    for (Value *operand : constant->operands())
      collectGlobals(cast<Constant>(operand), globals);
}

// Our annotations have done their work in the AST and leave the module with everything that they brought.
static void dropAnnotations(Module &module) {
  GlobalVariable *annotations = module.getGlobalVariable(annotationsName);
  auto *entries = annotations ? dyn_cast<ConstantArray>(annotations->getInitializer()) : nullptr;
  if (!entries)
    return;
  SmallVector<Constant *> kept;
  SetVector<GlobalVariable *> globals;
  for (Value *operand : entries->operands()) {
    auto *entry = cast<Constant>(operand);
    if (annotationText(entry).starts_with("pipelink."))
      for (unsigned field : {1u, 2u, 4u}) // text, file, arguments
        collectGlobals(cast<Constant>(entry->getOperand(field)), globals);
    else
      kept.push_back(entry);
  }
  if (kept.size() == entries->getNumOperands())
    return;
  if (!kept.empty()) {
    auto *array = ConstantArray::get(ArrayType::get(kept.front()->getType(), kept.size()), kept);
    auto *replacement = new GlobalVariable(module, array->getType(), false, GlobalValue::AppendingLinkage, array);
    replacement->setSection(annotations->getSection());
    replacement->takeName(annotations);
  }
  annotations->eraseFromParent();
  for (GlobalVariable *global : globals) { // arguments stand before the texts they use
    global->removeDeadConstantUsers();
    if (global->use_empty())
      global->eraseFromParent();
  }
}

static void insertContract(Module &module, const ContractNodes &contract) {
  LLVMContext &context = module.getContext();
  NamedMDNode *metadata = module.getOrInsertNamedMetadata(contractName);
  for (const ContractNode &node : contract) {
    GlobalValue *symbol = node.symbol.empty() ? nullptr : module.getNamedValue(node.symbol);
    Metadata *operands[] = {symbol ? ValueAsMetadata::get(symbol) : nullptr, MDString::get(context, node.json)};
    metadata->addOperand(MDNode::get(context, operands));
  }
}

namespace {

struct ExtractContract : PassInfoMixin<ExtractContract> {
  explicit ExtractContract(std::shared_ptr<const ContractNodes> contract) : contract(std::move(contract)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    dropAnnotations(module);
    if (!contract->empty() && !module.getNamedMetadata(contractName))
      insertContract(module, *contract);
    return PreservedAnalyses::none();
  }

  std::shared_ptr<const ContractNodes> contract;
};

struct PrintContract : PassInfoMixin<PrintContract> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    const NamedMDNode *metadata = module.getNamedMetadata(contractName);
    if (!metadata) {
      module.getContext().emitError("the module '" + module.getModuleIdentifier() + "' has no !" + contractName);
      return PreservedAnalyses::all();
    }
    for (const MDNode *node : metadata->operands()) {
      const auto *symbol = dyn_cast_or_null<ValueAsMetadata>(node->getOperand(0));
      if (symbol)
        symbol->getValue()->printAsOperand(outs(), false);
      else
        outs() << "-";
      outs() << ' ' << cast<MDString>(node->getOperand(1))->getString() << '\n';
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

void registerContractPass(PassBuilder &builder, std::shared_ptr<const ContractNodes> contract, bool raw) {
  builder.registerPipelineStartEPCallback(
      [contract](ModulePassManager &passes, OptimizationLevel) { passes.addPass(ExtractContract(contract)); });
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks(); callbacks && raw)
    callbacks->registerShouldRunOptionalPassCallback([contract](StringRef, Any) { return contract->empty(); });
}

void registerContractPrinter(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "pipelink-contract")
          return false;
        passes.addPass(PrintContract());
        return true;
      });
}

} // namespace pipelink
