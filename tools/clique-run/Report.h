//===- Report.h - What clique-run prints ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One short line per fact: what it is about, then what there is to know.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_REPORT_H
#define CLIQUE_TOOLS_CLIQUE_RUN_REPORT_H

#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/Numbers.h"

namespace clique {

/// "34 nodes, 156 edges, sparse".
std::string describeGraph(const clique_graph_info &info);
/// "graph   karate.mtx: 34 nodes, 156 edges, sparse". An error if a graph
/// cannot be inspected.
llvm::Error reportGraphs(const LayerSignature &signature,
                         llvm::ArrayRef<GraphArgument> graphs);
/// "device   NVIDIA H200", if the layer runs on one. An error if it cannot be
/// used.
llvm::Error reportDevice(const clique_layer &layer);
/// How each kernel of the last invocation ran; with `explain` also why, and the
/// memory it took.
void reportKernels(bool explain);
/// "result  out: f32 [34, 64]".
void reportResults(const LayerSignature &signature,
                   llvm::ArrayRef<TensorHandle> results);
/// What runs of a layer took, in seconds.
struct RunTimes {
  double first = 0;
  std::vector<double> warm; ///< of those that followed
};
/// "time    0.021 ms (median of 10 warm runs, min 0.019; first run 1.420)".
void reportTimes(RunTimes times);
/// A line of its own kind.
void reportLine(llvm::StringRef kind, const llvm::Twine &text);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_REPORT_H
