//===- EdgeListTopology.cpp - What a constant edge list is ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each class is an interval of sources per destination; a list is of the class
// if it is what the intervals say.
//
//===----------------------------------------------------------------------===//
#include "compiler/Topology/EdgeListTopology.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cstdlib>

using namespace mlir;
using namespace clique;
using mp::Topology;

namespace {
using Edge = std::pair<int64_t, int64_t>;

class Classifier {
public:
  explicit Classifier(mp::EdgeListOp list);

  EdgeListTopology classify() const;

private:
  using Interval = std::pair<int64_t, int64_t>;

  /// The edges are those of these intervals, by destination, then by source.
  bool matches(llvm::function_ref<Interval(int64_t)> getRow, bool noSelf) const;
  /// The largest distance of two ends.
  int64_t getReach() const;
  /// Where cliques begin if the edges are cliques at all.
  SmallVector<int64_t> getCliqueOffsets() const;
  bool matchesCliques(ArrayRef<int64_t> offsets, bool causal,
                      bool noSelf) const;

  SmallVector<Edge> edges;
  int64_t numDst, numSrc;
};
} // namespace

Classifier::Classifier(mp::EdgeListOp list)
    : numDst(list.getNumDst()), numSrc(list.getNumSrc()) {
  SmallVector<int32_t> ends(list.getEdges().getValues<int32_t>());
  for (size_t k = 0; k < ends.size(); k += 2)
    edges.emplace_back(ends[k], ends[k + 1]);
}

bool Classifier::matches(llvm::function_ref<Interval(int64_t)> getRow,
                         bool noSelf) const {
  const Edge *next = edges.begin();
  for (int64_t dst = 0; dst < numDst; ++dst) {
    auto [begin, end] = getRow(dst);
    for (int64_t src = begin; src < end; ++src) {
      if (noSelf && src == dst)
        continue;
      if (next == edges.end() || *next != Edge(dst, src))
        return false;
      ++next;
    }
  }
  return next == edges.end();
}

int64_t Classifier::getReach() const {
  int64_t reach = 0;
  for (auto [dst, src] : edges)
    reach = std::max(reach, std::abs(dst - src));
  return reach;
}

SmallVector<int64_t> Classifier::getCliqueOffsets() const {
  // A clique begins at a node without in-neighbours before it.
  SmallVector<int64_t> first;
  for (int64_t node = 0; node < numDst; ++node)
    first.push_back(node);
  for (auto [dst, src] : edges)
    first[dst] = std::min(first[dst], src);
  SmallVector<int64_t> offsets;
  for (int64_t node = 0; node < numDst; ++node)
    if (first[node] == node)
      offsets.push_back(node);
  offsets.push_back(numDst);
  return offsets;
}

bool Classifier::matchesCliques(ArrayRef<int64_t> offsets, bool causal,
                                bool noSelf) const {
  const int64_t *clique = offsets.begin();
  return matches(
      [&](int64_t dst) {
        if (dst == clique[1])
          ++clique;
        return Interval(clique[0], causal ? dst + 1 : clique[1]);
      },
      noSelf);
}

EdgeListTopology Classifier::classify() const {
  // Without edges there is nothing to gain.
  if (edges.empty())
    return {};
  if (numDst != numSrc) {
    auto all = [&](int64_t) { return Interval(0, numSrc); };
    if (matches(all, /*noSelf=*/false))
      return {Topology::bipartite};
    return {};
  }
  bool noSelf =
      llvm::none_of(edges, [](Edge edge) { return edge.first == edge.second; });
  auto all = [&](int64_t) { return Interval(0, numSrc); };
  if (matches(all, noSelf))
    return {Topology::complete, noSelf};
  auto prefix = [](int64_t dst) { return Interval(0, dst + 1); };
  if (matches(prefix, noSelf))
    return {Topology::causal, noSelf};
  int64_t reach = getReach();
  auto band = [&](int64_t dst) {
    return Interval(std::max<int64_t>(dst - reach, 0),
                    std::min(dst + reach + 1, numSrc));
  };
  if (matches(band, noSelf))
    return {Topology::window, noSelf, reach};
  SmallVector<int64_t> offsets = getCliqueOffsets();
  // Parallel edges or a wrong order can still make matches fail.
  if (matchesCliques(offsets, /*causal=*/false, noSelf))
    return {Topology::cliques, noSelf, 0, offsets};
  if (matchesCliques(offsets, /*causal=*/true, noSelf))
    return {Topology::causal_cliques, noSelf, 0, offsets};
  return {};
}

EdgeListTopology clique::classify(mp::EdgeListOp list) {
  return Classifier(list).classify();
}

Value clique::buildGraph(OpBuilder &builder, mp::EdgeListOp list,
                         const EdgeListTopology &found) {
  Location loc = list.getLoc();
  auto makeIndex = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  int64_t n = list.getNumDst();
  bool noSelf = found.noSelf;
  switch (found.topology) {
  case Topology::complete:
    return mp::CompleteOp::create(builder, loc, makeIndex(n), noSelf);
  case Topology::bipartite:
    return mp::BipartiteOp::create(builder, loc, makeIndex(n),
                                   makeIndex(list.getNumSrc()));
  case Topology::causal:
    return mp::CausalOp::create(builder, loc, makeIndex(n), noSelf);
  case Topology::window:
    return mp::WindowOp::create(builder, loc, makeIndex(n), found.halfWidth,
                                noSelf);
  case Topology::cliques:
  case Topology::causal_cliques: {
    auto type = RankedTensorType::get(
        static_cast<int64_t>(found.offsets.size()), builder.getI64Type());
    Value offsets = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, ArrayRef(found.offsets)));
    return mp::CliquesOp::create(builder, loc, offsets,
                                 found.topology == Topology::causal_cliques,
                                 noSelf);
  }
  default:
    return {};
  }
}
