//===- ReportedError.h - How a tool ends ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One message for each error.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_REPORTEDERROR_H
#define CLIQUE_TOOLS_CLIQUE_RUN_REPORTEDERROR_H

#include "llvm/Support/Error.h"

namespace clique {

/// An error whose text was printed already, as a diagnostic.
class ReportedError : public llvm::ErrorInfo<ReportedError> {
public:
  // The name that ErrorInfo asks for.
  static char ID; // NOLINT(readability-identifier-naming)
  void log(llvm::raw_ostream &out) const override { out << "reported"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Prints "TOOL: error: TEXT", unless there is no error or it was printed. The
/// exit status of the tool.
int reportError(llvm::StringRef tool, llvm::Error error);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_REPORTEDERROR_H
