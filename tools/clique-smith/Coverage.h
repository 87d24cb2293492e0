//===- Coverage.h - What was generated, and how it ran ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table by which it is seen what is never generated.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_COVERAGE_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_COVERAGE_H

#include "tools/clique-smith/Case.h"
#include "tools/clique-smith/Outcome.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace clique::smith {

class Coverage {
public:
  void add(const Case &test, const Outcome &outcome);
  void print(llvm::raw_ostream &out) const;

private:
  using Counts = std::map<std::string, unsigned>;
  std::map<std::string, Counts> shapesOfOps, elementsOfOps;
  /// Which lowerings ran, by the class of the graph.
  std::map<std::string, Counts> runsOfGraphs;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_COVERAGE_H
