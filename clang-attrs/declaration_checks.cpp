// declaration_checks.cpp - see declaration_checks.h.
#include "declaration_checks.h"

#include "attribute.h"
#include "report.h"
#include "spelling.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace pipelink {

bool checkArguments(Sema &sema, const Decl *decl, const AnnotateAttr *annotation, StringRef attribute) {
  const Specification *specification =
      llvm::find_if(specifications(), [&](const Specification &each) { return attribute == each.name; });
  for (unsigned i = 0; i < annotation->args_size(); ++i) {
    if (checkArgument(sema.getDiagnostics(), sema.Context, *specification, specification->arguments[i],
                      annotation->args_begin()[i]))
      continue;
    if (const auto *function = dyn_cast<FunctionDecl>(decl))
      note(sema.getDiagnostics(), function->getPointOfInstantiation(),
           "in the instantiation '" + spell(function) + "'");
    return false;
  }
  return true;
}

bool checkCallable(Sema &sema, const FunctionDecl *function, const AnnotateAttr *annotation, StringRef attribute) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  std::string needs = ("'pipelink::" + attribute + "' needs a ").str();
  std::string quoted = "; '" + function->getNameAsString() + "' is ";
  if (function->hasAttr<CUDAGlobalAttr>()) {
    error(diagnostics, annotation->getLocation(),
          needs + "__device__ function" + quoted + "a kernel, and the linker writes the kernel itself");
    return false;
  }
  if (!function->hasAttr<CUDADeviceAttr>()) {
    error(diagnostics, annotation->getLocation(), needs + "__device__ function" + quoted + "a host function")
        << FixItHint::CreateInsertion(function->getInnerLocStart(), "__device__ ");
    return false;
  }
  if (const auto *method = dyn_cast<CXXMethodDecl>(function); method && method->isInstance()) {
    error(diagnostics, annotation->getLocation(), needs + "function without 'this'" + quoted + "a member function");
    return false;
  }
  if (function->isVariadic()) {
    error(diagnostics, function->getLocation(), needs + "fixed number of arguments" + quoted + "variadic");
    return false;
  }
  return true;
}

// What crosses a seam by value must have a size, or nobody could call it.
static bool checkValue(Sema &sema, QualType type, SourceLocation location, const Twine &what) {
  if (type->isVoidType() || (!type->isUndeducedType() && sema.isCompleteType(location, type)))
    return true;
  error(sema.getDiagnostics(), location, what + " '" + spell(sema.Context, type) + "', which is not complete here");
  return false;
}

bool checkSeam(Sema &sema, const FunctionDecl *function, const AnnotateAttr *annotation, StringRef kind) {
  std::string seam = (kind + " '" + stringArgument(annotation, 0) + "'").str();
  if (kind == "import" && function->isDefined()) {
    error(sema.getDiagnostics(), function->getDefinition()->getLocation(),
          seam + " has a body; another package provides it, so declare it only");
    return false;
  }
  if (kind == "export" && findAnnotation(function, "import")) {
    error(sema.getDiagnostics(), annotation->getLocation(), "one function cannot be both import and export");
    return false;
  }
  bool good = checkValue(sema, function->getReturnType(), function->getLocation(), seam + " returns");
  for (const ParmVarDecl *parameter : function->parameters())
    good &= checkValue(sema, parameter->getType(), parameter->getLocation(), seam + " takes");
  return good;
}

