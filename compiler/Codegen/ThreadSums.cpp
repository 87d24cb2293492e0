//===- ThreadSums.cpp - Reductions by the threads of a GPU ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/ThreadSums.h"
#include "compiler/Codegen/SumBlocks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace clique;

bool clique::hasThreadsForResults(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return map.isProjectedPermutation() &&
         map.getNumResults() == op.getNumParallelLoops() &&
         llvm::none_of(
             reductions,
             [&](unsigned loop) { return map.isFunctionOfDim(loop); }) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init) == map;
         });
}

ThreadSums::ThreadSums(linalg::LinalgOp op, RewriterBase &rewriter)
    : op(op), combiners(getCombiners(op)), b(rewriter), loc(op.getLoc()) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr dim : map.getResults())
    results.push_back(cast<AffineDimExpr>(dim).getPosition());
  op.getReductionDims(reductions);
}

void ThreadSums::findLengths() {
  b.setInsertionPoint(op);
  for (Range range :
       cast<TilingInterface>(op.getOperation()).getIterationDomain(b))
    lengths.push_back(range.size);
  // Those of the result are known, though operands may not say so.
  Value result = op.getDpsInits().front();
  for (auto [k, size] :
       llvm::zip_equal(results, tensor::getMixedSizes(b, loc, result)))
    lengths[k] = size;
}

SmallVector<Value> ThreadSums::emitThreads(ArrayRef<OpFoldResult> sizes,
                                           Emit emit) {
  SmallVector<Value> empty;
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    empty.push_back(tensor::EmptyOp::create(
        b, loc, sizes, getElementTypeOrSelf(result.getType())));
    types.push_back(empty.back().getType());
  }
  SmallVector<AffineMap> maps(empty.size(),
                              b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> parallel(sizes.size(),
                                            utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, types, ValueRange(), empty, maps, parallel,
      [&](OpBuilder &at, Location, ValueRange) {
        SmallVector<Value> indices;
        for (size_t k = 0; k < sizes.size(); ++k)
          indices.push_back(linalg::IndexOp::create(at, loc, k));
        linalg::YieldOp::create(at, loc, emit(at, indices, {}));
      });
  return generic.getResults();
}

SmallVector<Value> ThreadSums::emitNeutral(OpBuilder &at) {
  SmallVector<Value> neutral;
  for (Operation *combiner : combiners)
    neutral.push_back(arith::ConstantOp::create(
        at, loc, *arith::getNeutralElement(combiner)));
  return neutral;
}

SmallVector<Value> ThreadSums::emitStarts(OpBuilder &at, ValueRange indices) {
  SmallVector<Value> starts;
  for (Value init : op.getDpsInits())
    starts.push_back(tensor::ExtractOp::create(at, loc, init, indices));
  return starts;
}

SmallVector<Value> ThreadSums::emitLoops(OpBuilder &at, ValueRange begin,
                                         ValueRange end, Emit step) {
  SmallVector<Value> steps(begin.size(), getIndex(at, b.getIndexAttr(1)));
  scf::LoopNest nest = scf::buildLoopNest(
      at, loc, begin, end, steps, emitNeutral(at),
      [&](OpBuilder &inner, Location, ValueRange ivs, ValueRange sums) {
        return step(inner, ivs, sums);
      });
  return nest.results;
}

SmallVector<Value> ThreadSums::emitJoin(OpBuilder &at, ValueRange sums,
                                        ValueRange terms) {
  SmallVector<Value> joined;
  for (auto [combiner, sum, term] : llvm::zip_equal(combiners, sums, terms))
    joined.push_back(emitCombiner(at, loc, combiner, sum, term));
  return joined;
}

SmallVector<Value> ThreadSums::emitStep(OpBuilder &at, ArrayRef<Value> ivs,
                                        ValueRange sums) {
  IRMapping map;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (isa<RankedTensorType>(value.getType())) {
      SmallVector<Value> place;
      AffineMap indexing = op.getMatchingIndexingMap(input);
      for (unsigned k = 0; k < indexing.getNumResults(); ++k)
        place.push_back(getIndex(
            at, affine::makeComposedFoldedAffineApply(
                    at, loc, indexing.getSubMap({k}), getAsOpFoldResult(ivs))));
      value = tensor::ExtractOp::create(at, loc, value, place);
    }
    map.map(op.getMatchingBlockArgument(input), value);
  }
  map.map(op.getRegionOutputArgs(), sums);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      map.map(index.getResult(), ivs[index.getDim()]);
    else
      at.clone(inner, map);
  }
  SmallVector<Value> results;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    results.push_back(map.lookupOrDefault(value));
  return results;
}
