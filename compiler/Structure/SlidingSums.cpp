//===- SlidingSums.cpp - Sums over windows --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The features have rows of zeros (infinite ones for extrema) in front and
// behind, so that each window is whole. Level k has the sums of b^k
// neighbouring rows from each row on, made of b of the level below; a window,
// whose length has some digits to the base of b, is as many of the sums of each
// level.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/SlidingSums.h"
#include "compiler/Structure/AggregationParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// A narrower window is summed as it is; a wider one would add rows of zeros
/// to small graphs.
constexpr int64_t kLeastHalfWidth = 128;
constexpr int64_t kLargestHalfWidth = 4096;
/// The base is among those up to this one.
constexpr int64_t kLargestBase = 256;
/// Additions that take as long as reading and writing a feature once.
constexpr int64_t kPass = 6;

bool clique::canSlide(mp::MPGraphType window) {
  return window.getParam() >= kLeastHalfWidth &&
         window.getParam() <= kLargestHalfWidth;
}

namespace {
/// Rows of a level that some windows begin with, counted from their node's row.
struct Level {
  int64_t length;
  SmallVector<int64_t> offsets;
};

class WindowSums {
public:
  WindowSums(OpBuilder &builder, Location loc, mp::MPGraphType window,
             mp::AggregatorKind kind, Value count)
      : builder(builder), loc(loc), kind(kind), halfWidth(window.getParam()),
        noSelf(window.getNoSelf()), count(count) {}

  SmallVector<Value> sum(ValueRange nodes);

private:
  /// Which sums of each level make up a window, to the cheapest base.
  void divide();
  SmallVector<Level> divide(int64_t toBase) const;
  Value join(OpBuilder &b, Value x, Value y) const;
  Value addRows(int64_t number);
  /// The feature between rows that change nothing.
  Value pad(Value nodes);
  /// The graph in which row i receives from the rows i + offset.
  Value makeShifts(Value numDst, Value numSrc, ArrayRef<int64_t> offsets);
  SmallVector<Value> sumShifts(ValueRange rows, Value numDst, Value numSrc,
                               ArrayRef<int64_t> offsets);
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  const mp::AggregatorKind kind;
  const int64_t halfWidth;
  const bool noSelf;
  /// Of nodes.
  Value count;
  int64_t base = 0;
  SmallVector<Level> levels;
};
} // namespace

SmallVector<Level> WindowSums::divide(int64_t toBase) const {
  // Row i + offset of the padded feature is node i + offset - halfWidth.
  SmallVector<std::pair<int64_t, int64_t>> parts = {{0, 2 * halfWidth + 1}};
  if (noSelf)
    parts = {{0, halfWidth}, {halfWidth + 1, halfWidth}};
  SmallVector<Level> result;
  for (int64_t length = 1; length <= parts.front().second; length *= toBase)
    result.push_back({length, {}});
  for (auto [offset, length] : parts)
    for (Level &level : llvm::reverse(result))
      for (; length >= level.length; length -= level.length) {
        level.offsets.push_back(offset);
        offset += level.length;
      }
  return result;
}

void WindowSums::divide() {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t candidate = 2; candidate <= kLargestBase; ++candidate) {
    SmallVector<Level> result = divide(candidate);
    int64_t cost = (int64_t(result.size()) - 1) * (candidate + kPass);
    for (const Level &level : result)
      if (!level.offsets.empty())
        cost += int64_t(level.offsets.size()) + kPass;
    if (cost >= least)
      continue;
    least = cost;
    base = candidate;
    levels = std::move(result);
  }
}

Value WindowSums::join(OpBuilder &b, Value x, Value y) const {
  switch (kind) {
  case mp::AggregatorKind::max:
    return arith::MaximumFOp::create(b, loc, x, y);
  case mp::AggregatorKind::min:
    return arith::MinimumFOp::create(b, loc, x, y);
  default:
    return arith::AddFOp::create(b, loc, x, y);
  }
}

Value WindowSums::addRows(int64_t number) {
  return arith::AddIOp::create(builder, loc, count, getIndex(number));
}

