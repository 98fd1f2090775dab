// type_description.h - a Clang type as a type object of the contract (docs/contract.md, "Type objects").
#ifndef PIPELINK_CLANG_ATTRS_TYPE_DESCRIPTION_H
#define PIPELINK_CLANG_ATTRS_TYPE_DESCRIPTION_H

#include "clang/Sema/Sema.h"
#include "llvm/Support/JSON.h"

namespace pipelink {

/// Describes types down to what pointers point to. One describer serves one seam or one params struct: it keeps to
/// the limits of the contract's reader (passes/contract.c), because a graph of structs may unfold to an endless tree.
class TypeDescriber {
public:
  explicit TypeDescriber(clang::Sema &sema) : sema(sema), context(sema.Context) {}

  llvm::json::Object describe(clang::QualType type);

  /// What was too much, in words that follow "the types of this seam"; empty while all is well. What describe()
  /// returned is then incomplete.
  llvm::StringRef excess() const { return tooMuch; }

private:
  static constexpr unsigned mostTypes = 20000, mostDepth = 64, mostFields = 1024;

  void describeCanonical(clang::QualType spelled, clang::QualType type, llvm::json::Object &object);
  void describeRecord(const clang::RecordDecl *record, llvm::json::Object &object);
  bool describeTensorMap(const clang::RecordDecl *record, llvm::json::Object &object);
  llvm::json::Array describeFields(const clang::RecordDecl *record);

  clang::Sema &sema; ///< instantiates templates that only pointers point to
  const clang::ASTContext &context;
  llvm::SmallVector<const clang::RecordDecl *, 8> open; ///< structs whose fields are being described
  unsigned described = 0, depth = 0;
  std::string tooMuch;
};

} // namespace pipelink

#endif
