//===- Graph.h - Graphs of the reference interpreter ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as the plain list of its edges. Each constructor takes what the op of
// the same name takes and checks it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_GRAPH_H
#define CLIQUE_COMPILER_REFERENCE_GRAPH_H

#include "mlir/Support/LLVM.h"
#include "runtime/clique.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace clique {

/// Edge k goes from getSrc(k) to getDst(k). The edges of a graph without an
/// edge list (complete, causal ...) are numbered by destination, then source.
class ReferenceGraph {
public:
  /// Edge k: (destinations[k], sources[k]).
  static llvm::Expected<ReferenceGraph> coo(int64_t numDst, int64_t numSrc,
                                            std::vector<int32_t> destinations,
                                            std::vector<int32_t> sources);
  static llvm::Expected<ReferenceGraph> csr(int64_t numSrc,
                                            mlir::ArrayRef<int64_t> rowPointers,
                                            std::vector<int32_t> sources);
  static llvm::Expected<ReferenceGraph> complete(int64_t n, bool noSelf);
  static llvm::Expected<ReferenceGraph> bipartite(int64_t numDst,
                                                  int64_t numSrc);
  static llvm::Expected<ReferenceGraph> causal(int64_t n, bool noSelf);
  static llvm::Expected<ReferenceGraph> window(int64_t n, int64_t halfWidth,
                                               bool noSelf);
  static llvm::Expected<ReferenceGraph> cliques(mlir::ArrayRef<int64_t> offsets,
                                                bool causal, bool noSelf);
  /// A copy of a graph of the runtime, with the caller's edge numbers.
  static llvm::Expected<ReferenceGraph> fromRuntime(const clique_graph *graph);

  /// Every edge turned round; edges keep their numbers.
  ReferenceGraph reverse() const;
  /// An edge i->i for each node that has none, numbered last, by node.
  llvm::Expected<ReferenceGraph> addSelfLoops() const;

  int64_t getNumDst() const { return numDst; }
  int64_t getNumSrc() const { return numSrc; }
  int64_t getNumEdges() const { return dst.size(); }
  int32_t getDst(int64_t edge) const { return dst[edge]; }
  int32_t getSrc(int64_t edge) const { return src[edge]; }
  int64_t getDegree(int64_t node) const {
    return rowStart[node + 1] - rowStart[node];
  }
  /// The number of the k-th edge into `node`; these numbers ascend with k.
  int64_t getIncoming(int64_t node, int64_t k) const {
    int64_t position = rowStart[node] + k;
    return rowEdges.empty() ? position : rowEdges[position];
  }

private:
  ReferenceGraph(int64_t numDst, int64_t numSrc,
                 std::vector<int32_t> destinations,
                 std::vector<int32_t> sources);
  /// Destination i receives from the sources [begin(i), end(i)), without i if
  /// noSelf.
  static llvm::Expected<ReferenceGraph>
  interval(int64_t numDst, int64_t numSrc, bool noSelf,
           llvm::function_ref<int64_t(int64_t)> begin,
           llvm::function_ref<int64_t(int64_t)> end);

  int64_t numDst, numSrc;
  std::vector<int32_t> dst, src;
  /// The edges by destination; rowEdges is empty if they are numbered so.
  std::vector<int64_t> rowStart, rowEdges;
};

namespace reference {
using GraphPtr = std::shared_ptr<const ReferenceGraph>;

/// Checks that the offsets of a batch start at 0 and never fall.
llvm::Error checkOffsets(mlir::ArrayRef<int64_t> offsets, const char *what);
} // namespace reference
} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_GRAPH_H
