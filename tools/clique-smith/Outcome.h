//===- Outcome.h - What became of a case ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_OUTCOME_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_OUTCOME_H

#include <string>
#include <utility>
#include <vector>

namespace clique::smith {

struct Outcome {
  /// Empty if all is well; else what kind of failure: "invalid" (the spec is
  /// refused as such), "refused" (by the compiler or when it runs), "wrong",
  /// "threads" (results depend on their number), "given" (or on whether inputs
  /// are given away), "crash", "hang".
  std::string failure;
  /// What was being done: "parse", "reference", "compile native", "dense" ...
  std::string phase;
  std::string message; ///< a line
  std::string log;     ///< what was printed
  /// What ran: "dense", "gpu" ...; "skipped dense" where it cannot.
  std::vector<std::string> runs;
  std::vector<std::pair<std::string, double>> seconds; ///< of each phase
  double processor = 0; ///< seconds of processors in all

  bool isOk() const { return failure.empty(); }
  /// Whether there are results, other ones than expected.
  bool differs() const {
    return failure == "wrong" || failure == "threads" || failure == "given";
  }
  /// Equal for failures of one kind: names and numbers are left out.
  std::string getSignature() const;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_OUTCOME_H
