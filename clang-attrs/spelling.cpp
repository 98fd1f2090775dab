// spelling.cpp - see spelling.h.
#include "spelling.h"

#include "clang/AST/Decl.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace pipelink {

static PrintingPolicy contractPolicy(const ASTContext &context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.AnonymousTagLocations = false;
  return policy;
}

static std::string spellName(const NamedDecl *decl) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  decl->getNameForDiagnostic(stream, contractPolicy(decl->getASTContext()), /*Qualified=*/true);
  return text;
}

std::string spell(const ASTContext &context, QualType type) {
  return type.getAsString(contractPolicy(context));
}

std::string spell(const RecordDecl *record) {
  return spellName(record);
}

std::string spell(const FunctionDecl *function) {
  const ASTContext &context = function->getASTContext();
  std::string text = spell(context, function->getReturnType()) + " " + spellName(function) + "(";
  for (const ParmVarDecl *parameter : function->parameters())
    text += (parameter == *function->param_begin() ? "" : ", ") + spell(context, parameter->getType());
  return text + ")";
}

} // namespace pipelink
