// clang_plugin.cpp - the entry for clang's -fplugin=: attributes, the walk after parsing, the pass after that.
#include "attribute.h"
#include "contract_pass.h"
#include "contract_walk.h"
#include "misspelling.h"
#include "reference.h"
#include "report.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <dlfcn.h>

using namespace clang;

namespace pipelink {

namespace {

class ContractConsumer final : public ASTConsumer {
public:
  ContractConsumer(CompilerInstance &compiler, bool raw, std::shared_ptr<ContractNodes> contract)
      : compiler(compiler), raw(raw), contract(std::move(contract)) {}

  void HandleTranslationUnit(ASTContext &context) override {
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (diagnostics.hasErrorOccurred()) // what is left of a broken source would only mislead
      return;
    llvm::SmallVector<ValueDecl *, 8> undefined;
    walkContract(compiler.getSema(), *contract, undefined);
    if (diagnostics.hasErrorOccurred() || contract->empty() || !raw)
      return;
    if (compiler.getCodeGenOpts().DisableLLVMPasses)
      error(diagnostics, {},
            "-disable-llvm-passes would leave the stage without its contract: it is written by a pass");
    if (compiler.getCodeGenOpts().OptimizationLevel == 0)
      error(diagnostics, {},
            "-O0 marks every function 'optnone', which the linker could not inline; compile stages with -O3");
    emitReferences(context, compiler.getASTConsumer(), undefined);
  }

private:
  CompilerInstance &compiler;
  bool raw;
  std::shared_ptr<ContractNodes> contract;
};

class ContractAction final : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    if (!isDeviceCompilation(compiler.getLangOpts()))
      return std::make_unique<ASTConsumer>();
    watchForMisspellings(compiler.getPreprocessor());
    auto contract = std::make_shared<ContractNodes>();
    // Bitcode is for the linker and must be raw; any other output is an ordinary compilation's.
    frontend::ActionKind output = compiler.getFrontendOpts().ProgramAction;
    bool raw = output == frontend::EmitBC || output == frontend::EmitLLVM;
    compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
        [contract, raw](llvm::PassBuilder &builder) { registerContractPass(builder, contract, raw); });
    return std::make_unique<ContractConsumer>(compiler, raw, contract);
  }

  bool ParseArgs(const CompilerInstance &compiler, const std::vector<std::string> &arguments) override {
    if (arguments.empty())
      return true;
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    diagnostics.Report(
        diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "the pipelink plugin takes no argument, '%0' given"))
        << arguments.front();
    return false;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

// Clang offers plugins no other moment than being loaded. A second copy of this file finds the entry there; opt, which
// may load this file for its pass, has no Clang to register with.
__attribute__((constructor)) void registerPlugin() {
  static const char name[] = "pipelink";
  if (!dlsym(RTLD_DEFAULT, "_ZTVN5clang15PluginASTActionE"))
    return;
  for (const auto &entry : FrontendPluginRegistry::entries())
    if (entry.getName() == name)
      return;
  static FrontendPluginRegistry::Add<ContractAction> entry(name, "extracts the contract of a PipeLink stage");
  registerAttributes();
}

} // namespace

} // namespace pipelink
