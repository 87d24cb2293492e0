//===- Reordering.h - Graphs with renumbered nodes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--reorder`: the layer sees the nodes in another order, the user does not.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_REORDERING_H
#define CLIQUE_TOOLS_CLIQUE_RUN_REORDERING_H

#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/Numbers.h"

#include <map>

namespace clique {

/// The graphs in the order that the layer gets them in, and the way of rows
/// there and back.
class Reordering {
public:
  /// Renumbers the nodes of all graphs and says so, if it `explains` also why.
  /// An error if a graph has no such order or the layer knows nodes
  /// by their numbers.
  static llvm::Expected<Reordering> create(const LayerSignature &signature,
                                           llvm::ArrayRef<GraphArgument> graphs,
                                           clique_node_order order,
                                           bool explains);

  /// What the layer gets for a graph.
  const clique_graph *getGraph(const GraphArgument &given) const;
  /// Copies of the inputs whose rows moved; null for the others.
  llvm::Expected<std::vector<TensorHandle>>
  moveInputs(llvm::ArrayRef<TensorHandle> inputs) const;
  /// Puts the rows of results where the user expects them.
  llvm::Error restore(llvm::MutableArrayRef<TensorHandle> results) const;

private:
  struct Renumbering {
    std::vector<int32_t> newOfOld;
    std::unique_ptr<clique_graph, FreeGraph> graph; ///< null: as given
  };

  explicit Reordering(const LayerSignature &signature) : signature(signature) {}

  llvm::Error add(const GraphArgument &given, clique_node_order order,
                  bool explains);
  /// The new numbers of a tensor's rows; empty if they stay.
  llvm::ArrayRef<int32_t> findMoves(const LayerArgument &arg,
                                    const DLTensor &tensor) const;

  const LayerSignature &signature;
  std::map<unsigned, Renumbering> graphs; ///< by argument
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_REORDERING_H
