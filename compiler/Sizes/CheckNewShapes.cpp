//===- CheckNewShapes.cpp - Sizes of new tensors --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

namespace {
/// How many elements the dimensions of a new tensor may still multiply to:
/// beyond what a type may state its size in bytes overflows.
class NewShape {
public:
  NewShape(RankedTensorType type, SizeChecks &checks) : checks(checks) {
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        most = divide(most, size);
  }

  /// A number that the next dimension is at least.
  void check(OpFoldResult number, const Twine &wanted) {
    checks.checkRange(number, checks.getConstant(0), getMost(), wanted);
  }
  void add(OpFoldResult size) {
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      most = divide(most, *known);
      return;
    }
    OpBuilder &b = checks.getBuilder();
    Location loc = cast<Value>(size).getLoc();
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value factor = arith::MaxSIOp::create(b, loc, cast<Value>(size), one);
    factors = factors ? arith::MulIOp::create(b, loc, factors, factor) : factor;
  }

private:
  static int64_t divide(int64_t number, int64_t size) {
    return number / std::max<int64_t>(size, 1);
  }
  OpFoldResult getMost() {
    if (!factors)
      return checks.getConstant(most);
    OpBuilder &b = checks.getBuilder();
    Value all = arith::ConstantIndexOp::create(b, factors.getLoc(), most);
    return arith::DivUIOp::create(b, factors.getLoc(), all, factors)
        .getResult();
  }

  SizeChecks &checks;
  int64_t most = kMaxElements;
  Value factors;
};
} // namespace

void clique::checkNewShape(Operation *op, ValueRange sizes,
                           SizeChecks &checks) {
  NewShape shape(cast<RankedTensorType>(op->getResult(0).getType()), checks);
  for (auto [number, size] : llvm::enumerate(sizes)) {
    shape.check(size, "dynamic size #" + Twine(number));
    shape.add(size);
  }
}

void clique::checkPad(tensor::PadOp op, SizeChecks &checks) {
  NewShape shape(op.getResultType(), checks);
  for (auto [dim, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
    shape.check(low, "low padding of dimension " + Twine(dim));
    shape.check(high, "high padding of dimension " + Twine(dim));
    AffineExpr s0, s1, s2;
    bindSymbols(op.getContext(), s0, s1, s2);
    OpFoldResult size = checks.apply(
        s0 + s1 + s2, {low, checks.getSize(op.getSource(), dim), high});
    checks.checkResult(size, dim);
    if (op.getResultType().isDynamicDim(dim))
      shape.add(size);
  }
}
