//===- SizeChecks.h - Checks in front of one op -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_SIZES_SIZECHECKS_H
#define CLIQUE_COMPILER_SIZES_SIZECHECKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace clique {

/// Sizes beyond this are mistakes; below it no product of them overflows.
inline constexpr int64_t kMaxElements = int64_t(1) << 40;

/// Emits checks in front of an op. Texts say what is wanted of a number; the
/// op's place in the spec and its name are put before them.
class SizeChecks {
public:
  explicit SizeChecks(mlir::Operation *op)
      : builder(op), loc(op->getLoc()), op(op) {}

  mlir::OpBuilder &getBuilder() { return builder; }

  /// A dimension of a tensor, or the number of rows of an edge feature.
  mlir::OpFoldResult getSize(mlir::Value value, int64_t dim);
  mlir::OpFoldResult getConstant(int64_t number) {
    return builder.getIndexAttr(number);
  }
  /// An affine function of numbers.
  mlir::OpFoldResult apply(mlir::AffineExpr expr,
                           llvm::ArrayRef<mlir::OpFoldResult> numbers);

  /// least <= actual <= most, unless it is known to hold.
  void checkRange(mlir::OpFoldResult actual, mlir::OpFoldResult least,
                  mlir::OpFoldResult most, const llvm::Twine &wanted);
  void checkEqual(mlir::OpFoldResult actual, mlir::OpFoldResult expected,
                  const llvm::Twine &wanted);
  /// 0 <= position < size.
  void checkPosition(mlir::OpFoldResult position, mlir::OpFoldResult size,
                     const llvm::Twine &wanted);
  /// A size of a new tensor.
  void checkSize(mlir::OpFoldResult size, const llvm::Twine &wanted);
  /// The size that dimension `dim` of the result has, if its type states one.
  void checkResult(mlir::OpFoldResult size, int64_t dim);
  /// Dimension `dim` of two operands.
  void checkSameSize(unsigned first, unsigned second, int64_t dim);

private:
  mlir::Value getValue(mlir::OpFoldResult number);

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Operation *op;
};

/// Checks the positions at which the region of `op`, a structured op or a
/// tensor.generate, reads other tensors. An error where that is not possible.
mlir::LogicalResult checkIndices(mlir::Operation *op);

/// Checks that the operands of a structured op agree on the lengths of its
/// loops.
void checkLoops(mlir::linalg::LinalgOp op, SizeChecks &checks);

/// Checks that a loop that counts has steps, and not more than 64 bits hold.
void checkCountedLoop(mlir::scf::ForOp op, SizeChecks &checks);
/// Checks that values that a loop carries keep their sizes.
void checkYield(mlir::scf::YieldOp op, SizeChecks &checks);

/// Checks that a new tensor, the result of `op`, has sizes that can be.
void checkNewShape(mlir::Operation *op, mlir::ValueRange sizes,
                   SizeChecks &checks);
void checkPad(mlir::tensor::PadOp op, SizeChecks &checks);

/// Checks that a part lies in its source.
void checkExtractSlice(mlir::tensor::ExtractSliceOp op, SizeChecks &checks);
/// The same of an insertion, whose source has the size of the part.
void checkInsertSlice(mlir::tensor::InsertSliceOp op, SizeChecks &checks);

/// Rewrites sizes of what ops in `root` made to sizes of what they made it
/// from.
void resolveSizes(mlir::Operation *root);

/// Moves checks in front of all ops that they need nothing of.
void moveChecks(mlir::Operation *root);

} // namespace clique
#endif // CLIQUE_COMPILER_SIZES_SIZECHECKS_H
