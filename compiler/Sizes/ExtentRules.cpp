//===- ExtentRules.cpp - What each op says of first dimensions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/Extents.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

void ExtentAnalysis::joinSize(unsigned call, Value size, Value graph,
                              Extent extent) {
  join(getId(call, size, Extent::rows), getId(call, graph, extent));
}

bool ExtentAnalysis::visitConstructor(unsigned call, Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<mp::CompleteOp, mp::CausalOp, mp::WindowOp>([&](auto made) {
        joinSize(call, made.getN(), made.getGraph(), Extent::dst);
        return true;
      })
      .Case([&](mp::BipartiteOp made) {
        joinSize(call, made.getNumDst(), made.getGraph(), Extent::dst);
        joinSize(call, made.getNumSrc(), made.getGraph(), Extent::src);
        return true;
      })
      .Case([&](mp::CSROp made) {
        joinSize(call, made.getNumSrc(), made.getGraph(), Extent::src);
        joinRows(call, made.getIndices(), made.getGraph(), Extent::edges);
        return true;
      })
      .Case([&](mp::COOOp made) {
        joinSize(call, made.getNumDst(), made.getGraph(), Extent::dst);
        joinSize(call, made.getNumSrc(), made.getGraph(), Extent::src);
        joinRows(call, {made.getDst(), made.getSrc()}, made.getGraph(),
                 Extent::edges);
        return true;
      })
      .Default(false);
}

bool ExtentAnalysis::visitGraphOp(unsigned call, Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](mp::ReverseOp made) {
        Value to = made.getReversed(), from = made.getGraph();
        join(getId(call, to, Extent::dst), getId(call, from, Extent::src));
        join(getId(call, to, Extent::src), getId(call, from, Extent::dst));
        join(getId(call, to, Extent::edges), getId(call, from, Extent::edges));
        return true;
      })
      .Case([&](mp::SelfLoopsOp made) {
        makeSquare(call, made.getGraph());
        makeSquare(call, made.getWithLoops());
        join(getId(call, made.getGraph(), Extent::dst),
             getId(call, made.getWithLoops(), Extent::dst));
        return true;
      })
      .Case([&](mp::LevelsOp made) {
        makeSquare(call, made.getGraph());
        joinGraphs(call, made.getGraph(), made.getByLevel());
        joinRows(call, {made.getNodes(), made.getPlaces()}, made.getGraph(),
                 Extent::dst);
        return true;
      })
      .Case([&](mp::RowsOp made) {
        joinSize(call, made.getCount(), made.getPart(), Extent::dst);
        join(getId(call, made.getPart(), Extent::src),
             getId(call, made.getGraph(), Extent::src));
        joinRows(call, made.getEdges(), made.getPart(), Extent::edges);
        return true;
      })
      .Case([&](mp::GroupEdgesOp made) {
        Value groups = made.getGroups(), graph = made.getGraph();
        join(getId(call, groups, Extent::src), getId(call, graph, Extent::src));
        join(getId(call, groups, Extent::edges),
             getId(call, graph, Extent::edges));
        joinRows(call, made.getKeys(), graph, Extent::edges);
        joinRows(call, {made.getRows(), made.getKeysOfGroups()}, groups,
                 Extent::dst);
        return true;
      })
      .Case([&](mp::CastOp made) {
        joinGraphs(call, made.getGraph(), made.getResult());
        return true;
      })
      .Case([&](mp::NumDstOp size) {
        joinSize(call, size.getSize(), size.getGraph(), Extent::dst);
        return true;
      })
      .Case([&](mp::NumSrcOp size) {
        joinSize(call, size.getSize(), size.getGraph(), Extent::src);
        return true;
      })
      .Case([&](mp::NumEdgesOp size) {
        joinSize(call, size.getSize(), size.getGraph(), Extent::edges);
        return true;
      })
      .Case([&](mp::DegreeOp degree) {
        joinRows(call, degree.getDegrees(), degree.getGraph(), Extent::dst);
        return true;
      })
      .Default(false);
}

