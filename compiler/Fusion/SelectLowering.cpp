//===- SelectLowering.cpp - Chooses what each kernel iterates over --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-select-lowering: one version of a kernel, or two and the
// runtime's choice, by the type of its graph.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Fusion/MessageCost.h"
#include "compiler/Fusion/OutlineUpdates.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPReadout.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_SELECTLOWERINGPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::KernelOp;
using mp::Lowering;
using mp::Topology;
using mp::Versions;

namespace {
struct Decision {
  Versions versions;
  std::string reason;
};
} // namespace

/// The op of the spec on whose graph the kernel is.
static Operation *getLayerOp(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (isa<mp::MessageOp, mp::AggregateOp>(op))
      return &op;
  return kernel;
}

/// Whether the graph is that of a readout or a spread, of parts with lists of
/// nodes: made by the compiler, it has rows whatever is asked for.
static bool isOfParts(Value graph) {
  while (auto reverse = graph.getDefiningOp<mp::ReverseOp>())
    graph = reverse.getGraph();
  auto csr = graph.getDefiningOp<mp::CSROp>();
  return csr && csr->hasAttr(mp::kReadoutAttr);
}

/// How many times as long as a pair of a full tile an edge of a row has to be
/// expected to take for tiles to be compiled alone.
static constexpr int64_t kFarFaster = 2;

/// Whether the threads of a GPU's block may not hold the values of a tile's
/// edges; one head at a time is smaller, but heads of a softmax beside another
/// aggregation may stay together.
static bool mayBeTooLarge(KernelOp kernel) {
  if (!mp::getGpu(kernel))
    return false;
  Block &body = kernel.getBody().front();
  auto aggregations = body.getOps<mp::AggregateOp>();
  const bool hasSeveral =
      !aggregations.empty() && !llvm::hasSingleElement(aggregations);
  return llvm::any_of(body.getOps<mp::MessageOp>(),
                      [](mp::MessageOp message) {
                        return getEdgeValueSize(message) >
                               tuning::gpuEdgeElements;
                      }) ||
         (hasSeveral && llvm::any_of(aggregations, [](mp::AggregateOp op) {
            return op.getScore() && cast<mp::EdgesType>(op.getScore().getType())
                                            .getFeatureType()
                                            .getNumElements() > 1;
          }));
}

/// What an edge takes in a tile at most: destinations of their own number may
/// be fewer than a tile's rows.
static int64_t getMostOfPair(mp::MPGraphType type, mp::CostAttr cost) {
  return type.getTopology() == Topology::bipartite
             ? cost.getMaskedPair() * cost.getTileRows()
             : cost.getMaskedPair();
}

/// Fails, with an error, where tiles are asked for on a graph that has none.
static FailureOr<Decision> decide(KernelOp kernel, mp::CostAttr cost,
                                  LoweringChoice choice) {
  auto type = cast<mp::MPGraphType>(kernel.getGraph().getType());
  bool mayBeDense = type.mayHaveTiles();
  if (!kernel.getBody().getOps<mp::ScanOp>().empty())
    return Decision{Versions::sparse,
                    "a scan takes the edges of a row one after the other"};
  if (choice == LoweringChoice::sparse)
    return Decision{Versions::sparse, "asked for by lowering=sparse"};
  if (isOfParts(kernel.getGraph()))
    return Decision{Versions::sparse, "its rows are the parts of a batch"};
  if (choice == LoweringChoice::dense) {
    if (mayBeDense)
      return Decision{Versions::dense, "asked for by lowering=dense"};
    return getLayerOp(kernel)->emitOpError()
           << "is on " << type
           << ", which has no dense tiles: use lowering=auto or "
              "lowering=sparse, or give a graph of another topology or of an "
              "unknown one";
  }
  switch (type.getTopology()) {
  case Topology::unknown:
    return Decision{Versions::both,
                    "the topology is known when the graph arrives"};
  case Topology::window:
    return Decision{Versions::both, "a window may be narrow"};
  case Topology::blocks:
    return Decision{Versions::both, "a row may have few blocks"};
  case Topology::cliques:
  case Topology::causal_cliques:
    return Decision{Versions::both,
                    "the sizes of the cliques are known when the graph "
                    "arrives"};
  default:
    if (!mayBeDense)
      return Decision{Versions::sparse,
                      "destinations receive from lists of sources"};
    if (mayBeTooLarge(kernel))
      return Decision{Versions::both,
                      "a value of its edges may be too large for a tile"};
    // Tiles of any number: a small graph, whose tiles are not full, may still
    // be faster as rows, as may one with a single destination.
    if (kFarFaster * getMostOfPair(type, cost) + cost.getTileEdge() <=
        cost.getEdge())
      return Decision{Versions::dense,
                      "every destination receives from an interval of sources"};
    return Decision{Versions::both,
                    "pairs of a tile are expected to take about as long as "
                    "edges of rows, or longer"};
  }
}

