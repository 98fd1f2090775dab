// reference.cpp - see reference.h.
#include "reference.h"

#include "contract_nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace pipelink {

static Expr *makeAddress(ASTContext &context, ValueDecl *declaration, QualType pointer) {
  SourceLocation location = declaration->getLocation();
  auto *use =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), declaration,
                          /*RefersToEnclosingVariableOrCapture=*/false, location, declaration->getType(), VK_LValue);
  if (isa<FunctionDecl>(declaration))
    return ImplicitCastExpr::Create(context, pointer, CK_FunctionToPointerDecay, use, nullptr, VK_PRValue,
                                    FPOptionsOverride());
  return UnaryOperator::Create(context, use, UO_AddrOf, pointer, VK_PRValue, OK_Ordinary, location,
                               /*CanOverflow=*/false, FPOptionsOverride());
}

static VarDecl *makeReference(ASTContext &context, ValueDecl *declaration, llvm::StringRef symbol) {
  SourceLocation location = declaration->getLocation();
  QualType pointer = context.getPointerType(declaration->getType());
  auto *variable =
      VarDecl::Create(context, context.getTranslationUnitDecl(), location, location, &context.Idents.get(symbol),
                      pointer, context.getTrivialTypeSourceInfo(pointer, location), SC_None);
  variable->setInit(makeAddress(context, declaration, pointer));
  variable->setImplicit();
  variable->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
  variable->addAttr(CUDADeviceAttr::CreateImplicit(context));
  return variable;
}

void emitReferences(ASTContext &context, ASTConsumer &consumer, llvm::ArrayRef<ValueDecl *> declarations) {
  for (size_t i = 0; i < declarations.size(); ++i)
    consumer.HandleTopLevelDecl(
        DeclGroupRef(makeReference(context, declarations[i], referencePrefix + std::to_string(i))));
}

} // namespace pipelink
