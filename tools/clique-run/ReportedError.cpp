//===- ReportedError.cpp - How a tool ends --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/ReportedError.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clique;

char ReportedError::ID;

int clique::reportError(StringRef tool, Error error) {
  if (!error)
    return 0;
  handleAllErrors(
      std::move(error), [](const ReportedError &) {},
      [&](const ErrorInfoBase &other) {
        errs() << tool << ": error: " << other.message() << "\n";
      });
  return 1;
}
