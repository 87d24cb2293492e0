//===- TileAxes.cpp - What the dimensions of a tile are -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/TileAxes.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Whether a value is what it is for whoever asks: equal ones have become one,
/// which says nothing of the axes of its users.
static bool isShared(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<tensor::EmptyOp, arith::ConstantOp, linalg::FillOp>(
             op) &&
         !value.hasOneUse();
}

TileAxes::TileAxes(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), mp::kFirstDestinationAttr))
      first = argument;
  function.walk([&](Operation *op) { visit(op); });
  for (unsigned &dim : destinations)
    dim = classes.findLeader(dim);
}

//===----------------------------------------------------------------------===//
// What others ask
//===----------------------------------------------------------------------===//

SmallVector<TileAxes::Class> TileAxes::getClasses(Value tensor) const {
  auto it = numbers.find(tensor.getAsOpaquePointer());
  if (it == numbers.end())
    return {};
  return llvm::map_to_vector(
      llvm::seq(getTensor(tensor).getRank()),
      [&](int64_t dim) { return classes.findLeader(it->second + dim); });
}

SmallVector<TileAxes::Class>
TileAxes::getLoopClasses(linalg::LinalgOp op) const {
  auto it = numbers.find(op.getOperation());
  if (it == numbers.end())
    return {};
  return llvm::map_to_vector(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
    return classes.findLeader(it->second + loop);
  });
}

std::optional<unsigned> TileAxes::findDestinations(ArrayRef<Class> dims) const {
  for (auto [dim, number] : llvm::enumerate(dims))
    if (llvm::is_contained(destinations, number))
      return dim;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What ops say
//===----------------------------------------------------------------------===//

unsigned TileAxes::number(void *owner, unsigned count) {
  auto [it, isNew] = numbers.try_emplace(owner, size);
  if (isNew) {
    size += count;
    classes.grow(size);
  }
  return it->second;
}

unsigned TileAxes::number(Value tensor) {
  return number(tensor.getAsOpaquePointer(), getTensor(tensor).getRank());
}

unsigned TileAxes::number(linalg::LinalgOp op) {
  return number(op.getOperation(), op.getNumLoops());
}

void TileAxes::join(Value a, Value b) {
  RankedTensorType type = getTensor(a);
  if (!type || isShared(a) || isShared(b))
    return;
  const unsigned one = number(a), other = number(b);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    classes.join(one + dim, other + dim);
}

void TileAxes::join(ValueRange as, ValueRange bs) {
  for (auto [a, b] : llvm::zip_equal(as, bs))
    join(a, b);
}

bool TileAxes::isFirstDestination(OpFoldResult offset) const {
  return first && dyn_cast<Value>(offset) == first;
}

void TileAxes::visitLinalg(linalg::LinalgOp op) {
  const unsigned loops = number(op);
  auto joinDims = [&](Value tensor, AffineMap map) {
    const unsigned own = number(tensor);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        classes.join(own + dim, loops + loop.getPosition());
  };
  for (OpOperand &operand : op->getOpOperands())
    if (getTensor(operand.get()) && !isShared(operand.get()))
      joinDims(operand.get(), op.getMatchingIndexingMap(&operand));
  for (OpResult result : op->getResults())
    joinDims(result, op.getIndexingMapMatchingResult(result));
}

void TileAxes::visitReshape(Value collapsed, Value expanded,
                            ArrayRef<ReassociationIndices> groups) {
  const unsigned one = number(collapsed), other = number(expanded);
  for (auto [dim, group] : llvm::enumerate(groups))
    if (group.size() == 1)
      classes.join(one + dim, other + group.front());
}

void TileAxes::visitSlice(OffsetSizeAndStrideOpInterface slice, Value whole,
                          Value part, const llvm::SmallBitVector &dropped) {
  if (isShared(whole) || isShared(part))
    return;
  RankedTensorType wholeType = getTensor(whole), partType = getTensor(part);
  const unsigned one = number(whole), other = number(part);
  unsigned dim = 0;
  for (auto [outer, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    if (dropped.test(outer))
      continue;
    // All of them, or the first ones.
    if (isZeroInteger(offset) &&
        (partType.isDynamicDim(dim) ||
         partType.getDimSize(dim) == wholeType.getDimSize(outer)))
      classes.join(one + outer, other + dim);
    if (isFirstDestination(offset))
      destinations.push_back(other + dim);
    ++dim;
  }
}

void TileAxes::visitStore(Value tensor, Value buffer) {
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!view || isShared(tensor))
    return;
  const llvm::SmallBitVector dropped = view.getDroppedDims();
  unsigned dim = number(tensor);
  for (auto [outer, offset] : llvm::enumerate(view.getMixedOffsets())) {
    if (dropped.test(outer))
      continue;
    if (isFirstDestination(offset))
      destinations.push_back(dim);
    ++dim;
  }
}

void TileAxes::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        join(loop.getInitArgs(), loop.getRegionIterArgs());
        join(loop.getYieldedValues(), loop.getRegionIterArgs());
        join(loop.getResults(), loop.getRegionIterArgs());
      })
      .Case([&](scf::IfOp branch) {
        if (branch.getNumResults() == 0)
          return;
        join(branch.thenYield().getResults(), branch.getResults());
        join(branch.elseYield().getResults(), branch.getResults());
      })
      .Case([&](linalg::LinalgOp structured) { visitLinalg(structured); })
      .Case(
          [&](tensor::CastOp cast) { join(cast.getSource(), cast.getDest()); })
      .Case([&](tensor::CollapseShapeOp reshape) {
        visitReshape(reshape.getResult(), reshape.getSrc(),
                     reshape.getReassociationIndices());
      })
      .Case([&](tensor::ExpandShapeOp reshape) {
        visitReshape(reshape.getSrc(), reshape.getResult(),
                     reshape.getReassociationIndices());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        visitSlice(slice, slice.getSource(), slice.getResult(),
                   slice.getDroppedDims());
      })
      .Case([&](tensor::InsertSliceOp slice) {
        join(slice.getDest(), slice.getResult());
        visitSlice(slice, slice.getResult(), slice.getSource(),
                   slice.getDroppedDims());
      })
      .Case([&](bufferization::MaterializeInDestinationOp store) {
        visitStore(store.getSource(), store.getDest());
      });
}