static StringRef describe(Versions versions) {
  switch (versions) {
  case Versions::sparse:
    return "sparse rows";
  case Versions::dense:
    return "dense tiles";
  case Versions::both:
    return "dense tiles and sparse rows, chosen at run time";
  }
  llvm_unreachable("unknown versions");
}

static void emitRemark(KernelOp kernel, StringRef lowering, StringRef reason) {
  remark::passed(
      kernel.getLoc(),
      remark::RemarkOpts::name("mp-select-lowering").category("lowering"))
      << ("kernel " + kernel.getSym() + ": " + lowering + ", " + reason).str();
}

/// Makes the kernel the version in sparse rows: on a GPU, which would read the
/// weights of a linear update for every row, without such updates.
static void makeRows(KernelOp kernel) {
  kernel.setLowering(Lowering::sparse);
  bool hasProducts = llvm::any_of(
      kernel.getBody().getOps<mp::UpdateOp>(), [](mp::UpdateOp update) {
        return !update.getBody().getOps<mp::LinearOp>().empty();
      });
  if (hasProducts && mp::getGpu(kernel))
    outlineUpdates(kernel);
}

/// Makes the kernel the version in tiles, whose blocks are not those of sums
/// over nodes.
static void makeTiles(KernelOp kernel) {
  kernel.setLowering(Lowering::dense);
  if (!kernel.getBody().getOps<linalg::GenericOp>().empty())
    outlineUpdates(kernel);
}

/// Both versions under the runtime's choice.
static void makeVersions(KernelOp kernel, Value dense) {
  OpBuilder builder(kernel);
  KernelOp tiles, rows;
  auto emitVersion = [&](KernelOp &version) {
    return [&](OpBuilder &builder, Location loc) {
      version = cast<KernelOp>(builder.clone(*kernel));
      scf::YieldOp::create(builder, loc, version->getResults());
    };
  };
  auto choice = scf::IfOp::create(builder, kernel.getLoc(), dense,
                                  emitVersion(tiles), emitVersion(rows));
  kernel->replaceAllUsesWith(choice);
  kernel.erase();
  makeTiles(tiles);
  makeRows(rows);
}

static LogicalResult selectLowering(KernelOp kernel, LoweringChoice choice) {
  Value graph = kernel.getGraph();
  if (!graph) {
    kernel.setLowering(Lowering::nodes);
    emitRemark(kernel, "nodes", "it has no message");
    return success();
  }
  KernelCounts counts = countKernel(kernel);
  mp::CostAttr cost = counts.getCost(mp::getCpu(kernel));
  FailureOr<Decision> decision = decide(kernel, cost, choice);
  if (failed(decision))
    return failure();
  emitRemark(kernel, describe(decision->versions), decision->reason);
  remark::analysis(
      kernel.getLoc(),
      remark::RemarkOpts::name("mp-select-lowering").category("cost"))
      << ("kernel " + kernel.getSym() + ": " + counts.print()).str();
  OpBuilder builder(kernel);
  auto dense =
      mp::ChooseDenseOp::create(builder, kernel.getLoc(), graph,
                                kernel.getSym(), decision->versions, cost);
  switch (decision->versions) {
  case Versions::both:
    makeVersions(kernel, dense);
    break;
  case Versions::dense:
    makeTiles(kernel);
    break;
  case Versions::sparse:
    makeRows(kernel);
    break;
  }
  return success();
}

namespace {
struct SelectLoweringPass
    : clique::impl::SelectLoweringPassBase<SelectLoweringPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getLowering())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (failed(selectLowering(kernel, choice)))
        return signalPassFailure();
  }
};
} // namespace
