// type_contract.h - what a class says of itself to the linker, in its nested class `contract` (docs/contract.md).
//
// Resources and tensor maps are described this way, so that the device headers are their vocabulary and nothing here
// knows what a ring is.
#ifndef PIPELINK_CLANG_ATTRS_TYPE_CONTRACT_H
#define PIPELINK_CLANG_ATTRS_TYPE_CONTRACT_H

#include "type_description.h"

#include "clang/AST/DeclCXX.h"

namespace pipelink {

/// The public member class `contract` of a class type, its own or a base's; null when there is none.
const clang::CXXRecordDecl *findContract(const clang::ASTContext &context, clang::QualType type);

/// The text of the member `kind`; empty when there is none.
std::string contractKind(clang::Sema &sema, const clang::CXXRecordDecl *contract);

/// Adds a field for every public static constant and type alias of `contract` and its bases, the most derived one of a
/// name. Reports constants that have no form in JSON, and options that no base without bases declares; false then.
bool describeContract(clang::Sema &sema, const clang::CXXRecordDecl *contract, TypeDescriber &describer,
                      llvm::json::Object &fields);

} // namespace pipelink

#endif
