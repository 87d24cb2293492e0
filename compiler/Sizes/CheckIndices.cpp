//===- CheckIndices.cpp - Positions that a region reads -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region that reads another tensor at a computed position does so at each of
// its points. In front of the op the smallest and the largest of these
// positions are found by a reduction over the same points, and checked once.
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace clique;

namespace {
/// The points at which the region of an op runs.
struct Points {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  unsigned numLoops;
};

/// The reduction of one position over all points.
class PositionRange {
public:
  PositionRange(Operation *op, Block &body, OpBuilder &builder)
      : op(op), body(body), builder(builder), points(getPoints()) {}

  /// The smallest of 0 and the values of `index`, the largest of -1 and them;
  /// failure if they depend on what the op computes.
  FailureOr<std::pair<Value, Value>> find(Value index);

private:
  Points getPoints();
  /// The ops of the region that `index` is made by, in their order.
  FailureOr<SmallVector<Operation *>> getMakers(Value index);

  Operation *op;
  Block &body;
  OpBuilder &builder;
  Points points;
};
} // namespace

Points PositionRange::getPoints() {
  Points points;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    points.numLoops = structured.getNumLoops();
    for (OpOperand &operand : op->getOpOperands()) {
      points.inputs.push_back(operand.get());
      points.maps.push_back(structured.getMatchingIndexingMap(&operand));
    }
    return points;
  }
  auto generate = cast<tensor::GenerateOp>(op);
  auto shape = cast<RankedTensorType>(generate.getType()).getShape();
  points.numLoops = shape.size();
  points.inputs.push_back(
      tensor::EmptyOp::create(builder, op->getLoc(), shape, builder.getI8Type(),
                              generate.getDynamicExtents()));
  points.maps.push_back(builder.getMultiDimIdentityMap(points.numLoops));
  return points;
}

FailureOr<SmallVector<Operation *>> PositionRange::getMakers(Value index) {
  llvm::SetVector<Operation *> makers;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *maker) {
    return body.getParentOp()->isProperAncestor(maker);
  };
  if (failed(getBackwardSlice(index, &makers, options)))
    return failure();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  for (Operation *maker : makers)
    for (Value operand : maker->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(operand);
      if (structured && arg && arg.getOwner() == &body &&
          structured.isDpsInit(structured.getMatchingOpOperand(arg)))
        return failure();
    }
  return llvm::to_vector(makers);
}

FailureOr<std::pair<Value, Value>> PositionRange::find(Value index) {
  FailureOr<SmallVector<Operation *>> makers = getMakers(index);
  if (failed(makers))
    return failure();
  Location loc = op->getLoc();
  auto number = RankedTensorType::get({}, builder.getI64Type());
  SmallVector<Value> inits;
  for (int64_t start : {0, -1})
    inits.push_back(arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(number, start)));
  SmallVector<AffineMap> maps(points.maps);
  maps.append(2, AffineMap::get(points.numLoops, 0, builder.getContext()));
  SmallVector<utils::IteratorType> loops(points.numLoops,
                                         utils::IteratorType::reduction);
  auto range = linalg::GenericOp::create(
      builder, loc, TypeRange{number, number}, points.inputs, inits, maps,
      loops, [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        for (BlockArgument arg : body.getArguments())
          mapping.map(
              arg, isa<linalg::LinalgOp>(op)
                       ? args[arg.getArgNumber()]
                       : linalg::IndexOp::create(b, loc, arg.getArgNumber()));
        for (Operation *maker : *makers)
          b.clone(*maker, mapping);
        Value position = arith::IndexCastOp::create(
            b, loc, b.getI64Type(), mapping.lookupOrDefault(index));
        Value least =
            arith::MinSIOp::create(b, loc, args[args.size() - 2], position);
        Value most = arith::MaxSIOp::create(b, loc, args.back(), position);
        linalg::YieldOp::create(b, loc, ValueRange{least, most});
      });
  auto take = [&](Value result) -> Value {
    Value found = tensor::ExtractOp::create(builder, loc, result, ValueRange());
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      found);
  };
  return std::make_pair(take(range.getResult(0)), take(range.getResult(1)));
}

/// Checks what `found`, the ends of all positions, says of a dimension.
static void checkEnds(std::pair<Value, Value> found, OpFoldResult size,
                      SizeChecks &checks, Location loc, const Twine &wanted) {
  OpBuilder &b = checks.getBuilder();
  auto [least, most] = found;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isBelow =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, least, zero);
  Value end = arith::SelectOp::create(b, loc, isBelow, least, most);
  // Without points nothing is read.
  Value isNone =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, end, zero);
  isNone = arith::AndIOp::create(
      b, loc, isNone,
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, least, zero));
  Value last = arith::SubIOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, size),
      arith::ConstantIndexOp::create(b, loc, 1));
  checks.checkRange(
      arith::SelectOp::create(b, loc, isNone, zero, end).getResult(),
      checks.getConstant(0),
      arith::SelectOp::create(b, loc, isNone, zero, last).getResult(), wanted);
}

/// A constant position that is in the tensor by its type.
static bool isInside(Value index, int64_t size) {
  std::optional<int64_t> known = getConstantIntValue(index);
  return known && !ShapedType::isDynamic(size) && 0 <= *known && *known < size;
}

LogicalResult clique::checkIndices(Operation *op) {
  Block &body = op->getRegion(0).front();
  WalkResult walk = body.walk([&](tensor::ExtractOp read) {
    Value tensor = read.getTensor();
    if (op->isAncestor(tensor.getParentBlock()->getParentOp()))
      return WalkResult::advance();
    auto type = cast<RankedTensorType>(tensor.getType());
    for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
      if (isInside(index, type.getDimSize(dim)))
        continue;
      if (read->getBlock() != &body) {
        read.emitOpError("reads under a condition, at a position that is not "
                         "checked there: read at a position that is always "
                         "inside, and select afterwards");
        return WalkResult::interrupt();
      }
      SizeChecks checks(op);
      PositionRange range(op, body, checks.getBuilder());
      auto found = range.find(index);
      if (failed(found)) {
        read.emitOpError("reads at a position that depends on what '")
            << op->getName() << "' computes, which is not checked: compute it "
            << "before";
        return WalkResult::interrupt();
      }
      checkEnds(*found, checks.getSize(tensor, dim), checks, op->getLoc(),
                "position along dimension " + Twine(dim) +
                    " of what its tensor.extract reads");
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
