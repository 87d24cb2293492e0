//===- LiftWinners.cpp - Linear maps of what an edge won ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = W^T x where x is 0 but for the elements that a node has from this edge:
//
//   word = one bit for each element, set where the edge has won it
//   for each bit k that is set
//     y += x_k W_k
//
// All edges of a node together read each row of W once.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/WinningFeatures.h"
#include "compiler/Lowering/CarriedTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

static constexpr int64_t kWordBits = 64;

/// The bits of `wins`, i8 [size], of elements [first, first + count).
static Value emitWord(Lifter &lifter, Location loc, const Lifted &wins,
                      int64_t first, int64_t count) {
  OpBuilder &builder = lifter.getBuilder();
  Type word = builder.getI64Type();
  Lifted part = wins;
  if (count < wins.getType().getDimSize(0))
    part.tensor = tensor::ExtractSliceOp::create(
        builder, loc, wins.tensor, {builder.getIndexAttr(first)},
        {builder.getIndexAttr(count)}, {builder.getIndexAttr(1)});
  SmallVector<int64_t> bits;
  for (int64_t k = 0; k < count; ++k)
    bits.push_back(int64_t(uint64_t(1) << k));
  Lifted own = {
      arith::ConstantOp::create(builder, loc, builder.getI64TensorAttr(bits)),
      part.layout};
  Lifted sum = lifter.generic(
      loc, {part, own}, lifter.fill(loc, {}, word, {}, 0),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value isWon = arith::TruncIOp::create(b, loc, b.getI1Type(), args[0]);
        Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
        Value bit = arith::SelectOp::create(b, loc, isWon, args[1], none);
        return arith::OrIOp::create(b, loc, args[2], bit);
      });
  return tensor::ExtractOp::create(builder, loc, sum.tensor, ValueRange());
}

bool Lifter::liftMapOfWinners(mp::LinearOp linear, const Lifted &weights,
                              const Lifted *bias) {
  if (!skipsZeros || !isMapOfWinners(linear))
    return false;
  WinningFeature x = *getWinningFeature(linear.getX());
  Lifted wins = lifts.lookup(x.wins), value = lifts.lookup(x.value);
  for (const Lifted *operand :
       {&std::as_const(wins), &std::as_const(value), &weights})
    if (!operand->tensor || operand->has(kDstAxis) || operand->has(kSrcAxis))
      return false;
  Location loc = linear.getLoc();
  auto type = cast<RankedTensorType>(linear.getResult().getType());
  Layout layout = getCanonicalLayout(type.getRank(), false, false);
  Type elementType = getComputeType(type.getElementType());
  Lifted y = bias ? spread(loc, toCompute(loc, *bias), layout)
                  : fill(loc, type.getShape(), elementType, layout, 0.0);

  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto addRows = [&](Value word, int64_t first) {
    Value base = arith::ConstantIndexOp::create(builder, loc, first);
    Value count =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                   math::CtPopOp::create(builder, loc, word));
    auto body = [&](Value,
                    ValueRange carried) -> FailureOr<SmallVector<Value>> {
      Value rest = carried[0];
      Value k = arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(),
          math::CountTrailingZerosOp::create(builder, loc, rest));
      k = arith::AddIOp::create(builder, loc, k, base);
      Value below = arith::SubIOp::create(
          builder, loc, rest,
          arith::ConstantIntOp::create(builder, loc, 1, 64));
      rest = arith::AndIOp::create(builder, loc, rest, below);
      Value factor = tensor::ExtractOp::create(builder, loc, value.tensor, k);
      Lifted scale = {tensor::FromElementsOp::create(
                          builder, loc,
                          RankedTensorType::get({}, factor.getType()), factor),
                      {}};
      Lifted row = {extractRow(builder, loc, weights.tensor, k), layout};
      Lifted sum =
          generic(loc, {toCompute(loc, scale), toCompute(loc, row)},
                  {carried[1], layout},
                  [](OpBuilder &b, Location loc, ValueRange args) {
                    return multiplyAdd(b, loc, args[0], args[1], args[2]);
                  });
      return SmallVector<Value>{rest, sum.tensor};
    };
    FailureOr<SmallVector<Value>> added =
        emitCarryingLoop(builder, loc, zero, count, 1, {word, y.tensor}, body);
    y.tensor = added->back();
  };
  const int64_t size = wins.getType().getDimSize(0);
  for (int64_t first = 0; first < size; first += kWordBits)
    addRows(
        emitWord(*this, loc, wins, first, std::min(kWordBits, size - first)),
        first);
  lifts[linear] = y;
  return true;
}
