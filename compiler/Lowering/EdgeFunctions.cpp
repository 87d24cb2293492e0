//===- EdgeFunctions.cpp - Functions of a chunk of edges ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeFunctions.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/ChunkVectors.h"
#include "compiler/Lowering/EdgeChunk.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

using OpSet = llvm::SetVector<Operation *>;

/// Adds the ops of `block` that `value` is computed from, up to those that
/// `isKnown` names.
static void addSlice(OpSet &ops, Value value, Block *block,
                     llvm::function_ref<bool(Operation *)> isKnown) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == block && !isKnown(op);
  };
  (void)getBackwardSlice(value, &ops, options);
}

/// Whether a value of an edge is stored for a chunk: it has no more elements
/// than a vector.
static bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType()) &&
         type.getNumElements() <= tuning::vectorScores;
}

static bool isFunction(Operation *op) {
  return op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         op->hasTrait<OpTrait::Elementwise>() && isSmall(op->getResult(0)) &&
         isSmall(op->getOperand(0)) &&
         getFlops(*op) >=
             kFunctionFlops * cast<RankedTensorType>(op->getResult(0).getType())
                                  .getNumElements();
}

/// A sum over features of the edge.
static bool isSum(Operation *op, const EndpointDependence &ends) {
  return isa<mp::DotOp, mp::ReduceOp, mp::LinearOp>(op) &&
         ends.get(op->getResult(0)) == Ends::edge;
}

/// Whether it has more terms than a vector has elements: then it is worth a
/// loop of its own. Where arguments are a few additions, as in GAT, edges take
/// as long in chunks or longer: a gate of 8 heads 1.2 times on ogbn_arxiv, an
/// exponential of a distance twice on Cora, whose rows are short.
static bool isLongSum(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() >
         tuning::vectorScores;
}

EdgeFunctions::EdgeFunctions(const KernelInfo &info) {
  for (mp::MessageOp message : info.messages)
    find(message);
}

void EdgeFunctions::find(mp::MessageOp message) {
  Block *body = &message.getBody().front();
  EndpointDependence ends(message, /*knowsPositions=*/true);
  OpSet arguments, chosen;
  auto isChosen = [&](Operation *op) { return chosen.contains(op); };
  for (Operation &op : body->without_terminator()) {
    if (!isFunction(&op) || ends.get(op.getResult(0)) != Ends::edge)
      continue;
    OpSet own;
    addSlice(own, op.getOperand(0), body, [](Operation *) { return false; });
    if (llvm::any_of(own, isChosen))
      continue;
    chosen.insert(&op);
    arguments.insert_range(own);
  }
  if (llvm::none_of(arguments, [&](Operation *op) {
        return isSum(op, ends) && isLongSum(op);
      }))
    return;
  OpSet rest;
  for (Value yielded : message.getYield().getValues())
    addSlice(rest, yielded, body, isChosen);
  for (Operation *op : rest)
    if (isSum(op, ends) && isSmall(op->getResult(0)))
      sums.insert(op->getResult(0));
  llvm::append_range(functions, chosen);
}

static Lifted createChunkOf(Lifter &lifter, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return createChunk(lifter, loc, type.getShape(), type.getElementType());
}

SmallVector<Value> EdgeFunctions::create(Lifter &lifter, Location loc,
                                         Value count) const {
  SmallVector<Value> tensors;
  for (Operation *op : functions) {
    Value tensor = createChunkOf(lifter, loc, op->getOperand(0)).tensor;
    ChunkVectors vectors(lifter.getBuilder(), loc,
                         cast<RankedTensorType>(tensor.getType()));
    // Every function is defined there, or nearly so, and fast.
    tensors.push_back(vectors.pad(tensor, count, 1.0));
  }
  for (Value sum : sums)
    tensors.push_back(createChunkOf(lifter, loc, sum).tensor);
  return tensors;
}

SmallVector<Value> EdgeFunctions::insert(Lifter &edge, Location loc,
                                         ValueRange tensors,
                                         Value place) const {
  SmallVector<Value> values, next;
  for (Operation *op : functions)
    values.push_back(op->getOperand(0));
  llvm::append_range(values, sums);
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    Lifted lifted =
        edge.toCompute(loc, edge.toCanonicalLayout(loc, *edge.find(value)));
    next.push_back(
        insertEdge(edge.getBuilder(), loc, lifted.tensor, tensor, place));
  }
  return next;
}

/// `function` of all elements of the rows that `count` edges touch.
static Value applyToChunk(OpBuilder &builder, Operation *function, Value chunk,
                          Value count) {
  Location loc = function->getLoc();
  ChunkVectors vectors(builder, loc, cast<RankedTensorType>(chunk.getType()));
  auto loop = scf::ForOp::create(builder, loc, vectors.index(0),
                                 vectors.countRows(count), vectors.index(1),
                                 vectors.toRows(chunk));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value rows = loop.getRegionIterArgs()[0], row = loop.getInductionVar();
  Value first = vectors.index(0);
  Value arguments = vectors.readRow(rows, row, first);
  Operation *made = Operation::create(
      loc, function->getName(), arguments.getType(), arguments,
      function->getDiscardableAttrDictionary(),
      function->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
  builder.insert(made);
  scf::YieldOp::create(builder, loc,
                       vectors.write(made->getResult(0), rows, {row, first}));
  builder.setInsertionPointAfter(loop);
  return vectors.toChunk(loop.getResult(0));
}

SmallVector<Value> EdgeFunctions::apply(Lifter &lifter, ValueRange tensors,
                                        Value count) const {
  SmallVector<Value> results(tensors);
  for (auto [function, tensor] : llvm::zip(functions, results))
    tensor = applyToChunk(lifter.getBuilder(), function, tensor, count);
  return results;
}

void EdgeFunctions::map(Lifter &edge, Location loc, ValueRange tensors,
                        Value place) const {
  SmallVector<Value> values;
  for (Operation *op : functions)
    values.push_back(op->getResult(0));
  llvm::append_range(values, sums);
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
    Lifted chunk = {tensor, getChunkLayout(rank)};
    edge.replace(value, getEdge(edge, loc, chunk, place));
  }
}
