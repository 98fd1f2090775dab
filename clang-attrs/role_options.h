// role_options.h - what a role may say besides its name and warps: cluster, grid, warps and registers.
#ifndef PIPELINK_CLANG_ATTRS_ROLE_OPTIONS_H
#define PIPELINK_CLANG_ATTRS_ROLE_OPTIONS_H

#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/JSON.h"

namespace pipelink {

/// Adds the options of `function`, a role of `warps` warps, to its node. False when one was refused.
bool addRoleOptions(clang::Sema &sema, const clang::FunctionDecl *function, uint64_t warps, llvm::json::Object &node);

} // namespace pipelink

#endif
