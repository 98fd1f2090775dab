// contract_pass.cpp - see contract_pass.h.
#include "contract_pass.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/NVPTXAddrSpace.h"
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

// The variables did their work when clang emitted what they refer to.
static void dropReferences(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!variable.getName().starts_with(referencePrefix))
      continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
  }
}

// A shared array that no code uses is not in the module yet.
static GlobalValue *declareShared(Module &module, const ContractNode &node) {
  auto *array = new GlobalVariable(module, ArrayType::get(Type::getInt8Ty(module.getContext()), 0), false,
                                   GlobalValue::ExternalLinkage, nullptr, node.symbol, nullptr,
                                   GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_SHARED);
  array->setAlignment(Align(node.sharedAlign));
  return array;
}

static void insertContract(Module &module, const ContractNodes &contract) {
  LLVMContext &context = module.getContext();
  NamedMDNode *metadata = module.getOrInsertNamedMetadata(contractName);
  for (const ContractNode &node : contract) {
    GlobalValue *symbol = node.symbol.empty() ? nullptr : module.getNamedValue(node.symbol);
    if (!symbol && node.sharedAlign)
      symbol = declareShared(module, node);
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
    dropReferences(module);
    if (!contract->empty() && !module.getNamedMetadata(contractName))
      insertContract(module, *contract);
    return PreservedAnalyses::none();
  }

  std::shared_ptr<const ContractNodes> contract;
};

// What a module may carry: shape, not sense. The linker's reader (passes/contract.c) checks every field.
class ContractVerifier {
public:
  explicit ContractVerifier(const Module &module) : module(module) {}

  bool verify() {
    const NamedMDNode *metadata = module.getNamedMetadata(contractName);
    if (!metadata)
      return refuse("has no !" + Twine(contractName) + "; was it compiled with -fplugin=PipeLinkClang.so?");
    unsigned stages = 0;
    for (const MDNode *node : metadata->operands())
      if (!verifyNode(*node, stages))
        return false;
    return stages <= 1 || refuse("declares " + Twine(stages) + " stages; a file is one, or a part of one");
  }

private:
  bool verifyNode(const MDNode &node, unsigned &stages) {
    const auto *text = node.getNumOperands() == 2 ? dyn_cast_or_null<MDString>(node.getOperand(1)) : nullptr;
    if (!text)
      return refuse("has a contract node that is not {function or global, JSON string}");
    Expected<json::Value> parsed = json::parse(text->getString());
    if (!parsed)
      return refuse("has a contract node that is not JSON: " + toString(parsed.takeError()));
    const json::Object *object = parsed->getAsObject();
    StringRef kind = object ? object->getString("kind").value_or("") : "";
    if (kind.empty())
      return refuse("has a contract node without 'kind'");
    stages += kind == "stage";
    const Metadata *operand = node.getOperand(0);
    if (kind == "stage" || kind == "params")
      return !operand || refuse("has a " + kind + " node that speaks of a function or global");
    StringRef name = object->getString("name").value_or("");
    if (!operand)
      return object->getString("symbol") || refuse("has " + kind + " '" + name + "' without its function or global");
    const auto *value = dyn_cast<ValueAsMetadata>(operand);
    const auto *function = value ? dyn_cast<Function>(value->getValue()) : nullptr;
    if (kind == "shared")
      return (value && isa<GlobalVariable>(value->getValue())) ||
             refuse("has shared buffer '" + name + "' that is not a global");
    if (kind != "role" && kind != "import" && kind != "export")
      return (value && isa<GlobalVariable>(value->getValue())) ||
             refuse("has " + kind + " '" + name + "' that is not a variable");
    if (!function)
      return refuse("has " + kind + " '" + name + "' that is not a function");
    if (kind == "import" && !function->isDeclaration())
      return refuse("has import '" + name + "' with a body");
    if ((kind == "role" || (kind == "export" && object->getBoolean("defined").value_or(false))) &&
        function->isDeclaration())
      return refuse("has " + kind + " '" + name + "' whose function '" + function->getName() +
                    "' has no body; was it dropped before extraction?");
    return true;
  }

  bool refuse(const Twine &what) {
    module.getContext().emitError("'" + module.getModuleIdentifier() + "' " + what);
    return false;
  }

  const Module &module;
};

struct PrintContract : PassInfoMixin<PrintContract> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!ContractVerifier(module).verify())
      return PreservedAnalyses::all();
    for (const MDNode *node : module.getNamedMetadata(contractName)->operands()) {
      if (const auto *symbol = dyn_cast_or_null<ValueAsMetadata>(node->getOperand(0)))
        symbol->getValue()->printAsOperand(outs(), false);
      else
        outs() << "-";
      outs() << ' ' << cast<MDString>(node->getOperand(1))->getString() << '\n';
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

void registerContractPass(PassBuilder &builder, const std::shared_ptr<const ContractNodes> &contract, bool raw) {
  builder.registerPipelineStartEPCallback(
      [contract](ModulePassManager &passes, OptimizationLevel) { passes.addPass(ExtractContract(contract)); });
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks(); callbacks && raw)
    callbacks->registerShouldRunOptionalPassCallback([](StringRef, const Any &) { return false; });
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
