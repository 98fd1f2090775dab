// contract_walk.cpp - see contract_walk.h.
#include "contract_walk.h"

#include "attribute.h"
#include "params_layout.h"
#include "report.h"
#include "type_contract.h"
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
  Walk(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<ValueDecl *> &undefined)
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
  void visitShared(VarDecl *variable, const AnnotateAttr *annotation);
  void visitResource(VarDecl *variable, const AnnotateAttr *annotation);

  bool addCluster(const FunctionDecl *function, json::Object &object);
  bool addWarps(const FunctionDecl *function, uint64_t warps, json::Object &object);
  bool addRegisters(const FunctionDecl *function, json::Object &object);
  bool checkResource(const VarDecl *variable, const AnnotateAttr *annotation);

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
  llvm::SmallVectorImpl<ValueDecl *> &undefined;
  ASTNameGenerator mangler;
  llvm::SmallPtrSet<const Decl *, 8> resources;    // seen: a variable may be declared more than once
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
  for (StringRef name : {"cluster", "warps", "registers"})
    if (const AnnotateAttr *annotation = findAnnotation(function, name))
      if (!findAnnotation(function, "role"))
        error(diagnostics, annotation->getLocation(),
              "'pipelink::" + name + "' needs 'pipelink::role' on the same function");
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
  if (addCluster(function, object) && addWarps(function, integerArgument(context, annotation, 1), object) &&
      addRegisters(function, object))
    add(function, true, std::move(object));
}

bool Walk::addCluster(const FunctionDecl *function, json::Object &object) {
  const AnnotateAttr *cluster = findAnnotation(function, "cluster");
  if (!cluster)
    return true;
  if (!checkArguments(function, cluster, "cluster"))
    return false;
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
    return false;
  }
  object["cluster"] = std::move(extents);
  return true;
}

bool Walk::addWarps(const FunctionDecl *function, uint64_t warps, json::Object &object) {
  const AnnotateAttr *range = findAnnotation(function, "warps");
  if (!range)
    return true;
  if (!checkArguments(function, range, "warps"))
    return false;
  uint64_t least = integerArgument(context, range, 0), most = integerArgument(context, range, 1);
  uint64_t multiple = range->args_size() > 2 ? integerArgument(context, range, 2) : 1;
  if (warps < least || warps > most) {
    error(diagnostics, range->getLocation(),
          "'pipelink::warps': the role's " + Twine(warps) + " warps are not among " + Twine(least) + " to " +
              Twine(most));
    return false;
  }
  for (uint64_t each : {least, warps, most})
    if (each % multiple) {
      error(diagnostics, range->getLocation(),
            "'pipelink::warps': " + Twine(each) + " is not a multiple of " + Twine(multiple));
      return false;
    }
  object["warps_min"] = static_cast<int64_t>(least);
  object["warps_max"] = static_cast<int64_t>(most);
  object["warps_multiple"] = static_cast<int64_t>(multiple);
  return true;
}

bool Walk::addRegisters(const FunctionDecl *function, json::Object &object) {
  const AnnotateAttr *registers = findAnnotation(function, "registers");
  if (!registers)
    return true;
  if (!checkArguments(function, registers, "registers"))
    return false;
  json::Array counts;
  uint64_t previous = 0;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t count = integerArgument(context, registers, i);
    if (count < previous) {
      error(diagnostics, registers->args_begin()[i]->getExprLoc(),
            "'pipelink::registers': " + Twine(count) + " is less than the " + Twine(previous) + " before it");
      return false;
    }
    counts.push_back(static_cast<int64_t>(count));
    previous = count;
  }
  object["registers"] = std::move(counts);
  return true;
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
  if (variable->isInvalidDecl() || variable->isTemplated())
    return true;
  if (const AnnotateAttr *annotation = findAnnotation(variable, "shared"))
    visitShared(variable, annotation);
  if (const AnnotateAttr *annotation = findAnnotation(variable, "resource"))
    visitResource(variable, annotation);
  return true;
}

void Walk::visitShared(VarDecl *variable, const AnnotateAttr *annotation) {
  if (!needsStage)
    needsStage = variable;
  if (!variable->hasAttr<CUDASharedAttr>() || !variable->hasExternalStorage() ||
      !variable->getType()->isIncompleteArrayType()) {
    error(diagnostics, annotation->getLocation(),
          "'pipelink::shared' needs an 'extern __shared__' array without extent; the linker gives it its place");
    return;
  }
  StringRef name = stringArgument(annotation, 0);
  if (!checkArguments(variable, annotation, "shared") || !checkOnce("shared buffer", name, variable))
    return;
  int64_t declared = context.getDeclAlign(variable).getQuantity(), align = declared;
  if (annotation->args_size() > 2) {
    align = static_cast<int64_t>(integerArgument(context, annotation, 2));
    if (align < declared) {
      error(diagnostics, annotation->args_begin()[2]->getExprLoc(),
            "'pipelink::shared': alignment " + Twine(align) + " is less than the array's own, " + Twine(declared));
      return;
    }
  }
  json::Object object = node("shared", variable);
  object["name"] = name;
  object["bytes"] = static_cast<int64_t>(integerArgument(context, annotation, 1));
  object["align"] = align;
  add(variable, true, std::move(object));
}

bool Walk::checkResource(const VarDecl *variable, const AnnotateAttr *annotation) {
  auto refuse = [&](const Twine &what) {
    error(diagnostics, annotation->getLocation(), "'pipelink::resource' needs " + what);
    return false;
  };
  // Clang makes __constant__ what has a constant value, so this comes first.
  if (const VarDecl *definition = variable->getDefinition()) {
    error(diagnostics, definition->getLocation(),
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
  return true;
}

void Walk::visitResource(VarDecl *variable, const AnnotateAttr *annotation) {
  if (!needsStage)
    needsStage = variable;
  StringRef name = stringArgument(annotation, 0);
  if (!resources.insert(variable->getCanonicalDecl()).second)
    return;
  if (!checkResource(variable, annotation) || !sema.isCompleteType(variable->getLocation(), variable->getType()))
    return;
  const CXXRecordDecl *contractClass = findContract(context, variable->getType());
  std::string kind = contractClass ? contractKind(sema, contractClass) : "";
  if (kind.empty()) {
    error(diagnostics, variable->getLocation(),
          "resource '" + name + "' is a '" +
              variable->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy()) +
              "', which has no contract; resources are pipelink::ring, barrier, buffer and tmem");
    return;
  }
  TypeDescriber describer(sema);
  json::Object object;
  if (!describeContract(sema, contractClass, describer, object))
    return;
  if (!describer.excess().empty()) {
    error(diagnostics, variable->getLocation(), "the types of resource '" + name + "' " + describer.excess());
    return;
  }
  // Both sides of a ring may stand in one stage.
  std::string direction = object.getString("direction").value_or("").str();
  if (!checkOnce(kind + (direction.empty() ? "" : " to " + direction), name, variable))
    return;
  for (auto &[key, value] : node(kind, variable))
    object[key] = value;
  object["name"] = name;
  undefined.push_back(variable);
  add(variable, true, std::move(object));
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

void walkContract(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<ValueDecl *> &undefined) {
  llvm::TimeTraceScope scope("PipeLinkContract"); // shown by clang's -ftime-trace
  Walk walk(sema, contract, undefined);
  walk.TraverseDecl(sema.Context.getTranslationUnitDecl());
  walk.finish();
}

} // namespace pipelink
