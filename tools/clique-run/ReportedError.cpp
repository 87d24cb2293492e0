//===- ReportedError.cpp - How a tool ends --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/ReportedError.h"
#include "tools/support/StandardStreams.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clique;

char ReportedError::ID;

int clique::reportError(StringRef tool, Error error) {
  // Once something failed, that standard output did too is not said.
  Error unwritten = flushStandardOutput();
  if (error)
    consumeError(std::move(unwritten));
  else
    error = std::move(unwritten);
  if (!error)
    return 0;
  handleAllErrors(
      std::move(error), [](const ReportedError &) {},
      [&](const ErrorInfoBase &other) {
        errs() << tool << ": error: " << other.message() << "\n";
      });
  return 1;
}
