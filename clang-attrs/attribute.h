// attribute.h - what the pipelink attributes have in common: spellings, arguments, placement.
//
// An attribute that passes its checks stays in Clang's AST as an AnnotateAttr, the one attribute a plugin can make
// that templates instantiate. contract_walk.cpp reads it back at the end of the translation unit.
#ifndef PIPELINK_CLANG_ATTRS_ATTRIBUTE_H
#define PIPELINK_CLANG_ATTRS_ATTRIBUTE_H

#include "clang/AST/Attr.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

#include <array>

namespace pipelink {

/// What one argument must be.
struct Argument {
  enum Kind { Name, Version, Word, Integer };
  Kind kind;
  const char *meaning;  ///< for messages: "role name", "number of warps"
  uint64_t least, most; ///< Integer: the values allowed
  bool powerOfTwo;      ///< Integer
  const char *word;     ///< Word: the only string allowed
  unsigned step = 1;    ///< Integer: the values allowed are its multiples
};

/// One attribute, as data.
struct Specification {
  const char *name;    ///< "role"
  const char *usage;   ///< for messages: "role(\"name\", warps)"
  const char *subject; ///< for messages: "functions"
  llvm::ArrayRef<Argument> arguments;
  unsigned required; ///< the first so many arguments must be given
};

/// CTAs of a cluster, with the launch's opt-in; 8 without (CUDA C++ Programming Guide, "Thread Block Clusters").
inline constexpr uint64_t clusterMost = 16;

/// All of them, in the order of docs/contract.md.
llvm::ArrayRef<Specification> specifications();

/// Base of the classes in attributes.cpp.
class Attribute : public clang::ParsedAttrInfo {
public:
  bool isParamExpr(size_t) const final { return true; }
  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute, const clang::Decl *decl) const final;
  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &attribute) const final;

protected:
  /// The spellings are "pipelink::NAME", "pipelink_NAME" and "NAME"; all are literals.
  Attribute(const char *name, const char *scoped, const char *gnu);

private:
  virtual bool appliesTo(const clang::Decl *decl) const = 0;
  /// Keeps a declaration in the module that nothing there calls.
  virtual bool keeps() const { return false; }

  const Specification &specification;
  std::array<Spelling, 3> spellings;
};

/// Puts the attributes into Clang's registry; an entry that another copy of the plugin made is left alone.
void registerAttributes();

/// Reports an error unless `expression` is what `argument` asks for. A value that depends on a template parameter
/// passes; it is checked again in the instantiation.
bool checkArgument(clang::DiagnosticsEngine &diagnostics, const clang::ASTContext &context,
                   const Specification &specification, const Argument &argument, const clang::Expr *expression);

/// Whether an annotation counts that a declaration has only from an earlier one.
enum Inherited { Own, Redeclared };

/// The annotation of `decl` that an attribute named `name` left; null when there is none.
const clang::AnnotateAttr *findAnnotation(const clang::Decl *decl, llvm::StringRef name, Inherited inherited = Own);

/// Arguments of an annotation that passed checkArgument.
llvm::StringRef stringArgument(const clang::AnnotateAttr *annotation, unsigned index);
uint64_t integerArgument(const clang::ASTContext &context, const clang::AnnotateAttr *annotation, unsigned index);

/// Attributes mean something only where device code is made.
bool isDeviceCompilation(const clang::LangOptions &options);

} // namespace pipelink

#endif
