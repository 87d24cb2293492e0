//===- Outcome.cpp - What became of a case --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Outcome.h"
#include "llvm/ADT/StringExtras.h"

using namespace clique::smith;

std::string Outcome::getSignature() const {
  std::string result = failure + " " + phase + ": ";
  // A difference is one, however large; a NaN may come from an edit.
  if (differs())
    return failure + " " + phase +
           (message.find("nan") == std::string::npos ? "" : ", NaN");
  for (char c : message) {
    const bool isDigit = llvm::isDigit(c);
    if (isDigit && result.back() == '#')
      continue;
    result += isDigit ? '#' : c;
  }
  return result;
}
