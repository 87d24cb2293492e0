//===- CaseRunner.h - Runs a case in every way ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter against all lowerings, threads and devices.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_CASERUNNER_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_CASERUNNER_H

#include "tools/clique-smith/Case.h"
#include "tools/clique-smith/Isolation.h"
#include "llvm/ADT/StringRef.h"

namespace clique::smith {

struct RunOptions {
  /// "auto", "dense" or "sparse"; empty: all.
  std::string lowering;
  /// Leave out what is not needed to see a failure of this phase.
  std::string onlyPhase;
  /// Skip the CPU: kernels of GPUs alone.
  bool onlyGpu = false;
  /// Only write the inputs to files whose paths begin so; their arguments'
  /// names are what ran.
  std::string inputsPrefix;
};

/// Stops at the first failure, which it reports.
void runCase(const Case &test, const RunOptions &options, Report &report);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_CASERUNNER_H
