//===- MPNodeTypes.h - Tensors of nodes -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPNODETYPES_H
#define CLIQUE_DIALECT_IR_MPNODETYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace clique::mp {

/// A feature of so many nodes, as `tensor<8xf32>` -> `tensor<?x8xf32>`; the
/// inverse of getNodeFeature().
inline mlir::RankedTensorType
getNodesType(mlir::RankedTensorType feature,
             int64_t nodes = mlir::ShapedType::kDynamic) {
  return mlir::RankedTensorType::Builder(feature).insertDim(nodes, 0);
}

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPNODETYPES_H
