//===- DecomposeNorms.cpp - Normalisations to arith and math --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeNorms.h"
#include "compiler/Algebra/FeatureFormula.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace clique;

namespace {
struct Norm : Formula {
  using Formula::Formula;

  /// 1 / sqrt(variance + eps)
  Value inverseDeviation(Value variance, double eps) {
    return apply<math::RsqrtOp>(add(variance, splat(variance, eps)));
  }
  /// Mean over the last dimension.
  Value mean(Value x) {
    auto type = cast<RankedTensorType>(x.getType());
    auto result = RankedTensorType::get(type.getShape().drop_back(),
                                        type.getElementType());
    return mp::ReduceOp::create(rewriter, loc, result, mp::ReductionKind::mean,
                                x, ArrayRef<int64_t>{type.getRank() - 1});
  }
  Value broadcast(Value x, Type type, bool trailing) {
    if (x.getType() == type)
      return x;
    return mp::BroadcastOp::create(rewriter, loc, type, x, trailing);
  }
};

struct LayerNorm : FormulaPattern<LayerNorm, mp::LayerNormOp, Norm> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::LayerNormOp op, Norm &f) {
    Value x = op.getX();
    Type type = x.getType();
    Value centred = f.sub(x, f.broadcast(f.mean(x), type, /*trailing=*/false));
    Value variance = f.mean(f.mul(centred, centred));
    Value inverse = f.inverseDeviation(variance, op.getEps().convertToDouble());
    Value y = f.mul(centred, f.broadcast(inverse, type, /*trailing=*/false));
    if (Value scale = op.getScale())
      y = f.mul(y, f.broadcast(scale, type, /*trailing=*/true));
    if (Value shift = op.getShift())
      y = f.add(y, f.broadcast(shift, type, /*trailing=*/true));
    return y;
  }
};

struct BatchNorm : FormulaPattern<BatchNorm, mp::BatchNormOp, Norm> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::BatchNormOp op, Norm &f) {
    Value factor =
        f.inverseDeviation(op.getVariance(), op.getEps().convertToDouble());
    if (Value scale = op.getScale())
      factor = f.mul(scale, factor);
    Value y = f.mul(f.sub(op.getX(), op.getMean()), factor);
    if (Value shift = op.getShift())
      y = f.add(y, shift);
    return y;
  }
};
} // namespace

void clique::populateDecomposeNormPatterns(RewritePatternSet &patterns) {
  patterns.add<LayerNorm, BatchNorm>(patterns.getContext());
}
