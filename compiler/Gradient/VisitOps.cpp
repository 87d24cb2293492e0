//===- VisitOps.cpp - The rules of a function's ops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages and updates; what moves the rows of whole tensors is in
// TensorRules.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

/// Edge values do not say whether anything asks for their gradient.
LogicalResult FunctionGradient::checkWhile(scf::WhileOp op) {
  if (llvm::none_of(op.getResults(), [&](Value result) {
        return getCotangent(result) ||
               (isActive(result) && isa<mp::EdgesType>(result.getType()));
      }))
    return success();
  return op.emitOpError("has no derivative: mp-differentiate knows loops that "
                        "count, scf.for, and not those that go on until a "
                        "condition");
}

LogicalResult FunctionGradient::visit(Operation *op) {
  if (llvm::none_of(op->getResults(),
                    [&](Value result) { return isActive(result); }))
    return success();
  if (auto message = dyn_cast<mp::MessageOp>(op))
    return visitMessage(message);
  if (auto update = dyn_cast<mp::UpdateOp>(op))
    return visitUpdate(update);
  if (auto aggregate = dyn_cast<mp::AggregateOp>(op))
    return visitAggregate(aggregate);
  if (auto scan = dyn_cast<mp::ScanOp>(op))
    return visitScan(scan);
  if (auto list = dyn_cast<mp::ToTensorOp>(op)) {
    if (Value cotangent = getCotangent(list.getTensor())) {
      auto type = cast<RankedTensorType>(cotangent.getType());
      auto edges = mp::EdgesType::get(RankedTensorType::get(
          type.getShape().drop_front(), type.getElementType()));
      edgeCotangents[list.getEdges()].push_back(
          mp::ToEdgesOp::create(builder, op->getLoc(), edges, cotangent));
    }
    return success();
  }
  if (auto made = dyn_cast<mp::ToEdgesOp>(op)) {
    FailureOr<Value> edges = makeEdgeGradient(made.getEdges());
    if (failed(edges))
      return failure();
    Value rows = mp::ToTensorOp::create(
        builder, op->getLoc(),
        mp::getEdgeTensorType(cast<mp::EdgesType>(edges->getType())), *edges);
    addCotangent(made.getTensor(), widen(builder, rows));
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return checkWhile(loop);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(structured);
  return visitTensorOp(op) ? success() : sweep->visit(op);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

FailureOr<bool> FunctionGradient::addMessageSide(mp::MessageOp op,
                                                 bool reversed) {
  EdgeScope scope(*this, op.getLoc(), op.getGraph(), reversed);
  FailureOr<ReverseSweep *> adjoint = scope.getAdjoint(op);
  if (failed(adjoint))
    return failure();
  if (!*adjoint)
    return false;
  EdgeResults results;
  auto addNodes = [&](ArrayRef<BlockArgument> args, ValueRange operands) {
    for (auto [arg, operand] : llvm::zip_equal(args, operands)) {
      Value cotangent = (*adjoint)->get(arg);
      if (!cotangent)
        continue;
      unsigned position = results.summed.size();
      results.summed.push_back(cotangent);
      results.consumers.push_back(
          [this, operand = operand, position](ValueRange sums) {
            addCotangent(operand, sums[position]);
          });
    }
  };
  if (reversed)
    addNodes(op.getSrcArgs(), op.getSrc());
  else
    addNodes(op.getDstArgs(), op.getDst());
  bool isMore = addEdgeTerms(scope, (*adjoint)->getTerms(), reversed, results);
  for (BlockArgument arg : op.getSrcArgs())
    isMore |= bool((*adjoint)->get(arg));
  results.finish(scope);
  return isMore;
}

LogicalResult FunctionGradient::visitMessage(mp::MessageOp op) {
  FailureOr<bool> hasSources = addMessageSide(op, /*reversed=*/false);
  if (failed(hasSources))
    return failure();
  return failure(*hasSources && failed(addMessageSide(op, /*reversed=*/true)));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Whether zeros are kept: it may be part of a message that was moved to the
/// nodes, and those without edges have no such values. Its gradient, which asks
/// for them, keeps them too.
static bool keepsZeros(mp::UpdateOp op) {
  return llvm::any_of(op->getUsers(), llvm::IsaPred<mp::MessageOp>) ||
         llvm::any_of(op.getBody().getOps<arith::CmpFOp>(),
                      [](arith::CmpFOp comparison) {
                        return comparison.getPredicate() ==
                               arith::CmpFPredicate::UNO;
                      });
}

namespace {
/// What an update of cotangents hands on: results, each value once, and what
/// was given to it.
class HandedOn {
public:
  struct Place {
    Value given;
    unsigned result = 0;
  };
  HandedOn(Block &block, ArrayRef<Value> nodes) : block(block), nodes(nodes) {}

  unsigned yieldOnce(Value value) {
    auto *it = llvm::find(yielded, value);
    if (it == yielded.end()) {
      yielded.push_back(value);
      return yielded.size() - 1;
    }
    return std::distance(yielded.begin(), it);
  }
  /// An input of the update need not be yielded.
  Place getPlace(Value value) {
    Place place;
    auto arg = dyn_cast_or_null<BlockArgument>(value);
    if (arg && arg.getOwner() == &block)
      place.given = nodes[arg.getArgNumber()];
    else if (value)
      place.result = yieldOnce(value);
    return place;
  }
  /// Ends the region of `untyped`, and replaces it by an update with results.
  mp::UpdateOp finish(OpBuilder &builder, mp::UpdateOp untyped) {
    OpBuilder inner = OpBuilder::atBlockEnd(&block);
    mp::YieldOp::create(inner, untyped.getLoc(), yielded);
    SmallVector<Type> types;
    int64_t rows = cast<RankedTensorType>(nodes[0].getType()).getDimSize(0);
    for (Value value : yielded) {
      auto feature = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape = {rows};
      llvm::append_range(shape, feature.getShape());
      types.push_back(feature.clone(shape));
    }
    auto update = mp::UpdateOp::create(builder, untyped.getLoc(), nodes, types);
    update.getBody().takeBody(untyped.getBody());
    untyped.erase();
    return update;
  }

private:
  Block &block;
  ArrayRef<Value> nodes;
  SmallVector<Value> yielded;
};
} // namespace

LogicalResult FunctionGradient::visitUpdate(mp::UpdateOp op) {
  SmallVector<Value> cotangents;
  for (Value result : op.getResults())
    cotangents.push_back(getCotangent(result));
  if (llvm::none_of(cotangents, [](Value value) { return bool(value); }))
    return success();

  // The nodes of the forward update, then the cotangents of its results.
  SmallVector<Value> nodes;
  for (Value node : op.getNodes())
    nodes.push_back(getPrimal(node));
  unsigned first = nodes.size();
  for (Value cotangent : cotangents)
    if (cotangent)
      nodes.push_back(cotangent);
  auto untyped = mp::UpdateOp::create(builder, op.getLoc(), nodes, TypeRange());
  Block &block = untyped.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  DenseMap<Value, Value> values;
  auto lookUp = [&](Value value) {
    auto it = values.find(value);
    return it != values.end() ? it->second : getWidePrimal(value);
  };
  for (auto [before, after] :
       llvm::zip(op.getBody().getArguments(), block.getArguments()))
    values[before] = widen(inner, after);
  for (Operation &forward : op.getBody().front().without_terminator())
    cloneWidened(inner, &forward, lookUp,
                 [&](Value before, Value after) { values[before] = after; });
  ReverseSweep::Environment environment = makeEnvironment(lookUp);
  environment.keepsZeros = keepsZeros(op);
  ReverseSweep region(inner, op.getBody().front(), std::move(environment));
  for (auto [value, cotangent] :
       llvm::zip_equal(op.getYield().getOperands(), cotangents))
    if (cotangent)
      region.add(value, block.getArgument(first++));
  if (failed(region.run()))
    return failure();

  HandedOn handedOn(block, nodes);
  SmallVector<std::pair<Value, unsigned>> ofOperands;
  for (auto [arg, operand] :
       llvm::zip_equal(op.getBody().getArguments(), op.getNodes()))
    if (Value cotangent = region.get(arg))
      ofOperands.push_back({operand, handedOn.yieldOnce(cotangent)});
  struct PlacedTerm {
    HandedOn::Place index, x, adjoint;
  };
  SmallVector<PlacedTerm> places;
  for (const WeightTerm &term : region.getTerms())
    places.push_back({handedOn.getPlace(term.index), handedOn.getPlace(term.x),
                      handedOn.getPlace(term.adjoint)});
  mp::UpdateOp update = handedOn.finish(builder, untyped);
  for (auto [operand, result] : ofOperands)
    addCotangent(operand, update.getResult(result));
  for (auto [term, place] : llvm::zip_equal(region.getTerms(), places)) {
    auto get = [&](Value wanted, const HandedOn::Place &place) {
      return !wanted       ? Value()
             : place.given ? place.given
                           : Value(update.getResult(place.result));
    };
    addNodeTerm({term.weights, get(term.index, place.index),
                 get(term.x, place.x), get(term.adjoint, place.adjoint),
                 term.numSummed});
  }
  return success();
}

LogicalResult FunctionGradient::visitLinalg(linalg::LinalgOp op) {
  return addLinalgCotangents(*this, op);
}
