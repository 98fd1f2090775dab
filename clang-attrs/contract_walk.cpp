// contract_walk.cpp - see contract_walk.h.
#include "contract_walk.h"

#include "attribute.h"
#include "declaration_checks.h"
#include "params_layout.h"
#include "report.h"
#include "role_options.h"
#include "spelling.h"
#include "type_contract.h"
#include "type_description.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
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

class Walk : public DynamicRecursiveASTVisitor {
public:
  Walk(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<ValueDecl *> &undefined)
      : sema(sema), context(sema.Context), diagnostics(sema.getDiagnostics()), contract(contract), undefined(undefined),
        mangler(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitRecordDecl(RecordDecl *record) override;
  bool VisitFunctionDecl(FunctionDecl *function) override;
  bool VisitVarDecl(VarDecl *variable) override;

private:
  void addStage(const RecordDecl *record, const AnnotateAttr *annotation);
  void addParams(const RecordDecl *record);
  void addRole(const FunctionDecl *function, const AnnotateAttr *annotation);
  void addSeam(FunctionDecl *function, const AnnotateAttr *annotation, StringRef kind);
  void addShared(const VarDecl *variable, const AnnotateAttr *annotation);
  void addResource(VarDecl *variable, const AnnotateAttr *annotation);

  bool isNew(StringRef kind, const Decl *decl, const AnnotateAttr *annotation);
  json::Object node(StringRef kind, const Decl *decl);
  void add(json::Object object, const NamedDecl *symbol = nullptr, unsigned sharedAlign = 0);

  struct Declaration {
    const Decl *decl;
    const AnnotateAttr *annotation;
  };

  Sema &sema;
  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  ContractNodes &contract;
  llvm::SmallVectorImpl<ValueDecl *> &undefined;
  ASTNameGenerator mangler;
  llvm::StringMap<Declaration> names;              // by kind and name: "role call"
  llvm::SmallPtrSet<const RecordDecl *, 8> params; // already in the contract
  const RecordDecl *stage = nullptr;
};

} // namespace

json::Object Walk::node(StringRef kind, const Decl *decl) {
  PresumedLoc place = context.getSourceManager().getPresumedLoc(decl->getLocation());
  llvm::SmallString<128> file(place.isValid() ? place.getFilename() : "");
  Preprocessor::processPathForFileMacro(file, context.getLangOpts(), context.getTargetInfo());
  json::Object location{{"file", std::string(file)},
                        {"line", place.isValid() ? place.getLine() : 0},
                        {"column", place.isValid() ? place.getColumn() : 0}};
  return json::Object{{"kind", kind}, {"loc", std::move(location)}};
}

void Walk::add(json::Object object, const NamedDecl *symbol, unsigned sharedAlign) {
  ContractNode each;
  each.sharedAlign = sharedAlign;
  if (symbol) {
    each.symbol = mangler.getName(symbol);
    object["symbol"] = each.symbol;
  }
  llvm::raw_string_ostream(each.json) << json::Value(std::move(object));
  contract.push_back(std::move(each));
}

// False for a name that is taken, and for one that was declared before with the same words (in a header, say).
bool Walk::isNew(StringRef kind, const Decl *decl, const AnnotateAttr *annotation) {
  StringRef name = stringArgument(annotation, 0);
  auto [found, inserted] = names.try_emplace((kind + " " + name).str(), Declaration{decl, annotation});
  if (inserted)
    return true;
  const Declaration &other = found->second;
  bool same = other.decl->getCanonicalDecl() == decl->getCanonicalDecl();
  bool equal = annotation->args_size() == other.annotation->args_size();
  for (unsigned i = 1; equal && i < annotation->args_size(); ++i)
    equal = integerArgument(context, annotation, i) == integerArgument(context, other.annotation, i);
  if (same && equal)
    return false;
  error(diagnostics, decl->getLocation(),
        kind + " '" + name + (same ? "' is declared with other numbers before" : "' is declared twice in this stage"));
  note(diagnostics, other.decl->getLocation(), "the other one is here");
  return false;
}

bool Walk::VisitRecordDecl(RecordDecl *record) {
  if (record->isInvalidDecl() || record->isDependentType())
    return true;
  if (const AnnotateAttr *annotation = findAnnotation(record, "stage"))
    addStage(record, annotation);
  if (record->isCompleteDefinition() && findAnnotation(record, "params", Redeclared))
    addParams(record);
  return true;
}

void Walk::addStage(const RecordDecl *record, const AnnotateAttr *annotation) {
  if (stage) {
    error(diagnostics, annotation->getLocation(), "a file declares one stage, this one has two");
    note(diagnostics, stage->getLocation(), "the other one is here");
    return;
  }
  stage = record;
  json::Object object = node("stage", record);
  object["name"] = stringArgument(annotation, 0);
  object["version"] = stringArgument(annotation, 1);
  add(std::move(object));
}

