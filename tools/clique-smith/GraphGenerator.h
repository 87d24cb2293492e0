//===- GraphGenerator.h - Random graphs of every class ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer says about its graph, and a graph of which that is true.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_GRAPHGENERATOR_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_GRAPHGENERATOR_H

#include "tools/clique-smith/Random.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clique::smith {

/// A graph before it is made.
struct GraphPlan {
  std::string type;        ///< "!mp.graph<causal>"
  std::string statedType;  ///< all that is true of it, if that is more
  std::string topology;    ///< the class of the graph itself: "causal", "hub"
  std::string description; ///< "causal:16"; empty if its edges are listed
  int64_t numDst = 0, numSrc = 0;
  bool isAcyclic = false; ///< by how it was made; others may be, too
  /// Edge k goes from src[k] to dst[k]; also where there is a description.
  std::vector<int32_t> dst, src;

  bool isSquare() const { return numDst == numSrc; }
  int64_t getMaxInDegree() const;
  int64_t getMaxOutDegree() const;
  bool hasParallelEdges() const;
  /// The text of a Matrix Market file.
  std::string writeMatrixMarket() const;
};

/// `topology` (empty: any) is what the type of the graph must say.
GraphPlan makeGraphPlan(Random &random, llvm::StringRef topology);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_GRAPHGENERATOR_H
