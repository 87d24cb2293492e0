//===- MathFormula.h - Formulas on vectors of f32 ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H
#define CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Whether an op computes an f32 or a vector of them.
inline bool isOfF32(mlir::Operation *op) {
  return mlir::getElementTypeOrSelf(op->getResult(0)).isF32();
}

/// Writes formulas on values of the type of `x`, an f32 or a vector of them, or
/// on f64 in as many elements.
class MathFormula {
public:
  using Predicate = mlir::arith::CmpFPredicate;

  MathFormula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x)
      : builder(builder), loc(loc), x(x) {}

  mlir::Value number(float value) const {
    return mlir::createScalarOrSplatConstant(builder, loc, x.getType(),
                                             llvm::APFloat(value));
  }
  /// An i32, in as many elements.
  mlir::Value integer(int32_t value) const {
    return mlir::createScalarOrSplatConstant(builder, loc, getIntegerType(),
                                             value);
  }
  mlir::Type getIntegerType() const {
    return withElement(builder.getI32Type());
  }

  mlir::Value widen(mlir::Value a) const {
    return make<mlir::arith::ExtFOp>(withElement(builder.getF64Type()), a);
  }
  mlir::Value narrow(mlir::Value wide) const {
    return make<mlir::arith::TruncFOp>(x.getType(), wide);
  }
  mlir::Value wideNumber(mlir::Value like, double value) const {
    return mlir::createScalarOrSplatConstant(builder, loc, like.getType(),
                                             llvm::APFloat(value));
  }

  template <typename Op, typename... Args>
  mlir::Value make(Args... args) const {
    return Op::create(builder, loc, args...);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::AddFOp>(a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::SubFOp>(a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::MulFOp>(a, b);
  }
  mlir::Value divide(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::DivFOp>(a, b);
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const {
    return make<mlir::math::FmaOp>(a, b, c);
  }
  mlir::Value abs(mlir::Value a) const { return make<mlir::math::AbsFOp>(a); }
  mlir::Value copySign(mlir::Value size, mlir::Value sign) const {
    return make<mlir::math::CopySignOp>(size, sign);
  }
  mlir::Value compare(Predicate predicate, mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::CmpFOp>(predicate, a, b);
  }
  mlir::Value compare(Predicate predicate, mlir::Value a, float b) const {
    return compare(predicate, a, number(b));
  }
  mlir::Value select(mlir::Value which, mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::SelectOp>(which, a, b);
  }
  /// The first coefficient is that of the highest power.
  mlir::Value polynomial(mlir::Value a,
                         std::initializer_list<float> coefficients) const {
    mlir::Value sum;
    for (float coefficient : coefficients)
      sum = sum ? fma(sum, a, number(coefficient)) : number(coefficient);
    return sum;
  }

private:
  mlir::Type withElement(mlir::Type element) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(x.getType());
    return shaped ? mlir::Type(shaped.clone(element)) : element;
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value x;
};

/// Replaces an op of f32 by a formula.
template <typename Op>
class FormulaPattern : public mlir::OpRewritePattern<Op> {
public:
  using Formula = mlir::Value (*)(const MathFormula &, Op);

  FormulaPattern(mlir::MLIRContext *context, Formula formula,
                 mlir::PatternBenefit benefit)
      : mlir::OpRewritePattern<Op>(context, benefit), formula(formula) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    if (!isOfF32(op))
      return mlir::failure();
    MathFormula f(rewriter, op.getLoc(), op.getResult());
    rewriter.replaceOp(op, formula(f, op));
    return mlir::success();
  }

private:
  Formula formula;
};

template <typename Op>
void addFormula(mlir::RewritePatternSet &patterns,
                mlir::Value (*formula)(const MathFormula &, Op),
                mlir::PatternBenefit benefit) {
  patterns.add<FormulaPattern<Op>>(patterns.getContext(), formula, benefit);
}

/// sin, cos, atan, asin and atan2 of f32, before upstream's patterns.
void populateTrigonometryPatterns(mlir::RewritePatternSet &patterns,
                                  mlir::PatternBenefit benefit);

/// log(1 + x) of f32, before upstream's pattern.
void populateLogarithmPatterns(mlir::RewritePatternSet &patterns,
                               mlir::PatternBenefit benefit);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H
