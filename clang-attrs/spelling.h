// spelling.h - how contracts and messages spell types, structs and functions: as the source does, but without the place
// of unnamed structs, so that a contract does not depend on the folder its source lies in.
#ifndef PIPELINK_CLANG_ATTRS_SPELLING_H
#define PIPELINK_CLANG_ATTRS_SPELLING_H

#include "clang/AST/ASTContext.h"

namespace pipelink {

/// "const float *"
std::string spell(const clang::ASTContext &context, clang::QualType type);

/// Qualified, with template arguments: "acme::Params<float>".
std::string spell(const clang::RecordDecl *record);

/// "float acme::scale(float)"
std::string spell(const clang::FunctionDecl *function);

} // namespace pipelink

#endif
