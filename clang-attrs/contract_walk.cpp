// contract_walk.cpp - see contract_walk.h.
#include "contract_walk.h"

#include "attribute.h"
#include "params_layout.h"
#include "report.h"
#include "type_description.h"

#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/TimeProfiler.h"

using namespace clang;
namespace json = llvm::json;
using llvm::StringRef;
using llvm::Twine;

namespace pipelink {

namespace {

class Walk : public RecursiveASTVisitor<Walk> {
public:
  Walk(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<FunctionDecl *> &undefined)
      : sema(sema), context(sema.Context), diagnostics(sema.getDiagnostics()), contract(contract), undefined(undefined),
        mangler(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitRecordDecl(RecordDecl *record);
  bool VisitFunctionDecl(FunctionDecl *function);
  bool VisitVarDecl(VarDecl *variable);

  void finish();

private:
  void visitStage(RecordDecl *record, const AnnotateAttr *annotation);
  void addParams(const RecordDecl *record);
  void visitRole(FunctionDecl *function, const AnnotateAttr *annotation);
  void visitSeam(FunctionDecl *function, const AnnotateAttr *annotation, StringRef kind);

  bool checkArguments(const Decl *decl, const AnnotateAttr *annotation, StringRef name);
  bool checkDevice(const FunctionDecl *function, const AnnotateAttr *annotation, StringRef name);
  bool checkOnce(StringRef what, StringRef name, const Decl *decl);
  bool checkSignature(const FunctionDecl *function, StringRef kind, StringRef name);
  const RecordDecl *roleParams(const FunctionDecl *function, bool &good);

  json::Object node(StringRef kind, const Decl *decl);
  void add(const Decl *decl, bool speaksOfSymbol, json::Object object);
  std::string structName(const RecordDecl *record) const;
  std::string spell(const FunctionDecl *function) const;

  Sema &sema;
  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  ContractNodes &contract;
  llvm::SmallVectorImpl<FunctionDecl *> &undefined;
  ASTNameGenerator mangler;
  llvm::StringMap<const Decl *> names;             // "role call" -> where it was declared
  llvm::SmallPtrSet<const RecordDecl *, 8> params; // already in the contract
  const Decl *stage = nullptr;
  const Decl *needsStage = nullptr; // the first declaration that only a stage can have
};

} // namespace

json::Object Walk::node(StringRef kind, const Decl *decl) {
  json::Object object{{"kind", kind}};
  PresumedLoc location = context.getSourceManager().getPresumedLoc(decl->getLocation());
  if (location.isValid()) {
    llvm::SmallString<128> file(location.getFilename());
    Preprocessor::processPathForFileMacro(file, context.getLangOpts(), context.getTargetInfo());
    object["loc"] =
        json::Object{{"file", std::string(file)}, {"line", location.getLine()}, {"column", location.getColumn()}};
  }
  return object;
}

void Walk::add(const Decl *decl, bool speaksOfSymbol, json::Object object) {
  std::string symbol;
  if (speaksOfSymbol) {
    symbol = mangler.getName(decl);
    object["symbol"] = symbol;
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object));
  contract.push_back({std::move(symbol), std::move(text)});
}

std::string Walk::structName(const RecordDecl *record) const {
  std::string name;
  llvm::raw_string_ostream stream(name);
  record->getNameForDiagnostic(stream, contractSpelling(context), /*Qualified=*/true);
  return name;
}

std::string Walk::spell(const FunctionDecl *function) const {
  PrintingPolicy policy = contractSpelling(context);
  std::string text = function->getReturnType().getAsString(policy) + " ";
  llvm::raw_string_ostream stream(text);
  function->getNameForDiagnostic(stream, policy, /*Qualified=*/true);
  stream << '(';
  llvm::interleaveComma(function->parameters(), stream,
                        [&](const ParmVarDecl *parameter) { stream << parameter->getType().getAsString(policy); });
  stream << ')';
  return text;
}

bool Walk::checkArguments(const Decl *decl, const AnnotateAttr *annotation, StringRef name) {
  const Specification *specification =
      llvm::find_if(specifications(), [&](const Specification &each) { return name == each.name; });
  for (unsigned i = 0; i < annotation->args_size(); ++i)
    if (!checkArgument(diagnostics, context, *specification, specification->arguments[i],
                       annotation->args_begin()[i])) {
      if (const auto *function = dyn_cast<FunctionDecl>(decl))
        note(diagnostics, function->getPointOfInstantiation(), "in the instantiation '" + spell(function) + "'");
      return false;
    }
  return true;
}

bool Walk::checkOnce(StringRef what, StringRef name, const Decl *decl) {
  auto [found, inserted] = names.try_emplace((what + " " + name).str(), decl);
  if (inserted)
    return true;
  error(diagnostics, decl->getLocation(), what + " '" + name + "' is declared twice in this stage");
  note(diagnostics, found->second->getLocation(), "the other one is here");
  return false;
}

bool Walk::checkDevice(const FunctionDecl *function, const AnnotateAttr *annotation, StringRef name) {
  std::string quoted = "'" + function->getNameAsString() + "'";
  if (function->hasAttr<CUDAGlobalAttr>()) {
    error(diagnostics, annotation->getLocation(),
          "'pipelink::" + name + "' needs a __device__ function; " + quoted +
              " is a kernel, and the linker writes the kernel itself");
    return false;
  }
  if (!function->hasAttr<CUDADeviceAttr>()) {
    error(diagnostics, annotation->getLocation(),
          "'pipelink::" + name + "' needs a __device__ function; " + quoted + " is a host function")
        << FixItHint::CreateInsertion(function->getInnerLocStart(), "__device__ ");
    return false;
  }
  if (const auto *method = dyn_cast<CXXMethodDecl>(function); method && method->isInstance()) {
    error(diagnostics, annotation->getLocation(),
          "'pipelink::" + name + "' needs a function without 'this'; " + quoted + " is a member function");
    return false;
  }
  if (function->isVariadic()) {
    error(diagnostics, function->getLocation(),
          "'pipelink::" + name + "' needs a fixed number of arguments; " + quoted + " is variadic");
    return false;
  }
  return true;
}

bool Walk::VisitRecordDecl(RecordDecl *record) {
  if (record->isInvalidDecl() || record->isDependentType())
    return true;
  if (const AnnotateAttr *annotation = findAnnotation(record, "stage"))
    visitStage(record, annotation);
  if (record->isCompleteDefinition() && findAnnotation(record, "params"))
    addParams(record);
  return true;
}

void Walk::visitStage(RecordDecl *record, const AnnotateAttr *annotation) {
  if (stage) {
    error(diagnostics, annotation->getLocation(), "a file declares one stage, this one has two");
    note(diagnostics, stage->getLocation(), "the other one is here");
    return;
  }
  stage = record;
  json::Object object = node("stage", record);
  object["name"] = stringArgument(annotation, 0);
  object["version"] = stringArgument(annotation, 1);
  add(record, false, std::move(object));
}

// Also called for a role's parameter: a template may have been instantiated only for that, after it was walked past.
void Walk::addParams(const RecordDecl *record) {
  if (!params.insert(record).second)
    return;
  bool opaque = findAnnotation(record, "params")->args_size() > 0;
  if (!checkParams(diagnostics, context, record, opaque))
    return;
  const ASTRecordLayout &layout = context.getASTRecordLayout(record);
  json::Object object = node("params", record);
  object["struct"] = structName(record);
  object["size"] = layout.getSize().getQuantity();
  object["align"] = layout.getAlignment().getQuantity();
  object["opaque"] = opaque;
  TypeDescriber describer(sema);
  object["fields"] = opaque ? json::Array() : flattenParams(context, record, describer);
  if (!describer.excess().empty()) {
    error(diagnostics, record->getLocation(),
          "the types of params struct '" + structName(record) + "' " + describer.excess() +
              "; use [[pipelink::params(\"opaque\")]]");
    return;
  }
  add(record, false, std::move(object));
}

bool Walk::VisitFunctionDecl(FunctionDecl *function) {
  if (function->isInvalidDecl() || function->isTemplated())
    return true;
  if (const AnnotateAttr *annotation = findAnnotation(function, "role"))
    visitRole(function, annotation);
  for (StringRef kind : {"import", "export"})
    if (const AnnotateAttr *annotation = findAnnotation(function, kind))
      visitSeam(function, annotation, kind);
  if (const AnnotateAttr *annotation = findAnnotation(function, "cluster"))
    if (!findAnnotation(function, "role"))
      error(diagnostics, annotation->getLocation(), "'pipelink::cluster' needs 'pipelink::role' on the same function");
  return true;
}

const RecordDecl *Walk::roleParams(const FunctionDecl *function, bool &good) {
  good = true;
  if (function->getNumParams() == 0)
    return nullptr;
  good = false;
  const ParmVarDecl *parameter = function->getParamDecl(0);
  if (function->getNumParams() > 1) {
    error(diagnostics, function->getParamDecl(1)->getLocation(),
          "a role takes at most one parameter, 'const Params &'");
    return nullptr;
  }
  QualType type = parameter->getType();
  const RecordDecl *record = type.getNonReferenceType()->getAsRecordDecl();
  if (!record || !type->isLValueReferenceType() || !type->getPointeeType().isConstQualified()) {
    auto builder = error(diagnostics, parameter->getLocation(),
                         "a role's parameter must be 'const Params &', not '" +
                             type.getAsString(context.getPrintingPolicy()) + "'");
    builder << parameter->getSourceRange();
    if (record)
      builder << FixItHint::CreateReplacement(
          parameter->getTypeSourceInfo()->getTypeLoc().getSourceRange(),
          "const " + type.getNonReferenceType().getUnqualifiedType().getAsString(context.getPrintingPolicy()) + " &");
    return nullptr;
  }
  bool complete = sema.isCompleteType(parameter->getLocation(), type.getNonReferenceType());
  if (complete)
    record = record->getDefinition();
  if (!findAnnotation(record, "params")) {
    error(diagnostics, parameter->getLocation(),
          "struct '" + structName(record) + "' is a role's parameter but not declared [[pipelink::params]]");
    note(diagnostics, record->getLocation(), "declared here")
        << FixItHint::CreateInsertion(record->getLocation(), "[[pipelink::params]] ");
    return nullptr;
  }
  if (!complete) {
    error(diagnostics, parameter->getLocation(), "params struct '" + structName(record) + "' has no definition here");
    return nullptr;
  }
  good = true;
  return record;
}

void Walk::visitRole(FunctionDecl *function, const AnnotateAttr *annotation) {
  if (!needsStage)
    needsStage = function;
  if (!checkArguments(function, annotation, "role") || !checkDevice(function, annotation, "role"))
    return;
  StringRef name = stringArgument(annotation, 0);
  if (!function->isDefined()) {
    error(diagnostics, function->getLocation(), "role '" + name + "' has no body in this file");
    return;
  }
  if (!function->getReturnType()->isVoidType()) {
    error(diagnostics, function->getReturnTypeSourceRange().getBegin(), "a role returns void")
        << FixItHint::CreateReplacement(function->getReturnTypeSourceRange(), "void");
    return;
  }
  bool good;
  const RecordDecl *parameter = roleParams(function, good);
  if (!good || !checkOnce("role", name, function))
    return;
  if (parameter)
    addParams(parameter);
  json::Object object = node("role", function);
  object["name"] = name;
  object["warps"] = static_cast<int64_t>(integerArgument(context, annotation, 1));
  object["params"] = parameter ? json::Value(structName(parameter)) : json::Value(nullptr);
  if (const AnnotateAttr *cluster = findAnnotation(function, "cluster")) {
    if (!checkArguments(function, cluster, "cluster"))
      return;
    json::Array extents;
    int64_t size = 1;
    for (unsigned i = 0; i < 3; ++i) {
      int64_t extent = i < cluster->args_size() ? static_cast<int64_t>(integerArgument(context, cluster, i)) : 1;
      extents.push_back(extent);
      size *= extent;
    }
    if (size > 16) {
      error(diagnostics, cluster->getLocation(),
            "'pipelink::cluster': " + Twine(size) + " CTAs in a cluster; 16 are the most");
      return;
    }
    object["cluster"] = std::move(extents);
  }
  add(function, true, std::move(object));
}

// What crosses a seam by value must have a size, or nobody could call it.
bool Walk::checkSignature(const FunctionDecl *function, StringRef kind, StringRef name) {
  auto check = [&](QualType type, SourceLocation location, const char *what) {
    if (type->isVoidType() || (!type->isUndeducedType() && sema.isCompleteType(location, type)))
      return true;
    error(diagnostics, location,
          kind + " '" + name + "' " + what + " '" + type.getAsString(context.getPrintingPolicy()) +
              "', which is not complete here");
    return false;
  };
  bool good = check(function->getReturnType(), function->getLocation(), "returns");
  for (const ParmVarDecl *parameter : function->parameters())
    good &= check(parameter->getType(), parameter->getLocation(), "takes");
  return good;
}

void Walk::visitSeam(FunctionDecl *function, const AnnotateAttr *annotation, StringRef kind) {
  if (!needsStage)
    needsStage = function;
  StringRef name = stringArgument(annotation, 0);
  if (!checkDevice(function, annotation, kind))
    return;
  bool defined = function->isDefined();
  if (kind == "import" && defined) {
    error(diagnostics, function->getDefinition()->getLocation(),
          "import '" + name + "' has a body; another package provides it, so declare it only");
    return;
  }
  if (kind == "export" && findAnnotation(function, "import")) {
    error(diagnostics, annotation->getLocation(), "one function cannot be both import and export");
    return;
  }
  if (!checkOnce(kind, name, function->getCanonicalDecl()) || !checkSignature(function, kind, name))
    return;
  TypeDescriber describer(sema);
  json::Object object = node(kind, function);
  object["name"] = name;
  object["function"] = spell(function);
  object["defined"] = defined;
  object["result"] = describer.describe(function->getReturnType());
  json::Array arguments;
  for (const ParmVarDecl *parameter : function->parameters())
    arguments.push_back(describer.describe(parameter->getType()));
  object["arguments"] = std::move(arguments);
  if (!describer.excess().empty()) {
    error(diagnostics, function->getLocation(),
          "the types of " + kind + " '" + name + "' " + describer.excess() +
              "; hide them behind a pointer to an incomplete struct");
    return;
  }
  if (!defined)
    undefined.push_back(function);
  add(function, true, std::move(object));
}

bool Walk::VisitVarDecl(VarDecl *variable) {
  const AnnotateAttr *annotation = findAnnotation(variable, "shared");
  if (!annotation || variable->isInvalidDecl() || variable->isTemplated())
    return true;
  if (!needsStage)
    needsStage = variable;
  if (!variable->hasAttr<CUDASharedAttr>() || !variable->hasExternalStorage() ||
      !variable->getType()->isIncompleteArrayType()) {
    error(diagnostics, annotation->getLocation(),
          "'pipelink::shared' needs an 'extern __shared__' array without extent; the linker gives it its place");
    return true;
  }
  StringRef name = stringArgument(annotation, 0);
  if (!checkArguments(variable, annotation, "shared") || !checkOnce("shared buffer", name, variable))
    return true;
  int64_t declared = context.getDeclAlign(variable).getQuantity(), align = declared;
  if (annotation->args_size() > 2) {
    align = static_cast<int64_t>(integerArgument(context, annotation, 2));
    if (align < declared) {
      error(diagnostics, annotation->args_begin()[2]->getExprLoc(),
            "'pipelink::shared': alignment " + Twine(align) + " is less than the array's own, " + Twine(declared));
      return true;
    }
  }
  json::Object object = node("shared", variable);
  object["name"] = name;
  object["bytes"] = static_cast<int64_t>(integerArgument(context, annotation, 1));
  object["align"] = align;
  add(variable, true, std::move(object));
  return true;
}

void Walk::finish() {
  if (needsStage && !stage)
    error(diagnostics, needsStage->getLocation(),
          "this file declares seams or roles but no stage; begin it with PIPELINK_STAGE(\"package.name\", \"1.0.0\");");
  if (!stage) {
    contract.clear();
    undefined.clear();
  }
}

void walkContract(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<FunctionDecl *> &undefined) {
  llvm::TimeTraceScope scope("PipeLinkContract"); // shown by clang's -ftime-trace
  Walk walk(sema, contract, undefined);
  walk.TraverseDecl(sema.Context.getTranslationUnitDecl());
  walk.finish();
}

} // namespace pipelink
