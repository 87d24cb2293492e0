//===- MathFormula.h - Formulas on vectors of f32 ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H
#define CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Whether it is an f32 or a vector of them.
inline bool isOfF32(mlir::Value x) {
  return mlir::getElementTypeOrSelf(x).isF32();
}

/// A number, or a vector of it, of the type of `x`.
inline mlir::Value constantLike(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value x, const llvm::APFloat &number) {
  mlir::Type type = x.getType();
  mlir::TypedAttr value =
      builder.getFloatAttr(mlir::getElementTypeOrSelf(type), number);
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    value = mlir::DenseElementsAttr::get(shaped, mlir::Attribute(value));
  return mlir::arith::ConstantOp::create(builder, loc, value);
}

/// Writes formulas on values of the type of `x`, an f32 or a vector of them.
class MathFormula {
public:
  using Predicate = mlir::arith::CmpFPredicate;

  MathFormula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x)
      : builder(builder), loc(loc), x(x) {}

  mlir::Value number(float value) const {
    return constantLike(builder, loc, x, llvm::APFloat(value));
  }
  /// An i32, in as many elements.
  mlir::Value integer(int32_t value) const {
    mlir::TypedAttr attr = builder.getI32IntegerAttr(value);
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(getIntegerType()))
      attr = mlir::DenseElementsAttr::get(shaped, mlir::Attribute(attr));
    return mlir::arith::ConstantOp::create(builder, loc, attr);
  }
  mlir::Type getIntegerType() const {
    mlir::Type type = builder.getI32Type();
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(x.getType()))
      type = shaped.clone(type);
    return type;
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
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value x;
};

/// sin, cos, atan, asin and atan2 of f32, before upstream's patterns.
void populateTrigonometryPatterns(mlir::RewritePatternSet &patterns,
                                  mlir::PatternBenefit benefit);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_MATHFORMULA_H
