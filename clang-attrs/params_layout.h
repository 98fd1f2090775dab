// params_layout.h - a [[pipelink::params]] struct flattened to the leaves that host code sets by name.
#ifndef PIPELINK_CLANG_ATTRS_PARAMS_LAYOUT_H
#define PIPELINK_CLANG_ATTRS_PARAMS_LAYOUT_H

#include "type_description.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/Support/JSON.h"

namespace pipelink {

/// Reports what keeps `record` from being copied into the kernel's parameter block as bytes and, unless it is
/// opaque, what keeps its fields from being set one by one. True when there is nothing.
bool checkParams(clang::DiagnosticsEngine &diagnostics, const clang::ASTContext &context,
                 const clang::RecordDecl *record, bool opaque);

/// The `fields` of a params node: every leaf with its dotted name, offset and type. Arrays, unions and structs with
/// a private inside are leaves, set as bytes.
llvm::json::Array flattenParams(const clang::ASTContext &context, const clang::RecordDecl *record,
                                TypeDescriber &describer);

} // namespace pipelink

#endif
