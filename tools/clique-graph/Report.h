//===- Report.h - What clique-graph inspect prints --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_REPORT_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_REPORT_H

#include "tools/clique-graph/Statistics.h"
#include "llvm/Support/raw_ostream.h"

namespace clique {

struct GraphReport {
  std::string graph; ///< as the user gave it
  GraphStatistics statistics;
  std::vector<std::string> kernels; ///< of the layer
};

/// One short line per fact, then the degrees.
void printText(const GraphReport &report, llvm::raw_ostream &out);
void printJson(const GraphReport &report, llvm::raw_ostream &out);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_REPORT_H
