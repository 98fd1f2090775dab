// type_contract.cpp - see type_contract.h.
#include "type_contract.h"

#include "report.h"

#include "llvm/ADT/StringMap.h"

using namespace clang;
namespace json = llvm::json;
using llvm::StringRef;

namespace pipelink {

static const CXXRecordDecl *asClass(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

const CXXRecordDecl *findContract(const ASTContext &context, QualType type) {
  const CXXRecordDecl *record = asClass(type);
  if (!record)
    return nullptr;
  for (const NamedDecl *found : record->lookup(DeclarationName(&context.Idents.get("contract"))))
    if (const auto *contract = dyn_cast<CXXRecordDecl>(found); contract && contract->getAccess() == AS_public)
      return contract;
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXRecordDecl *contract = findContract(context, base.getType()))
      return contract;
  return nullptr;
}

// The class with its members; a member class of a template is made only when somebody asks for it.
static const CXXRecordDecl *complete(Sema &sema, const CXXRecordDecl *contract) {
  QualType type(sema.Context.getCanonicalTagType(contract));
  return sema.isCompleteType(contract->getLocation(), type) ? contract->getDefinition() : nullptr;
}

// Null for what is no constant, or one whose value Clang has refused.
static const APValue *evaluate(Sema &sema, VarDecl *variable) {
  if (!variable->getAnyInitializer() && variable->getTemplateInstantiationPattern())
    sema.InstantiateVariableDefinition(variable->getLocation(), variable);
  const Expr *value = variable->getAnyInitializer();
  if (!value || value->isValueDependent() || variable->isInvalidDecl() ||
      !variable->isUsableInConstantExpressions(sema.Context))
    return nullptr;
  return variable->evaluateValue();
}

static std::optional<json::Value> integerValue(const llvm::APSInt &value) {
  if (!value.isRepresentableByInt64())
    return std::nullopt;
  return json::Value(value.getExtValue());
}

static std::optional<json::Value> enumeratorValue(const EnumDecl *type, const llvm::APSInt &value) {
  for (const EnumConstantDecl *each : type->enumerators())
    if (llvm::APSInt::isSameValue(each->getInitVal(), value))
      return json::Value(each->getName());
  return std::nullopt;
}

static std::optional<json::Value> arrayValue(const APValue &value) {
  json::Array items;
  for (unsigned i = 0; i < value.getArraySize(); ++i) {
    const APValue &item =
        i < value.getArrayInitializedElts() ? value.getArrayInitializedElt(i) : value.getArrayFiller();
    std::optional<json::Value> number = item.isInt() ? integerValue(item.getInt()) : std::nullopt;
    if (!number)
      return std::nullopt;
    items.push_back(std::move(*number));
  }
  return json::Value(std::move(items));
}

static std::optional<json::Value> jsonValue(Sema &sema, VarDecl *variable) {
  const APValue *value = evaluate(sema, variable);
  QualType type = variable->getType().getCanonicalType();
  if (!value)
    return std::nullopt;
  if (value->isInt() && type->isBooleanType())
    return json::Value(value->getInt().getBoolValue());
  if (value->isInt() && type->isEnumeralType())
    return enumeratorValue(type->castAsEnumDecl(), value->getInt());
  if (value->isInt())
    return integerValue(value->getInt());
  if (value->isArray())
    return arrayValue(*value);
  if (type->isPointerType() && type->getPointeeType()->isCharType())
    if (std::optional<std::string> text = variable->getAnyInitializer()->tryEvaluateString(sema.Context))
      return json::Value(json::fixUTF8(*text));
  return std::nullopt;
}

std::string contractKind(Sema &sema, const CXXRecordDecl *contract) {
  const CXXRecordDecl *record = complete(sema, contract);
  if (!record)
    return "";
  for (NamedDecl *found : record->lookup(DeclarationName(&sema.Context.Idents.get("kind"))))
    if (auto *variable = dyn_cast<VarDecl>(found))
      if (std::optional<json::Value> value = jsonValue(sema, variable))
        return value->getAsString().value_or("").str();
  return "";
}

namespace {

class Collector {
public:
  Collector(Sema &sema, TypeDescriber &describer, json::Object &fields)
      : sema(sema), diagnostics(sema.getDiagnostics()), describer(describer), fields(fields) {}

