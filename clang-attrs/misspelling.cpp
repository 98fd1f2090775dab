// misspelling.cpp - see misspelling.h.
#include "misspelling.h"

#include "attribute.h"
#include "report.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace pipelink {

namespace {

// An attribute that has been reported: Clang then knows it and does not warn a second time.
class Reported final : public ParsedAttrInfo {
public:
  Reported(ParsedAttr::Syntax syntax, const Twine &name) : name(name.str()), spelling{syntax, this->name.c_str()} {
    Spellings = spelling;
    OptArgs = 15;
  }
  AttrHandling handleDeclAttribute(Sema &, Decl *, const ParsedAttr &) const override { return AttributeNotApplied; }

private:
  std::string name;
  Spelling spelling;
};

class Watcher {
public:
  explicit Watcher(Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  void see(const Token &token) {
    if (token.isAnnotation()) // the parser's own, made of tokens that were seen before
      return;
    switch (place) {
    case Outside:
      seeOutside(token);
      break;
    case Scoped:
      seeScoped(token);
      break;
    case Gnu:
      seeGnu(token);
      break;
    }
    previous = token.getKind();
  }

private:
  enum Place { Outside, Scoped, Gnu };

  void seeOutside(const Token &token) {
    if (token.is(tok::l_square) && previous == tok::l_square)
      enter(Scoped);
    else if (token.is(tok::kw___attribute))
      enter(Gnu);
  }

  void enter(Place where) {
    place = where;
    depth = 0;
    previousWasUsing = false;
    common = nullptr;
    name.startToken();
    scope.startToken();
  }

  // [[scope::name(...), name]] and [[using scope: name(...)]]. An identifier is a scope when '::' follows, so it is
  // judged one token late.
  void seeScoped(const Token &token) {
    if (depth == 0 && token.is(tok::coloncolon)) {
      scope = name;
      name.startToken();
      return;
    }
    if (depth == 0 && token.is(tok::colon) && previousWasUsing) {
      common = name.getIdentifierInfo();
      name.startToken();
      return;
    }
    if (depth == 0 && name.getIdentifierInfo()) {
      judgeScoped();
      name.startToken();
      scope.startToken();
    }
    if (token.is(tok::l_paren))
      ++depth;
    else if (token.is(tok::r_paren) && depth > 0)
      --depth;
    else if ((token.is(tok::r_square) && depth == 0) || token.is(tok::eof))
      place = Outside;
    else if (depth == 0 && token.getIdentifierInfo()) {
      previousWasUsing = previous == tok::kw_using;
      if (token.isNot(tok::kw_using))
        name = token;
    }
  }

  void seeGnu(const Token &token) {
    if (token.is(tok::l_paren))
      ++depth;
    else if ((token.is(tok::r_paren) && --depth <= 0) || token.is(tok::eof))
      place = Outside;
    else if (depth == 2 && token.getIdentifierInfo() && (previous == tok::l_paren || previous == tok::comma))
      judgeGnu(token);
  }

  static bool isAttribute(StringRef name) {
    return llvm::any_of(specifications(), [&](const Specification &each) { return name == each.name; });
  }

  // The attribute whose name is nearest, or an empty name when none is near.
  static StringRef nearest(StringRef name) {
    StringRef best;
    unsigned bestDistance = static_cast<unsigned>(name.size() + 2) / 3;
    for (const Specification &each : specifications()) {
      unsigned distance = name.edit_distance(each.name);
      if (distance < bestDistance || (distance == bestDistance && best.empty())) {
        best = each.name;
        bestDistance = distance;
      }
    }
    return best;
  }

  void judgeScoped() {
    const IdentifierInfo *scopeName = scope.getIdentifierInfo() ? scope.getIdentifierInfo() : common;
    if (!scopeName)
      return;
    StringRef attribute = name.getIdentifierInfo()->getName();
    std::string whole = (scopeName->getName() + "::" + attribute).str();
    if (scopeName->isStr("pipelink")) {
      if (!isAttribute(attribute))
        refuse(whole, name, attribute, "", ParsedAttr::AS_CXX11);
    } else if (isAttribute(attribute) && scopeName->getName().edit_distance("pipelink") <= 2) {
      const Token &place = scope.getIdentifierInfo() ? scope : name;
      FixItHint fix;
      if (scope.getIdentifierInfo())
        fix = FixItHint::CreateReplacement(CharSourceRange::getTokenRange(scope.getLocation()), "pipelink");
      warning(preprocessor.getDiagnostics(), place.getLocation(),
              "unknown attribute '" + whole + "' ignored; did you mean 'pipelink::" + attribute + "'?")
          << fix;
      markReported(ParsedAttr::AS_CXX11, whole);
    }
  }

  void judgeGnu(const Token &token) {
    StringRef whole = token.getIdentifierInfo()->getName(), attribute = whole;
    if (attribute.consume_front("pipelink_") && !isAttribute(attribute))
      refuse(whole, token, attribute, "pipelink_", ParsedAttr::AS_GNU);
  }

  void refuse(StringRef whole, const Token &token, StringRef attribute, StringRef prefix, ParsedAttr::Syntax syntax) {
    StringRef meant = nearest(attribute);
    if (meant.empty()) {
      std::string all;
      for (const Specification &each : specifications())
        all += (all.empty() ? "" : ", ") + (prefix + each.name).str();
      error(preprocessor.getDiagnostics(), token.getLocation(),
            "unknown attribute '" + whole + "'; PipeLink's are " + all);
    } else {
      std::string name = (prefix + meant).str();
      error(preprocessor.getDiagnostics(), token.getLocation(),
            "unknown attribute '" + whole + "'; did you mean '" + name + "'?")
          << FixItHint::CreateReplacement(CharSourceRange::getTokenRange(token.getLocation()), name);
    }
    markReported(syntax, whole);
  }

  // The list that Clang searches is handed out as const, but is no constant: it is filled from the plugins.
  static void markReported(ParsedAttr::Syntax syntax, StringRef name) {
    auto &known = const_cast<std::list<std::unique_ptr<ParsedAttrInfo>> &>(getAttributePluginInstances());
    for (const auto &each : known)
      if (each->hasSpelling(syntax, name))
        return;
    known.push_back(std::make_unique<Reported>(syntax, name));
  }

  Preprocessor &preprocessor;
  Place place = Outside;
  tok::TokenKind previous = tok::unknown;
  int depth = 0;                          // parentheses open since the attribute list began
  bool previousWasUsing = false;          // `name` stands behind `using`
  const IdentifierInfo *common = nullptr; // scope of [[using scope: ...]]
  Token scope, name;                      // without identifier when not seen yet
};

} // namespace

void watchForMisspellings(Preprocessor &preprocessor) {
  preprocessor.setTokenWatcher([watcher = Watcher(preprocessor)](const Token &token) mutable { watcher.see(token); });
}

} // namespace pipelink
