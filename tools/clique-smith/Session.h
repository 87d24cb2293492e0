//===- Session.h - What the parts of one case share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stream of choices, fresh names, and a record of what was generated.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_SESSION_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_SESSION_H

#include "tools/clique-smith/Features.h"
#include "tools/clique-smith/Random.h"
#include "llvm/ADT/StringRef.h"

namespace clique::smith {

/// An op of the case, for the table of what is generated.
struct OpUse {
  std::string op;
  Feature type;
};

struct Session {
  explicit Session(uint64_t seed) : random(seed) {}

  std::string fresh(llvm::StringRef prefix = "v") {
    return "%" + prefix.str() + std::to_string(numNames++);
  }
  void record(llvm::StringRef op, const Feature &type) {
    uses.push_back({op.str(), type});
  }

  Random random;
  /// The float that most features of the case have.
  Element usual = Element::f32;
  std::vector<OpUse> uses;
  /// Features have so many elements, most of them. What is wrong with wide ones
  /// alone is seen in a part of the cases; they take longest to compile.
  int64_t mostElements = 64;
  unsigned numNames = 0;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_SESSION_H
