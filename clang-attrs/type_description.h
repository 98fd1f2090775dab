// type_description.h - a Clang type as a type object of the contract (docs/contract.md, "Type objects").
#ifndef PIPELINK_CLANG_ATTRS_TYPE_DESCRIPTION_H
#define PIPELINK_CLANG_ATTRS_TYPE_DESCRIPTION_H

#include "clang/AST/ASTContext.h"
#include "llvm/Support/JSON.h"

namespace pipelink {

/// Describes types down to what pointers point to. One describer serves one seam or one params struct: it counts,
/// because a graph of structs may unfold to a tree without end.
class TypeDescriber {
public:
  explicit TypeDescriber(const clang::ASTContext &context) : context(context) {}

  llvm::json::Object describe(clang::QualType type);

  /// True once the description grew past the limit; what was returned is then incomplete.
  bool tooLarge() const { return described > limit; }

  static constexpr unsigned limit = 20000; ///< type objects

private:
  void describeRecord(const clang::RecordDecl *record, llvm::json::Object &object);
  llvm::json::Array describeFields(const clang::RecordDecl *record);

  const clang::ASTContext &context;
  llvm::SmallVector<const clang::RecordDecl *, 8> open; ///< structs whose fields are being described
  unsigned described = 0;
};

} // namespace pipelink

#endif
