// contract_walk.h - from Clang's AST to contract nodes, at the end of a translation unit.
#ifndef PIPELINK_CLANG_ATTRS_CONTRACT_WALK_H
#define PIPELINK_CLANG_ATTRS_CONTRACT_WALK_H

#include "contract_nodes.h"

#include "clang/AST/ASTContext.h"

namespace pipelink {

/// Checks what single attributes could not (device or host, bodies, parameters, names used twice) and fills
/// `contract`, ordered by place in the source. After an error the contract is incomplete and nobody reads it.
void walkContract(clang::ASTContext &context, clang::DiagnosticsEngine &diagnostics, ContractNodes &contract);

} // namespace pipelink

#endif
