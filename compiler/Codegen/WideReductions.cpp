//===- WideReductions.cpp - Reductions of half precision in f32 -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/WideReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

namespace {
/// Steps of a body with all that is of half precision in f32.
class WideBody {
public:
  WideBody(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  void map(ValueRange from, ValueRange to) { mapping.map(from, to); }
  Value lookup(Value value) {
    Value found = mapping.lookupOrDefault(value);
    return convertScalarToDtype(b, loc, found, widen(found.getType()),
                                /*isUnsignedCast=*/false);
  }
  void add(Operation &step);

private:
  Type widen(Type type) { return isHalf(type) ? b.getF32Type() : type; }

  OpBuilder &b;
  Location loc;
  IRMapping mapping;
};
} // namespace

void WideBody::add(Operation &step) {
  // What only widens or rounds does less, or nothing.
  if (isa<arith::ExtFOp, arith::TruncFOp>(step)) {
    mapping.map(step.getResult(0),
                convertScalarToDtype(b, loc, lookup(step.getOperand(0)),
                                     widen(step.getResult(0).getType()),
                                     /*isUnsignedCast=*/false));
    return;
  }
  // Constants and what reads tensors.
  if (step.getNumOperands() == 0 ||
      !OpTrait::hasElementwiseMappableTraits(&step)) {
    b.clone(step, mapping);
    return;
  }
  auto operands = llvm::map_to_vector(
      step.getOperands(), [&](Value operand) { return lookup(operand); });
  auto types = llvm::map_to_vector(step.getResultTypes(),
                                   [&](Type type) { return widen(type); });
  Operation *wide = Operation::create(
      step.getLoc(), step.getName(), types, operands,
      step.getDiscardableAttrDictionary(), step.getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  b.insert(wide);
  mapping.map(step.getResults(), wide->getResults());
}

/// Whether a step can be done in f32, if any of its operands is.
static bool canBeWide(Operation &step) {
  if (step.getNumRegions() > 0 || isa<arith::BitcastOp>(step))
    return false;
  return OpTrait::hasElementwiseMappableTraits(&step) ||
         llvm::none_of(step.getOperandTypes(), isHalf);
}

/// Whether a step has another result in f32 than in half precision.
static bool mayRound(Operation &step) {
  return llvm::any_of(step.getResultTypes(), isHalf) &&
         step.getNumOperands() > 0 &&
         OpTrait::hasElementwiseMappableTraits(&step) &&
         !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, arith::NegFOp, arith::SelectOp, math::AbsFOp>(
             step);
}

bool clique::reducesHalves(linalg::LinalgOp op) {
  auto steps = op.getBlock()->without_terminator();
  return llvm::any_of(op.getDpsInits().getTypes(), isHalf) &&
         llvm::all_of(steps, canBeWide) && llvm::any_of(steps, mayRound);
}

linalg::GenericOp clique::carryWide(RewriterBase &b, linalg::LinalgOp given) {
  auto op = dyn_cast<linalg::GenericOp>(given.getOperation());
  if (!op) {
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(b, given);
    assert(succeeded(generic) && "a structured op with one region");
    op = *generic;
  }
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
        WideBody steps(b, loc);
        steps.map(body.getArguments(), args);
        for (Operation &step : body.without_terminator())
          steps.add(step);
        SmallVector<Value> yielded;
        for (Value value : body.getTerminator()->getOperands())
          yielded.push_back(steps.lookup(value));
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