Value WindowSums::pad(Value nodes) {
  // With more rows than the type of the nodes may state.
  RankedTensorType type = mp::getNodesType(mp::getNodeFeature(nodes.getType()));
  if (nodes.getType() != type)
    nodes = tensor::CastOp::create(builder, loc, type, nodes);
  auto element = cast<FloatType>(type.getElementType());
  TypedAttr neutral = builder.getZeroAttr(element);
  if (kind != mp::AggregatorKind::sum)
    neutral = builder.getFloatAttr(
        element, APFloat::getInf(element.getFloatSemantics(),
                                 kind == mp::AggregatorKind::max));
  Value filling = arith::ConstantOp::create(builder, loc, neutral);
  Value empty =
      tensor::EmptyOp::create(builder, loc, type, addRows(2 * halfWidth));
  Value filled =
      linalg::FillOp::create(builder, loc, filling, empty).getResult(0);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    offsets.push_back(builder.getIndexAttr(dim == 0 ? halfWidth : 0));
    sizes.push_back(dim == 0 ? OpFoldResult(count)
                             : builder.getIndexAttr(type.getDimSize(dim)));
    strides.push_back(builder.getIndexAttr(1));
  }
  return tensor::InsertSliceOp::create(builder, loc, nodes, filled, offsets,
                                       sizes, strides);
}

Value WindowSums::makeShifts(Value numDst, Value numSrc,
                             ArrayRef<int64_t> offsets) {
  Value degree = getIndex(int64_t(offsets.size())), one = getIndex(1);
  Value table = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get(int64_t(offsets.size()),
                                                   builder.getIndexType()),
                             offsets));
  auto generate = [&](Value length, Type element,
                      llvm::function_ref<Value(OpBuilder &, Value)> get) {
    return tensor::GenerateOp::create(
        builder, loc, RankedTensorType::get(ShapedType::kDynamic, element),
        length, [&](OpBuilder &b, Location loc, ValueRange position) {
          Value value = arith::IndexCastOp::create(b, loc, element,
                                                   get(b, position.front()));
          tensor::YieldOp::create(b, loc, value);
        });
  };
  Value numRows = arith::AddIOp::create(builder, loc, numDst, one);
  Value rows = generate(numRows, builder.getI64Type(),
                        [&](OpBuilder &b, Value row) -> Value {
                          return arith::MulIOp::create(b, loc, row, degree);
                        });
  Value numEdges = arith::MulIOp::create(builder, loc, numDst, degree);
  Value sources = generate(
      numEdges, builder.getI32Type(), [&](OpBuilder &b, Value edge) -> Value {
        Value row = arith::DivUIOp::create(b, loc, edge, degree);
        Value number = arith::RemUIOp::create(b, loc, edge, degree);
        Value offset = tensor::ExtractOp::create(b, loc, table, number);
        return arith::AddIOp::create(b, loc, row, offset);
      });
  auto type = mp::MPGraphType::get(builder.getContext(), mp::Topology::sparse,
                                   0, false);
  return mp::CSROp::create(builder, loc, type, rows, sources, numSrc);
}

SmallVector<Value> WindowSums::sumShifts(ValueRange rows, Value numDst,
                                         Value numSrc,
                                         ArrayRef<int64_t> offsets) {
  Value graph = makeShifts(numDst, numSrc, offsets);
  auto sums = aggregateNodes(builder, loc, graph, kind, /*score=*/{}, rows);
  return SmallVector<Value>(sums.getResults());
}

SmallVector<Value> WindowSums::sum(ValueRange nodes) {
  SmallVector<Value> rows, total;
  for (Value node : nodes)
    rows.push_back(pad(node));
  Value numRows = addRows(2 * halfWidth);
  divide();
  for (const Level &level : levels) {
    if (level.length > 1) {
      SmallVector<int64_t> below;
      for (int64_t number = 0; number < base; ++number)
        below.push_back(number * level.length / base);
      Value numLeft = addRows(2 * halfWidth + 1 - level.length);
      rows = sumShifts(rows, numLeft, numRows, below);
      numRows = numLeft;
    }
    if (level.offsets.empty())
      continue;
    SmallVector<Value> part = sumShifts(rows, count, numRows, level.offsets);
    if (total.empty())
      total = part;
    else
      for (auto [sum, more] : llvm::zip_equal(total, part))
        sum = makeUpdate(builder, loc, {sum, more},
                         mp::getNodeFeature(sum.getType()),
                         [&](OpBuilder &b, ValueRange args) {
                           return join(b, args[0], args[1]);
                         });
  }
  return total;
}

SmallVector<Value> clique::sumWindows(OpBuilder &builder, Location loc,
                                      mp::MPGraphType window,
                                      mp::AggregatorKind kind, Value count,
                                      ValueRange nodes) {
  return WindowSums(builder, loc, window, kind, count).sum(nodes);
}
