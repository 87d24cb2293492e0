//===- Variants.h - Cases whose results are known from another --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must not change a result: the order of edges, the numbers of nodes, what
// the spec says about its graph. No oracle is needed.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_VARIANTS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_VARIANTS_H

#include "compiler/Target/LayerSignature.h"
#include "tools/clique-run/Numbers.h"
#include "tools/clique-smith/Case.h"

#include <map>
#include <optional>

namespace clique::smith {

/// Row `k` of a moved tensor is row `order[k]` of the given one.
using RowOrder = std::vector<int64_t>;

/// Another way to give a layer its only graph, and where rows go.
struct MovedGraph {
  GraphPlan plan;
  /// By what the rows of a tensor count; the others stay.
  std::map<clique_extent, RowOrder> orders;
};

/// The same edges in another order.
MovedGraph shuffleEdges(const GraphPlan &plan, Random &random);
/// The same nodes under other numbers; none if the layer knows them.
std::optional<MovedGraph> renumberNodes(const GraphPlan &plan, Random &random);

/// A copy with its rows moved; none if its extent stays.
llvm::Expected<std::optional<TensorHandle>>
moveRows(const DLTensor &tensor, const LayerArgument &argument,
         const MovedGraph &moved);
/// Puts the rows of a result back.
llvm::Error restoreRows(TensorHandle &result, const LayerArgument &argument,
                        const MovedGraph &moved);

/// The spec without what it says about its graph, or with all that is true of
/// it; none where that is the same.
std::optional<std::string> changeTopology(const Case &test);
/// The layer called twice, with the results of both; none if it cannot be
/// found in the text.
std::optional<std::string> callTwice(const std::string &spec);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_VARIANTS_H