  bool collect(const CXXRecordDecl *record, bool isContract) {
    for (Decl *decl : record->decls()) {
      auto *named = dyn_cast<NamedDecl>(decl);
      if (named && (isa<TypedefNameDecl>(named) || (isa<VarDecl>(named) && cast<VarDecl>(named)->isStaticDataMember())))
        add(record, named, isContract);
    }
    for (const CXXBaseSpecifier &specifier : record->bases())
      if (const CXXRecordDecl *base = asClass(specifier.getType()))
        collect(base, false);
    return good;
  }

private:
  // A field, unless a more derived class has said it already or it is the owner's own business.
  void add(const CXXRecordDecl *record, NamedDecl *member, bool isContract) {
    StringRef name = member->getName();
    auto [hiding, isNew] = members.try_emplace(name, member);
    if (!isNew) {
      if (hiding->second->getAccess() != AS_public && member->getAccess() == AS_public)
        refuse(hiding->second, "'" + name + "' is an option and cannot be private");
      return;
    }
    if (member->getAccess() != AS_public)
      return;
    if (!isContract && record->getNumBases() && !isDeclaredAbove(record, member->getDeclName())) {
      refuseUnknown(record, member);
      return;
    }
    if (const auto *alias = dyn_cast<TypedefNameDecl>(member)) {
      fields[name] = describer.describe(alias->getUnderlyingType());
    } else if (std::optional<json::Value> value = jsonValue(sema, cast<VarDecl>(member))) {
      fields[name] = std::move(*value);
    } else if (!member->isInvalidDecl()) {
      refuse(member, "'" + name +
                         "' must be a constant: an integer, a bool, an enumerator, a string (const char *) or "
                         "an array of integers");
    }
  }

  static bool isDeclaredAbove(const CXXRecordDecl *record, DeclarationName name) {
    return llvm::any_of(record->bases(), [&](const CXXBaseSpecifier &specifier) {
      const CXXRecordDecl *base = asClass(specifier.getType());
      return base && (!base->lookup(name).empty() || isDeclaredAbove(base, name));
    });
  }

  static const CXXRecordDecl *root(const CXXRecordDecl *record) {
    while (record->getNumBases())
      if (const CXXRecordDecl *base = asClass(record->bases_begin()->getType()))
        record = base;
      else
        break;
    return record;
  }

  void refuseUnknown(const CXXRecordDecl *record, const NamedDecl *member) {
    const CXXRecordDecl *options = root(record);
    StringRef name = member->getName(), best;
    unsigned distance = static_cast<unsigned>(name.size() + 2) / 3 + 1;
    for (const Decl *decl : options->decls()) {
      const auto *each = dyn_cast<VarDecl>(decl);
      if (each && name.edit_distance(each->getName()) < distance) {
        best = each->getName();
        distance = name.edit_distance(best);
      }
    }
    std::string text = "'" + options->getQualifiedNameAsString() + "' has no option '" + name.str() + "'";
    good = false;
    if (best.empty())
      error(diagnostics, member->getLocation(), text + "; other constants of an owner are private");
    else
      error(diagnostics, member->getLocation(), text + "; did you mean '" + best + "'?")
          << FixItHint::CreateReplacement(SourceRange(member->getLocation()), best);
    note(diagnostics, options->getLocation(), "its options are here");
  }

  void refuse(const NamedDecl *member, const llvm::Twine &what) {
    error(diagnostics, member->getLocation(), what);
    good = false;
  }

  Sema &sema;
  DiagnosticsEngine &diagnostics;
  TypeDescriber &describer;
  json::Object &fields;
  llvm::StringMap<const NamedDecl *> members; // the most derived of each name
  bool good = true;
};

} // namespace

bool describeContract(Sema &sema, const CXXRecordDecl *contract, TypeDescriber &describer, json::Object &fields) {
  const CXXRecordDecl *record = complete(sema, contract);
  return record && Collector(sema, describer, fields).collect(record, true);
}

} // namespace pipelink
