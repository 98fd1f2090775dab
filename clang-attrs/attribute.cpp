// attribute.cpp - see attribute.h.
#include "attribute.h"

#include "report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace pipelink {

static const char annotationPrefix[] = "pipelink.";

static const Specification &find(StringRef name) {
  for (const Specification &specification : specifications())
    if (name == specification.name)
      return specification;
  llvm_unreachable("an attribute class without specification");
}

// Clang asks a plugin for a C++11 attribute by its name *without* scope before it parses the arguments, and skips
// them when nobody answers. So the unscoped spelling is registered as well, and refused in handleDeclAttribute.
Attribute::Attribute(const char *name, const char *scoped, const char *gnu)
    : specification(find(name)),
      spellings{{{ParsedAttr::AS_CXX11, scoped}, {ParsedAttr::AS_GNU, gnu}, {ParsedAttr::AS_CXX11, name}}} {
  Spellings = spellings;
  // Counted by hand: Clang's own message names neither the arguments nor the usage.
  NumArgs = 0;
  OptArgs = 15;
}

bool isDeviceCompilation(const LangOptions &options) {
  return options.CUDA && options.CUDAIsDevice;
}

bool Attribute::diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute, const Decl *decl) const {
  if (!isDeviceCompilation(sema.getLangOpts()) || appliesTo(decl))
    return true;
  error(sema.getDiagnostics(), attribute.getLoc(),
        llvm::Twine("'pipelink::") + specification.name + "' applies to " + specification.subject + " only")
      << attribute.getRange();
  return false;
}

static bool checkCount(Sema &sema, const ParsedAttr &attribute, const Specification &specification) {
  size_t given = attribute.getNumArgs(), most = specification.arguments.size();
  if (given >= specification.required && given <= most)
    return true;
  SourceLocation location = attribute.getLoc();
  if (given > most)
    location = attribute.isArgIdent(most) ? attribute.getArgAsIdent(most)->getLoc()
                                          : attribute.getArgAsExpr(most)->getExprLoc();
  std::string wanted = std::to_string(most);
  if (specification.required != most)
    wanted = std::to_string(specification.required) + " to " + wanted;
  error(sema.getDiagnostics(), location,
        llvm::Twine("'pipelink::") + specification.name + "' takes " + wanted + " argument" + (most == 1 ? "" : "s") +
            ", " + std::to_string(given) + " given: " + specification.usage)
      << attribute.getRange();
  return false;
}

// A lone identifier arrives unresolved, because Clang does not know that the attribute wants an expression.
static Expr *resolveIdentifier(Sema &sema, const IdentifierLoc &identifier) {
  UnqualifiedId id;
  id.setIdentifier(identifier.getIdentifierInfo(), identifier.getLoc());
  CXXScopeSpec scope;
  ExprResult result = sema.ActOnIdExpression(sema.getCurScope(), scope, SourceLocation(), id,
                                             /*HasTrailingLParen=*/false, /*IsAddressOfOperand=*/false);
  return result.isInvalid() ? nullptr : result.get();
}

// The argument, checked; null after an error.
static Expr *takeArgument(Sema &sema, const ParsedAttr &attribute, unsigned index, const Specification &specification) {
  const Argument &argument = specification.arguments[index];
  Expr *expression = nullptr;
  if (attribute.isArgExpr(index)) {
    expression = attribute.getArgAsExpr(index);
  } else if (argument.kind == Argument::Integer) {
    expression = resolveIdentifier(sema, *attribute.getArgAsIdent(index)); // Clang reports what it does not find
  } else {
    SourceLocation location = attribute.getArgAsIdent(index)->getLoc();
    error(sema.getDiagnostics(), location,
          llvm::Twine("'pipelink::") + specification.name + "': " + argument.meaning +
              " must be a string literal; did you forget the quotes?")
        << FixItHint::CreateInsertion(location, "\"")
        << FixItHint::CreateInsertion(sema.getLocForEndOfToken(location), "\"");
  }
  if (!expression || !checkArgument(sema.getDiagnostics(), sema.Context, specification, argument, expression))
    return nullptr;
  return expression;
}

ParsedAttrInfo::AttrHandling Attribute::handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &attribute) const {
  if (!isDeviceCompilation(sema.getLangOpts()))
    return AttributeNotApplied;
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  if (attribute.isStandardAttributeSyntax() && !attribute.hasScope()) {
    error(diagnostics, attribute.getLoc(),
          llvm::Twine("attribute '") + specification.name +
              "' needs its scope; did you mean 'pipelink::" + specification.name + "'?")
        << FixItHint::CreateInsertion(attribute.getLoc(), "pipelink::");
    return AttributeNotApplied;
  }
  if (const AnnotateAttr *other = findAnnotation(decl, specification.name)) {
    error(diagnostics, attribute.getLoc(), llvm::Twine("a second 'pipelink::") + specification.name + "' here")
        << attribute.getRange();
    note(diagnostics, other->getLocation(), "the first one is here");
    return AttributeNotApplied;
  }
  if (!checkCount(sema, attribute, specification))
    return AttributeNotApplied;

  llvm::SmallVector<Expr *, 4> expressions;
  for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
    Expr *expression = takeArgument(sema, attribute, i, specification);
    if (!expression)
      return AttributeNotApplied;
    expressions.push_back(expression);
  }
  Attr *annotation =
      sema.CreateAnnotationAttr(attribute, (llvm::Twine(annotationPrefix) + specification.name).str(), expressions);
  if (!annotation)
    return AttributeNotApplied;
  decl->addAttr(annotation);
  if (keeps() && !decl->hasAttr<UsedAttr>())
    decl->addAttr(UsedAttr::CreateImplicit(sema.Context));
  return AttributeApplied;
}

