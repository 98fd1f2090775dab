// reference.h - makes clang emit declarations that nothing refers to, so that the contract has something to name.
#ifndef PIPELINK_CLANG_ATTRS_REFERENCE_H
#define PIPELINK_CLANG_ATTRS_REFERENCE_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"

namespace pipelink {

/// Adds a device variable per function or variable that holds its address, and hands it to `consumer`, the one that
/// generates code. The contract pass removes the variables again (referencePrefix in contract_nodes.h).
void emitReferences(clang::ASTContext &context, clang::ASTConsumer &consumer,
                    llvm::ArrayRef<clang::ValueDecl *> declarations);

} // namespace pipelink

#endif
