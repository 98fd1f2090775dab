// pass_plugin.cpp - the entry for opt's -load-pass-plugin and clang's -fpass-plugin.
#include "contract_pass.h"

#include "llvm/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  llvm::PassPluginLibraryInfo info = {};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = "pipelink";
  info.PluginVersion = PIPELINK_VERSION;
  info.RegisterPassBuilderCallbacks = pipelink::registerContractPrinter;
  return info;
}
