//===- WideReductions.cpp - Reductions of half precision in f32 -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/WideReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

/// The elements of a tensor in another float type.
static Value convert(OpBuilder &b, Location loc, Value tensor, Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, tensor), element);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, empty.getType(), tensor, empty, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value result =
            isHalf(element)
                ? arith::TruncFOp::create(b, loc, element, args[0]).getResult()
                : arith::ExtFOp::create(b, loc, element, args[0]);
        linalg::YieldOp::create(b, loc, result);
      });
  return generic.getResult(0);
}

/// `combiner` with its reduction, of half precision before, in f32.
static Value joinWide(OpBuilder &b, Operation *combiner, BlockArgument old,
                      Value sum, const IRMapping &mapping) {
  bool isFirst = combiner->getOperand(0) == old;
  Value term = mapping.lookupOrDefault(combiner->getOperand(isFirst ? 1 : 0));
  term = arith::ExtFOp::create(b, combiner->getLoc(), sum.getType(), term);
  Operation *wide = Operation::create(
      combiner->getLoc(), combiner->getName(), sum.getType(), {sum, term},
      combiner->getDiscardableAttrDictionary(),
      combiner->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
  b.insert(wide);
  return wide->getResult(0);
}

bool clique::reducesHalves(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInits().getTypes(), isHalf);
}

linalg::GenericOp clique::carryWide(RewriterBase &b, linalg::GenericOp op,
                                    ArrayRef<Operation *> combiners) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  SmallVector<Value> inits;
  for (Value init : op.getDpsInits())
    inits.push_back(
        isHalf(init.getType()) ? convert(b, loc, init, b.getF32Type()) : init);
  Block &body = *op.getBlock();
  auto wide = linalg::GenericOp::create(
      b, loc, TypeRange(ValueRange(inits)), op.getInputs(), inits,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        mapping.map(body.getArguments(), args);
        for (Operation &step : body.without_terminator()) {
          const auto *it = llvm::find(combiners, &step);
          if (it == combiners.end() || !isHalf(step.getResult(0).getType())) {
            b.clone(step, mapping);
            continue;
          }
          BlockArgument old = op.getRegionOutputArgs()[it - combiners.begin()];
          mapping.map(step.getResult(0),
                      joinWide(b, &step, old, mapping.lookup(old), mapping));
        }
        SmallVector<Value> yielded;
        for (Value value : body.getTerminator()->getOperands())
          yielded.push_back(mapping.lookup(value));
        linalg::YieldOp::create(b, loc, yielded);
      });
  SmallVector<Value> results;
  for (auto [old, result] : llvm::zip_equal(op.getResults(), wide.getResults()))
    results.push_back(
        isHalf(old.getType())
            ? convert(b, loc, result, getElementTypeOrSelf(old.getType()))
            : result);
  b.replaceOp(op, results);
  return wide;
}
