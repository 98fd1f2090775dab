// contract_nodes.h - the contract on its way from Clang's AST (clang-attrs/) to the module (contract_pass.cpp).
#ifndef PIPELINK_LLVM_PLUGIN_CONTRACT_NODES_H
#define PIPELINK_LLVM_PLUGIN_CONTRACT_NODES_H

#include <string>
#include <vector>

namespace pipelink {

struct ContractNode {
  std::string symbol;       ///< mangled name of the function or global it speaks of; empty when there is none
  std::string json;         ///< the node as docs/contract.md has it
  unsigned sharedAlign = 0; ///< bytes, for a shared array; 0 for everything else
};

using ContractNodes = std::vector<ContractNode>;

/// Name of the variables that hold seams' addresses so that clang emits the seams' declarations; a number follows.
inline constexpr char referencePrefix[] = "pipelink.reference.";

} // namespace pipelink

#endif
