//===- FuseDirections.cpp - Both directions of a graph in one kernel ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-fuse-directions: finds two kernels of tiles, one on a graph and
// one on its reverse, and decides whether one takes the place of both. How it
// is made: DirectionMerging.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/DirectionMerging.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include <set>

namespace clique {
#define GEN_PASS_DEF_FUSEDIRECTIONSPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::KernelOp;
using mp::Topology;

/// Whether one graph is the other with all edges turned round.
static bool areReverse(Value a, Value b) {
  auto isReverseOf = [](Value graph, Value of) {
    auto reverse = graph.getDefiningOp<mp::ReverseOp>();
    return reverse && reverse.getGraph() == of;
  };
  return isReverseOf(a, b) || isReverseOf(b, a);
}

/// Whether the graph falls into parts, one for each sentence or molecule of a
/// batch.
static bool isBatch(Value graph) {
  Topology topology = cast<mp::MPGraphType>(graph.getType()).getTopology();
  return topology == Topology::cliques || topology == Topology::causal_cliques;
}

/// Why a kernel's sums cannot be another's sums for sources; empty if they can.
static std::string whyNoSourceSums(KernelOp kernel) {
  for (mp::AggregateOp aggregate : kernel.getBody().getOps<mp::AggregateOp>())
    if (aggregate.getKind() != mp::AggregatorKind::sum)
      return ("kernel " + kernel.getSym() + " aggregates by " +
              stringifyAggregatorKind(aggregate.getKind()) + ", not by sums")
          .str();
  return "";
}

static bool yieldsEdges(KernelOp kernel) {
  return llvm::any_of(kernel.getResultTypes(),
                      [](Type type) { return isa<mp::EdgesType>(type); });
}

/// Elements of a node's results.
static int64_t getResultSize(KernelOp kernel) {
  int64_t size = 0;
  for (mp::AggregateOp aggregate : kernel.getBody().getOps<mp::AggregateOp>())
    for (Value result : aggregate.getResults())
      size += ShapedType::getNumElements(
          cast<RankedTensorType>(result.getType()).getShape().drop_front());
  return size;
}

/// Whether `a` should rather make the results of both than `b`.
static bool isBetterBase(KernelOp a, KernelOp b) {
  auto isKnown = [](KernelOp kernel) {
    return !cast<mp::MPGraphType>(kernel.getGraph().getType()).isUnknown();
  };
  // The reverse of a causal graph has no topology of its own, so that its
  // kernel has rows too.
  if (isKnown(a) != isKnown(b))
    return isKnown(a);
  // Sums for sources cost more than those for destinations: they should be few.
  return getResultSize(a) >= getResultSize(b);
}

namespace {
struct FuseDirectionsPass
    : clique::impl::FuseDirectionsPassBase<FuseDirectionsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (mp::getGpu(getOperation()))
      return;
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!isa<KernelOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      while (fuseOne(*block))
        ;
    rejected.clear();
  }

  /// Fuses the first two kernels of the block that were not looked at, if they
  /// can be and should; whether there were any. Looking at them may move ops.
  bool fuseOne(Block &block) {
    SmallVector<KernelSite> sites;
    for (Operation &op : block)
      if (std::optional<KernelSite> site = KernelSite::find(op))
        sites.push_back(*site);
    for (auto [k, first] : llvm::enumerate(sites))
      for (const KernelSite &second : ArrayRef(sites).drop_front(k + 1))
        if (areReverse(first.tiles.getGraph(), second.tiles.getGraph()) &&
            rejected.count(getNames(first, second)) == 0) {
          auto names = getNames(first, second);
          if (!fuse(first, second))
            rejected.insert(names);
          return true;
        }
    return false;
  }

  /// Of the kernels, in either order.
  static std::pair<std::string, std::string> getNames(const KernelSite &a,
                                                      const KernelSite &b) {
    std::string first = a.tiles.getSym().str(), second = b.tiles.getSym().str();
    return std::minmax(first, second);
  }

  static void remarkMissed(KernelOp kernel, const Twine &why) {
    remark::missed(
        kernel.getLoc(),
        remark::RemarkOpts::name("mp-fuse-directions").category("fusion"))
        << ("kernel " + kernel.getSym() + ": both directions stay apart, " +
            why)
               .str();
  }

  /// Parts of a batch that there have to be, for all cores of the target to
  /// have something of which they own the sums; 0 where heads are enough.
  static int64_t getLeastParts(KernelOp kernel) {
    int64_t heads = kernel.getHeads().value_or(1);
    int64_t cores = mp::getCpu(kernel).getCores();
    return heads >= cores ? 0 : llvm::divideCeil(cores, heads);
  }

  static bool fuse(const KernelSite &first, const KernelSite &second) {
    KernelOp kernel = second.tiles;
    if (first.tiles.getHeads() != second.tiles.getHeads() ||
        yieldsEdges(first.tiles) || yieldsEdges(second.tiles))
      return false;
    bool isFirst = isBetterBase(first.tiles, second.tiles);
    std::string why = whyNoSourceSums((isFirst ? second : first).tiles);
    if (!why.empty()) {
      isFirst = !isFirst;
      if (!whyNoSourceSums((isFirst ? second : first).tiles).empty()) {
        remarkMissed(kernel, why);
        return false;
      }
    }
    int64_t leastParts = getLeastParts(kernel);
    Value graph = (isFirst ? first : second).tiles.getGraph();
    if (leastParts > 0 && !isBatch(graph)) {
      remarkMissed(kernel, "it has fewer heads than the target has cores");
      return false;
    }
    if (!bringTogether(first.op, second.op)) {
      remarkMissed(kernel, "one needs the result of the other");
      return false;
    }
    std::string name =
        first.tiles.getSym().str() + " and " + second.tiles.getSym().str();
    KernelOp fused = mergeDirections(isFirst ? first : second,
                                     isFirst ? second : first, leastParts);
    if (!fused) {
      remarkMissed(kernel, "they compute nothing alike");
      return false;
    }
    remark::passed(
        fused.getLoc(),
        remark::RemarkOpts::name("mp-fuse-directions").category("fusion"))
        << ("kernels " + name + ": one pass over the tiles, with sums for " +
            "destinations and sources; " +
            (leastParts > 0 ? "a thread has a part of the batch"
                            : "a thread has a head"));
    return true;
  }

  /// Pairs that stay apart, by their names.
  std::set<std::pair<std::string, std::string>> rejected;
};
} // namespace
