//===- FeatureFormula.h - Formulas over features ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What patterns that take feature ops apart write their formulas with.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_FEATUREFORMULA_H
#define CLIQUE_COMPILER_ALGEBRA_FEATUREFORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Writes formulas over features of one type.
struct Formula {
  Formula(mlir::PatternRewriter &rewriter, mlir::Operation *op)
      : rewriter(rewriter), loc(op->getLoc()) {}

  /// A feature of x's type, each element of which is `value`. Half precision is
  /// computed in f32 (Lowering/Lifting.h), with the value as f32 has it.
  mlir::Value splat(mlir::Value x, double value) {
    auto type = llvm::cast<mlir::RankedTensorType>(x.getType());
    const bool isHalf = type.getElementTypeBitWidth() < 32;
    auto computed = isHalf ? llvm::cast<mlir::RankedTensorType>(
                                 type.clone(rewriter.getF32Type()))
                           : type;
    mlir::Value all = mlir::arith::ConstantOp::create(
        rewriter, loc,
        mlir::DenseElementsAttr::get(computed,
                                     mlir::Attribute(rewriter.getFloatAttr(
                                         computed.getElementType(), value))));
    return isHalf ? rewriter.createOrFold<mlir::arith::TruncFOp>(loc, type, all)
                  : all;
  }
  template <typename OpTy>
  mlir::Value apply(mlir::Value x) {
    return OpTy::create(rewriter, loc, x);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(rewriter, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(rewriter, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(rewriter, loc, a, b);
  }
  mlir::Value scale(double factor, mlir::Value x) {
    return mul(splat(x, factor), x);
  }

  mlir::PatternRewriter &rewriter;
  mlir::Location loc;
};

/// Replaces an op by the formula that `Derived::emit` writes.
template <typename Derived, typename OpTy, typename FormulaTy = Formula>
struct FormulaPattern : mlir::OpRewritePattern<OpTy> {
  using mlir::OpRewritePattern<OpTy>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(OpTy op, mlir::PatternRewriter &rewriter) const override {
    FormulaTy formula(rewriter, op);
    rewriter.replaceOp(op, Derived::emit(op, formula));
    return mlir::success();
  }
};

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_FEATUREFORMULA_H