// Also called for a role's parameter: a template may have been instantiated only for that, after it was walked past.
void Walk::addParams(const RecordDecl *record) {
  if (!params.insert(record).second)
    return;
  bool opaque = findAnnotation(record, "params", Redeclared)->args_size() > 0;
  if (!checkParams(diagnostics, context, record, opaque))
    return;
  const ASTRecordLayout &layout = context.getASTRecordLayout(record);
  json::Object object = node("params", record);
  object["struct"] = spell(record);
  object["size"] = layout.getSize().getQuantity();
  object["align"] = layout.getAlignment().getQuantity();
  object["opaque"] = opaque;
  TypeDescriber describer(sema);
  object["fields"] = opaque ? json::Array() : flattenParams(context, record, describer);
  if (!describer.excess().empty()) {
    error(diagnostics, record->getLocation(),
          "the types of params struct '" + spell(record) + "' " + describer.excess() +
              "; use [[pipelink::params(\"opaque\")]]");
    return;
  }
  add(std::move(object));
}

bool Walk::VisitFunctionDecl(FunctionDecl *function) {
  if (function->isInvalidDecl() || function->isTemplated())
    return true;
  const AnnotateAttr *role = findAnnotation(function, "role");
  if (role)
    addRole(function, role);
  for (StringRef kind : {"import", "export"})
    if (const AnnotateAttr *annotation = findAnnotation(function, kind))
      addSeam(function, annotation, kind);
  for (StringRef option : {"cluster", "grid", "warps", "registers"})
    if (const AnnotateAttr *annotation = findAnnotation(function, option); annotation && !role)
      error(diagnostics, annotation->getLocation(),
            "'pipelink::" + option + "' needs 'pipelink::role' on the same declaration");
  return true;
}

void Walk::addRole(const FunctionDecl *function, const AnnotateAttr *annotation) {
  StringRef name = stringArgument(annotation, 0);
  if (!checkArguments(sema, function, annotation, "role") || !checkCallable(sema, function, annotation, "role"))
    return;
  std::optional<const RecordDecl *> parameter = checkRole(sema, function, name);
  if (!parameter || !isNew("role", function, annotation))
    return;
  if (*parameter)
    addParams(*parameter);
  json::Object object = node("role", function);
  object["name"] = name;
  object["warps"] = static_cast<int64_t>(integerArgument(context, annotation, 1));
  object["params"] = *parameter ? json::Value(spell(*parameter)) : json::Value(nullptr);
  if (addRoleOptions(sema, function, integerArgument(context, annotation, 1), object))
    add(std::move(object), function);
}

void Walk::addSeam(FunctionDecl *function, const AnnotateAttr *annotation, StringRef kind) {
  StringRef name = stringArgument(annotation, 0);
  if (!checkCallable(sema, function, annotation, kind) || !checkSeam(sema, function, annotation, kind) ||
      !isNew(kind, function, annotation))
    return;
  TypeDescriber describer(sema);
  json::Object object = node(kind, function);
  object["name"] = name;
  object["function"] = spell(function);
  object["defined"] = function->isDefined();
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
  if (!function->isDefined())
    undefined.push_back(function);
  add(std::move(object), function);
}

bool Walk::VisitVarDecl(VarDecl *variable) {
  if (variable->isInvalidDecl() || variable->isTemplated())
    return true;
  if (const AnnotateAttr *annotation = findAnnotation(variable, "shared"))
    addShared(variable, annotation);
  if (const AnnotateAttr *annotation = findAnnotation(variable, "resource"))
    addResource(variable, annotation);
  return true;
}

void Walk::addShared(const VarDecl *variable, const AnnotateAttr *annotation) {
  if (!checkArguments(sema, variable, annotation, "shared") || !checkShared(sema, variable, annotation) ||
      !isNew("shared buffer", variable, annotation))
    return;
  uint64_t align = annotation->args_size() > 2 ? integerArgument(context, annotation, 2)
                                               : static_cast<uint64_t>(context.getDeclAlign(variable).getQuantity());
  json::Object object = node("shared", variable);
  object["name"] = stringArgument(annotation, 0);
  object["bytes"] = static_cast<int64_t>(integerArgument(context, annotation, 1));
  object["align"] = static_cast<int64_t>(align);
  add(std::move(object), variable, static_cast<unsigned>(align));
}

void Walk::addResource(VarDecl *variable, const AnnotateAttr *annotation) {
  if (!checkResource(sema, variable, annotation))
    return;
  StringRef name = stringArgument(annotation, 0);
  const CXXRecordDecl *contractClass = findContract(context, variable->getType());
  std::string kind = contractClass ? contractKind(sema, contractClass) : "";
  if (kind.empty()) {
    error(diagnostics, variable->getLocation(),
          "resource '" + name + "' is a '" + spell(context, variable->getType().getUnqualifiedType()) +
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
  if (!isNew(kind + (direction.empty() ? "" : " to " + direction), variable, annotation))
    return;
  for (auto &[key, value] : node(kind, variable))
    object[key] = value;
  object["name"] = name;
  undefined.push_back(variable);
  add(std::move(object), variable);
}

void walkContract(Sema &sema, ContractNodes &contract, llvm::SmallVectorImpl<ValueDecl *> &undefined) {
  llvm::TimeTraceScope scope("PipeLinkContract"); // shown by clang's -ftime-trace
  Walk(sema, contract, undefined).TraverseDecl(sema.Context.getTranslationUnitDecl());
}

} // namespace pipelink