// Null after an error.
static const RecordDecl *checkRoleParameter(Sema &sema, const ParmVarDecl *parameter) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  QualType type = parameter->getType(), value = type.getNonReferenceType().getUnqualifiedType();
  const RecordDecl *record = value->getAsRecordDecl();
  if (!record || !type->isLValueReferenceType() || !type->getPointeeType().isConstQualified()) {
    auto builder = error(diagnostics, parameter->getLocation(),
                         "a role's parameter must be 'const Params &', not '" + spell(sema.Context, type) + "'");
    builder << parameter->getSourceRange();
    if (record)
      builder << FixItHint::CreateReplacement(parameter->getTypeSourceInfo()->getTypeLoc().getSourceRange(),
                                              "const " + spell(sema.Context, value) + " &");
    return nullptr;
  }
  bool complete = sema.isCompleteType(parameter->getLocation(), value); // instantiates a template
  if (complete)
    record = record->getDefinition();
  if (!findAnnotation(record, "params", Redeclared)) {
    error(diagnostics, parameter->getLocation(),
          "struct '" + spell(record) + "' is a role's parameter but not declared [[pipelink::params]]");
    note(diagnostics, record->getLocation(), "declared here")
        << FixItHint::CreateInsertion(record->getLocation(), "[[pipelink::params]] ");
    return nullptr;
  }
  if (!complete) {
    error(diagnostics, parameter->getLocation(), "params struct '" + spell(record) + "' has no definition here");
    return nullptr;
  }
  return record;
}

std::optional<const RecordDecl *> checkRole(Sema &sema, const FunctionDecl *function, StringRef name) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  if (!function->isDefined()) {
    error(diagnostics, function->getLocation(), "role '" + name + "' has no body in this file");
    return std::nullopt;
  }
  if (!function->getReturnType()->isVoidType()) {
    error(diagnostics, function->getReturnTypeSourceRange().getBegin(), "a role returns void")
        << FixItHint::CreateReplacement(function->getReturnTypeSourceRange(), "void");
    return std::nullopt;
  }
  if (function->getNumParams() == 0)
    return nullptr;
  if (function->getNumParams() > 1) {
    error(diagnostics, function->getParamDecl(1)->getLocation(),
          "a role takes at most one parameter, 'const Params &'");
    return std::nullopt;
  }
  const RecordDecl *params = checkRoleParameter(sema, function->getParamDecl(0));
  return params ? std::optional(params) : std::nullopt;
}

bool checkShared(Sema &sema, const VarDecl *variable, const AnnotateAttr *annotation) {
  if (!variable->hasAttr<CUDASharedAttr>() || !variable->hasExternalStorage() ||
      !variable->getType()->isIncompleteArrayType()) {
    error(sema.getDiagnostics(), annotation->getLocation(),
          "'pipelink::shared' needs an 'extern __shared__' array without extent; the linker gives it its place");
    return false;
  }
  auto declared = static_cast<uint64_t>(sema.Context.getDeclAlign(variable).getQuantity());
  if (annotation->args_size() < 3)
    return true;
  uint64_t align = integerArgument(sema.Context, annotation, 2);
  if (align >= declared)
    return true;
  error(sema.getDiagnostics(), annotation->args_begin()[2]->getExprLoc(),
        "'pipelink::shared': alignment " + Twine(align) + " is less than the array's own, " + Twine(declared));
  return false;
}

bool checkResource(Sema &sema, const VarDecl *variable, const AnnotateAttr *annotation) {
  auto refuse = [&](const Twine &what) {
    error(sema.getDiagnostics(), annotation->getLocation(), "'pipelink::resource' needs " + what);
    return false;
  };
  // Clang makes __constant__ what has a constant value, so this comes first.
  if (const VarDecl *definition = variable->getDefinition()) {
    error(sema.getDiagnostics(), definition->getLocation(),
          "resource '" + stringArgument(annotation, 0) +
              "' has a value here; the linker gives it one, so declare it 'extern' only");
    return false;
  }
  if (!variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDASharedAttr>() ||
      variable->hasAttr<CUDAConstantAttr>() || !variable->hasGlobalStorage())
    return refuse("an 'extern __device__ const' variable; the linker gives it its value");
  if (!variable->getType().isConstQualified())
    return refuse("a const variable, or its value could not become part of the code");
  if (!variable->isExternallyVisible())
    return refuse("a variable outside of unnamed namespaces; the linker could not find this one");
  return checkValue(sema, variable->getType(), variable->getLocation(),
                    "resource '" + stringArgument(annotation, 0) + "' is");
}

} // namespace pipelink
