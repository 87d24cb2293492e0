//===- KeepForBackward.h - What aggregations keep per node ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside their results: the log-sum-exp of a softmax, the mean of a deviation,
// the winning edge of a maximum, the zeros of a product.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_KEEPFORBACKWARD_H
#define CLIQUE_COMPILER_GRADIENT_KEEPFORBACKWARD_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clique::gradient {

/// What is kept, by aggregation and number of the value.
struct KeptValues {
  using Key = std::pair<mlir::Operation *, unsigned>;
  /// Of `std`: the mean over the edges.
  llvm::DenseMap<Key, mlir::Value> means;
  /// Of `max` and `min`: the number of the edge that the result is from.
  llvm::DenseMap<Key, mlir::Value> winners;
  /// Of a product: that of its factors but zeros, and how many zeros there are.
  llvm::DenseMap<Key, std::pair<mlir::Value, mlir::Value>> products;
};

/// Adds to each aggregation of the function what its derivative needs: to a
/// softmax its log-sum-exp, in two parts, to the others aggregations beside
/// them.
KeptValues keepForBackward(mlir::func::FuncOp function);

/// Custom monoids whose parts are combined each by itself, by a sum, a product,
/// a maximum or a minimum, as those aggregations and an update. Others have
/// their lift in a message before them and their finalise in an update behind.
void decomposeMonoids(mlir::func::FuncOp function);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_KEEPFORBACKWARD_H
