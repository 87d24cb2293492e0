//===- LowerPairs.cpp - Products of pairs as instructions of x86 ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {
#define GEN_PASS_DEF_LOWERPAIRSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Words of a register.
static constexpr int64_t kWords = 16;

static Value emitOnRegister(OpBuilder &b, mp::PairOp op, ValueRange operands) {
  Location loc = op.getLoc();
  auto words = VectorType::get(kWords, b.getI32Type());
  auto round = [&](Value floats) -> Value {
    auto rounded = x86vector::CvtPackedF32ToBF16Op::create(
        b, loc, VectorType::get(kWords, b.getBF16Type()), floats);
    auto bits = vector::BitCastOp::create(
        b, loc, VectorType::get(kWords, b.getI16Type()), rounded);
    return arith::ExtUIOp::create(b, loc, words, bits);
  };
  Value low = round(operands[0]), high = round(operands[1]);
  Value bits = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(words, b.getI32IntegerAttr(16)));
  return arith::OrIOp::create(b, loc, low,
                              arith::ShLIOp::create(b, loc, high, bits));
}

static Value emitOnRegister(OpBuilder &b, mp::DotPairsOp op,
                            ValueRange operands) {
  auto pairs = VectorType::get(2 * kWords, b.getBF16Type());
  Value x = vector::BitCastOp::create(b, op.getLoc(), pairs, operands[1]);
  Value y = vector::BitCastOp::create(b, op.getLoc(), pairs, operands[2]);
  return x86vector::DotBF16Op::create(b, op.getLoc(), operands[0].getType(),
                                      operands[0], x, y);
}

/// The op on one row, register by register.
template <typename Op>
static Value emitOnRow(OpBuilder &b, Op op, ArrayRef<Value> operands,
                       VectorType rowType) {
  Location loc = op.getLoc();
  const int64_t size = rowType.getNumElements();
  if (size == kWords)
    return emitOnRegister(b, op, operands);
  Value row = arith::ConstantOp::create(b, loc, b.getZeroAttr(rowType));
  for (int64_t first = 0; first < size; first += kWords) {
    const int64_t count = std::min(kWords, size - first);
    SmallVector<Value> parts;
    for (Value operand : operands) {
      Value part = vector::ExtractStridedSliceOp::create(b, loc, operand, first,
                                                         count, 1);
      if (count < kWords) {
        auto full = VectorType::get(kWords, getElementTypeOrSelf(operand));
        Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(full));
        part = vector::InsertStridedSliceOp::create(b, loc, part, zeros, 0, 1);
      }
      parts.push_back(part);
    }
    Value result = emitOnRegister(b, op, parts);
    if (count < kWords)
      result =
          vector::ExtractStridedSliceOp::create(b, loc, result, 0, count, 1);
    row = vector::InsertStridedSliceOp::create(b, loc, result, row, first, 1);
  }
  return row;
}

template <typename Op>
static void lower(Op op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type type = op->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  SmallVector<Value> operands(op->getOperands());
  if (!vector || vector.getRank() == 0) {
    // One element is one lane of many.
    for (Value &operand : operands) {
      auto full = VectorType::get(kWords, getElementTypeOrSelf(operand));
      operand = vector::BroadcastOp::create(b, loc, full, operand);
    }
    Value lane = vector::ExtractOp::create(
        b, loc, emitOnRegister(b, op, operands), ArrayRef<int64_t>{0});
    if (vector)
      lane = vector::BroadcastOp::create(b, loc, vector, lane);
    op.replaceAllUsesWith(lane);
    op.erase();
    return;
  }
  auto rowType =
      VectorType::get(vector.getShape().back(), vector.getElementType());
  SmallVector<int64_t> outer(vector.getShape().drop_back());
  Value result;
  if (outer.empty()) {
    result = emitOnRow(b, op, operands, rowType);
  } else {
    result = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    for (int64_t k = 0, rows = computeProduct(outer); k < rows; ++k) {
      SmallVector<int64_t> position = delinearize(k, computeStrides(outer));
      SmallVector<Value> row;
      for (Value operand : operands)
        row.push_back(vector::ExtractOp::create(b, loc, operand, position));
      result = vector::InsertOp::create(
          b, loc, emitOnRow(b, op, ArrayRef(row), rowType), result, position);
    }
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct LowerPairs : public clique::impl::LowerPairsPassBase<LowerPairs> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto pair = dyn_cast<mp::PairOp>(op))
        lower(pair);
      else if (auto dot = dyn_cast<mp::DotPairsOp>(op))
        lower(dot);
    });
  }
};
} // namespace
