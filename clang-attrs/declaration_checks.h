// declaration_checks.h - what can be said about an annotated declaration only when it is complete: all its attributes
// are known, and whether it has a body. Every check reports what it refuses.
#ifndef PIPELINK_CLANG_ATTRS_DECLARATION_CHECKS_H
#define PIPELINK_CLANG_ATTRS_DECLARATION_CHECKS_H

#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"

#include <optional>

namespace pipelink {

/// The arguments once more, now that no template parameter is left in them.
bool checkArguments(clang::Sema &sema, const clang::Decl *decl, const clang::AnnotateAttr *annotation,
                    llvm::StringRef attribute);

/// A device function that others can call by its name alone.
bool checkCallable(clang::Sema &sema, const clang::FunctionDecl *function, const clang::AnnotateAttr *annotation,
                   llvm::StringRef attribute);

/// A seam: a body where there must be one or must be none, and only complete types by value.
bool checkSeam(clang::Sema &sema, const clang::FunctionDecl *function, const clang::AnnotateAttr *annotation,
               llvm::StringRef kind);

/// A role: a body, no result, and no parameter or its params struct; that struct, or null where there is none.
std::optional<const clang::RecordDecl *> checkRole(clang::Sema &sema, const clang::FunctionDecl *function,
                                                   llvm::StringRef name);

/// A shared buffer: an array that the linker can place, aligned at least as the array says.
bool checkShared(clang::Sema &sema, const clang::VarDecl *variable, const clang::AnnotateAttr *annotation);

/// A resource: a variable that the linker can find, and whose value it can make part of the code.
bool checkResource(clang::Sema &sema, const clang::VarDecl *variable, const clang::AnnotateAttr *annotation);

} // namespace pipelink

#endif
