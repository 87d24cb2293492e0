//===- Term.h - Formulas as C++ expressions ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Term is a float (or truth) value that an expression makes: `g * (1 - y *
// y)` creates the ops. It stands for a scalar as well as for a static tensor;
// numbers take the type of what they meet.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_TERM_H
#define CLIQUE_COMPILER_GRADIENT_TERM_H

#include "mlir/IR/Builders.h"

namespace clique::gradient {

class Term {
public:
  /// No value: of an operand without gradient.
  Term() = default;
  Term(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  mlir::Value getValue() const { return value; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return *loc; }
  explicit operator bool() const { return bool(value); }

  /// Another value at the same place.
  Term with(mlir::Value other) const { return {*builder, *loc, other}; }
  /// A number of this term's type.
  Term number(double number) const;

private:
  mlir::OpBuilder *builder = nullptr;
  std::optional<mlir::Location> loc;
  mlir::Value value;
};

/// A term, or a number that becomes one beside a term.
struct Operand {
  Operand(Term term) : term(term) {}
  Operand(double number) : number(number) {}
  Operand(int number) : number(number) {}

  Term get(Term beside) const { return term ? term : beside.number(number); }

  Term term;
  double number = 0;
};

Term operator-(Term x);
Term add(Term x, Term y);
Term subtract(Term x, Term y);
Term multiply(Term x, Term y);
Term divide(Term x, Term y);

#define CLIQUE_TERM_OPERATOR(symbol, function)                                 \
  inline Term operator symbol(Term x, Operand y) {                             \
    return function(x, y.get(x));                                              \
  }                                                                            \
  inline Term operator symbol(double x, Term y) {                              \
    return function(y.number(x), y);                                           \
  }
CLIQUE_TERM_OPERATOR(+, add)
CLIQUE_TERM_OPERATOR(-, subtract)
CLIQUE_TERM_OPERATOR(*, multiply)
CLIQUE_TERM_OPERATOR(/, divide)
#undef CLIQUE_TERM_OPERATOR

/// Ordered comparisons: false for NaN.
Term operator==(Term x, Operand y);
Term operator<(Term x, Operand y);
Term operator<=(Term x, Operand y);
Term operator>(Term x, Operand y);
Term operator>=(Term x, Operand y);
/// `condition ? x : y`; at least one of them is a term.
Term select(Term condition, Operand x, Operand y);

Term cos(Term x);
Term cosh(Term x);
Term erf(Term x);
Term exp(Term x);
Term log(Term x);
Term roundeven(Term x);
Term sigmoid(Term x);
/// 1 or -1.
Term sign(Term x);
Term sin(Term x);
Term sinh(Term x);
Term sqrt(Term x);
Term tanh(Term x);

/// The derivative of x^n by x: n x^(n - 1), and 0 for n = 0.
Term powerSlope(Term x, Term n);
/// d / (x^2 + y^2), where d is x or y, without overflow; 0 at (0, 0).
Term angleSlope(Term d, Term x, Term y);
/// The derivative of mp.silu.
Term siluSlope(Term x);
/// The derivative of mp.gelu.
Term geluSlope(mlir::Operation *op, Term x);
/// The float attribute of an op.
double attribute(mlir::Operation *op, llvm::StringRef name);
/// An integer, or another float, as an element of x's type.
Term toFloat(Term n, Term x);
/// A float in x's element type.
Term convert(Term g, Term x);
/// Repeats g along the dimensions of x that it lacks at the end.
Term spread(Term g, Term x);
/// `product` is g times a slope: 0 where g is 0 and the slope is not finite.
Term keepZeros(Term g, Term product);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_TERM_H
