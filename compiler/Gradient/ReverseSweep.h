//===- ReverseSweep.h - Cotangents of straight-line code --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the ops of a block from the last to the first and adds up what
// each value's cotangent is: the region of one edge or node, or the static
// tensors of a function. It reads the original ops and writes new ones: the
// values of the original computation are asked for through `primal`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_REVERSESWEEP_H
#define CLIQUE_COMPILER_GRADIENT_REVERSESWEEP_H

#include "compiler/Gradient/KeptZeros.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace clique::gradient {

/// What one edge or node adds to the gradient of a value from outside the
/// region: `adjoint`, or the outer product of `x` and `adjoint`; with `index`,
/// to that row of it. The first `numSummed` dimensions of `x` and `adjoint` are
/// the same, and outer products are summed over them.
struct WeightTerm {
  mlir::Value weights; ///< of the original function
  mlir::Value index, x;
  mlir::Value adjoint;
  int64_t numSummed = 0;
};

class ReverseSweep {
public:
  struct Environment {
    /// The new value of an original one, in the precision of gradients.
    std::function<mlir::Value(mlir::Value)> primal;
    /// Whether a gradient is wanted of it, or of what it is made from.
    std::function<bool(mlir::Value)> isActive;
    /// A static tensor from outside with permuted dimensions.
    std::function<mlir::Value(mlir::Value, llvm::ArrayRef<int64_t>)> transpose;
    /// How two cotangents are added, if not by arith.addf.
    std::function<mlir::Value(mlir::Value, mlir::Value)> sum;
    /// A cotangent of 0 stays 0, even if operands are infinite: of a node
    /// without edges messages say nothing, though 1 / degree is infinite there.
    bool keepsZeros = false;
  };

  /// Of the ops of `block`; what is defined elsewhere is outside.
  ReverseSweep(mlir::OpBuilder &builder, mlir::Block &block,
               Environment environment)
      : builder(builder), block(block), environment(std::move(environment)) {}

  /// Adds to the cotangent of an original value; values from outside become
  /// terms.
  void add(mlir::Value value, mlir::Value cotangent);
  /// Adds what `op` hands on to its operands. Emits an error where it has no
  /// derivative.
  mlir::LogicalResult visit(mlir::Operation *op);
  /// All ops but the terminator, from the last on.
  mlir::LogicalResult run();

  /// Null where nothing arrived.
  mlir::Value get(mlir::Value value) const { return cotangents.lookup(value); }
  llvm::ArrayRef<WeightTerm> getTerms() const { return terms; }

private:
  /// Whether the table knows it.
  bool visitByTable(mlir::Operation *op, mlir::Value g);
  mlir::LogicalResult visitStructural(mlir::Operation *op, mlir::Value g);
  mlir::LogicalResult visitScatter(mlir::Operation *op, mlir::Value g);
  /// A term of an outer product with `adjoint`, which is 0 where that is.
  mlir::Value keepZeros(mlir::Value x, mlir::Value adjoint);

  bool isOutside(mlir::Value value) const {
    return value.getParentBlock() != &block;
  }
  mlir::Value primal(mlir::Value value) { return environment.primal(value); }
  bool isActive(mlir::Value value) { return environment.isActive(value); }

  friend struct StructuralRules;

  mlir::OpBuilder &builder;
  mlir::Block &block;
  Environment environment;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
  llvm::SmallVector<WeightTerm> terms;
  KeptZeros keptZeros;
};

/// f32 for bf16 and f16, in which no gradient is added up; others stay.
mlir::Type getGradientType(mlir::Type type);

/// The new op of `op`, in the precision of gradients, with operands from
/// `primal`; its results are handed to `define`.
void cloneWidened(mlir::OpBuilder &builder, mlir::Operation *op,
                  llvm::function_ref<mlir::Value(mlir::Value)> primal,
                  llvm::function_ref<void(mlir::Value, mlir::Value)> define);

/// `value` as f32 if it is of half precision.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Value value);

/// x[s.., a..] y[s.., o..] summed over s, the first `numSummed` dimensions of
/// both: a feature [a.., o..].
mlir::Value outerProduct(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value x, mlir::Value y, int64_t numSummed = 0);

/// The transposed tensor, a linalg.transpose.
mlir::Value transpose(mlir::OpBuilder &builder, mlir::Value tensor,
                      llvm::ArrayRef<int64_t> permutation);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_REVERSESWEEP_H
