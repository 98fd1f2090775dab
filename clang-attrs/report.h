// report.h - PipeLink's own messages as Clang diagnostics; ranges and fix-its are streamed in as with Clang's own.
#ifndef PIPELINK_CLANG_ATTRS_REPORT_H
#define PIPELINK_CLANG_ATTRS_REPORT_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/Twine.h"

namespace pipelink {

inline clang::DiagnosticBuilder error(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation location,
                                      const llvm::Twine &text) {
  clang::DiagnosticBuilder builder =
      diagnostics.Report(location, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"));
  builder << text.str();
  return builder;
}

inline clang::DiagnosticBuilder warning(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation location,
                                        const llvm::Twine &text) {
  clang::DiagnosticBuilder builder =
      diagnostics.Report(location, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0"));
  builder << text.str();
  return builder;
}

inline clang::DiagnosticBuilder note(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation location,
                                     const llvm::Twine &text) {
  clang::DiagnosticBuilder builder =
      diagnostics.Report(location, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"));
  builder << text.str();
  return builder;
}

} // namespace pipelink

#endif
