//===- MPScatter.h - Which scatters there are -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSCATTER_H
#define CLIQUE_DIALECT_IR_MPSCATTER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique::mp {

/// One index, of one dimension, which the source does not have. In regions and
/// at function level there are no others.
inline bool isOneSlice(mlir::tensor::ScatterOp op) {
  return op.getIndicesType().getRank() == 1 &&
         op.getScatterDims().size() == 1 &&
         op.getSourceType().getRank() + 1 == op.getDestType().getRank();
}
inline constexpr llvm::StringLiteral kManySlices =
    "writes more than one slice: give it one index, a tensor of one element, "
    "and a source without that dimension";

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPSCATTER_H
