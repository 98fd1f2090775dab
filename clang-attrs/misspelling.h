// misspelling.h - finds attributes that were meant for PipeLink and would be ignored: a wrong name after
// `pipelink::` or `pipelink_`, or one of our names after a scope that looks like `pipelink`.
#ifndef PIPELINK_CLANG_ATTRS_MISSPELLING_H
#define PIPELINK_CLANG_ATTRS_MISSPELLING_H

#include "clang/Lex/Token.h"

namespace clang {
class Preprocessor;
}

namespace pipelink {

/// Clang does not show plugins the attributes that nobody knows, so the tokens on their way to the parser are
/// watched, and reported there and then.
void watchForMisspellings(clang::Preprocessor &preprocessor);

} // namespace pipelink

#endif
