// contract_walk.h - from Clang's AST to contract nodes, at the end of a translation unit.
#ifndef PIPELINK_CLANG_ATTRS_CONTRACT_WALK_H
#define PIPELINK_CLANG_ATTRS_CONTRACT_WALK_H

#include "contract_nodes.h"

#include "clang/Sema/Sema.h"

namespace pipelink {

/// Checks what single attributes could not (device or host, bodies, parameters, names used twice) and fills
/// `contract`, ordered by place in the source, and `undefined`, the seams that have no body here and the resources.
/// After an error both are incomplete and nobody reads them.
void walkContract(clang::Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<clang::ValueDecl *> &undefined);

} // namespace pipelink

#endif
