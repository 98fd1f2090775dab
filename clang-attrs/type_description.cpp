// type_description.cpp - see type_description.h.
#include "type_description.h"

#include "spelling.h"
#include "type_contract.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
namespace json = llvm::json;

namespace pipelink {

static int64_t bytes(CharUnits units) {
  return units.getQuantity();
}

// As many alignment bytes as memory of this type is guaranteed.
static void setSize(const ASTContext &context, QualType type, json::Object &object) {
  object["size"] = bytes(context.getTypeSizeInChars(type));
  object["align"] = bytes(context.getTypeAlignInChars(type));
}

static void setPointerSize(const ASTContext &context, json::Object &object) {
  object["size"] = bytes(context.getTypeSizeInChars(context.VoidPtrTy));
  object["align"] = bytes(context.getTypeAlignInChars(context.VoidPtrTy));
}

static void describeOpaque(const ASTContext &context, QualType type, json::Object &object) {
  object["kind"] = "opaque";
  if (type->isIncompleteType() || type->isDependentType()) {
    object["size"] = 0;
    object["align"] = 1;
  } else {
    setSize(context, type, object);
  }
}

json::Object TypeDescriber::describe(QualType type) {
  json::Object object{{"name", spell(context, type.getUnqualifiedType())}};
  QualType canonical = type.getCanonicalType().getUnqualifiedType();
  if (described == mostTypes)
    tooMuch = "unfold to more than " + std::to_string(mostTypes) + " types";
  else if (depth > mostDepth)
    tooMuch = "nest deeper than " + std::to_string(mostDepth) + " types";
  if (!tooMuch.empty()) {
    describeOpaque(context, canonical, object);
    return object;
  }
  ++described;
  ++depth;
  describeCanonical(type, canonical, object);
  --depth;
  return object;
}

void TypeDescriber::describeCanonical(QualType type, QualType canonical, json::Object &object) {
  if (const auto *atomic = canonical->getAs<AtomicType>())
    canonical = atomic->getValueType().getCanonicalType().getUnqualifiedType();

  if (canonical->isVoidType() || canonical->isFunctionType()) {
    object["kind"] = canonical->isVoidType() ? "void" : "function";
    object["size"] = 0;
    object["align"] = 1;
  } else if (canonical->isBooleanType()) {
    object["kind"] = "bool";
    setSize(context, canonical, object);
  } else if (canonical->isPointerType() || canonical->isReferenceType()) {
    object["kind"] = "pointer";
    object["const"] = canonical->getPointeeType().isConstQualified();
    object["element"] = describe(type->getPointeeType());
    setPointerSize(context, object);
  } else if (canonical->isIntegralOrEnumerationType() && !canonical->isIncompleteType()) {
    object["kind"] = "integer";
    object["bits"] = static_cast<int64_t>(context.getIntWidth(canonical));
    object["signed"] = canonical->isSignedIntegerOrEnumerationType();
    setSize(context, canonical, object);
  } else if (canonical->isRealFloatingType() && !canonical->isIbm128Type()) {
    object["kind"] = "float";
    object["bits"] = static_cast<int64_t>(context.getTypeSize(canonical));
    if (canonical->isBFloat16Type())
      object["bfloat"] = true;
    setSize(context, canonical, object);
  } else if (const auto *array = context.getAsConstantArrayType(canonical)) {
    object["kind"] = "array";
    object["count"] = static_cast<int64_t>(array->getZExtSize());
    object["element"] = describe(array->getElementType());
    setSize(context, canonical, object);
  } else if (const auto *vector = canonical->getAs<VectorType>()) {
    object["kind"] = "vector";
    object["count"] = static_cast<int64_t>(vector->getNumElements());
    object["element"] = describe(vector->getElementType());
    setSize(context, canonical, object);
  } else if (canonical->isRecordType() && sema.isCompleteType(SourceLocation(), canonical)) {
    describeRecord(canonical->getAsRecordDecl()->getDefinition(), object);
    setSize(context, canonical, object);
  } else {
    describeOpaque(context, canonical, object);
  }
}

// Virtual bases have no fixed place, so such a class is not described.
static bool hasVirtualBases(const RecordDecl *record) {
  const auto *cxx = dyn_cast<CXXRecordDecl>(record);
  return cxx && cxx->getNumVBases() > 0;
}

// A class that says of itself that it is a tensor map.
bool TypeDescriber::describeTensorMap(const RecordDecl *record, json::Object &object) {
  const CXXRecordDecl *contract = findContract(context, QualType(context.getCanonicalTagType(record)));
  if (!contract || contractKind(sema, contract) != "tensor_map")
    return false;
  json::Object fields;
  if (!describeContract(sema, contract, *this, fields)) // reported
    return false;
  for (auto &[key, value] : fields)
    object[key] = std::move(value);
  return true;
}

void TypeDescriber::describeRecord(const RecordDecl *record, json::Object &object) {
  if (describeTensorMap(record, object))
    return;
  if (record->isInvalidDecl() || hasVirtualBases(record)) {
    object["kind"] = "opaque";
    return;
  }
  object["kind"] = "struct";
  if (llvm::is_contained(open, record)) {
    object["recursive"] = true;
    return;
  }
  open.push_back(record);
  object["fields"] = describeFields(record);
  open.pop_back();
}

json::Array TypeDescriber::describeFields(const RecordDecl *record) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(record);
  json::Array fields;
  if (std::distance(record->field_begin(), record->field_end()) > mostFields) {
    tooMuch = "include '" + record->getNameAsString() + "' with more than " + std::to_string(mostFields) + " fields";
    return fields;
  }
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record)) {
    if (layout.hasOwnVFPtr())
      fields.push_back(json::Object{{"name", ""}, {"offset", 0}, {"type", describe(context.VoidPtrTy)}});
    for (const CXXBaseSpecifier &base : cxx->bases()) {
      const CXXRecordDecl *baseRecord = base.getType()->getAsCXXRecordDecl();
      if (baseRecord->isEmpty())
        continue;
      fields.push_back(json::Object{{"name", baseRecord->getName()},
                                    {"offset", bytes(layout.getBaseClassOffset(baseRecord))},
                                    {"type", describe(base.getType())}});
    }
  }
  for (const FieldDecl *field : record->fields()) {
    if (field->isUnnamedBitField() || field->isZeroSize(context))
      continue;
    uint64_t bit = layout.getFieldOffset(field->getFieldIndex());
    json::Object object{{"name", field->getName()}, {"type", describe(field->getType())}};
    if (field->isBitField()) {
      // The storage unit of the declared type that holds the first bit.
      uint64_t unit = context.getTypeSize(field->getType());
      object["offset"] = static_cast<int64_t>(bit / unit * unit / 8);
      object["bit_offset"] = static_cast<int64_t>(bit % unit);
      object["bit_width"] = static_cast<int64_t>(field->getBitWidthValue());
    } else {
      object["offset"] = static_cast<int64_t>(bit / 8);
    }
    fields.push_back(std::move(object));
  }
  return fields;
}

} // namespace pipelink
