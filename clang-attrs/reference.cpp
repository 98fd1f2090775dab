// reference.cpp - see reference.h.
#include "reference.h"

#include "contract_nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace pipelink {

static VarDecl *makeReference(ASTContext &context, FunctionDecl *function, llvm::StringRef symbol) {
  SourceLocation location = function->getLocation();
  QualType pointer = context.getPointerType(function->getType());
  auto *use =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function,
                          /*RefersToEnclosingVariableOrCapture=*/false, location, function->getType(), VK_LValue);
  auto *address = ImplicitCastExpr::Create(context, pointer, CK_FunctionToPointerDecay, use, nullptr, VK_PRValue,
                                           FPOptionsOverride());
  auto *variable =
      VarDecl::Create(context, context.getTranslationUnitDecl(), location, location, &context.Idents.get(symbol),
                      pointer, context.getTrivialTypeSourceInfo(pointer, location), SC_None);
  variable->setInit(address);
  variable->setImplicit();
  variable->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
  variable->addAttr(CUDADeviceAttr::CreateImplicit(context));
  return variable;
}

void emitReferences(ASTContext &context, ASTConsumer &consumer, llvm::ArrayRef<FunctionDecl *> functions) {
  for (size_t i = 0; i < functions.size(); ++i)
    consumer.HandleTopLevelDecl(
        DeclGroupRef(makeReference(context, functions[i], referencePrefix + std::to_string(i))));
}

} // namespace pipelink