static const StringLiteral *asString(const Expr *expression) {
  return dyn_cast<StringLiteral>(expression->IgnoreImplicit()->IgnoreParenImpCasts());
}

static bool isName(StringRef text) {
  auto first = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  auto later = [&](char c) { return first(c) || llvm::isDigit(c) || c == '.' || c == '-'; };
  return !text.empty() && text.size() <= 255 && first(text.front()) && llvm::all_of(text, later);
}

// MAJOR.MINOR.PATCH, each without leading zeros, and an optional suffix after '-'.
static bool isVersion(StringRef text) {
  auto [numbers, suffix] = text.split('-');
  if (text.contains('-') &&
      (suffix.empty() || !llvm::all_of(suffix, [](char c) { return llvm::isAlnum(c) || c == '.' || c == '-'; })))
    return false;
  llvm::SmallVector<StringRef, 3> parts;
  numbers.split(parts, '.');
  return parts.size() == 3 && llvm::all_of(parts, [](StringRef part) {
           unsigned value;
           return !part.getAsInteger(10, value) && (part.size() == 1 || part.front() != '0');
         });
}

static bool checkString(DiagnosticsEngine &diagnostics, const Specification &specification, const Argument &argument,
                        const Expr *expression) {
  const StringLiteral *literal = asString(expression);
  auto refuse = [&](const llvm::Twine &what) {
    error(diagnostics, expression->getExprLoc(),
          llvm::Twine("'pipelink::") + specification.name + "': " + argument.meaning + " " + what)
        << expression->getSourceRange();
    return false;
  };
  if (!literal || !literal->isOrdinary())
    return refuse("must be a string literal");
  StringRef text = literal->getString();
  switch (argument.kind) {
  case Argument::Name:
    if (text.empty())
      return refuse("must not be empty");
    if (text.size() > 255)
      return refuse("must not be longer than 255 bytes");
    return isName(text) ||
           refuse(llvm::Twine("'") + text + "' must be letters, digits, '_', '.' and '-', a letter or '_' first");
  case Argument::Version:
    return isVersion(text) || refuse(llvm::Twine("'") + text + "' must be MAJOR.MINOR.PATCH, such as \"1.0.0\"");
  case Argument::Word: {
    if (text == argument.word)
      return true;
    std::string quoted = (llvm::Twine("\"") + argument.word + "\"").str();
    error(diagnostics, expression->getExprLoc(),
          llvm::Twine("'pipelink::") + specification.name + "': " + argument.meaning + " can only be " + quoted)
        << FixItHint::CreateReplacement(expression->getSourceRange(), quoted);
    return false;
  }
  case Argument::Integer:
    break;
  }
  llvm_unreachable("not a string");
}

static bool checkInteger(DiagnosticsEngine &diagnostics, const ASTContext &context, const Specification &specification,
                         const Argument &argument, const Expr *expression) {
  if (expression->isValueDependent() || expression->isTypeDependent())
    return true;
  auto refuse = [&](const llvm::Twine &what) {
    error(diagnostics, expression->getExprLoc(),
          llvm::Twine("'pipelink::") + specification.name + "': " + argument.meaning + " " + what)
        << expression->getSourceRange();
    return false;
  };
  if (!expression->getType()->isIntegralOrUnscopedEnumerationType())
    return refuse("must be an integer");
  std::optional<llvm::APSInt> value = expression->getIntegerConstantExpr(context);
  if (!value)
    return refuse("must be a constant");
  std::string allowed = llvm::utostr(argument.least) + " to " + llvm::utostr(argument.most);
  if (value->isNegative() || value->getActiveBits() > 64 || value->getZExtValue() < argument.least ||
      value->getZExtValue() > argument.most)
    return refuse(llvm::Twine("is ") + llvm::toString(*value, 10) + "; allowed is " + allowed);
  if (argument.powerOfTwo && !value->isPowerOf2())
    return refuse(llvm::Twine("is ") + llvm::toString(*value, 10) + ", not a power of two");
  if (value->getZExtValue() % argument.step)
    return refuse(llvm::Twine("is ") + llvm::toString(*value, 10) + ", not a multiple of " +
                  llvm::Twine(argument.step));
  return true;
}

bool checkArgument(DiagnosticsEngine &diagnostics, const ASTContext &context, const Specification &specification,
                   const Argument &argument, const Expr *expression) {
  return argument.kind == Argument::Integer ? checkInteger(diagnostics, context, specification, argument, expression)
                                            : checkString(diagnostics, specification, argument, expression);
}

const AnnotateAttr *findAnnotation(const Decl *decl, StringRef name, Inherited inherited) {
  for (const auto *annotation : decl->specific_attrs<AnnotateAttr>()) {
    StringRef text = annotation->getAnnotation();
    if (annotation->getAttrName()->isStr("annotate")) // somebody's own, whose arguments nobody checked
      continue;
    if ((inherited == Redeclared || !annotation->isInherited()) && text.consume_front(annotationPrefix) && text == name)
      return annotation;
  }
  return nullptr;
}

StringRef stringArgument(const AnnotateAttr *annotation, unsigned index) {
  return asString(annotation->args_begin()[index])->getString();
}

uint64_t integerArgument(const ASTContext &context, const AnnotateAttr *annotation, unsigned index) {
  return annotation->args_begin()[index]->EvaluateKnownConstInt(context).getZExtValue();
}

} // namespace pipelink
