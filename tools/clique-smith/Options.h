//===- Options.h - The command line of clique-smith -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_OPTIONS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_OPTIONS_H

#include "tools/clique-smith/CaseRunner.h"
#include "llvm/Support/Error.h"

namespace clique::smith {

struct SmithRequest {
  uint64_t seed = 0;
  uint64_t cases = 100;
  double seconds = 0; ///< 0: as long as it takes
  unsigned jobs = 1;
  bool print = false;
  bool reduce = true;
  double reduceSeconds = 120;
  bool coverage = false;
  bool verbose = false;
  std::string folder; ///< where failing cases are written
  Restrictions restrictions;
  RunOptions run;
  Limits limits;
};

llvm::Expected<SmithRequest> parseCommandLine(int argc, char **argv);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_OPTIONS_H
