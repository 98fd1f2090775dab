// contract_pass.h - puts the contract into the module as !pipelink.contract, or verifies the one that is there.
#ifndef PIPELINK_LLVM_PLUGIN_CONTRACT_PASS_H
#define PIPELINK_LLVM_PLUGIN_CONTRACT_PASS_H

#include "contract_nodes.h"

#include "llvm/Passes/PassBuilder.h"

#include <memory>

namespace pipelink {

/// In clang: the pass runs first and extracts `contract`. With `raw`, every optional pass is skipped, so that the
/// module leaves clang as its front end made it.
void registerContractPass(llvm::PassBuilder &builder, const std::shared_ptr<const ContractNodes> &contract, bool raw);

/// In opt: -passes=pipelink-contract verifies the module's contract and prints it.
void registerContractPrinter(llvm::PassBuilder &builder);

} // namespace pipelink

#endif
