//===- CrashReport.cpp - No program ends without a word -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's handlers, with our words.
//
//===----------------------------------------------------------------------===//
#include "tools/support/CrashReport.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <string>

void clique::reportCrashes(const char *program) {
  // The handler reads it when nothing can be allocated any more.
  static const std::string message =
      std::string(program) +
      ": error: ended by a defect of the program; nothing was written; report "
      "it with the spec, the command and these lines\n";
  llvm::setBugReportMsg(message.c_str());
  llvm::EnablePrettyStackTrace();
}