bool ExtentAnalysis::visitLayerOp(unsigned call, Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](mp::MessageOp message) {
        Value graph = message.getGraph();
        joinRows(call, message.getDst(), graph, Extent::dst);
        joinRows(call, message.getSrc(), graph, Extent::src);
        joinRows(call, message.getEdge(), graph, Extent::edges);
        joinRows(call, message.getResults(), graph, Extent::edges);
        return true;
      })
      .Case([&](mp::AggregateOp aggregate) {
        Value graph = aggregate.getGraph();
        joinRows(call, aggregate.getValues(), graph, Extent::edges);
        if (Value score = aggregate.getScore())
          joinRows(call, score, graph, Extent::edges);
        joinRows(call, aggregate.getResults(), graph, Extent::dst);
        return true;
      })
      .Case([&](mp::ScanOp scan) {
        Value graph = scan.getGraph();
        joinRows(call, scan.getFrom(), graph, Extent::dst);
        joinRows(call, scan.getEdge(), graph, Extent::edges);
        joinRows(call, scan.getLast(), graph, Extent::dst);
        joinRows(call, scan.getEdgeResults(), graph, Extent::edges);
        return true;
      })
      .Case([&](mp::ReadoutOp readout) {
        if (Value score = readout.getScore())
          joinRows(call, {score, readout.getNodes()});
        return true;
      })
      .Case<mp::SpreadOp, mp::NodeNumbersOp, mp::PartNumbersOp>([&](auto made) {
        join(getId(call, made.getResult(), Extent::rows),
             getId(call, made.getNumNodes(), Extent::rows));
        return true;
      })
      .Case([&](mp::EdgeSoftmaxOp softmax) {
        joinRows(call, {softmax.getScore(), softmax.getResult()},
                 softmax.getGraph(), Extent::edges);
        return true;
      })
      .Case([&](mp::LookupOp lookup) {
        joinRows(call, {lookup.getIndex(), lookup.getResult()});
        joinTable(call, lookup);
        return true;
      })
      .Case([&](mp::UpdateOp update) {
        SmallVector<Value> values(update.getNodes());
        llvm::append_range(values, update.getResults());
        joinRows(call, values);
        return true;
      })
      .Case([&](mp::KernelOp kernel) {
        for (auto [result, yielded] : llvm::zip_equal(
                 kernel.getResults(), kernel.getYield().getOperands()))
          joinRows(call, {result, yielded});
        return true;
      })
      .Default(false);
}

/// Numbers of nodes or edges of a graph are those of rows of its features.
void ExtentAnalysis::joinTable(unsigned call, mp::LookupOp lookup) {
  Operation *maker = lookup.getIndex().getDefiningOp();
  if (auto levels = dyn_cast_if_present<mp::LevelsOp>(maker))
    joinRows(call, lookup.getTable(), levels.getGraph(), Extent::dst);
  else if (auto part = dyn_cast_if_present<mp::RowsOp>(maker))
    joinRows(call, lookup.getTable(), part.getGraph(), Extent::edges);
}

bool ExtentAnalysis::visitTensorOp(unsigned call, Operation *op) {
  // Inside the regions of the mp ops tensors are features, without rows.
  if (op->getParentOfType<mp::MessageOp>() ||
      op->getParentOfType<mp::UpdateOp>() ||
      op->getParentOfType<mp::ScanOp>() ||
      op->getParentOfType<mp::AggregateOp>())
    return true;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    std::map<unsigned, Value> loops;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      if (map.getNumResults() == 0 || !hasRows(operand.get()))
        continue;
      if (linalgOp.isDpsInit(&operand) && op->getNumResults())
        joinRows(call, {operand.get(), linalgOp.getTiedOpResult(&operand)});
      if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(0))) {
        auto [it, isNew] = loops.try_emplace(loop.getPosition(), operand.get());
        if (!isNew)
          joinRows(call, {it->second, operand.get()});
      }
    }
    return true;
  }
  if (op->hasTrait<mp::FeatureOp>()) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    llvm::erase_if(values,
                   [](Value value) { return !mp::hasRows(value.getType()); });
    joinRows(call, values);
    return true;
  }
  if (OpTrait::hasElementwiseMappableTraits(op) || isa<tensor::CastOp>(op)) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    if (auto cast = dyn_cast<arith::IndexCastOp>(op))
      join(getId(call, cast.getIn(), Extent::rows),
           getId(call, cast.getOut(), Extent::rows));
    joinRows(call, values);
    return true;
  }
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](tensor::DimOp dim) {
        if (dim.getConstantIndex() == 0)
          join(getId(call, dim.getSource(), Extent::rows),
               getId(call, dim.getResult(), Extent::rows));
        return true;
      })
      .Case([&](tensor::EmptyOp empty) {
        if (empty.getType().getRank() > 0 && empty.getType().isDynamicDim(0))
          join(getId(call, empty.getDynamicSizes().front(), Extent::rows),
               getId(call, empty.getResult(), Extent::rows));
        return true;
      })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto reshape) {
        auto groups = reshape.getReassociationIndices();
        if (!groups.empty() && groups.front().size() == 1)
          joinRows(call, {reshape.getSrc(), reshape.getResult()});
        return true;
      })
      .Default(false);
}

/// What a loop carries keeps its rows.
