// params_layout.cpp - see params_layout.h.
#include "params_layout.h"

#include "report.h"
#include "type_contract.h"

#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
namespace json = llvm::json;

namespace pipelink {

// A struct whose every member a host program could name; a class with a contract is a whole.
static const RecordDecl *asOpenStruct(const ASTContext &context, QualType type) {
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->isUnion() || findContract(context, type))
    return nullptr;
  record = record->getDefinition();
  for (const FieldDecl *field : record->fields())
    if (field->getAccess() == AS_private || field->getAccess() == AS_protected)
      return nullptr;
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : cxx->bases())
      if (base.getAccessSpecifier() != AS_public || !asOpenStruct(context, base.getType()))
        return nullptr;
  return record;
}

static bool checkFields(DiagnosticsEngine &diagnostics, const ASTContext &context, const RecordDecl *record) {
  bool good = true;
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : cxx->bases())
      good &= checkFields(diagnostics, context, base.getType()->getAsCXXRecordDecl()->getDefinition());
  auto refuse = [&](const FieldDecl *field, const llvm::Twine &what) {
    error(diagnostics, field->getLocation(), what) << field->getSourceRange();
    good = false;
  };
  for (const FieldDecl *field : record->fields()) {
    if (field->isUnnamedBitField())
      continue;
    if (field->isBitField())
      refuse(field, "params: bit-field '" + field->getName() +
                        "' has no address to set; use a whole integer or [[pipelink::params(\"opaque\")]]");
    else if (field->getType()->isReferenceType())
      refuse(field, "params: reference member '" + field->getName() + "' cannot be set; use a pointer");
    else if (field->isAnonymousStructOrUnion() && field->getType()->isUnionType())
      refuse(field, "params: an anonymous union has no name to set it by; give it one");
    else if (const RecordDecl *inner = asOpenStruct(context, field->getType()))
      good &= checkFields(diagnostics, context, inner);
  }
  return good;
}

bool checkParams(DiagnosticsEngine &diagnostics, const ASTContext &context, const RecordDecl *record, bool opaque) {
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record)) {
    if (cxx->isDynamicClass()) {
      error(diagnostics, record->getLocation(),
            "params struct '" + record->getName() +
                "' has virtual functions or bases: its bytes would carry a pointer into the host program");
      return false;
    }
    if (!opaque && !QualType(context.getCanonicalTagType(record)).isTriviallyCopyableType(context)) {
      error(diagnostics, record->getLocation(),
            "params struct '" + record->getName() +
                "' is not trivially copyable: it reaches the kernel as a copy of its bytes");
      for (const FieldDecl *field : record->fields())
        if (!field->getType()->isReferenceType() && !field->getType().isTriviallyCopyableType(context))
          note(diagnostics, field->getLocation(), "because of member '" + field->getName() + "'");
      return false;
    }
  }
  return opaque || checkFields(diagnostics, context, record);
}

namespace {

class Flattener {
public:
  explicit Flattener(const ASTContext &context) : context(context) {}

  void flatten(const RecordDecl *record, uint64_t base, const std::string &prefix) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    // Members first: one that hides a member of a base keeps the plain name, as in the source.
    for (const FieldDecl *field : record->fields()) {
      if (field->isUnnamedBitField())
        continue;
      uint64_t offset = base + layout.getFieldOffset(field->getFieldIndex()) / 8;
      std::string name = prefix + field->getNameAsString();
      if (const RecordDecl *inner = asOpenStruct(context, field->getType()))
        flatten(inner, offset, field->isAnonymousStructOrUnion() ? prefix : name + ".");
      else
        leaf(name, offset, field->getType());
    }
    if (const auto *cxx = dyn_cast<CXXRecordDecl>(record))
      for (const CXXBaseSpecifier &specifier : cxx->bases())
        flattenBase(specifier.getType()->getAsCXXRecordDecl()->getDefinition(), layout, base, prefix);
  }

  json::Array take(TypeDescriber &describer) {
    llvm::stable_sort(leaves, [](const Leaf &a, const Leaf &b) { return a.offset < b.offset; });
    json::Array fields;
    for (Leaf &each : leaves)
      fields.push_back(json::Object{{"name", each.name},
                                    {"offset", static_cast<int64_t>(each.offset)},
                                    {"size", context.getTypeSizeInChars(each.type).getQuantity()},
                                    {"type", describer.describe(each.type)}});
    return fields;
  }

private:
  struct Leaf {
    std::string name;
    uint64_t offset; // bytes from the start of the params struct
    QualType type;
  };

  void leaf(const std::string &name, uint64_t offset, QualType type) {
    names.insert(name);
    leaves.push_back({name, offset, type});
  }

  // Members of a base are named as in the source, without the base, unless that name is taken.
  void flattenBase(const CXXRecordDecl *record, const ASTRecordLayout &layout, uint64_t base,
                   const std::string &prefix) {
    uint64_t offset = base + static_cast<uint64_t>(layout.getBaseClassOffset(record).getQuantity());
    Flattener inner(context);
    inner.flatten(record, offset, prefix);
    bool clash = llvm::any_of(inner.leaves, [&](const Leaf &each) { return names.contains(each.name); });
    for (Leaf &each : inner.leaves)
      leaf(clash ? prefix + record->getNameAsString() + "." + each.name.substr(prefix.size()) : each.name, each.offset,
           each.type);
  }

  const ASTContext &context;
  std::vector<Leaf> leaves;
  llvm::StringSet<> names;
};

} // namespace

json::Array flattenParams(const ASTContext &context, const RecordDecl *record, TypeDescriber &describer) {
  Flattener flattener(context);
  flattener.flatten(record, 0, "");
  return flattener.take(describer);
}

} // namespace pipelink
